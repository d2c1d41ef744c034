"""What every board environment promises, as one check that anyone can run on theirs.

    from sparring.envs.conformance import check_board_env
    check_board_env(lambda **options: gymnasium.make("mine/MyGame-v0", **options))

The environment must take the options of `BoardEnv` (`seat`, `opponent`, `illegal`, `opening_plies`, `opponent_epsilon`, `render_mode`) and
"position" in the options of `reset`. It must have `action_masks()` and a `position` with `legal_moves`, `push`, `copy`, `moves`, `text`,
`notation`, `ply`, `side`, `is_over`, `winner` and `termination` of `sparring.Position`.

Promises that only some games test (a win on the last empty cell, a draw) need such a game:

    check_board_env(make, finished=[[0, 1, 4, 2, …]])
"""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

OUTCOMES = {1.0: "win", 0.0: "draw", -1.0: "loss"}


Env = gymnasium.Env[Any, Any]
INFO = {"action_mask", "seat", "opponent", "ply", "opponent_move", "illegal_actions"}
END = {"outcome", "termination"}


class ScriptedOpponent:
    """An opponent that plays given moves and keeps the positions that it saw."""

    def __init__(self, moves: Sequence[int]) -> None:
        """Takes the moves in their order."""
        self.moves, self.positions = list(moves), list[Any]()

    def act(self, position: Any) -> int:
        """Returns the next move."""
        self.positions.append(position)
        return self.moves[len(self.positions) - 1]


def check_board_env(
    make: Callable[..., Env], games: int = 20, finished: Sequence[Sequence[int]] = (), opponents: Sequence[Any] = ("random", "greedy")
) -> None:
    """Plays games with random legal moves; raises AssertionError at the first broken promise.

    Args:
        make: makes an environment from options of `BoardEnv` (seat, opponent, illegal, opening_plies, render_mode).
        games: number of games for each seat and opponent.
        finished: the moves of finished games, which are played from both seats like the random ones.
        opponents: the opponents of the games.
    """
    for seat, opponent in itertools.product((0, 1), opponents):
        env = make(seat=("first", "second")[seat], opponent=opponent)
        for seed in range(games):
            check_game(env, seed, seat)
        env.close()
    for moves in [*random_games(make, games), *finished]:
        check_both_seats(make, moves)
    check_positions(make)
    check_seats(make)
    check_seeds(make)
    check_copies(make)
    check_illegal(make)
    check_openings(make)
    check_spec(make)


def check_game(env: Env, seed: int, seat: int) -> None:
    """Plays one game and checks every step of it against the environment's own position."""
    chance = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    position = env.get_wrapper_attr("position")
    assert info["seat"] == seat, f"the learner has seat {info['seat']} instead of {seat}"
    assert (info["opponent_move"] >= 0) == (seat == 1), "the second seat begins with the opponent's move on the board, the first without"
    assert position.ply == info["ply"] == seat, f"the learner's first move comes at ply {seat}, not {position.ply}"
    while True:
        check_step(env, observation, info)
        last, before = observation, observation.copy()
        observation, reward, terminated, truncated, info = env.step(choose(info["action_mask"], chance))
        assert np.array_equal(last, before), "a step changed the observation of the step before"
        assert not truncated, "board games end, they are not cut off"
        if terminated:
            break
        assert reward == 0, f"a reward of {reward} while the game goes on"
    check_end(env, float(reward), info, seat)


def check_step(env: Env, observation: NDArray[Any], info: dict[str, Any]) -> None:
    """Checks observation and masks of a game that goes on."""
    position = env.get_wrapper_attr("position")
    assert info.keys() == INFO, f"info has the keys {sorted(info)} instead of {sorted(INFO)}"
    assert env.observation_space.contains(observation), f"the observation is not in the observation space: {observation!r}"
    mask = info["action_mask"]
    assert mask.dtype == np.int8, f"the mask in info is {mask.dtype}, not int8"
    assert np.flatnonzero(mask).tolist() == position.legal_moves, "the mask in info is not the legal moves"
    assert mask.any(), "an empty mask"
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_, f"action_masks() is {masks.dtype}, not bool"
    assert np.array_equal(masks, mask.astype(bool)), "action_masks() is not the mask in info"
    assert position.side == info["seat"], "it is not the learner's turn"


