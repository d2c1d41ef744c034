"""What makes a board of Isola impossible at sight: its pieces, its gone squares, and the number of moves they tell of.

Whether some order of moves leads to a board is not searched.
"""

import functools
from typing import NamedTuple

from .isola_presets import NOWHERE
from .isola_steps import GONE, VACATED
from .notation import square_text


class RuleSet(NamedTuple):
    """What boards depend on; `starts` are the start squares, NOWHERE for free placement."""

    width: int
    height: int
    removal: int
    fixed: bool
    starts: tuple[int, int]


class Board(NamedTuple):
    """A board: the squares of the two pieces, the set of gone squares as the bits of an integer, and the side to move."""

    pieces: tuple[int, int]
    gone: int
    side: int


def find_problem(rules, cells, side):
    """Returns what makes a board impossible, or None.

    Args:
        rules: the RuleSet.
        cells: OPEN, 1 + side of a piece, or GONE for each square.
        side: to move.
    """
    first, second = (cells.index(owner) if owner in cells else NOWHERE for owner in (1, 2))
    board = Board((first, second), sum(1 << square for square, value in enumerate(cells) if value == GONE), side)
    return find_wrong_pieces(rules, cells) or find_wrong_moves(rules, board)


def find_wrong_pieces(rules, cells):
    """Returns what is wrong with the pieces and the start squares that must be there, or None."""
    counts, is_free = (cells.count(1), cells.count(2)), NOWHERE in rules.starts
    if max(counts) > 1 or (min(counts) == 0 and not is_free):
        return f"expected one x and one o, got {counts[0]} x and {counts[1]} o"
    if min(counts) == 0 and (GONE in cells or counts[0] < counts[1]):
        return "expected x to be placed first, o next, and no square to go before"
    if rules.fixed and any(cells[start] == GONE for start in rules.starts):
        return "expected the fixed start squares to be there, got a gone one"
    return None


def find_wrong_moves(rules, board):
    """Returns what is wrong with a board after the number of moves that it tells of, or None."""
    if can_move_without_trace(rules, board):
        return None
    made = moves_told(rules, board)
    if made % 2 != board.side:
        expected = "an odd" if board.side else "an even"
        return f"expected {expected} number of moves made with {'xo'[board.side]} to move, got {made} by the gone squares and pieces"
    if NOWHERE in rules.starts:
        return None
    for start, piece, its_moves in zip(rules.starts, board.pieces, ((made + 1) // 2, made // 2), strict=True):
        if its_moves == 0 and piece != start:
            return f"expected the pieces where {made} moves can have brought them"
        if its_moves and rules.removal == VACATED and not rules.fixed and not board.gone >> start & 1:
            return f"expected the start squares left to be gone, got {square_text(start, rules.width)} still there"
    return None


def moves_told(rules, board):
    """Returns the number of moves that the pieces and the gone squares tell of."""
    placed = sum(square != NOWHERE for square in board.pieces) if NOWHERE in rules.starts else 0
    return board.gone.bit_count() + placed


def can_move_without_trace(rules, board):
    """Tells whether some moves to a board may have removed nothing: from fixed squares, or because nothing else is left."""
    if not rules.fixed:
        return False
    filled = functools.reduce(lambda squares, square: squares | 1 << square, (*rules.starts, *board.pieces), board.gone)
    return rules.removal == VACATED or filled == (1 << rules.width * rules.height) - 1
