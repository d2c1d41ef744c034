"""An ablation: one search with its parts switched on and off."""

from ..kind import Kind
from .config import AblationConfig
from .results import AblationResults

KIND = Kind(AblationConfig, AblationResults, run=f"{__name__}.run:run_ablation", section=f"{__name__}.section:ablation_section")
