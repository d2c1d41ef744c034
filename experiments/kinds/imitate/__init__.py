"""Imitation: a network learns a teacher's moves and scores from a data set."""

from ..kind import Kind
from .config import ImitateConfig
from .results import ImitateResults

KIND = Kind(ImitateConfig, ImitateResults, run=f"{__name__}.run:run_imitate", section=f"{__name__}.section:imitate_section")
