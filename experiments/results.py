"""What a run found, as frozen models: the base of every kind's results, and the parts that several kinds share.

`results.json` is such a model as JSON. A file of an earlier version is read as far as the models know its keys.
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
    """Base of all parts of results: nothing is converted or changed; keys that are not known are left aside."""

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
        """The game that it records."""
        return Game.of(self.id, **self.parameters)


class Outcomes(Part):
    """How many games an agent won, drew and lost."""

    win: Count = 0
    draw: Count = 0
    loss: Count = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.win + self.draw + self.loss

    @property
    def score(self) -> float:
        """The mean of win 1, draw 1/2, loss 0; there has to be a game."""
        return (self.win + self.draw / 2) / self.games


class Lengths(Part):
    """Of some games, in plies."""

    mean: float
    min: Count
    max: Count


class Matchup(Part):
    """What the games between two agents show; outcomes and scores are the first one's.

    Attributes:
        agents: their names.
        games: how many were played.
        distinct_games: how many of them repeat no other move by move.
        outcomes: by seat.
        score: the mean score, from 0 to 1.
        low, high: its 95 % interval.
        terminations: how many games ended in each way.
        plies: how long they were.
        seconds_per_move: mean thinking time of each agent.
        warnings: what to know before trusting the games.
        sprt: how a sequential test stands; None without one.
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
    """What all games of an agent in a tournament show.

    Attributes:
        agent: its name.
        games: that it played.
        outcomes: by seat.
        value: the mean score, from 0 to 1.
        low, high: its 95 % interval.
        elo: its rating.
        forfeits: how many games it lost in each other way than by the rules.
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
    """What a kind's results come to in a number, so that runs can be compared.

    Attributes:
        name: what is measured.
        is_share: whether it lies from 0 to 1; else it is in Elo.
    """

    name: str
    is_share: bool


class Results(Part):
    """What every kind's results have.

    Attributes:
        measure: what `measured` returns; None for a kind that comes to no number.
        kind: of the run.
        layout: version of this layout of the file, from 1.
        warnings: what to know before trusting the numbers.
    """

    measure: ClassVar[Measure | None] = None

    kind: str
    layout: Count = 1
    warnings: list[str] = []

    def lines(self) -> list[str]:
        """Returns what a terminal shows, line by line, before the matchups and standings."""
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
        """Returns the numbers that the results come to, each with whom it was against, empty if that is plain."""
        return []


class GameResults(Results):
    """What the results of every kind that plays one game have.

    Attributes:
        game: that the run plays.
    """

    game: GameRecord
