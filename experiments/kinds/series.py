"""A series: runs one after the other, each in a folder of its own in the series' folder."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from ...envs.rules.errors import ConfigError, shown
from ..config.parts import Executor, Experiment, Mistake, PairedGames
from ..config.sweep import LONGEST_NAME, MOST_RUNS, name_of, variants
from ..results import Results
from ..run_folder import RunFolder
from ..terminal.phrases import counted, joined
from . import KINDS, kind_of, load
from .kind import Kind

APART = ("bench", "series")  # kinds that a series cannot hold: a benchmark needs the machine for itself
MOST_NAMES = 6  # runs that are named one by one
MEMBERS: Any = functools.reduce(operator.or_, [kind_of(name).config for name in KINDS if name not in APART])


class SeriesConfig(Experiment, frozen=True):
    """Runs one after the other; each uses the series' seed and games unless it has its own.

    Attributes:
        games: games of every match, of each two agents of a tournament, and of every training's final evaluation against each opponent.
        executor: where the games of all runs are played; by default each run's own.
        runs: the configs of the runs, each of any kind but bench and series.
    """

    kind: Literal["series"] = "series"  # pyright: ignore[reportIncompatibleVariableOverride] - each kind has its own name
    games: PairedGames | None = None
    executor: Executor | None = None
    runs: Annotated[list[Annotated[MEMBERS, Field(discriminator="kind")]], Field(min_length=1)]  # pyright: ignore[reportInvalidTypeForm] - from the table

    def mistakes(self) -> Iterator[Mistake]:
        """Yields the mistakes of every run."""
        for index, run in enumerate(self.runs):
            yield from ((("runs", index, *key_path), message) for key_path, message in run.mistakes())

    def resolved(self, name: str) -> SeriesConfig:
        """Returns the series with its seed, games and executor filled into its runs."""
        runs = [run.inheriting(self.seed, self.games, self.executor).resolved(_name_of(run)) for run in self.runs]
        return self.model_copy(update={"name": self.name or name, "runs": runs})

    def members(self) -> dict[str, Experiment]:
        """Returns the runs by the names of their folders."""
        return {f"{number}-{run.name}": run for number, run in enumerate(self.runs, start=1)}

    def plan(self) -> str:
        """Returns a line with the runs."""
        names = [run.name for run in self.runs]
        return f"{counted(len(names), 'run')}{f': {joined(names)}' if len(names) <= MOST_NAMES else ''}"


def _name_of(run: Any) -> str:
    return f"{run.game['id'].split('/')[-1].split('-')[0]}-{run.kind}"


class SeriesResults(Results):
    """The names of the folders of all runs."""

    runs: list[str] = []


def run_series(config: SeriesConfig, folder: RunFolder) -> SeriesResults:
    """Returns the names of the folders of all runs, which are finished."""
    return SeriesResults(kind=config.kind, runs=list(config.members()))


def load_swept(path: Path, overrides: Iterable[str] = ()) -> Experiment:
    """Returns the config of a file, or a series of all combinations if some overrides have several values.

    `agents.0.depth=2,4,6 seed=0..4` makes fifteen runs.

    Raises:
        ConfigError: a config cannot be run or be part of a series, or there are too many runs.
    """
    choices = [variants(text) for text in overrides]
    if math.prod(map(len, choices)) > MOST_RUNS:
        raise ConfigError(f"{path}: expected a series of up to {MOST_RUNS} runs, got {math.prod(map(len, choices))}")
    if all(len(choice) == 1 for choice in choices):
        return load(path, [choice[0] for choice in choices])
    runs = []
    for number, combination in enumerate(itertools.product(*choices)):
        changed = [text for text, choice in zip(combination, choices, strict=True) if len(choice) > 1]
        runs.append(load(path, combination).model_copy(update={"name": name_of(changed, number)}))
    for run in runs:
        if run.kind in APART:
            raise ConfigError(f"{path}: expected a kind that a series can hold, got {shown(run.kind)}")
    name = load(path, [choice[0] for choice in choices]).name[:LONGEST_NAME]
    return SeriesConfig(name=f"{name}-sweep", runs=[run.model_dump() for run in runs])


KIND = Kind(SeriesConfig, SeriesResults, run=f"{__name__}:run_series")
