"""Every registered id keeps the promises of board environments, and passes the checkers of Gymnasium and Stable-Baselines3."""

import functools
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from sparring import Position, agents
from sparring.envs.conformance import check_board_env, choose
from sparring.envs.connect_k import ConnectFourEnv
from sparring.envs.registration import GAMES
from sparring.envs.rules.errors import IllegalMoveError, NotationError, RulesError

VARIANTS = [
    *((id, {}) for id in GAMES),
    ("sparring/ConnectK-v0", {"width": 5, "height": 9, "k": 5, "gravity": True}),
    ("sparring/ConnectK-v0", {"width": 4, "height": 3, "k": 3}),
    *(("sparring/Gomoku-v0", {"size": 7, "rule": rule}) for rule in ("standard", "caro", "renju")),
    *(("sparring/Isola-v0", {"rules": rules}) for rules in ("classic", "sevens", "nines", "knight", "knight_wide")),
    ("sparring/Isola-v0", {"step": "king", "removal": "any", "width": 5, "height": 4, "starts": ["a1", "e4"], "fixed": True}),
]
NAMES = [f"{id} {parameters}" for id, parameters in VARIANTS]


@pytest.mark.parametrize(("id", "parameters"), VARIANTS, ids=NAMES)
def test_keeps_the_promises(id, parameters):
    check_board_env(functools.partial(gymnasium.make, id, **parameters), games=3, opponents=("random", "greedy", "alphabeta:nodes=500"))


@pytest.mark.parametrize("id", GAMES)
def test_passes_the_checker_of_gymnasium(id):
    check_env(gymnasium.make(id, render_mode="rgb_array").unwrapped, skip_render_check=True)
    for mode in ("rgb_array", "ansi"):
        env = gymnasium.make(id, render_mode=mode)
        env.reset(seed=1)
        drawing = env.render()
        assert isinstance(drawing, str) if mode == "ansi" else (drawing.dtype == np.uint8 and drawing.shape[2] == 3)


@pytest.mark.parametrize("id", GAMES)
def test_passes_the_checker_of_stable_baselines3(id):
    checker = pytest.importorskip("stable_baselines3.common.env_checker", reason="needs the extra `train`")
    with warnings.catch_warnings():
        # board planes have three dimensions but are no image, and no image policy is meant for them
        warnings.filterwarnings("ignore", message=".*image.*")
        checker.check_env(gymnasium.make(id))


class Scripted:
    """An opponent that plays the moves it is told to."""

    def __init__(self, *moves):
        self.moves, self.seen, self.seeds = list(moves), [], []

    def reset(self, seed):
        self.seeds.append(seed)

    def act(self, position):
        self.seen.append(position.notation)
        return position.read_move(self.moves[len(self.seen) - 1])


def test_loser_is_paid_when_the_reply_ends_the_game():
    opponent = Scripted("1", "1", "1", "1")
    env = gymnasium.make("sparring/ConnectFour-v0", opponent=opponent)
    env.reset()
    for action, expected in ((1, 0), (2, 0), (5, 0), (6, -1)):
        _, reward, terminated, _, info = env.step(action)
        assert (reward, terminated) == (expected, expected == -1)
    assert (info["outcome"], info["termination"], info["opponent_move"]) == ("loss", "line", 0)
    assert opponent.seen == ["2", "213", "21316", "2131617"]


def test_a_win_on_the_last_empty_cell_is_a_win():
    for seed in range(3000):
        chance, position = np.random.default_rng(seed), Position("ConnectK", width=3, height=3, k=3, gravity=True)
        while not position.is_over:
            position.push(int(chance.choice(position.legal_moves)))
        if position.ply == 9 and position.winner is not None:
            moves = position.notation
            env = gymnasium.make("sparring/ConnectK-v0", width=3, height=3, k=3, gravity=True)
            env.reset(options={"position": moves[:-1]})
            _, reward, _, _, info = env.step(position.moves[-1])
            assert (reward, info["outcome"], info["termination"]) == (1.0, "win", "line")
            return
    pytest.fail("no game found that is won on its last cell")


