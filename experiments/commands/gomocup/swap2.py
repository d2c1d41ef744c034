"""The opening rule swap2: one player places three stones, the other chooses a side by its judgement of the position.

The one who chooses may also place two more stones and leave the choice to the other. This is never better by one's own judgement: of two
sides the better one is worth at least nothing.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from ....agents import Analysis
from ....agents.gomocup import cell_text
from ....envs.game import Game
from ....envs.position import Position
from ....envs.rules.errors import NotationError

Judge = Callable[[Position, float], Analysis]
OPENINGS = 16  # to choose one from
REACH = 3  # columns and rows from the centre


def answer(game: Game, cells: Sequence[int], judge: Judge, seconds: float) -> str:
    """Returns the answer to the stones of an opening: three cells to none, else the side's next cell or "SWAP" to three or five.

    Args:
        game: what is played.
        cells: stones in turn, the first side's first.
        judge: returns its analysis of a position, found within some seconds.
        seconds: for the whole answer.

    Raises:
        NotationError: another number of stones.
        IllegalMoveError: a cell is taken.
    """
    if not cells:
        return " ".join(cell_text(game, cell) for cell in _most_even(game, judge, seconds))
    if len(cells) not in (3, 5):
        raise NotationError(f"expected no stones, 3 or 5, got {len(cells)}")
    analysis = judge(_position(game, cells), seconds)
    return "SWAP" if (analysis.score or 0) < 0 else cell_text(game, analysis.move)


def _most_even(game: Game, judge: Judge, seconds: float) -> tuple[int, ...]:
    """Returns the three stones, of some near the centre, after which the judge sees the sides nearest to each other."""
    drawn = random.Random(0)
    columns, rows = (range(max(0, middle - REACH), min(size, middle + REACH + 1)) for middle, size in _middles(game))
    near = [row * game.width + column for row in rows for column in columns]
    openings = [tuple(drawn.sample(near, 3)) for _ in range(OPENINGS)]
    end = time.perf_counter() + seconds
    best, least = openings[0], float("inf")
    for number, cells in enumerate(openings):
        left = end - time.perf_counter()
        if number and left <= 0:
            break
        score = abs(judge(_position(game, cells), max(left, 0) / (OPENINGS - number)).score or 0)
        if score < least:
            best, least = cells, score
    return best


def _middles(game: Game) -> tuple[tuple[int, int], tuple[int, int]]:
    """Returns the middle and the size of the board's columns, and of its rows."""
    return (game.width // 2, game.width), (game.height // 2, game.height)


def _position(game: Game, cells: Sequence[int]) -> Position:
    position = Position(game)
    for cell in cells:
        position.push(cell)
    return position
