"""The results of runs as frozen models: the base of every kind's results, and the parts that several kinds share.

`results.json` is such a model as JSON. Of a file of an earlier version the keys that the models know are read.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import BaseModel, Field, PlainSerializer

from ..agents.foreign import STRICT
from ..envs.game import Game
from .statistics.estimate import Estimate, Placement
from .statistics.mean import Mean
from .statistics.score import Score
from .statistics.sprt import Sprt

Count = Annotated[int, Field(ge=0)]
Seat = Literal["first", "second"]
BY_NAME = PlainSerializer(lambda value: value._asdict())  # a named tuple is a mapping in JSON
EstimateRecord = Annotated[Estimate, BY_NAME]
MeanRecord = Annotated[Mean, BY_NAME]
PlacementRecord = Annotated[Placement, BY_NAME]
ScoreRecord = Annotated[Score, BY_NAME]
SprtRecord = Annotated[Sprt, BY_NAME]


class Part(BaseModel):
    """Base of all parts of results: no conversions, no changes; unknown keys are ignored."""

    model_config = STRICT | {"frozen": True, "extra": "ignore"}


class GameRecord(Part):
    """A game by its id and all parameters of its rules."""

    id: str
    parameters: dict[str, Any]

    @classmethod
    def of(cls, game: Game) -> GameRecord:
        """Returns the record of a game."""
        return cls(id=game.id, parameters=game.parameters)

    @property
    def as_game(self) -> Game:
        """The recorded game."""
        return Game.of(self.id, **self.parameters)


class Outcomes(Part):
    """How many games an agent won, drew and lost."""

    win: Count = 0
    draw: Count = 0
    loss: Count = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.win + self.draw + self.loss

    @property
    def score(self) -> float:
        """The mean of win 1, draw 1/2, loss 0; needs a game."""
        return (self.win + self.draw / 2) / self.games


class Lengths(Part):
    """The lengths of some games in plies."""

    mean: float
    min: Count
    max: Count


class Matchup(Part):
    """The results of the games between two agents; outcomes and scores are the first one's.

    Attributes:
        agents: their names.
        games: number of games.
        distinct_games: games that do not repeat another move by move.
        outcomes: by seat.
        score: the mean score, from 0 to 1.
        low, high: its 95 % interval.
        terminations: number of games by ending.
        plies: their lengths.
        seconds_per_move: mean thinking time of each agent.
        warnings: reasons for doubt.
        sprt: state of the sequential test; None without one.
    """

    agents: Annotated[list[str], Field(min_length=2, max_length=2)]
    games: Count
    distinct_games: Count
    outcomes: dict[Seat, Outcomes]
    score: float
    low: float
    high: float
    terminations: dict[str, Count]
    plies: Lengths
    seconds_per_move: dict[str, float]
    warnings: list[str] = []
    sprt: SprtRecord | None = None

    @property
    def interval(self) -> Score:
        """The score with its interval."""
        return Score(self.score, self.low, self.high)


class Standing(Part):
    """The results of all games of an agent in a tournament.

    Attributes:
        agent: its name.
        games: that it played.
        outcomes: by seat.
        value: the mean score, from 0 to 1.
        low, high: its 95 % interval.
        elo: its rating.
        forfeits: number of games that it lost by other means than the rules, by ending.
    """

    agent: str
    games: Count
    outcomes: dict[Seat, Outcomes]
    value: float
    low: float
    high: float
    elo: EstimateRecord
    forfeits: dict[str, Count]

    @property
    def interval(self) -> Score:
        """The score with its interval."""
        return Score(self.value, self.low, self.high)


class Measure(NamedTuple):
    """The number by which runs of a kind are compared.

    Attributes:
        name: what it measures.
        is_share: True for a number from 0 to 1, False for Elo.
    """

    name: str
    is_share: bool


class Results(Part):
    """The base of every kind's results.

    Attributes:
        measure: of the numbers that `measured` returns; None for a kind without such a number.
        kind: of the run.
        layout: version of the file's layout, from 1.
        warnings: reasons for doubt.
    """

    measure: ClassVar[Measure | None] = None

    kind: str
    layout: Count = 1
    warnings: list[str] = []

    def lines(self) -> list[str]:
        """Returns the lines that a terminal shows before the matchups and standings."""
        return []

    def matchups(self) -> list[Matchup]:
        """Returns the matchups that a terminal shows."""
        return []

    def rows(self) -> list[Standing]:
        """Returns the standings that a terminal shows."""
        return []

    def all_warnings(self) -> list[str]:
        """Returns the warnings of the run and of its parts."""
        return self.warnings

    def measured(self) -> list[tuple[str, Score]]:
        """Returns the measured numbers, each with the opponent, empty where there is only one."""
        return []


class GameResults(Results):
    """The base of the results of kinds that play one game.

    Attributes:
        game: the game of the run.
    """

    game: GameRecord
