"""The results of an ablation."""

from __future__ import annotations

from typing import Literal

from ...results import Count, GameResults, MeanRecord, Part, ScoreRecord
from ...statistics.mean import Mean
from .config import Claim

Verdict = Literal["holds", "fails", "open"]


class ConfigurationResults(Part):
    """The results of one configuration's searches.

    Attributes:
        agent: the search as text.
        settled: number of searches that solved the position to the end of the game.
        depth: of the other searches, which the budget ended; None without any.
        stages: the same by third of the game.
        branching: the factor of nodes from one depth to the next; None if no search finished two depths.
        nodes, seconds: the mean of a search.
        nodes_per_second: None if the searches took no time.
        agreement: the share of moves that are those of the full search.
    """

    agent: str
    settled: Count
    depth: MeanRecord | None
    stages: dict[str, MeanRecord | None]
    branching: float | None
    nodes: float
    seconds: float
    nodes_per_second: float | None
    agreement: ScoreRecord


class ClaimResult(Claim, frozen=True):
    """A claim with the measured difference, None without games, and the verdict; "open" if the interval does not decide."""

    found: MeanRecord | None
    verdict: Verdict


class AblationResults(GameResults):
    """The results of an ablation.

    Attributes:
        positions: number of positions that each configuration searched.
        configurations: by name, the full search first.
        claims: with their verdicts.
    """

    positions: Count
    configurations: dict[str, ConfigurationResults]
    claims: list[ClaimResult]

    def lines(self) -> list[str]:
        """Returns a line for each configuration and claim."""
        rows = self.configurations.items()
        depths = [f"{name}: depth {row.depth.value:.2f}" if row.depth else f"{name}: no search was cut off" for name, row in rows]
        return depths + [f"{claim.verdict}: {claim.text}: {difference_text(claim.found)}" for claim in self.claims]


def difference_text(difference: Mean | None) -> str:
    """Returns the difference of a claim as text, such as "+2.76 plies (95 %: +2.05 to +3.47)"."""
    if difference is None or difference.low is None:
        return "too few games to tell"
    return f"{difference.value:+.2f} plies (95 %: {difference.low:+.2f} to {difference.high:+.2f})"
