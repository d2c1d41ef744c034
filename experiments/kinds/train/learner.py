"""The learner of a training: its network, its rates, and its opponents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from ....agents import spec_text
from ....agents.network import SUFFIX, Network, load_network
from ....envs.sb3 import BoardVecEnv, TurnedVecEnv
from ...games.task import derived_seed
from .config import Schedule, TrainConfig

LEARNER = "MaskablePPO"


def network_of(config: TrainConfig) -> Network:
    """Returns the shape of the network."""
    settings = config.algorithm
    return Network(tuple(settings.net_arch), settings.channels, settings.window, settings.blocks, settings.head_channels)


def device_of(config: TrainConfig) -> str:
    """Returns the device that the network learns on: a GPU pays for convolutions alone."""
    return config.device if config.algorithm.channels else "cpu"


def new_model(config: TrainConfig, environments: VecEnv) -> MaskablePPO:
    """Returns an untrained learner."""
    settings = config.algorithm.model_dump(include={"n_steps", "batch_size", "n_epochs", "gamma", "gae_lambda", "clip_range"})
    options = network_of(config).policy_options()
    seed, device = derived_seed(config.seed), device_of(config)
    model = MaskablePPO("MlpPolicy", environments, policy_kwargs=options, seed=seed, device=device, **settings)
    if config.start is not None:
        model.policy.load_state_dict(load_network(config.start).policy.state_dict())
    return model


class Kickstart:
    """Keeps a learner near the policy that it started from: the divergence from it is a part of the loss.

    It goes into the loss with the entropy, the term that MaskablePPO weights and subtracts.

    Source: S. Schmitt et al., "Kickstarting deep reinforcement learning" (2018).

    Attributes:
        entropy_weight, weight: of the entropy and of the divergence.
    """

    def __init__(self, model: MaskablePPO, start: str) -> None:
        """Takes the learner, new or from a checkpoint, and the file of its start."""
        self.entropy_weight, self.weight = 0.0, 0.0
        self._policy: Any = model.policy
        self._start: Any = load_network(start).policy.to(model.device)
        self._evaluate = self._policy.evaluate_actions
        self._policy.evaluate_actions = self._evaluate_actions

    def set_weights(self, model: MaskablePPO, weight: float) -> None:
        """Takes over the learner's weight of the entropy, beside one of the divergence."""
        self.entropy_weight, self.weight = model.ent_coef, weight
        model.ent_coef = 1.0

    def _evaluate_actions(self, observations: Any, actions: Any, action_masks: Any = None) -> tuple[Any, Any, Any]:
        values, log_probabilities, entropy = self._evaluate(observations, actions, action_masks)
        term = self.entropy_weight * entropy
        if self.weight:
            term = term - self.weight * self.divergence(observations, action_masks)
        return values, log_probabilities, term

    def divergence(self, observations: Any, masks: Any) -> Any:
        """Returns the Kullback-Leibler divergence of the start from the policy, in each position."""
        with torch.no_grad():
            start = self._start.get_distribution(observations, masks).distribution
        policy = self._policy.get_distribution(observations, masks).distribution
        return (start.probs * (start.logits - policy.logits)).sum(-1)


def set_rates(model: MaskablePPO, config: TrainConfig, timesteps: int) -> None:
    """Sets the learning rate and the entropy weight for the stretch that begins at a time step."""
    settings, share = config.algorithm, timesteps / config.timesteps
    rate = _between(settings.learning_rate, settings.final_learning_rate, share)
    model.learning_rate, model.lr_schedule = rate, lambda _: rate
    model.ent_coef = _between(settings.ent_coef, settings.final_ent_coef, share)


def _between(start: float, end: float | None, share: float) -> float:
    return start if end is None else start + (end - start) * share


def rung_after(config: TrainConfig, curve: list[dict[str, Any]]) -> int:
    """Returns the learner's rung of the schedule by the evaluations so far; 0 without a schedule."""
    rungs, rung = config.schedule.rungs if config.schedule else [], 0
    for steps in sorted({entry["timesteps"] for entry in curve}):
        scores = {entry["opponent"]: entry["score"] for entry in curve if entry["timesteps"] == steps}
        has_passed = config.schedule is not None and scores.get(spec_text(rungs[rung]), 0.0) >= config.schedule.promote
        rung += 1 if has_passed and rung + 1 < len(rungs) else 0
    return rung


def opponents_of(config: TrainConfig, rung: int, snapshots: list[Path]) -> list[dict[str, Any]]:
    """Returns the pool of opponents of a stretch.

    Args:
        config: of the training.
        rung: of the schedule, if there is one.
        snapshots: files of the learner's earlier networks, the latest last.
    """
    pool = _on_rung(config.schedule, rung) if config.schedule else list(config.opponent or [])
    earlier = snapshots[-config.self_play.keep :] if config.self_play else []
    if config.self_play is None or not earlier or config.self_play.share == 0:
        return pool
    share, total = config.self_play.share, sum(member["weight"] for member in pool)
    others = [{**member, "weight": member["weight"] / total * (1 - share)} for member in pool] if share < 1 else []
    networks = [{"name": "policy", "path": str(path), "deterministic": False} for path in earlier]
    return [*others, *({"opponent": network, "weight": share / len(earlier)} for network in networks)]


def _on_rung(schedule: Schedule, rung: int) -> list[dict[str, Any]]:
    """Returns the present rung and the passed ones, each with its share of the games."""
    rehearse = schedule.rehearse if rung else 0.0
    passed = [{"opponent": opponent, "weight": rehearse / rung} for opponent in schedule.rungs[:rung] if rehearse]
    return [{"opponent": schedule.rungs[rung], "weight": 1 - rehearse}, *passed] if rehearse < 1 else passed


def make_environments(config: TrainConfig, opponents: list[dict[str, Any]]) -> VecEnv:
    """Returns the environments of a stretch."""
    game = dict(config.game)
    parameters = {name: value for name, value in game.items() if name != "id"}
    options = {name: getattr(config, name) for name in ("seat", "opening_plies", "opponent_epsilon", "threads")}
    environments = BoardVecEnv(game["id"], config.environments, opponent=opponents, **options, **parameters)
    return TurnedVecEnv(environments) if config.symmetry else environments


def snapshot_path(folder: Path, timesteps: int) -> Path:
    """Returns the file of the network after some time steps."""
    return folder / f"{timesteps:010d}{SUFFIX}"


class ShowProgress(BaseCallback):
    """Calls a function with the time steps so far."""

    def __init__(self, show: Callable[[int], None]):
        super().__init__()
        self.show = show

    def _on_step(self) -> bool:
        self.show(self.num_timesteps)
        return True
