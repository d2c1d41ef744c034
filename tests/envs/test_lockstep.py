"""The batch against as many single environments, move by move: observations, masks, rewards, flags and infos."""

import gymnasium
import numpy as np
import pytest
import sparring  # noqa: F401 - registers the ids
from gymnasium.vector import AutoresetMode, SyncVectorEnv

WORDS = ({"seat": "random", "opening_plies": 2}, {"seat": "alternate", "opponent_epsilon": 0.25}, {"seat": "second", "opening_plies": 5})
POOL = ["random", {"opponent": "greedy", "weight": 2}, "alphabeta:depth=1,tie_break=random"]
SOME = {  # what is tested always
    "sparring/TicTacToe-v0": ["greedy"],
    "sparring/ConnectFour-v0": ["random", "alphabeta:nodes=300,tie_break=random", "alphabeta:depth=3,method=mtdf", POOL],
    "sparring/ConnectK-v0": ["random", "alphabeta:depth=2"],
    "sparring/Gomoku-v0": ["greedy", "best:nodes=60"],
    "sparring/Isola-v0": ["random", "alphabeta:nodes=200"],
}
MORE = {  # what is tested with --all-games
    "sparring/TicTacToe-v0": ["random", "alphabeta:depth=9", "ways_to_win:depth=2", POOL],
    "sparring/ConnectFour-v0": [
        *("greedy", "alphabeta:depth=3", "best:depth=2", "ways_to_win:nodes=100", "four_patterns:depth=2"),
        "alphabeta:depth=3,aspiration=20,evaluation=window_scan",
    ],
    "sparring/ConnectK-v0": ["greedy", "alphabeta:depth=1,method=minimax,tie_break=random", POOL],
    "sparring/Gomoku-v0": ["random", "alphabeta:depth=2", "alphabeta:nodes=200,fours=true,threats=true", "pattern_table:depth=1", POOL],
    "sparring/Isola-v0": ["greedy", "mobility:nodes=100", POOL],
}
BOARDS = {
    "sparring/ConnectK-v0": [{"width": 4, "height": 4, "k": 4, "gravity": True}, {"width": 8, "height": 8, "k": 4}],
    "sparring/Gomoku-v0": [{"size": 7, "rule": "standard"}, {"size": 6, "rule": "renju"}],
    "sparring/Isola-v0": [{"rules": "queen"}, {"rules": "nines"}],
}
MORE_BOARDS = {"sparring/Isola-v0": [{"rules": "classic"}, {"rules": "knight"}]}


def cases(opponents_by_id, boards):
    return [
        (id, board, opponent, WORDS[(which + place) % len(WORDS)])
        for id, opponents in opponents_by_id.items()
        for place, board in enumerate(boards.get(id, [{}] if boards is BOARDS else []))
        for which, opponent in enumerate(opponents)
    ]


def is_cheap(case):
    """Tells whether a case is tested always: all opponents on the first board, the last of them, a search, on the others."""
    id, board, opponent, _ = case
    return board == BOARDS.get(id, [{}])[0] or opponent == SOME[id][-1]


ALWAYS = [*filter(is_cheap, cases(SOME, BOARDS))]
ASKED_FOR = [
    *(case for case in cases(SOME, BOARDS) if not is_cheap(case)),
    *(*cases(MORE, BOARDS), *cases(SOME, MORE_BOARDS), *cases(MORE, MORE_BOARDS)),
]


def same(batch, single, path=""):
    """Asserts that what the batch tells is what single environments do, where they tell it."""
    assert batch.keys() == single.keys(), path
    for key, value in single.items():
        if isinstance(value, dict):
            same(batch[key], value, f"{path}/{key}")
        elif key != "final_obs" and not key.startswith("_"):
            told = single[f"_{key}"]
            assert np.array_equal(batch[key][told], value[told]), f"{path}/{key}"
        else:
            assert all(np.array_equal(a, b) for a, b in zip(batch[key], value, strict=True)), f"{path}/{key}"


def play_in_lockstep(id, board, opponent, mode, games, illegal_share=0.02, count=12, **words):
    """Plays until `games` games have ended."""
    rng = np.random.default_rng(5)
    batch = gymnasium.make_vec(id, num_envs=count, opponent=opponent, autoreset_mode=mode, **words, **board)
    single = SyncVectorEnv(
        [lambda: gymnasium.make(id, opponent=opponent, disable_env_checker=True, **words, **board) for _ in range(count)],
        autoreset_mode=mode,
    )
    observations, infos = batch.reset(seed=3)
    expected, expected_infos = single.reset(seed=3)
    ended = 0
    while ended < games:
        assert np.array_equal(observations, expected)
        same(infos, expected_infos)
        actions = batch.random_actions()
        actions = np.where(rng.random(count) < illegal_share, rng.integers(0, batch.single_action_space.n, count), actions)
        *results, infos = batch.step(actions)
        *expected_results, expected_infos = single.step(actions)
        for result, right in zip(results, expected_results, strict=True):
            assert np.array_equal(result, right)
            assert result.dtype == right.dtype
        observations, expected = results[0], expected_results[0]
        over = results[2] | results[3]
        ended += over.sum()
        if mode == AutoresetMode.DISABLED and over.any():
            same(infos, expected_infos)
            observations, infos = batch.reset(options={"reset_mask": over})
            expected, expected_infos = single.reset(options={"reset_mask": over})
    batch.close()


MODES = pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.name)


@pytest.mark.parametrize("number", range(len(ALWAYS)), ids=[str(case) for case in ALWAYS])
def test_batch_plays_as_single_environments_do(number, all_games):
    """Every opponent once, the modes in turn; with --all-games in every mode."""
    id, board, opponent, words = ALWAYS[number]
    modes = list(AutoresetMode)
    for mode in modes if all_games else [modes[number % len(modes)]]:
        play_in_lockstep(id, board, opponent, mode, 1000 if all_games else 15, **words)


@MODES
@pytest.mark.parametrize(("id", "board", "opponent", "words"), ASKED_FOR, ids=str)
def test_more_opponents_in_a_batch(id, board, opponent, words, mode, all_games):
    if not all_games:
        pytest.skip("only with --all-games: compiling so many kernels takes minutes")
    play_in_lockstep(id, board, opponent, mode, 1000, **words)


@MODES
@pytest.mark.parametrize("steps", [1, 2, 4])
def test_a_batch_truncates_as_single_environments_do(mode, steps, all_games):
    words = {"seat": "random", "opening_plies": 1, "max_episode_steps": steps}
    play_in_lockstep("sparring/TicTacToe-v0", {}, "random", mode, 1000 if all_games else 60, 0.1, **words)


def test_an_opponent_whose_first_depth_passes_its_limit_answers():
    """The first depth is searched to its end; a rest of the limit that was below zero never ran out."""
    play_in_lockstep("sparring/ConnectK-v0", {}, "alphabeta:nodes=20", AutoresetMode.NEXT_STEP, 3, seat="random")
