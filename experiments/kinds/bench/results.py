"""The results of a benchmark."""

from __future__ import annotations

from ...results import Count, GameRecord, Part, Results
from .peers import MISSING

UNITS = {"searches": "nodes", "environments": "plies", "learners": "steps"}  # of each group's speeds


class Speed(Part):
    """One speed.

    Attributes:
        game: of the timing.
        agent, position: of a search.
        opponent, games, single: of environments and learners: the opponent, the number of games at once, and whether they are single ones.
        peer, version: another package that played, and its version, None if it is not installed.
        best, median, worst: of all rounds, a second; None if the package is not installed.
        claim: the goal; None for none.
    """

    game: GameRecord
    agent: str | None = None
    position: str | None = None
    opponent: str | None = None
    games: Count = 1
    single: bool = False
    peer: str | None = None
    version: str | None = None
    best: float | None
    median: float | None
    worst: float | None
    claim: float | None


class BenchResults(Results):
    """Speeds by name, in three groups."""

    searches: dict[str, Speed] = {}
    environments: dict[str, Speed] = {}
    learners: dict[str, Speed] = {}

    @property
    def groups(self) -> dict[str, dict[str, Speed]]:
        """The groups by name."""
        return {"searches": self.searches, "environments": self.environments, "learners": self.learners}

    def lines(self) -> list[str]:
        """Returns a line for each speed."""
        return [f"{name}: {speed_text(row, UNITS[group])}" for group, rows in self.groups.items() for name, row in rows.items()]


def speed_text(row: Speed, unit: str) -> str:
    """Returns a speed, such as "11.2 million nodes a second"."""
    return MISSING if row.best is None else f"{row.best / 1e6:.3g} million {unit} a second"
