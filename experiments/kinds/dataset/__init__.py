"""A data set: positions of games, each with the move and the score of a teacher, to learn from."""

from ..kind import Kind
from .config import DatasetConfig
from .results import DatasetResults

KIND = Kind(DatasetConfig, DatasetResults, run=f"{__name__}.run:run_dataset", section=f"{__name__}.section:dataset_section")
