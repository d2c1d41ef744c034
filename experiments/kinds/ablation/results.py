"""What an ablation found."""

from __future__ import annotations

from typing import Literal

from ...results import Count, GameResults, MeanRecord, Part, ScoreRecord
from ...statistics.mean import Mean
from .config import Claim

Verdict = Literal["holds", "fails", "open"]


class ConfigurationResults(Part):
    """What one configuration's searches show.

    Attributes:
        agent: the search as text.
        settled: searches that saw the game to its end.
        depth: reached by those that the budget ended; None without any.
        stages: the same by third of the game.
        branching: how many times more nodes a depth takes than the one before; None if no search finished two depths.
        nodes, seconds: the mean of a search.
        nodes_per_second: None where nothing took time.
        agreement: how often the move is that of the full search.
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
    """A claim with the difference that was found, None without games, and whether it holds; "open" within the error."""

    found: MeanRecord | None
    verdict: Verdict


class AblationResults(GameResults):
    """What an ablation shows.

    Attributes:
        positions: how many each configuration searched.
        configurations: by name, the full search first.
        claims: held against what was found.
    """

    positions: Count
    configurations: dict[str, ConfigurationResults]
    claims: list[ClaimResult]

    def lines(self) -> list[str]:
        """Returns a line for each configuration and claim."""
        rows = self.configurations.items()
        depths = [f"{name}: depth {row.depth.value:.2f}" if row.depth else f"{name}: no search was cut off" for name, row in rows]
        return depths + [f"{claim.verdict}: {claim.text}: {difference_text(claim.found)}" for claim in self.claims]


def difference_text(found: Mean | None) -> str:
    """Returns the difference found for a claim, such as "+2.76 plies (95 %: +2.05 to +3.47)"."""
    if found is None or found.low is None:
        return "too few games to tell"
    return f"{found.value:+.2f} plies (95 %: {found.low:+.2f} to {found.high:+.2f})"
