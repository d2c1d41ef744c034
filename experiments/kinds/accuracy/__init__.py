"""Accuracy: agents' moves in graded positions against exact play."""

from ..kind import Kind
from .config import AccuracyConfig
from .results import AccuracyResults

KIND = Kind(AccuracyConfig, AccuracyResults, run=f"{__name__}.run:run_accuracy", section=f"{__name__}.section:accuracy_section")
