"""A trained network as an agent: whatever Stable-Baselines3 or sb3-contrib has saved, always given its mask."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.chance import PROBABILITY_ONE, draw, stream_of
from ..envs.game import Game
from ..envs.observation import action_mask, observation_shape, observe
from ..envs.position import Position
from ..envs.rules.errors import AgentError, extra, shown
from .agent import Analysis, check_running, parameter

# the module of a saved policy class -> the package and class that load it; PPO and A2C share their policies, and PPO reads both
ALGORITHMS = {
    "sb3_contrib.common.maskable.policies": ("sb3_contrib", "MaskablePPO"),
    "stable_baselines3.common.policies": ("stable_baselines3", "PPO"),
    "stable_baselines3.dqn.policies": ("stable_baselines3", "DQN"),
    "sb3_contrib.qrdqn.policies": ("sb3_contrib", "QRDQN"),
}


class ModelAgent:
    """Plays by a model of Stable-Baselines3 or sb3-contrib in memory, as it is whenever it is asked.

    Illegal actions are masked out before the network chooses, whatever algorithm trained it. Copies share the model; a pickle would hold
    another one, so it is refused.
    """

    name = "policy"
    origin = "in memory"

    def __init__(self, model: Any, deterministic: bool = True) -> None:
        """Takes a model.

        Args:
            model: with a `policy`, and the spaces of the game to play.
            deterministic: play the likeliest move; False draws from the policy.

        Raises:
            AgentError: it is no model, or one of a network of values, which draws no moves.
        """
        if not all(hasattr(model, name) for name in ("policy", "observation_space", "action_space")):
            raise AgentError(f"agent 'policy': model: expected one of Stable-Baselines3 or sb3-contrib, got {shown(model)}")
        has_values = hasattr(model.policy, "q_net") or hasattr(model.policy, "quantile_net")
        if has_values and not deterministic:
            raise AgentError("agent 'policy': deterministic: expected true for a network of values, which draws no moves, got false")
        self.model, self.deterministic = model, deterministic
        self._choose = choose_by_value if has_values else choose_by_policy
        self.reset()

    def __deepcopy__(self, memo: dict[int, Any]) -> ModelAgent:
        """Returns an agent with the same network and draws of its own."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__, _stream=[*self._stream])
        return twin

    def __copy__(self) -> ModelAgent:
        """Returns the same."""
        return self.__deepcopy__({})

    def __getstate__(self) -> Any:
        raise AgentError("agent 'policy': a model in memory cannot be pickled; save it and name its file: policy:path=FILE")

    def check_game(self, game: Game) -> None:
        """Raises AgentError if the network was made for another board."""
        expected, got = observation_shape(game), self.model.observation_space.shape
        actions = getattr(self.model.action_space, "n", None)
        if got != expected or actions != game.action_count:
            raise AgentError(
                f"agent 'policy': expected a network for {game.name} with observations {expected} and {game.action_count} actions, "
                f"got one with {got} and {actions} ({self.origin})"
            )

    def reset(self, seed: int | None = None) -> None:
        """Seeds the draws of a policy that is not deterministic."""
        self._stream = stream_of(seed)

    def act(self, position: Position) -> int:
        """Returns the network's move among the legal ones."""
        check_running(position)
        return int(self.act_together(observe(position)[None], action_mask(position)[None], [self._stream])[0])

    def act_together(self, observations: NDArray[np.int8], masks: NDArray[np.int8], streams: Sequence[Any]) -> NDArray[np.int64]:
        """Returns the network's moves in many positions at once.

        Args:
            observations: int8[N, planes, height, width], each from the view of the side to move.
            masks: int8[N, actions], each with a legal action.
            streams: N streams (see `envs.chance`), from which a policy that is not deterministic draws.
        """
        weights = self._choose(self.model, observations, masks.astype(bool))
        if self.deterministic:
            return weights.argmax(axis=1)
        so_far = weights.cumsum(axis=1)
        points = np.array([draw(stream, PROBABILITY_ONE) for stream in streams]) / PROBABILITY_ONE * so_far[:, -1]
        return (so_far <= points[:, None]).sum(axis=1)

    def analyse(self, position: Position) -> Analysis:
        """Returns the move; a policy has no score in the units of a search."""
        return Analysis(self.act(position))


