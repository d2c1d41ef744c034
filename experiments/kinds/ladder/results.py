"""What a ladder's tournament found."""

from __future__ import annotations

from ...results import Count
from ..tournament.results import TournamentResults


class LadderResults(TournamentResults):
    """What a tournament shows, and the version of the ladder that its ratings make."""

    version: Count

    def further_facts(self) -> dict[str, str]:
        """Returns the ladder's version."""
        return {"Version of the ladder": str(self.version)}
