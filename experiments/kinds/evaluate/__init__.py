"""An evaluation: one agent measured against the ladder of a game."""

from ..kind import Kind
from .config import EvaluateConfig
from .results import EvaluateResults

KIND = Kind(
    EvaluateConfig,
    EvaluateResults,
    run=f"{__name__}.run:run_evaluate",
    section=f"{__name__}.section:evaluate_section",
    comparison=f"{__name__}.section:compare_evaluations",
)
