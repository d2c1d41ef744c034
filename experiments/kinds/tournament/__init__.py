"""A tournament: paired games between many agents, and their ratings."""

from ..kind import Kind
from .config import TournamentConfig
from .results import TournamentResults

KIND = Kind(
    TournamentConfig,
    TournamentResults,
    run=f"{__name__}.run:run_tournament",
    section=f"{__name__}.section:tournament_section",
    comparison=f"{__name__}.comparison:compare_ratings",
)