@pytest.mark.parametrize("seat", ["first", "second"])
def test_draws_are_zero_in_both_seats(seat):
    moves = ["b2", "a1", "c3", "a3", "a2", "c2", "b3", "b1", "c1"]
    assert Position("TicTacToe", " ".join(moves)).winner is None
    mine, theirs = (moves[::2], moves[1::2]) if seat == "first" else (moves[1::2], moves[::2])
    env = gymnasium.make("sparring/TicTacToe-v0", opponent=Scripted(*theirs), seat=seat)
    env.reset()
    for move in mine:
        _, reward, terminated, _, info = env.step(Position("TicTacToe").read_move(move))
        assert reward == 0
    assert terminated
    assert (info["outcome"], info["termination"]) == ("draw", "full")


@pytest.mark.parametrize("spec", ["greedy", "alphabeta:depth=2", {"name": "alphabeta", "depth": 1}])
def test_the_opponent_named_is_the_one_that_moves(spec):
    env = gymnasium.make("sparring/ConnectFour-v0", opponent=spec)
    _, info = env.reset(seed=7)
    env.unwrapped.opponent.reset(11)
    same = agents.make(spec, "ConnectFour")
    same.reset(11)
    position, chance, terminated = Position("ConnectFour"), np.random.default_rng(1), False
    while not terminated:
        action = choose(info["action_mask"], chance)
        position.push(action)
        _, _, terminated, _, info = env.step(action)
        if not position.is_over:
            assert info["opponent_move"] == position.push(same.act(position))
    assert position == env.unwrapped.position


def test_an_object_is_reset_with_a_seed_before_each_game():
    opponent = Scripted("1", "1")
    env = gymnasium.make("sparring/ConnectFour-v0", opponent=opponent, seat="second")
    env.reset(seed=1)
    env.reset()
    assert len(set(opponent.seeds)) == 2


def test_alternating_and_random_seats():
    env = gymnasium.make("sparring/ConnectFour-v0", seat="alternate")
    assert [env.reset(seed=5 if game == 0 else None)[1]["seat"] for game in range(4)] == [0, 1, 0, 1]
    assert env.reset(seed=5)[1]["seat"] == 0
    env = gymnasium.make("sparring/ConnectFour-v0", seat="random")
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1}


def test_epsilon_replaces_a_share_of_the_opponents_moves():
    position = "1121"  # greedy would block nothing here, alphabeta is deterministic
    replies = []
    for seed in range(60):
        env = gymnasium.make("sparring/ConnectFour-v0", opponent="alphabeta:depth=1", opponent_epsilon=0.5)
        env.reset(seed=seed, options={"position": position})
        replies.append(env.step(2)[4]["opponent_move"])
    usual = max(set(replies), key=replies.count)
    assert 25 < replies.count(usual) < 50
    assert len(set(replies)) > 3


def test_illegal_actions_can_raise():
    env = gymnasium.make("sparring/ConnectFour-v0", illegal="raise", opponent=Scripted("1", "1", "1"))
    env.reset()
    for _ in range(3):
        env.step(0)
    with pytest.raises(IllegalMoveError, match=r"illegal move 0 for x: column 1 is full \(ply 6: 111111\)"):
        env.step(0)


@pytest.mark.parametrize("action", [-1, 7, 99, "3", None, 2.5, np.array([1, 2])])
def test_actions_outside_the_space_raise(action):
    env = gymnasium.make("sparring/ConnectFour-v0", disable_env_checker=True)
    env.reset()
    with pytest.raises(IllegalMoveError, match="action: expected a whole number from 0 to 6, got"):
        env.step(action)


def test_unknown_render_modes_are_refused():
    with pytest.raises(RulesError, match="render_mode: unknown value 'rgb'; expected one of None, human, rgb_array, ansi"):
        ConnectFourEnv(render_mode="rgb")


@pytest.mark.parametrize("action", [3, np.int64(3), np.int32(3), np.array(3)])
def test_integers_of_all_kinds_are_actions(action):
    env = gymnasium.make("sparring/ConnectFour-v0")
    env.reset()
    env.step(action)
    assert env.unwrapped.position.moves[0] == 3


def test_a_step_after_the_end_raises():
    env = gymnasium.make("sparring/TicTacToe-v0").unwrapped
    env.reset(options={"position": "a1 b1 a2 b2"})
    env.step(6)
    with pytest.raises(IllegalMoveError, match=r"expected reset\(\) before the next step"):
        env.step(7)


