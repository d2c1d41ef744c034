"""The kinds of experiment a config can describe, as strict models.

A new kind is one model, which names its runner, and its place in `Config` (and in `Series.runs`, if a series may hold it).
`config_file` reads and checks them, `run` carries them out.
"""

from typing import Annotated, TypeAlias

from pydantic import Field

from .matches import Evaluate, Ladder, Match, Played, Sprt, Tournament, ladder_for
from .parts import Executor, Experiment, Mistake, Settings, choice_of, game_of, game_record, read_agent, read_game
from .searching import FULL, Ablation, Bench, Claim, Environments, RandomPlay, Sample, Search, Tune
from .series import Run, Series
from .training import Evaluation, MaskablePPO, Schedule, SelfPlay, Train

Config: TypeAlias = Annotated[
    Match | Tournament | Ladder | Evaluate | Train | Ablation | Bench | Tune | Series, Field(discriminator="kind")
]

__all__ = [
    "FULL",
    "Ablation",
    "Bench",
    "Claim",
    "Config",
    "Environments",
    "Evaluate",
    "Evaluation",
    "Executor",
    "Experiment",
    "Ladder",
    "MaskablePPO",
    "Match",
    "Mistake",
    "Played",
    "RandomPlay",
    "Run",
    "Sample",
    "Schedule",
    "Search",
    "SelfPlay",
    "Series",
    "Settings",
    "Sprt",
    "Tournament",
    "Train",
    "Tune",
    "choice_of",
    "game_of",
    "game_record",
    "ladder_for",
    "read_agent",
    "read_game",
]
