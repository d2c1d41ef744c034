"""The content of a run's folder for its page, also of an unfinished or interrupted run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from ..results import Results
from .log_digest import LogGames

COMPARISON = "comparison"  # the kind of several runs on one page
UNKNOWN = "unknown"  # the kind of a run without a record
AnyResults = TypeVar("AnyResults", bound=Results, covariant=True)


@dataclass(frozen=True)
class Run(Generic[AnyResults]):
    """One run.

    Attributes:
        path: its folder.
        kind: its kind, COMPARISON or UNKNOWN.
        name: its name, else that of its folder.
        record: run.json, empty if the run has not begun.
        config: config.yaml as text.
        results: results.json, None while the run goes on.
        games: the finished games.
        searches: the finished parts of an ablation.
        curve: the evaluations during a training.
        is_many: whether it consists of other runs.
        children: those of them that have begun, or the runs that are compared.
    """

    path: Path
    kind: str
    name: str
    record: dict[str, Any] = field(default_factory=dict)
    config: str = ""
    results: AnyResults | None = None
    games: LogGames = field(default_factory=LogGames)
    searches: list[dict[str, Any]] = field(default_factory=list)
    curve: list[dict[str, Any]] = field(default_factory=list)
    is_many: bool = False
    children: list[Run[Any]] = field(default_factory=list)

    @property
    def is_finished(self) -> bool:
        """Whether the run has come to its end."""
        return self.results is not None

    @property
    def seconds(self) -> float:
        """The time that the run took."""
        return self.record.get("seconds") or 0.0

    def leaves(self) -> Iterator[Run[Any]]:
        """Yields the runs that played or trained: itself, or those that it consists of."""
        if not self.is_many:
            yield self
        for child in self.children:
            yield from child.leaves()
