"""Observation and mask in one dict, of one game and of many."""

import doctest

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from sparring.envs import wrappers
from sparring.envs.wrappers import MaskedObservation

ID = "sparring/ConnectFour-v0"


def test_example():
    assert doctest.testmod(wrappers).failed == 0


@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version")  # it is the wrapper that is checked
def test_one_game_shows_its_mask():
    env = MaskedObservation(gymnasium.make(ID, opponent="greedy", seat="random"), observation="board", mask="legal")
    check_env(env, skip_render_check=True)
    seen, info = env.reset(seed=2)
    for _ in range(50):
        assert env.observation_space.contains(seen)
        assert np.array_equal(seen["legal"], info["action_mask"])
        assert np.array_equal(seen["board"], env.unwrapped.position.observation(info["seat"]))
        seen, _, terminated, _, info = env.step(int(seen["legal"].argmax()))
        if terminated:
            assert seen["legal"].all()
            seen, info = env.reset()
    assert env.spec is not None
    again = gymnasium.make(env.spec)
    assert set(again.reset(seed=1)[0]) == {"board", "legal"}


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_many_games_show_theirs(mode):
    plain = gymnasium.make_vec(ID, num_envs=5, opponent="random", autoreset_mode=mode)
    envs = MaskedObservation(gymnasium.make_vec(ID, num_envs=5, opponent="random", autoreset_mode=mode))
    (seen, infos), (planes, _) = envs.reset(seed=3), plain.reset(seed=3)
    ends = 0
    for _ in range(60):
        assert envs.observation_space.contains(seen)
        assert np.array_equal(seen["observation"], planes)
        assert np.array_equal(seen["action_mask"], infos["action_mask"])
        actions = seen["action_mask"].argmax(axis=1)
        seen, _, terminated, _, infos = envs.step(actions)
        planes, *_, told = plain.step(actions)
        if terminated.any():
            ends += 1
            if mode == "SameStep":
                i = int(np.flatnonzero(terminated)[0])
                assert np.array_equal(infos["final_obs"][i]["observation"], told["final_obs"][i])
                assert infos["final_obs"][i]["action_mask"].all()
            if mode == "Disabled":
                seen, infos = envs.reset(options={"reset_mask": terminated})
                planes, _ = plain.reset(options={"reset_mask": terminated})
                infos["action_mask"] = seen["action_mask"]
    assert ends > 2
    envs.close()
    plain.close()


def test_a_wrapped_batch_tells_its_autoreset_mode():
    envs = MaskedObservation(gymnasium.make_vec(ID, num_envs=2, autoreset_mode="Disabled"))
    assert envs.autoreset_mode == gymnasium.vector.AutoresetMode.DISABLED  # TorchRL asks the outermost wrapper for it
