"""The grades of agents."""

from __future__ import annotations

from ...results import Count, GameResults, Measure, Part, ScoreRecord
from ...statistics.score import Score

PLAYED_OUT = "perfect:nodes=2000000"  # plays both sides after a blunder


class PositionsRecord(Part):
    """The graded positions: the game's name, the version of the set, its hash, and how many there are."""

    game: str
    version: Count
    hash: str
    count: Count


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
        """The points that it lost."""
        return self.best_score - self.score

    @property
    def kept_value(self) -> bool:
        """Whether a win stayed a win, and a draw a draw."""
        return sign(self.score) == sign(self.best_score)


class Grade(Part):
    """How an agent plays graded positions.

    A blunder is a move that gives away a win or a draw. Points are those of the exact score (see `ConnectFourSolver`): a move loses one for
    every stone that the agent wins later, or loses earlier, than by the best move.

    Attributes:
        agent: its name.
        positions: the graded positions.
        blunders: the share of blunders among all moves, with its 95 % interval.
        by_stage: the same by the stage of the game.
        by_level: the same by the moves that are left under best play.
        best_moves: the share of moves that lost no point.
        points: the mean number of points lost by a move.
        points_kept: the same of moves that kept the value: quick wins missed, quick losses allowed.
        worst: the blunders that lost most points.
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
        best = f"{self.best_moves.value:.1%} best moves, {self.points:.2f} points lost a move"
        found = self.positions
        return f"{self.agent}: {rate}, {best}, {found.count:,} positions of {found.game} version {found.version}, hash {found.hash}"


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


def sign(score: int) -> int:
    """Returns 1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)