@dataclass
class PolicyAgent(ModelAgent):
    """Plays by a network in a file.

    The networks that this project trains are safetensors files, which hold weights and nothing else. A zip file of Stable-Baselines3 may
    execute code when it is opened, so it is read only with `trust`.
    """

    path: str = parameter("", "safetensors file of a training run, or a zip saved by a Stable-Baselines3 or sb3-contrib model")
    deterministic: bool = parameter(True, "play the likeliest move; false draws from the policy (not with value networks such as DQN)")
    trust: bool = parameter(False, "read a zip file, which may execute code: say true only of files that you made or trust")
    name: str = field(default="policy", init=False)

    def __post_init__(self) -> None:
        self.origin = self.path
        super().__init__(load_model(self.path, self.trust), self.deterministic)

    @property
    def called(self) -> str:
        """What the network is called by whoever saved it, for people."""
        return Path(self.path).name

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__


def load_model(path: str, trust: bool = False) -> Any:
    """Returns the network in a file, on the CPU: a policy in safetensors, or in a zip file a model of the class that its policy belongs to.

    Raises:
        AgentError: no such file, not a saved network, or a zip file without trust.
        MissingExtraError: without the extra `train`.
    """
    if not path:
        raise AgentError("agent 'policy': path: missing; a network in a file is written policy:path=FILE")
    if os.path.isdir(path):  # noqa: PTH112 - which takes any text
        within = shown(os.path.join(path, "model.safetensors"))  # noqa: PTH118 - as above
        raise AgentError(f"agent 'policy': path: expected a saved network, got {shown(path)}, which is a folder; name its file: {within}")
    if not os.path.isfile(path):  # noqa: PTH113 - as above
        raise AgentError(f"agent 'policy': path: expected a saved network, got {shown(path)}, which is no file")
    if path.endswith(".safetensors"):
        for package in ("safetensors", "sb3_contrib"):
            imported(package)
        from .network import load_network

        return load_network(path)
    if not is_zip(path):
        raise AgentError(f"agent 'policy': path: expected a saved network, got {shown(path)}, which is neither .safetensors nor a zip file")
    if not trust:
        raise AgentError(
            f"agent 'policy': trust: expected true for {shown(path)}, as a zip file may execute code when it is read, got false; "
            f"if you trust it, write policy:path={path},trust=true"
        )
    try:
        with zipfile.ZipFile(path) as archive:
            module = json.loads(archive.read("data"))["policy_class"]["__module__"]
        package, called = ALGORITHMS[module]
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError) as error:
        raise AgentError(
            f"agent 'policy': path: expected a model of {', '.join(name for _, name in ALGORITHMS.values())}, got {shown(path)}"
        ) from error
    algorithm = getattr(imported(package), called)
    try:
        return algorithm.load(path, device="cpu")
    except Exception as error:  # whatever Stable-Baselines3 makes of a damaged one
        reason = f"{type(error).__name__}: {error}"
        raise AgentError(f"agent 'policy': path: expected a model that {called} has saved, got {shown(path)} ({reason})") from error


def is_zip(path: str) -> bool:
    """Tells whether a file is meant as a zip file, by its name or its first bytes."""
    if path.endswith(".zip"):
        return True
    with open(path, "rb") as file:  # noqa: PTH123 - which takes any text
        return file.read(2) == b"PK"


def imported(package: str) -> Any:
    """Returns a package of the extra `train`, or raises MissingExtraError."""
    import importlib

    with extra("train", "agent 'policy'"):
        return importlib.import_module(package)


def choose_by_policy(model: Any, observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Returns float64[N, actions]: the policy's probabilities, 0 for illegal actions."""
    import torch

    with torch.no_grad():
        tensor, _ = model.policy.obs_to_tensor(observations)
        logits = model.policy.get_distribution(tensor).distribution.logits.double().cpu().numpy()
    logits = np.where(masks, logits, -np.inf)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def choose_by_value(model: Any, observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Returns float64[N, actions]: the network's action values, minus infinity for illegal actions."""
    import torch

    policy = model.policy
    with torch.no_grad():
        tensor, _ = policy.obs_to_tensor(observations)
        values = policy.q_net(tensor) if hasattr(policy, "q_net") else policy.quantile_net(tensor).mean(dim=1)
    return np.where(masks, values.double().cpu().numpy(), -np.inf)
