"""Observations: planes as a side sees the board, and the mask of its legal actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .game import Game

if TYPE_CHECKING:
    from .position import Position


def observation_shape(game: Game) -> tuple[int, int, int]:
    """Returns the shape of an observation: planes, rows from the bottom, columns."""
    return game.kind.planes, game.height, game.width


def plane_contents(planes: int, side: int) -> tuple[int, ...]:
    """Returns the content of a cell that shows in each plane, as a side sees the board: its own, the other side's, then further ones."""
    return (1 + side, 2 - side, *range(3, planes + 1))


def observe(position: Position, side: int | None = None) -> NDArray[np.int8]:
    """Returns the board as a side sees it, as a fresh array.

    Args:
        position: any position.
        side: whose view; None for the side to move.

    Returns:
        int8[planes, height, width] of 0 and 1, row 0 at the bottom. Plane 0: that side's stones or piece; plane 1: the other side's; of
        Isola also plane 2: the gone squares.
    """
    planes, height, width = observation_shape(position.game)
    side = position.side if side is None else side
    cells = np.frombuffer(position.state.cells, np.uint8, height * width).reshape(height, width)
    values = np.array(plane_contents(planes, side), np.uint8).reshape(planes, 1, 1)
    return (cells == values).astype(np.int8)


def action_mask(position: Position) -> NDArray[np.int8]:
    """Returns int8[actions]: 1 for legal actions; all ones when the game is over, as no learner accepts an empty mask."""
    if position.is_over:
        return np.ones(position.game.action_count, np.int8)
    mask: NDArray[Any] = np.zeros(position.game.action_count, np.int8)
    mask[position.legal_moves] = 1
    return mask
