"""The results of a ladder's tournament."""

from __future__ import annotations

from ...results import Count
from ..tournament.results import TournamentResults


class LadderResults(TournamentResults):
    """The results of a tournament, and the version of the ladder that they make."""

    version: Count

    def further_facts(self) -> dict[str, str]:
        """Returns the ladder's version."""
        return {"Version of the ladder": str(self.version)}
