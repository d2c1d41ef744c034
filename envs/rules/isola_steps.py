"""The steps of Isola's pieces: directions, distances, and the squares they lead to.

A step is numbered direction + 8 * (distance - 1), directions clockwise from north, which is away from row 0:

    king and queen    N NE E SE S SW W NW
    knight            NNE ENE ESE SSE SSW WSW WNW NNW
"""

import numpy as np

from .isola_presets import NOWHERE

KING, QUEEN, KNIGHT = range(3)
VACATED, ANY = range(2)  # what disappears
OPEN, GONE = 0, 3  # what a cell holds, beside 1 + side of a piece
DIRECTIONS = 8
MOST_CLOSED = 2  # most open squares that one move closes: it enters one and removes another
KING_COLUMNS, KING_ROWS = (0, 1, 1, 1, 0, -1, -1, -1), (1, 1, 0, -1, -1, -1, 0, 1)
KNIGHT_COLUMNS, KNIGHT_ROWS = (1, 2, 2, 1, -1, -2, -2, -1), (2, 1, -1, -2, -2, -1, 1, 2)


def furthest(state):
    """Returns the longest distance of a step: 1, or for a queen the longer side less one, at least 1."""
    return max(state.width - 1, state.height - 1, 1) if state.step == QUEEN else 1


def reach(state, square, direction, distance):
    """Returns the square `distance` steps away along a direction, or NOWHERE if that is off the board."""
    if state.step == KNIGHT:
        column, row = square % state.width + KNIGHT_COLUMNS[direction], square // state.width + KNIGHT_ROWS[direction]
    else:
        column = square % state.width + distance * KING_COLUMNS[direction]
        row = square // state.width + distance * KING_ROWS[direction]
    if 0 <= column < state.width and 0 <= row < state.height:
        return row * state.width + column
    return NOWHERE


def target(state, square, direction, distance):
    """Returns the square `distance` steps away along a direction; it is on the board."""
    if state.step == KNIGHT:
        return np.int64(square) + KNIGHT_ROWS[direction] * state.width + KNIGHT_COLUMNS[direction]
    return np.int64(square) + distance * (KING_ROWS[direction] * state.width + KING_COLUMNS[direction])
