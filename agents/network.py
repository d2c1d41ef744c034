"""Networks for boards, and their files: weights in safetensors with a description, so that loading one executes nothing it carries."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from gymnasium import spaces
from pydantic import BaseModel, Field

from ..envs.game import Game
from ..envs.observation import observation_shape
from ..envs.rules.errors import AgentError, extra, shown
from .foreign import STRICT, conform, loads

with extra("train", "sparring.agents.network"):
    import torch
    from safetensors import SafetensorError, safe_open
    from safetensors.torch import save_file
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from torch import nn

FORMAT = 1
FEATURES = "features_extractor."
EXTRACTOR = "channels", "window", "blocks", "head_channels"  # of a Network that its convolutions take
ALIASES = "pi_", "vf_"  # policy and value share the features; Stable-Baselines3 names them three times
MOST_BYTES = 2**30  # of a file
SUFFIX = ".safetensors"


class Network(NamedTuple):
    """The shape of a network.

    Attributes:
        layers: sizes of the fully connected layers of policy and value, each.
        channels: of the convolutions before them; 0 for none: then the planes go to the layers as they are.
        window: side of the squares of cells that the first convolution looks at.
        blocks: number of residual blocks after it.
        head_channels: of a last convolution of single cells over the whole board; 0 for none: then the windows lie inside the board.
    """

    layers: tuple[int, ...] = (128, 128)
    channels: int = 0
    window: int = 4
    blocks: int = 0
    head_channels: int = 0

    def policy_options(self) -> dict[str, Any]:
        """Returns the keyword arguments `policy_kwargs` of this shape for algorithms of Stable-Baselines3 and sb3-contrib."""
        options: dict[str, Any] = {"net_arch": list(self.layers)}
        if self.channels:
            options["features_extractor_class"] = BoardFeatures
            options["features_extractor_kwargs"] = {name: getattr(self, name) for name in EXTRACTOR}
        return options


class BoardFeatures(BaseFeaturesExtractor):
    """A convolution over all windows of a board, as large as what wins there, and residual blocks over the windows.

        float[batch, planes, height, width]    the observations; Stable-Baselines3 makes floats of int8
        float[batch, channels, rows, columns]  after the first convolution and after each block
        float[batch, features]                 all channels of all windows

    Without `head_channels` the windows lie inside the board: rows is height - window + 1, columns is width - window + 1, and features is
    channels * rows * columns. With `head_channels` the board has an empty margin of window // 2 cells, so that each cell has a window
    around it: rows is height, columns is width, or one more each if window is even. A convolution of single cells then leaves
    head_channels * rows * columns features.

    Source: K. He et al., "Deep residual learning for image recognition" (2016), without batch normalisation, whose running averages would
    make a network in training play unlike the one in its file.
    """

    def __init__(self, observation_space: spaces.Box, channels: int = 64, window: int = 4, blocks: int = 0, head_channels: int = 0) -> None:
        """Builds the blocks for boards of a shape.

        Args:
            observation_space: Box of planes, height and width.
            channels: of every layer.
            window: side of the windows; at most the board's.
            blocks: of two layers each.
            head_channels: of the last convolution; 0 for none.
        """
        planes, height, width = observation_space.shape
        window = min(window, height, width)
        super().__init__(observation_space, (head_channels or channels) * window_count(height, width, window, head_channels))
        self.first = nn.Conv2d(planes, channels, window, padding=window // 2 if head_channels else 0)
        self.blocks = nn.ModuleList(Block(channels) for _ in range(blocks))
        self.head = nn.Conv2d(channels, head_channels, 1) if head_channels else None

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Returns float[batch, features] for float[batch, planes, height, width]."""
        values = torch.relu(self.first(observations))
        for block in self.blocks:
            values = block(values)
        return (values if self.head is None else torch.relu(self.head(values))).flatten(1)


def window_count(height: int, width: int, window: int, head_channels: int) -> int:
    """Returns over how many windows the first convolution of `BoardFeatures` goes."""
    margin = 2 * (window // 2) if head_channels else 0
    return (height + margin - window + 1) * (width + margin - window + 1)


class Block(nn.Module):
    """Two layers of 3x3 whose result is added to what comes in."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(channels, channels, 3, padding=1), nn.Conv2d(channels, channels, 3, padding=1)
        nn.init.zeros_(self.second.weight)  # a block begins as the identity

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Returns values of the same shape."""
        return torch.relu(values + self.second(torch.relu(self.first(values))))


class SavedPolicy(NamedTuple):
    """What `policy_agent` needs of a Stable-Baselines3 model."""

    policy: Any
    observation_space: Any
    action_space: Any


def save_network(path: Path, policy: Any, network: Network, game: Game) -> None:
    """Writes the weights of a policy, with what it takes to build it again."""
    described = {"format": FORMAT, "game": {"id": game.id, **game.parameters}, "network": network._asdict()}
    own = {name: tensor for name, tensor in policy.state_dict().items() if name[:3] not in ALIASES}
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in own.items()}
    save_file(tensors, path, {"sparring": json.dumps(described)})


