"""What a run's folder holds, read for its report; a run that is not finished, or that a crash cut off, is read as far as it goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..games.entries import SearchedGame
from ..games.log import read_curve, read_games
from ..run_folder import RunFolder, RunFolderError, read_lines, read_record
from .log_digest import Games

COMPARISON = "comparison"  # the kind of runs that were put side by side


class Run(NamedTuple):
    """One run.

    Attributes:
        path: its folder.
        record: run.json, empty if the run has not begun.
        config: config.yaml as text.
        results: results.json, None while the run goes on.
        games: the finished games.
        searches: the finished parts of an ablation.
        curve: the evaluations during a training.
        children: the runs of a series that have begun.
    """

    path: Path
    record: dict[str, Any]
    config: str
    results: dict[str, Any] | None
    games: Games
    searches: list[dict[str, Any]]
    curve: list[dict[str, Any]]
    children: list[Run]

    @property
    def name(self) -> str:
        """The name of the run, else that of its folder."""
        return self.record.get("name") or self.path.name

    @property
    def kind(self) -> str:
        """The kind of the run: match, tournament, train, …, series or comparison, which have runs inside, or, if nothing tells, unknown."""
        return self.record.get("kind") or (self.results or {}).get("kind") or "unknown"

    @property
    def is_many(self) -> bool:
        """Whether it consists of other runs."""
        return self.kind in ("series", COMPARISON)

    @property
    def is_finished(self) -> bool:
        """Whether the run has come to its end."""
        return self.results is not None

    def leaves(self) -> Iterator[Run]:
        """Yields the runs that played or trained: itself, or those of a series."""
        if not self.is_many:
            yield self
        for child in self.children:
            yield from child.leaves()


def read_run(path: Path) -> Run:
    """Returns the run in a folder.

    Raises:
        RunFolderError: the folder is none of a run, or a file in it is damaged.
        GamesLogError: the games are damaged.
    """
    folder = RunFolder(path)
    if not folder.config.exists():
        raise RunFolderError(f"{path}: expected the folder of a run, got one without {folder.config.name}")
    return Run(
        path=path,
        record=read_record(folder.record) if folder.record.exists() else {},
        config=read_lines(folder.config),
        results=folder.read_results(),
        games=Games(folder.games),
        searches=list(read_games(folder.searches, SearchedGame)) if folder.searches.exists() else [],
        curve=read_curve(folder.curve),
        children=[read_run(config.parent) for config in sorted(path.glob("*/config.yaml"), key=place_in_series)],
    )


def read_comparison(paths: Sequence[Path]) -> Run:
    """Returns the runs in some folders as one; runs of the same name have that of their folder.

    Raises:
        RunFolderError, GamesLogError: as `read_run`.
    """
    runs = [read_run(path) for path in paths]
    names = Counter(run.name for run in runs)
    named = [run if names[run.name] == 1 else run._replace(record={**run.record, "name": str(run.path)}) for run in runs]
    record = {"name": f"{len(runs)} runs", "kind": COMPARISON}
    return Run(Path(), record, config="", results=None, games=Games(), searches=[], curve=[], children=named)


def place_in_series(config: Path) -> tuple[int, str]:
    """Returns what orders the runs of a series: the number in front of the folder's name."""
    number, _, name = config.parent.name.partition("-")
    return (int(number) if number.isdecimal() else 0), name
