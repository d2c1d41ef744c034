"""The stage of the game and the level of difficulty of a position, one rule for all boards; and random positions of a stage.

The stage is the third of the board's cells that the plies played so far reach, the level the third that the plies left under best play
reach. Random positions come from random legal play from the start, to a number of plies drawn evenly from those of the stage, at least a
fifth of the cells.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from ...envs.game import Game
from ...envs.position import Position

STAGES = ("begin", "middle", "end")
LEVELS = ("easy", "medium", "hard")


def cells_of(game: Game) -> int:
    """Returns the number of cells of a game's board."""
    return game.width * game.height


def stage_of(game: Game, ply: int) -> str:
    """Returns the name of the stage after so many plies."""
    return next(stage for stage, share in zip(STAGES, (1, 2, 3), strict=True) if 3 * ply <= share * cells_of(game) or share == 3)


def level_of(game: Game, plies: int) -> str:
    """Returns the name of the level of a position with so many plies left under best play."""
    return LEVELS[min(3 * plies // cells_of(game), 2)]


def plies_of(game: Game, stage: str) -> range:
    """Returns after how many plies random positions of a stage are taken."""
    cells = cells_of(game)
    first, second = cells // 3 + 1, 2 * cells // 3 + 1
    return {"begin": range(cells // 5, first), "middle": range(first, second), "end": range(second, cells - 1)}[stage]


def random_positions(game: Game, stage: str, seed: int | str) -> Iterator[Position]:
    """Yields random positions of a stage without end, also some that are not open (see `is_open`)."""
    choice = random.Random(f"{stage} {seed}")
    while True:
        plies, position = choice.choice(plies_of(game, stage)), Position(game)
        while position.ply < plies and not position.is_over:
            position.push(choice.choice(position.legal_moves))
        yield position


def is_open(position: Position) -> bool:
    """Tells whether the game goes on and the side to move has no win at once."""
    return not position.is_over and not any(_wins(position, move) for move in position.legal_moves)


def _wins(position: Position, move: int) -> bool:
    """Tells whether a move ends the game with a winner; only the side that has just moved can win."""
    position.push(move)
    is_won = position.winner is not None
    position.pop()
    return is_won