def new_policy(network: Network, game: Game) -> MaskableActorCriticPolicy:
    """Returns an untrained policy for a game, on the CPU."""
    planes, actions = spaces.Box(0, 1, observation_shape(game), np.int8), spaces.Discrete(game.action_count)
    return MaskableActorCriticPolicy(planes, actions, lambda _: 0.0, **network.policy_options())


def load_network(path: str) -> SavedPolicy:
    """Returns the policy of a file that `save_network` wrote, on the CPU.

    Raises:
        AgentError: the file is not one, or its weights do not fit its description.
    """
    with _naming(path):
        game, network, tensors = _read(path)
        policy = new_policy(network, game)
        shared = {alias + name: tensor for name, tensor in tensors.items() if name.startswith(FEATURES) for alias in ALIASES}
        policy.load_state_dict({**tensors, **shared})
    policy.set_training_mode(False)
    return SavedPolicy(policy, policy.observation_space, policy.action_space)


def described_network(path: str) -> tuple[Game, Network]:
    """Returns the game and the shape of the network in a file; errors as in `load_network`."""
    with _naming(path):
        game, network, _ = _read(path)
    return game, network


@contextmanager
def _naming(path: str) -> Iterator[None]:
    try:
        yield
    except (SafetensorError, ValueError, RuntimeError, OSError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise AgentError(f"agent 'policy': path: expected a network that sparring has saved, got {shown(path)} ({reason})") from error


class Shape(BaseModel):
    """A network as a file describes it; the bounds leave room for networks many times the size of any that these games need."""

    model_config = STRICT
    layers: Annotated[list[Annotated[int, Field(ge=1, le=2**14)]], Field(max_length=16)]
    channels: Annotated[int, Field(ge=0, le=2**12)]
    window: Annotated[int, Field(ge=1, le=64)]
    blocks: Annotated[int, Field(ge=0, le=256)]
    head_channels: Annotated[int, Field(ge=0, le=2**12)] = 0  # which earlier files lack


class Description(BaseModel):
    """What stands in a network's file beside its weights."""

    model_config = STRICT
    format: Literal[1]
    game: dict[str, Any]
    network: Shape


def _read(path: str) -> tuple[Game, Network, dict[str, torch.Tensor]]:
    """Returns what a network's file holds: the game that it was trained for, its shape, and its weights, no larger than the file.

    Raises:
        SafetensorError, ValueError: they are not what `save_network` writes.
    """
    if (size := Path(path).stat().st_size) > MOST_BYTES:
        raise ValueError(f"expected at most {MOST_BYTES:,} bytes, got {size:,}")
    with safe_open(path, "pt") as file:
        described = conform(loads((file.metadata() or {}).get("sparring", "")), Description)
        parameters = {name: value for name, value in described.game.items() if name != "id"}
        id = described.game.get("id", "")
        game = Game(id, **{name: parameters[name] for name in Game.free_parameters(id) if name in parameters})
        shape: dict[str, Any] = {**described.network.model_dump(), "layers": tuple(described.network.layers)}
        network = Network(**shape)
        weights = sum(math.prod(file.get_slice(name).get_shape()) for name in file.keys())  # noqa: SIM118 - not a dict
        if weights != (expected := parameter_count(network, game)):
            raise ValueError(f"expected {expected:,} weights, as its description says, got {weights:,}")
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
    for name, tensor in tensors.items():
        if not bool(torch.isfinite(tensor.float()).all()):
            raise ValueError(f"{name}: expected finite weights, got some that are not")
    return game, network, tensors


def parameter_count(network: Network, game: Game) -> int:
    """Returns how many weights the policy of a network has, without making it."""
    planes, height, width = observation_shape(game)
    channels, window = network.channels, min(network.window, height, width)
    size, count = planes * height * width, 0
    if channels:
        count = (planes * window**2 + 1) * channels + network.blocks * 2 * (9 * channels + 1) * channels
        count += (channels + 1) * network.head_channels
        size = (network.head_channels or channels) * window_count(height, width, window, network.head_channels)
    sizes = [size, *network.layers]
    layers = sum((before + 1) * after for before, after in itertools.pairwise(sizes))
    return count + 2 * layers + (sizes[-1] + 1) * (game.action_count + 1)
