"""What an evaluation found."""

from __future__ import annotations

from ...results import Count, GameResults, Matchup, Measure, Part, PlacementRecord
from ...statistics.estimate import Estimate
from ...statistics.score import Score
from ...terminal.phrases import rating_text
from ..tournament.results import OpeningsRecord


class RungRecord(Part):
    """A rung of the ladder with its rating and the interval of that."""

    name: str
    elo: float
    low: float
    high: float


class LadderRecord(Part):
    """The ladder that an agent was measured against."""

    version: Count
    package_version: str
    rungs: list[RungRecord]


class RungMatchup(Matchup):
    """What the games against a rung show.

    Attributes:
        rung: its place on the ladder, from 0.
        elo: its rating.
    """

    rung: Count
    elo: float


class EvaluateResults(GameResults):
    """What an evaluation shows.

    Attributes:
        agent: its name in the games.
        openings: where they come from.
        elo: the agent's rating on the ladder, with both intervals.
        games: that were played.
        ladder: that it was measured against.
        rungs: what the games against each rung that it met show.
        losses: how many games were lost by each ending.
    """

    measure = Measure("Elo", is_share=False)

    agent: str
    openings: OpeningsRecord | None = None
    elo: PlacementRecord
    games: Count
    ladder: LadderRecord
    rungs: list[RungMatchup]
    losses: dict[str, Count]

    def lines(self) -> list[str]:
        """Returns the rating that was measured, and how games were lost."""
        rating = rating_text(Estimate(*self.elo[:3])).removesuffix(")")
        outer = f"with the ladder's own error {self.elo.outer_low:.0f} to {self.elo.outer_high:.0f}"
        losses = ", ".join(f"{count} {ending}" for ending, count in self.losses.items())
        return [f"{self.agent}: {rating}, {outer}), {self.games} games", *([f"losses: {losses}"] if losses else [])]

    def matchups(self) -> list[Matchup]:
        """Returns those with the rungs."""
        return list(self.rungs)

    def measured(self) -> list[tuple[str, Score]]:
        """Returns the rating, with the interval of the agent's own games."""
        return [("", Score(*self.elo[:3]))]
