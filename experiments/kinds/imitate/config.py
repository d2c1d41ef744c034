"""An imitation: its data set, its network, and how it learns."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from ....envs.rules.errors import installation, shown
from ...config.parts import TRAINING_EXTRA, TRAINING_PACKAGES, Batch, Count, Experiment, GameChoice, Mistake, Settings, Threads
from ...terminal.phrases import choice_text

Positive = Annotated[float, Field(gt=0, le=10**6)]


class ImitatingNetwork(Settings, frozen=True):
    """The network of an imitation; a training that starts from it needs the same.

    Attributes:
        net_arch: sizes of the fully connected layers of policy and value, each.
        channels: channels of the convolutions before them (see `agents.network.BoardFeatures`); 0 for no convolutions.
        window: cells on a side of the windows of the first convolution.
        blocks: residual blocks after it.
        head_channels: channels of a last convolution of single cells over the whole board; 0 for none.
    """

    net_arch: Annotated[list[Annotated[int, Field(ge=1, le=4096)]], Field(max_length=8)] = [64]
    channels: Annotated[int, Field(ge=0, le=512)] = 48
    window: Annotated[int, Field(ge=1, le=64)] = 3
    blocks: Annotated[int, Field(ge=0, le=64)] = 4
    head_channels: Annotated[int, Field(ge=0, le=512)] = 8


class ImitateConfig(Experiment, frozen=True):
    """A network that learns the moves and scores of a teacher from a data set.

    Attributes:
        game: of the data set.
        dataset: the Parquet file of a run of `kind: dataset`.
        network: that learns.
        epochs: passes over the rows at most.
        patience: epochs without a lower loss on the rows held out after which it stops.
        held_out: the share of the games whose rows are only measured.
        batch_size: rows in a minibatch.
        learning_rate: step size of the optimiser.
        value_weight: weight of the error of the value in the loss, beside that of the policy.
        temperature: where a row has scores of moves, the policy learns softmax(score / temperature); none learns the teacher's move alone.
        symmetry: shows each row turned or mirrored, drawn for each epoch.
        threads: threads of torch.
        device: auto takes a GPU for convolutions, where there is one.
    """

    kind: Literal["imitate"] = "imitate"
    game: GameChoice
    dataset: str
    network: ImitatingNetwork = ImitatingNetwork()
    epochs: Count = 40
    patience: Count = 4
    held_out: Annotated[float, Field(gt=0, lt=1)] = 0.05
    batch_size: Batch = 512
    learning_rate: Annotated[float, Field(gt=0, le=10)] = 1e-3
    value_weight: Annotated[float, Field(ge=0, le=100)] = 1.0
    temperature: Positive | None = None
    symmetry: bool = True
    threads: Threads = 1
    device: Literal["auto", "cpu"] = "auto"

    def mistakes(self) -> Iterator[Mistake]:
        """Yields missing extras, and a data set that is not there."""
        if any(find_spec(package) is None for package in TRAINING_PACKAGES):
            yield ("kind",), f"an imitation needs {TRAINING_EXTRA}"
        if find_spec("polars") is None:
            yield ("dataset",), f"a data set needs the extra 'parquet'; install it with: {installation('parquet')}"
        if not Path(self.dataset).is_file():
            yield ("dataset",), f"expected the Parquet file of a data set, got {shown(self.dataset)}, which is no file"

    def plan(self) -> str:
        """Returns a line with the data set."""
        return f"imitation of {self.dataset} at {choice_text(self.game)}, up to {self.epochs} epochs"
