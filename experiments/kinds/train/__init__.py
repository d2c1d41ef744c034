"""A training: MaskablePPO against named opponents, measured against fixed ones."""

from ..kind import Kind
from .config import TrainConfig
from .results import TrainResults

KIND = Kind(
    TrainConfig,
    TrainResults,
    run=f"{__name__}.run:run_train",
    section=f"{__name__}.section:train_section",
    comparison=f"{__name__}.section:compare_trainings",
)
