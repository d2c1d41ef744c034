"""A ladder: a tournament whose ratings are written down as the ladder of its game."""

from .. import tournament
from ..kind import Kind
from .config import LadderConfig
from .results import LadderResults

KIND = Kind(
    LadderConfig,
    LadderResults,
    run=f"{__name__}.run:run_ladder",
    section=tournament.KIND.section,
    comparison=tournament.KIND.comparison,
)
