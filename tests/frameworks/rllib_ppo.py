"""PPO of RLlib learns tic-tac-toe against `random`, with the mask of legal actions; fails unless it clearly beats it.

Run with RLlib installed: OMP_NUM_THREADS=1 python tests/frameworks/rllib_ppo.py
"""

import time

import gymnasium as gym
import numpy as np
from gymnasium.wrappers import DtypeObservation, FlattenObservation
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env
from sparring.envs.wrappers import MaskedObservation


def make(_config):
    """Returns the environment: RLlib takes planes as flat floats, and its masking network asks for these two keys."""
    env = gym.make("sparring:sparring/TicTacToe-v0", opponent="random", seat="random")
    return MaskedObservation(DtypeObservation(FlattenObservation(env), np.float32), observation="observations", mask="action_mask")


register_env("tic_tac_toe", make)
network = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [128, 128], "head_fcnet_hiddens": []})
config = (
    PPOConfig()
    .environment("tic_tac_toe")
    .env_runners(num_env_runners=0, num_envs_per_env_runner=16)
    .training(train_batch_size_per_learner=2048, minibatch_size=256, num_epochs=6, lr=1e-3, gamma=1.0)
    .rl_module(rl_module_spec=network)
    .debugging(seed=1)
)
algorithm = config.build_algo()
began = time.monotonic()
returns = []
for iteration in range(1, 21):
    runners = algorithm.train()["env_runners"]
    returns.append(runners["episode_return_mean"])
    steps = int(runners["num_env_steps_sampled_lifetime"])
    print(f"iteration {iteration}: {steps} steps, return {returns[-1]:.2f}, {time.monotonic() - began:.0f} s", flush=True)
algorithm.stop()
last = sum(returns[-5:]) / 5
if not last > 0.5:
    raise SystemExit(f"return: expected above 0.5 against `random` over the last 5 iterations, got {last:.2f}")
