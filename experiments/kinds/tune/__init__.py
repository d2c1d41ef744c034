"""A tuning: an agent's weights, changed by games against itself."""

from ..kind import Kind
from .config import TuneConfig
from .results import TuneResults

KIND = Kind(TuneConfig, TuneResults, run=f"{__name__}.run:run_tune", section=f"{__name__}.section:tune_section")