def check_end(env: Env, reward: float, info: dict[str, Any], seat: int) -> None:
    """Checks reward, outcome and masks of a game that is over."""
    position = env.get_wrapper_attr("position")
    assert position.is_over, "terminated, but the game goes on"
    assert info.keys() == INFO | END, f"info has the keys {sorted(info)} instead of {sorted(INFO | END)} at the end"
    expected = 0.0 if position.winner is None else 1.0 if position.winner == seat else -1.0
    assert reward == expected, f"a reward of {reward} instead of {expected} with winner {position.winner} and the learner in seat {seat}"
    assert info["outcome"] == OUTCOMES[expected], f"outcome {info['outcome']!r} with reward {reward}"
    assert info["termination"] == position.termination, f"termination {info['termination']!r} instead of {position.termination!r}"
    assert info["illegal_actions"] == 0, "illegal actions counted without any"
    assert info["action_mask"].all(), "the mask at the end is all ones"
    assert env.get_wrapper_attr("action_masks")().all(), "action_masks() at the end is all True"


def check_both_seats(make: Callable[..., Env], moves: Sequence[int]) -> None:
    """Plays one finished game from both seats against an opponent with given moves.

    The given opponent moves, the rewards of the two seats add up to zero, and the loser gets -1 in the step that ends the game, also
    when the opponent's answer ends it.
    """
    rewards: list[float] = []
    for seat in range(min(len(moves), 2)):  # a game of a single move has no second seat
        opponent = ScriptedOpponent(moves[1 - seat :: 2])
        env = make(seat=("first", "second")[seat], opponent=opponent)
        _, info = env.reset(seed=0)
        own_moves, reward = moves[seat::2], 0.0
        for number, move in enumerate(own_moves, 1):
            _, reward, terminated, _, info = env.step(move)
            assert terminated == (number == len(own_moves)), f"terminated {terminated} after {info['ply']} of {len(moves)} plies"
        position = env.get_wrapper_attr("position")
        assert position.moves == list(moves), f"{position.notation} was played instead of the moves that the two sides chose"
        assert len(opponent.positions) == len(opponent.moves), "the given opponent was not asked for each of its moves"
        assert all(position.side != seat for position in opponent.positions), "the opponent was asked when it was the learner's turn"
        plies = [position.ply for position in opponent.positions]
        assert plies == list(range(1 - seat, len(moves), 2)), "a position given to the opponent was changed later"
        check_end(env, float(reward), info, seat)
        rewards.append(float(reward))
    assert len(rewards) < 2 or sum(rewards) == 0, f"the seats are paid {rewards} for the same game"


def check_positions(make: Callable[..., Env]) -> None:
    """Checks that a game can start from any position in which the learner is to move, given as moves or as a board."""
    moves = next(random_games(make, 1))
    position = start_of(make)
    for move in moves[:-1]:
        env = make(seat=("first", "second")[position.side], opponent="random")
        for text in (position.notation, position.text):
            _, info = env.reset(seed=1, options={"position": text})
            assert env.get_wrapper_attr("position") == position, f"the game does not start from {text!r}"
            assert info["opponent_move"] == -1, "an opponent's move although the learner is to move"
            assert np.flatnonzero(info["action_mask"]).tolist() == position.legal_moves, f"a wrong mask after {text!r}"
        position.push(move)


def check_seats(make: Callable[..., Env]) -> None:
    """Checks the seats that change from game to game."""
    env = make(seat="alternate", opponent="random")
    seats = [env.reset(seed=seed)[1]["seat"] for seed in (7, None, None, None, 7, None)]
    assert seats == [0, 1, 0, 1, 0, 1], f"alternating seats are {seats}"
    env = make(seat="random", opponent="random")
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(30)} == {0, 1}, "of thirty random seats none is different"


def check_seeds(make: Callable[..., Env]) -> None:
    """Checks that equal seeds give equal games and others do not, also with an opponent that draws moves."""
    options = {"opponent": "greedy", "seat": "random", "opening_plies": 2, "opponent_epsilon": 0.3}
    first, second, other = (list(played(make(**options), seed, games=4)) for seed in (1, 1, 2))
    assert first == second, "two environments with equal seeds play different games"
    assert first != other, "two environments with different seeds play the same games"


def check_copies(make: Callable[..., Env]) -> None:
    """Checks that a copy made in the middle of a game goes on as the original does, also after a drawing."""
    env = make(opponent="greedy", seat="second", render_mode="rgb_array")
    for seed in range(20):
        _, info = env.reset(seed=seed)
        env.render()
        _, _, terminated, _, info = env.step(choose(info["action_mask"], np.random.default_rng(seed)))
        if not terminated:
            break
    else:  # every game is too short to have a middle
        _, info = env.reset(seed=0)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    expected = list(continued(env, info, 5))
    for twin in twins:
        assert list(continued(twin, info, 5)) == expected, "a copy plays on in another way than its original"


