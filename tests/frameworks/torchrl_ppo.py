"""PPO of TorchRL learns tic-tac-toe against `random`, with the mask of legal actions; fails unless it clearly beats it.

Run with TorchRL installed: python tests/frameworks/torchrl_ppo.py
"""

import time

import gymnasium as gym
import sparring  # noqa: F401 - registers the games
import torch
from sparring.envs.wrappers import MaskedObservation
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, Compose, DTypeCastTransform, ExplorationType, GymWrapper, TransformedEnv, set_exploration_type
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

GAMES, BATCH, FRAMES = 64, 2048, 60 * 2048

torch.set_num_threads(1)
torch.manual_seed(1)


def make(seed):
    """Returns a batch of games as an environment of TorchRL, which starts each game that is over by itself."""
    games = gym.make_vec("sparring/TicTacToe-v0", num_envs=GAMES, opponent="random", seat="random", autoreset_mode="Disabled")
    env = GymWrapper(MaskedObservation(games), categorical_action_encoding=True)
    planes = DTypeCastTransform(torch.int8, torch.float32, in_keys=["observation"])
    mask = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    env = TransformedEnv(env, Compose(planes, mask, ActionMask()))
    env.set_seed(seed)
    return env


def network(outputs):
    """Returns a small network from the planes to a number of outputs."""
    return nn.Sequential(nn.Flatten(-3), nn.Linear(18, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, outputs))


def score():
    """Returns the share of points of the likeliest moves, a draw as half a point, and the number of games."""
    with torch.no_grad(), set_exploration_type(ExplorationType.DETERMINISTIC):
        played = make(seed=1000).rollout(50, actor, break_when_any_done=False)["next"]
    rewards = played["reward"][played["done"]]
    return (rewards.mean().item() + 1) / 2, len(rewards)


logits = TensorDictModule(network(9), in_keys=["observation"], out_keys=["logits"])
actor = ProbabilisticActor(
    logits, in_keys={"logits": "logits", "mask": "action_mask"}, distribution_class=MaskedCategorical, return_log_prob=True
)
critic = ValueOperator(network(1), in_keys=["observation"])
loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, normalize_advantage=True)
advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)

print("before: {:.3f} over {} games".format(*score()))
began = time.monotonic()
for batch in Collector(make(seed=1), actor, frames_per_batch=BATCH, total_frames=FRAMES, auto_register_policy_transforms=True):
    with torch.no_grad():
        advantage(batch)
    steps = batch.reshape(-1)
    for _ in range(4):
        for chosen in torch.randperm(len(steps)).split(512):
            losses = loss(steps[chosen])
            optimizer.zero_grad()
            (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
            optimizer.step()
after, games = score()
print(f"after {FRAMES} frames in {time.monotonic() - began:.0f} s: {after:.3f} over {games} games")
if not after > 0.85:
    raise SystemExit(f"score: expected above 0.85 against `random`, got {after:.3f}")
