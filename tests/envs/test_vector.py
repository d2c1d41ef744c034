"""Many games in a batch: seeds, splits, opponents outside, and what Gymnasium does with a vector environment."""

import copy
import gc
import pickle
import time

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from sparring.envs.registration import GAMES

from .batches import MODES, TICTACTOE, WORDS, Contrary, First, Repeating, flat, make, trace
from .test_lockstep import play_in_lockstep


def test_weights_of_numpy_are_weights():
    env = make(count=4000, opponent=["random", {"opponent": "greedy", "weight": np.int64(3)}])
    share = env.reset(seed=1)[1]["opponent"].mean()
    assert 0.72 < share < 0.78


@MODES
@pytest.mark.parametrize(
    "opponent",
    [
        First(),
        "mcts:tree_mib=1,simulations=12",
        ["random", "mcts:tree_mib=1,simulations=9", First(), {"opponent": "greedy", "weight": 2}],
        ["mcts:tree_mib=1,simulations=9", "random"],
        {"opponent": "greedy"},
        Contrary(),
    ],
    ids=lambda opponent: str(opponent) if isinstance(opponent, (str, list, dict)) else type(opponent).__name__,
)
def test_outside_opponents_play_as_in_single_environments(opponent, mode):
    for words in (WORDS, {"seat": "alternate", "opening_plies": 3}):
        play_in_lockstep(TICTACTOE, {}, opponent, mode, 12, count=6, **words)


def test_objects_are_seeded_before_each_game():
    env, single = make(count=1, opponent=Repeating(), **WORDS), gymnasium.make(TICTACTOE, opponent=Repeating(), **WORDS)
    observations, _ = env.reset(seed=9)
    observation, _ = single.reset(seed=9)
    games = 0
    while games < 12:
        assert np.array_equal(observations[0], observation)
        actions = env.random_actions()
        observations, _, over, _, _ = env.step(actions)
        observation, *_ = single.step(actions[0])
        if over[0]:
            games += 1
            observations, observation = env.step(actions)[0], single.reset()[0]


@pytest.mark.parametrize("opponent", ["greedy", ["random", First(), "greedy"]], ids=["compiled", "pool"])
def test_games_are_the_same_however_they_are_split(opponent):
    words = {**WORDS, "opponent": opponent}
    expected = flat(make(count=12, **words), 30, 40)
    for threads in (2, 3, 13):
        assert flat(make(count=12, threads=threads, **words), 30, 40) == expected
    for size in (6, 1):
        parts = [flat(make(count=size, **words), 30, 40 + first) for first in range(0, 12, size)]
        assert [[game for part in parts for game in part[step]] for step in range(len(expected))] == expected


def test_other_seeds_give_other_games():
    assert flat(make(count=8, **WORDS), 5, 1) != flat(make(count=8, **WORDS), 5, 2)
    first = flat(make(count=64, seat="second"), 0, 1)[0]
    assert len(set(first)) == 9  # the opponent's nine moves


def test_none_among_seeds_lets_a_game_go_on_with_its_own():
    env, twin = make(**WORDS), make(**WORDS)
    for each in (env, twin):
        list(trace(each, 6, seed=7))
    mixed = flat(env, 12, [1, None, 3, None])
    kept, seeded = flat(twin, 12, None), flat(make(**WORDS), 12, [1, 2, 3, 4])
    assert [[step[i] for step in mixed] for i in (1, 3)] == [[step[i] for step in kept] for i in (1, 3)]
    assert [[step[i] for step in mixed] for i in (0, 2)] == [[step[i] for step in seeded] for i in (0, 2)]


def test_games_do_not_depend_on_what_happens_in_others():
    first, second = make(**WORDS), make(**WORDS)
    seen = first.reset(seed=1)[0], second.reset(seed=1)[0]
    for _ in range(30):
        actions = first.random_actions()
        second.random_actions()
        others = np.where(np.arange(4) < 2, actions, 0)  # games 2 and 3 are played another way
        seen = first.step(actions), second.step(others)
        for result, other in zip(seen[0][:3], seen[1][:3], strict=True):
            assert np.array_equal(result[:2], other[:2])


