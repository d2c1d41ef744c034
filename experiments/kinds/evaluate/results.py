"""The results of an evaluation."""

from __future__ import annotations

from ...results import Count, GameResults, Matchup, Measure, Part, PlacementRecord
from ...statistics.estimate import Estimate
from ...statistics.score import Score
from ...terminal.phrases import rating_text
from ..tournament.results import OpeningsRecord


class RungRecord(Part):
    """A rung of the ladder with its rating and interval."""

    name: str
    elo: float
    low: float
    high: float


class LadderRecord(Part):
    """The ladder of an evaluation."""

    version: Count
    package_version: str
    rungs: list[RungRecord]


class RungMatchup(Matchup):
    """The results against a rung.

    Attributes:
        rung: its number on the ladder, from 0.
        elo: its rating.
    """

    rung: Count
    elo: float


class EvaluateResults(GameResults):
    """The results of an evaluation.

    Attributes:
        agent: its name in the games.
        openings: their source.
        elo: the agent's rating on the ladder, with both intervals.
        games: number of games.
        ladder: the ladder of the evaluation.
        rungs: the results against each rung that it met.
        losses: number of lost games by ending.
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
        """Returns the rating, and the losses by ending."""
        rating = rating_text(Estimate(*self.elo[:3])).removesuffix(")")
        outer = f"with the ladder's own error {self.elo.outer_low:.0f} to {self.elo.outer_high:.0f}"
        losses = ", ".join(f"{count} {ending}" for ending, count in self.losses.items())
        return [f"{self.agent}: {rating}, {outer}), {self.games} games", *([f"losses: {losses}"] if losses else [])]

    def matchups(self) -> list[Matchup]:
        """Returns the matchups with the rungs."""
        return list(self.rungs)

    def measured(self) -> list[tuple[str, Score]]:
        """Returns the rating, with the interval of the agent's own games."""
        return [("", Score(*self.elo[:3]))]
