"""The grades of agents."""

from __future__ import annotations

from ...games.exact_scores import Unit, sign
from ...results import Count, GameResults, Measure, Part, ScoreRecord
from ...statistics.score import Score

PLAYED_OUT = "perfect:nodes=2000000"  # plays both sides after a blunder


class PositionsRecord(Part):
    """The graded positions.

    Attributes:
        game: with its parameters.
        version, hash: of the set.
        count: how many there are.
        unit: of the scores.
    """

    game: str
    version: Count
    hash: str
    count: Count
    unit: Unit = "point"

    def __str__(self) -> str:
        return f"{self.count:,} positions of {self.game} version {self.version}, hash {self.hash}"

    @property
    def units(self) -> str:
        """The unit of the scores in the plural."""
        return {"point": "points", "ply": "plies"}[self.unit]


class Answer(Part):
    """A move that an agent chose.

    Attributes:
        moves: that led to the position.
        stage, level: of the position.
        move, best: the agent's move and the best one, as the game writes them.
        score, best_score: the exact scores of both, from the view of the side to move.
    """

    moves: str
    stage: str
    level: str
    move: str
    best: str
    score: int
    best_score: int

    @property
    def lost(self) -> int:
        """The points or plies that it lost."""
        return self.best_score - self.score

    @property
    def kept_value(self) -> bool:
        """Whether a win stayed a win, and a draw a draw."""
        return sign(self.score) == sign(self.best_score)


class Grade(Part):
    """How an agent plays graded positions.

    A blunder is a move that gives away a win or a draw. A move loses the difference between its exact score and the best move's: in
    Connect-K with gravity and k 4 a point for every stone, elsewhere a ply for every ply, that the agent wins later or loses sooner. What a
    blunder loses is measured on the same scale (see `games.exact_scores`).

    Attributes:
        agent: its name.
        positions: the graded positions.
        blunders: the share of blunders among all moves, with its 95 % interval.
        by_stage: the same by the stage of the game.
        by_level: the same by the moves that are left under best play.
        best_moves: the share of moves that lost nothing.
        points: the mean number of points or plies lost by a move.
        points_kept: the same of moves that kept the value: quick wins missed, quick losses allowed.
        worst: the blunders that lost most.
    """

    agent: str
    positions: PositionsRecord
    blunders: ScoreRecord
    by_stage: dict[str, ScoreRecord]
    by_level: dict[str, ScoreRecord]
    best_moves: ScoreRecord
    points: float
    points_kept: float
    worst: list[Answer]

    def __str__(self) -> str:
        by_stage = ", ".join(f"{stage} {share.value:.1%}" for stage, share in self.by_stage.items())
        rate = f"{self.blunders.value:.1%} blunders (95 %: {self.blunders.low:.1%} to {self.blunders.high:.1%}; {by_stage})"
        best = f"{self.best_moves.value:.1%} best moves, {self.points:.2f} {self.positions.units} lost a move"
        return f"{self.agent}: {rate}, {best}, {self.positions}"


class AccuracyResults(GameResults):
    """The grades of the agents, in the order of the config."""

    measure = Measure("share of blunders", is_share=True)

    grades: list[Grade]

    def lines(self) -> list[str]:
        """Returns a line for each agent."""
        return [str(grade) for grade in self.grades]

    def measured(self) -> list[tuple[str, Score]]:
        """Returns the share of blunders of the only agent; of several ones nothing."""
        return [("", self.grades[0].blunders)] if len(self.grades) == 1 else []
