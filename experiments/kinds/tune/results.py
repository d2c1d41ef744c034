"""The results of a tuning."""

from __future__ import annotations

from pydantic import Field

from ...results import Count, GameResults, Matchup, Part
from ...terminal.phrases import score_text

Weights = dict[str, int]


class Change(Part):
    """A change of a weight that was kept.

    Attributes:
        challenge: its number, from 1.
        weight: its name.
        before, after: its values.
        score: of the changed agent in the challenge.
    """

    challenge: Count
    weight: str
    before: int = Field(alias="from")
    after: int = Field(alias="to")
    score: float


class TuneResults(GameResults):
    """The results of a tuning.

    Attributes:
        challenges: number of tried changes.
        start, weights: the weights before and after.
        kept: the changes that were kept.
        final: the match of the tuned weights against those at the start; empty if no change was kept.
    """

    challenges: Count
    start: Weights
    weights: Weights
    kept: list[Change]
    final: list[Matchup]

    def lines(self) -> list[str]:
        """Returns the tuned weights, and their score against the start weights."""
        weights = " ".join(f"{weight}={value}" for weight, value in self.weights.items())
        lines = [f"weights {weights}", f"{len(self.kept)} of {self.challenges} changes kept"]
        return lines + [f"against the start: {score_text(match.interval)}, {match.games} games" for match in self.final]

    def all_warnings(self) -> list[str]:
        """Returns the warnings of the run and of its final match."""
        return [*self.warnings, *(warning for matchup in self.final for warning in matchup.warnings)]
