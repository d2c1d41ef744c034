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


class Solving(Part):
    """The solver on one set of positions.

    Attributes:
        positions: how many.
        mean_seconds: processor time for one of them.
        largest_seconds: processor time for the one of most nodes, solved once more on its own.
        nodes: mean number of positions entered for one.
        probes: mean number of look-ups in the table for one.
        nodes_per_second: by processor time.
        wrong: number of scores that differ from those given, or from an earlier answer for random positions.
        table_mib: size of the table of bounds.
    """

    positions: Count
    mean_seconds: float
    largest_seconds: float
    nodes: float
    probes: float
    nodes_per_second: float
    wrong: Count
    table_mib: float


class BenchResults(Results):
    """Speeds by name, in three groups, and the solver's sets by name."""

    searches: dict[str, Speed] = {}
    environments: dict[str, Speed] = {}
    learners: dict[str, Speed] = {}
    solver: dict[str, Solving] = {}

    @property
    def groups(self) -> dict[str, dict[str, Speed]]:
        """The groups by name."""
        return {"searches": self.searches, "environments": self.environments, "learners": self.learners}

    def lines(self) -> list[str]:
        """Returns a line for each speed and each set."""
        speeds = [f"{name}: {speed_text(row, UNITS[group])}" for group, rows in self.groups.items() for name, row in rows.items()]
        return speeds + [f"{name}: {solving_text(row)}" for name, row in self.solver.items()]


def speed_text(row: Speed, unit: str) -> str:
    """Returns a speed, such as "11.2 million nodes a second"."""
    return MISSING if row.best is None else f"{row.best / 1e6:.3g} million {unit} a second"


def solving_text(row: Solving) -> str:
    """Returns the solver's work on a set, such as "100 positions, 1,200 nodes and 0.31 ms each, 4.1 ms at most, 0 wrong scores"."""
    each = f"{row.nodes:,.0f} nodes and {time_text(row.mean_seconds)} each, {time_text(row.largest_seconds)} at most"
    speed = f"{row.nodes_per_second / 1e6:.3g} million nodes a second"
    wrong = f"{row.wrong} wrong score{'' if row.wrong == 1 else 's'}"
    return f"{row.positions:,} position{'' if row.positions == 1 else 's'}, {each}, {speed}, {wrong}"


def time_text(seconds: float) -> str:
    """Returns a short time in a unit that suits it."""
    unit, size = next((unit, size) for unit, size in (("s", 1.0), ("ms", 1e-3), ("\N{MICRO SIGN}s", 0.0)) if seconds >= size)
    return f"{seconds / (size or 1e-6):.3g} {unit}"