@pytest.mark.parametrize(
    ("text", "error"),
    [("9", NotationError), ("4444444", IllegalMoveError), ("1213141", IllegalMoveError), ("7/7/7/7/3o3/7 x", NotationError)],
)
def test_positions_that_cannot_start_a_game_are_refused(text, error):
    env = gymnasium.make("sparring/ConnectFour-v0")
    with pytest.raises(error):
        env.reset(options={"position": text})


@pytest.mark.parametrize("words", [{"seat": "third"}, {"illegal": "ignore"}, {"opening_plies": -1}, {"opponent_epsilon": 2}])
def test_words_out_of_range_are_refused(words):
    with pytest.raises(RulesError, match=f"{next(iter(words))}: ") as caught:
        gymnasium.make("sparring/ConnectFour-v0", **words)
    assert "\n" not in str(caught.value).split("was raised from")[0]


def test_specs_survive_json():
    for opponent in ("alphabeta:depth=1", {"name": "alphabeta", "depth": 1}):
        env = gymnasium.make("sparring/Isola-v0", rules="classic", opponent=opponent, seat="second")
        again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
        assert again.unwrapped.game == env.unwrapped.game
        assert again.unwrapped.opponent == env.unwrapped.opponent
        assert again.reset(seed=3)[1]["opponent_move"] == env.reset(seed=3)[1]["opponent_move"]


def _vector(mode, **words):
    return gymnasium.make_vec(
        "sparring/ConnectFour-v0", num_envs=3, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, opponent="random", **words
    )


def _play_vector(envs, steps, mode):
    """Plays random legal moves in all environments and returns everything that happens."""
    from gymnasium.vector import AutoresetMode

    chance, events = np.random.default_rng(1), []
    _, infos = envs.reset(seed=5)
    masks = infos["action_mask"]
    for _ in range(steps):
        actions = np.array([choose(mask, chance) for mask in masks])
        observations, rewards, terminated, _, infos = envs.step(actions)
        masks = infos["action_mask"]
        events.append((observations.tobytes(), rewards.tolist(), terminated.tolist(), masks.tobytes()))
        if mode == AutoresetMode.DISABLED and terminated.any():
            _, infos = envs.reset(options={"reset_mask": terminated})
            masks = np.where(terminated[:, np.newaxis], infos["action_mask"], masks)
    return events


@pytest.mark.parametrize("mode", list(gymnasium.vector.AutoresetMode), ids=lambda mode: mode.name)
def test_every_autoreset_mode_works_and_repeats(mode):
    first = _play_vector(_vector(mode), 40, mode)
    assert first == _play_vector(_vector(mode), 40, mode)
    assert any(any(terminated) for _, _, terminated, _ in first)
    rewards = {reward for _, row, terminated, _ in first for reward, end in zip(row, terminated, strict=True) if end}
    assert rewards <= {-1.0, 0.0, 1.0}
    assert len(rewards) > 1


def test_sub_environments_differ():
    envs = _vector(gymnasium.vector.AutoresetMode.NEXT_STEP, seat="second", opening_plies=4)
    boards = {observation.tobytes() for seed in range(0, 40, 10) for observation in envs.reset(seed=seed)[0]}
    assert len(boards) > 9, "twelve environments with seeds of their own"


def test_equal_seeds_give_equal_games_in_subprocesses():
    vec_env = pytest.importorskip("stable_baselines3.common.vec_env", reason="needs the extra `train`")
    words = {"opponent": "greedy", "seat": "random", "opening_plies": 2, "opponent_epsilon": 0.2}
    make = functools.partial(gymnasium.make, "sparring:sparring/ConnectFour-v0", **words)
    histories = []
    for kind in (vec_env.DummyVecEnv, functools.partial(vec_env.SubprocVecEnv, start_method="spawn"), vec_env.DummyVecEnv):
        envs, chance, history = kind([make, make]), np.random.default_rng(3), []
        envs.seed(9)
        observations = envs.reset()
        for _ in range(40):
            masks = envs.env_method("action_masks")
            observations, rewards, ended, _ = envs.step(np.array([choose(mask, chance) for mask in masks]))
            history.append((observations.tobytes(), rewards.tolist(), ended.tolist()))
        envs.close()
        histories.append(history)
    assert histories[0] == histories[1] == histories[2]
    assert any(any(ended) for _, _, ended in histories[0])
