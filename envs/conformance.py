"""What every board environment promises, as one check that anyone can run on theirs.

    from sparring.envs.conformance import check_board_env
    check_board_env(lambda **words: gymnasium.make("mine/MyGame-v0", **words))

The environment must take the words `seat`, `opponent`, `illegal` and `opening_plies` of `BoardEnv`, and have `position` and
`action_masks()`.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

OUTCOMES = {1.0: "win", 0.0: "draw", -1.0: "loss"}


def check_board_env(make: Callable[..., gymnasium.Env[Any, Any]], games: int = 20) -> None:
    """Plays games with random legal moves and raises AssertionError, with what was broken, at the first promise that is.

    Args:
        make: makes an environment; it is given words of `BoardEnv` (seat, opponent, illegal, opening_plies, render_mode).
        games: to play for each seat.
    """
    for seat in ("first", "second"):
        env = make(seat=seat, opponent="random")
        for seed in range(games):
            check_game(env, seed, ("first", "second").index(seat))
        env.close()
    check_seeds(make)
    check_copies(make)
    check_illegal(make)
    check_openings(make)


def check_game(env: gymnasium.Env[Any, Any], seed: int, seat: int) -> None:
    """Plays one game and checks every step of it against the environment's own position."""
    chance = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    position = env.get_wrapper_attr("position")
    assert info["seat"] == seat, f"the learner has seat {info['seat']} instead of {seat}"
    assert (info["opponent_move"] >= 0) == (seat == 1), "the second seat begins with the opponent's move on the board, the first without"
    assert position.ply == info["ply"] == seat, f"the learner's first move comes at ply {seat}, not {position.ply}"
    while True:
        check_step(env, observation, info)
        kept, before = observation, observation.copy()
        observation, reward, terminated, truncated, info = env.step(choose(info["action_mask"], chance))
        assert np.array_equal(kept, before), "a step changed the observation of the step before"
        assert not truncated, "board games end, they are not cut off"
        if terminated:
            break
        assert reward == 0, f"a reward of {reward} while the game goes on"
    check_end(env, float(reward), info, seat)


def check_step(env: gymnasium.Env[Any, Any], observation: NDArray[Any], info: dict[str, Any]) -> None:
    """Checks observation and masks of a game that goes on."""
    position = env.get_wrapper_attr("position")
    assert env.observation_space.contains(observation), f"the observation is not in the observation space: {observation!r}"
    mask = info["action_mask"]
    assert mask.dtype == np.int8, f"the mask in info is {mask.dtype}, not int8"
    assert np.flatnonzero(mask).tolist() == position.legal_moves, "the mask in info is not the legal moves"
    assert mask.any(), "an empty mask"
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_, f"action_masks() is {masks.dtype}, not bool"
    assert np.array_equal(masks, mask.astype(bool)), "action_masks() is not the mask in info"
    assert position.side == info["seat"], "it is not the learner's turn"
    assert "outcome" not in info, "an outcome before the end"


def check_end(env: gymnasium.Env[Any, Any], reward: float, info: dict[str, Any], seat: int) -> None:
    """Checks reward, outcome and masks of a game that is over."""
    position = env.get_wrapper_attr("position")
    assert position.is_over, "terminated, but the game goes on"
    expected = 0.0 if position.winner is None else 1.0 if position.winner == seat else -1.0
    assert reward == expected, f"a reward of {reward} instead of {expected} with winner {position.winner} and the learner in seat {seat}"
    assert info["outcome"] == OUTCOMES[expected], f"outcome {info['outcome']!r} with reward {reward}"
    assert info["termination"] == position.termination, f"termination {info['termination']!r} instead of {position.termination!r}"
    assert info["illegal_actions"] == 0, "illegal actions counted without any"
    assert info["action_mask"].all(), "the mask at the end is all ones"
    assert env.get_wrapper_attr("action_masks")().all(), "action_masks() at the end is all True"


def check_seeds(make: Callable[..., gymnasium.Env[Any, Any]]) -> None:
    """Checks that equal seeds give equal games and others do not, also when the opponent draws lots."""
    words = {"opponent": "greedy", "seat": "random", "opening_plies": 2, "opponent_epsilon": 0.3}
    first, second, other = (list(played(make(**words), seed, games=4)) for seed in (1, 1, 2))
    assert first == second, "two environments with equal seeds play different games"
    assert first != other, "two environments with different seeds play the same games"


def check_copies(make: Callable[..., gymnasium.Env[Any, Any]]) -> None:
    """Checks that a copy made in the middle of a game goes on as the original does, also after a drawing."""
    env = make(opponent="greedy", seat="second", render_mode="rgb_array")
    _, info = env.reset(seed=3)
    env.render()
    chance = np.random.default_rng(3)
    _, _, terminated, _, info = env.step(choose(info["action_mask"], chance))
    assert not terminated, "the game is too short to copy an environment in its middle"
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    expected = list(continued(env, info, 5))
    for twin in twins:
        assert list(continued(twin, info, 5)) == expected, "a copy plays on in another way than its original"


def check_illegal(make: Callable[..., gymnasium.Env[Any, Any]]) -> None:
    """Checks that an illegal action loses, if there is one on the way through a game."""
    env = make(opponent="random", seat="first", illegal="lose")
    _, info = env.reset(seed=4)
    chance = np.random.default_rng(4)
    for _ in range(len(info["action_mask"])):
        illegal = np.flatnonzero(info["action_mask"] == 0)
        if len(illegal):
            before = env.get_wrapper_attr("position").text
            _, reward, terminated, _, info = env.step(int(illegal[0]))
            assert (reward, terminated) == (-1.0, True), "an illegal action must lose the game"
            assert (info["outcome"], info["termination"], info["illegal_actions"]) == ("loss", "illegal", 1), "an illegal action is counted"
            assert env.get_wrapper_attr("position").text == before, "an illegal action leaves the board as it was"
            return
        _, _, terminated, _, info = env.step(choose(info["action_mask"], chance))
        if terminated:
            _, info = env.reset()


def check_openings(make: Callable[..., gymnasium.Env[Any, Any]]) -> None:
    """Checks that openings stand on the board before the learner moves, and differ."""
    env = make(opponent="random", seat="first", opening_plies=2)
    texts = set()
    for seed in range(8):
        _, info = env.reset(seed=seed)
        assert info["ply"] == 2, f"an opening of {info['ply']} plies instead of 2"
        texts.add(env.get_wrapper_attr("position").text)
    assert len(texts) > 1, "all openings are the same"


def choose(mask: NDArray[Any], chance: np.random.Generator) -> int:
    """Returns a random action of those that a mask allows."""
    return int(chance.choice(np.flatnonzero(mask)))


def played(env: gymnasium.Env[Any, Any], seed: int, games: int) -> Iterator[Any]:
    """Yields everything that happens in some games with random moves from one seed on."""
    for game in range(games):
        observation, info = env.reset(seed=seed if game == 0 else None)
        yield observation.tobytes(), info["seat"], info["ply"]
        yield from continued(env, info, seed + game)


def continued(env: gymnasium.Env[Any, Any], info: dict[str, Any], seed: int) -> Iterator[Any]:
    """Yields every step of a game that is played on with random moves to its end."""
    chance, terminated = np.random.default_rng(seed), False
    while not terminated:
        observation, reward, terminated, _, info = env.step(choose(info["action_mask"], chance))
        yield observation.tobytes(), reward, terminated, info["action_mask"].tobytes(), info["opponent_move"], info.get("outcome")
