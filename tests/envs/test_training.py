"""MaskablePPO trains on every id, in this process and in spawned ones, without one illegal move."""

import functools

import gymnasium
import pytest
from sparring.envs.registration import GAMES

pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

STEPS, ENVIRONMENTS = 2048, 2


class CountIllegal(BaseCallback):
    """Counts finished games, lost ones, and illegal actions."""

    def __init__(self):
        super().__init__()
        self.finished = self.lost = self.illegal = 0

    def _on_step(self):
        for info, reward in zip(self.locals["infos"], self.locals["rewards"], strict=True):
            self.finished += "outcome" in info
            self.illegal += info["illegal_actions"]
            if info.get("outcome") == "loss":
                assert reward == -1
                self.lost += 1
        return True


SPAWNED = ["sparring/TicTacToe-v0", "sparring/Isola-v0"]


@pytest.mark.parametrize(("id", "workers"), [*((id, "one process") for id in GAMES), *((id, "spawned") for id in SPAWNED)])
def test_masked_training_makes_no_illegal_move(id, workers):
    torch.set_num_threads(1)
    # a name with its module registers the ids in a spawned process too
    function = functools.partial(gymnasium.make, f"sparring:{id}", opponent="greedy", seat="random", disable_env_checker=True)
    functions = [function] * ENVIRONMENTS
    environments = DummyVecEnv(functions) if workers == "one process" else SubprocVecEnv(functions, start_method="spawn")
    try:
        counts = CountIllegal()
        model = MaskablePPO(
            "MlpPolicy",
            environments,
            n_steps=STEPS // ENVIRONMENTS // 2,
            batch_size=256,
            n_epochs=1,
            policy_kwargs={"net_arch": [16]},
            seed=1,
        )
        model.learn(STEPS, callback=counts)
        assert model.num_timesteps >= STEPS
        assert counts.illegal == 0
        assert counts.finished > 10
        assert counts.lost > 0
    finally:
        environments.close()
