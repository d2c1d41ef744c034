"""Exact scores of moves. A score is 0 for a draw; else it says how soon the game is won, and is negative if it is lost.

Connect-K with gravity and k 4 has scores in points: the stones that the winner has not placed when the game ends, plus one (see
`agents.solver.connect_four`). Elsewhere they count plies: the board's cells that the plies of the whole game have not reached, plus one.
So a win that is made a ply later, and a loss that is made a ply sooner, is worth a ply less.
"""

from __future__ import annotations

from typing import Literal

from ...agents.solver.connect_four import ConnectFourSolver, can_solve, plies_left
from ...agents.solver.exact import Exact, ExactSolver
from ...envs.game import Game
from ...envs.position import Position
from .stages import cells_of

Unit = Literal["point", "ply"]


class ExactScorer:
    """Finds the exact scores of the moves of one game's positions."""

    def __init__(self, game: Game) -> None:
        """Compiles the solver of a game, or loads it compiled."""
        self._solver = ConnectFourSolver(game) if can_solve(game) else ExactSolver(game)

    def move_scores(self, position: Position) -> dict[int, int]:
        """Returns the score of each legal move, seen from the side to move."""
        if isinstance(self._solver, ConnectFourSolver):
            return self._solver.move_scores(position)
        return {move: score_of(position, exact) for move, exact in self._solver.move_values(position).items()}


def unit_of(game: Game) -> Unit:
    """Returns what the scores of a game count."""
    return "point" if can_solve(game) else "ply"


def score_of(position: Position, exact: Exact) -> int:
    """Returns the score in plies of what a move in a position is worth; the least of a win that takes more plies than there are cells."""
    return exact.value * max(1, cells_of(position.game) - position.ply - (exact.plies or 0) + 1)


def plies_left_at(position: Position, score: int) -> int:
    """Returns how many plies the game goes on under best play from a position with a score."""
    empty = cells_of(position.game) - position.ply
    if unit_of(position.game) == "point":
        return plies_left(empty, score)
    return empty - abs(score) + 1 if score else empty


def sign(score: int) -> int:
    """Returns 1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)


def is_choice(scores: dict[int, int]) -> bool:
    """Tells whether the moves differ in value: win, draw or loss."""
    return len(set(map(sign, scores.values()))) > 1