@MODES
def test_what_is_handed_out_may_be_written_to(mode):
    env, twin = make(autoreset_mode=mode, **WORDS), make(autoreset_mode=mode, **WORDS)
    results = env.reset(seed=2)
    twin.reset(seed=2)
    for _ in range(40):
        over = results[2].copy() if len(results) == 5 else np.zeros(4, bool)
        for result in results:
            spoil(result)
        spoil(env.action_masks())
        if mode == AutoresetMode.DISABLED and over.any():
            spoil(env.reset(options={"reset_mask": over})[0])
            twin.reset(options={"reset_mask": over})
        actions = twin.random_actions()
        spoil(env.random_actions())
        results, expected = env.step(actions), twin.step(actions)
        assert all(np.array_equal(a, b) for a, b in zip(results[:4], expected[:4], strict=True))
        assert repr(results[4]) == repr(expected[4])


def spoil(value):
    """Overwrites all arrays of what a batch has handed out."""
    if isinstance(value, dict):
        for inner in value.values():
            spoil(inner)
    elif isinstance(value, np.ndarray) and value.dtype == object:
        for inner in value:
            spoil(inner)
        value[:] = None
    elif isinstance(value, np.ndarray):
        value[:] = 1


@pytest.mark.parametrize("threads", [1, 3])
def test_a_batch_can_be_closed_twice_and_before_its_first_step(threads):
    env = make(threads=threads)
    env.close()
    env.close()
    env = make(threads=threads)
    env.reset(seed=1)
    env.close()
    env.close()


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_render_draws_each_game(mode):
    env, single = make(render_mode=mode, **WORDS), gymnasium.make(TICTACTOE, render_mode=mode, **WORDS)
    env.reset(seed=5)
    for i, drawing in enumerate(env.render()):
        single.reset(seed=5 + i)
        assert np.array_equal(drawing, single.render())
    assert len(env.render()) == 4


@MODES
def test_episodes_are_counted_by_the_wrapper_of_gymnasium(mode):
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(make(autoreset_mode=mode, opponent="random", count=8))
    env.reset(seed=1)
    ended, returns = 0, []
    while ended < 30:
        _, rewards, over, _, infos = env.step(env.unwrapped.random_actions())
        ended += over.sum()
        if over.any():
            returns += infos["episode"]["r"][infos["_episode"]].tolist()
            assert np.array_equal(infos["episode"]["r"][over], rewards[over])
            assert (infos["episode"]["l"][over] >= 3).all()
        if mode == AutoresetMode.DISABLED and over.any():
            env.reset(options={"reset_mask": over})
    assert len(returns) == ended
    assert set(returns) <= {-1.0, 0.0, 1.0}


def test_a_batch_is_made_again_from_its_spec_as_text():
    env = make(opponent=["random", {"opponent": "greedy", "weight": 2}], seat="random", autoreset_mode="SameStep")
    again = gymnasium.make_vec(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert flat(again, 20) == flat(env, 20)
    assert again.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP


@pytest.mark.parametrize("id", GAMES)
def test_spaces_hold_what_is_handed_out(id):
    env = make(id, count=3, opponent="greedy" if "Gomoku" in id else "random")  # which other tests compile too
    observations, _ = env.reset(seed=1)
    assert env.observation_space.contains(observations)
    assert env.action_space.contains(env.random_actions())
    assert env.single_observation_space.contains(observations[0])
    assert env.single_action_space == gymnasium.make(id).action_space


def test_many_games_are_reset_quickly():
    env = make(count=8192)
    begin = time.process_time()
    env.reset(seed=1)
    assert time.process_time() - begin < 3
    env.step(env.random_actions())


def test_memory_stays_flat():
    resource = pytest.importorskip("resource", reason="measures memory where the system tells it")
    env = make(count=8, autoreset_mode="SameStep")
    env.reset(seed=1)

    def play(steps):
        for _ in range(steps):
            env.step(env.random_actions())
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = play(2_000)
    assert play(20_000) - before < 4_000  # KiB


def test_copies_are_refused():
    for copying in (copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="a batch of games cannot be copied or pickled"):
            copying(make())