def check_illegal(make: Callable[..., Env]) -> None:
    """Checks that an illegal action loses or raises, as was asked for, in the first position of random games that has one."""
    for moves in random_games(make, 20):
        position = start_of(make)
        for move in moves:
            env = make(opponent="random", seat=("first", "second")[position.side], illegal="lose")
            _, info = env.reset(seed=4, options={"position": position.notation})
            illegal = np.flatnonzero(info["action_mask"] == 0)
            if len(illegal):
                check_illegal_action(make, env, int(illegal[0]))
                return
            position.push(move)


def check_illegal_action(make: Callable[..., Env], env: Env, action: int) -> None:
    """Checks what an illegal action does in an environment that lets it lose, and in one that raises."""
    position = env.get_wrapper_attr("position")
    before, seat = position.text, ("first", "second")[position.side]
    raising = make(opponent="random", seat=seat, illegal="raise")
    raising.reset(seed=4, options={"position": position.notation})
    _, reward, terminated, _, info = env.step(action)
    assert (reward, terminated) == (-1.0, True), f"an illegal action must lose the game, got reward {reward} and terminated {terminated}"
    assert (info["outcome"], info["termination"], info["illegal_actions"]) == ("loss", "illegal", 1), "an illegal action is counted"
    assert env.get_wrapper_attr("action_masks")().all(), "action_masks() at the end is all True"
    assert env.get_wrapper_attr("position").text == before, "an illegal action leaves the board as it was"
    for wrong in (action, -1, int(raising.get_wrapper_attr("action_space").n)):
        try:
            raising.step(wrong)
        except ValueError:
            assert raising.get_wrapper_attr("position").text == before, "an action that raises leaves the board as it was"
        else:
            raise AssertionError(f"action {wrong} must raise a ValueError")


def check_spec(make: Callable[..., Env]) -> None:
    """Checks that an environment that was made by an id can be made again from its spec as JSON."""
    env = make(opponent={"name": "greedy"}, seat="second", opening_plies=1)
    if env.spec is not None:
        again = gymnasium.make(type(env.spec).from_json(env.spec.to_json()))
        first, second = list(played(env, 1, games=1)), list(played(again, 1, games=1))
        assert first == second, "an environment made from its spec as JSON plays another game"


def check_openings(make: Callable[..., Env]) -> None:
    """Checks that openings are on the board before the learner moves, and differ."""
    env = make(opponent="random", seat="first", opening_plies=2)
    texts = set()
    for seed in range(8):
        _, info = env.reset(seed=seed)
        assert info["ply"] == 2, f"an opening of {info['ply']} plies instead of 2"
        texts.add(env.get_wrapper_attr("position").text)
    assert len(texts) > 1, "all openings are the same"


def start_of(make: Callable[..., Env]) -> Any:
    """Returns the position at the start of a game."""
    env = make(seat="first", opponent="random")
    env.reset(seed=0)
    return env.get_wrapper_attr("position").copy()


def random_games(make: Callable[..., Env], games: int) -> Iterator[list[int]]:
    """Yields the moves of random games."""
    chance, start = np.random.default_rng(0), start_of(make)
    for _ in range(games):
        position = start.copy()
        while not position.is_over:
            position.push(chance.choice(position.legal_moves))
        yield list(position.moves)


def choose(mask: NDArray[Any], chance: np.random.Generator) -> int:
    """Returns a random action of those that a mask allows."""
    return int(chance.choice(np.flatnonzero(mask)))


def played(env: Env, seed: int, games: int) -> Iterator[Any]:
    """Yields everything that happens in some games with random moves from one seed on."""
    for game in range(games):
        observation, info = env.reset(seed=seed if game == 0 else None)
        yield observation.tobytes(), info["seat"], info["ply"]
        yield from continued(env, info, seed + game)


def continued(env: Env, info: dict[str, Any], seed: int) -> Iterator[Any]:
    """Yields every step of a game that is played on with random moves to its end."""
    chance, terminated = np.random.default_rng(seed), False
    while not terminated:
        observation, reward, terminated, _, info = env.step(choose(info["action_mask"], chance))
        yield observation.tobytes(), reward, terminated, info["action_mask"].tobytes(), info["opponent_move"], info.get("outcome")
