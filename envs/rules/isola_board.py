"""Checks of an Isola board that need no search: its pieces, its gone squares, and the number of moves that they imply.

Whether some order of moves leads to the board is not searched.
"""

import functools
from typing import NamedTuple

from .isola_presets import NOWHERE
from .isola_steps import GONE, VACATED
from .notation import square_text


class RuleSet(NamedTuple):
    """The rules that the checks need; `starts` are the start squares, NOWHERE for free placement."""

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
    """Returns what is wrong with the pieces and the fixed start squares, or None."""
    counts, is_free = (cells.count(1), cells.count(2)), NOWHERE in rules.starts
    if max(counts) > 1 or (min(counts) == 0 and not is_free):
        return f"expected one x and one o, got {counts[0]} x and {counts[1]} o"
    if min(counts) == 0 and (GONE in cells or counts[0] < counts[1]):
        return "expected both pieces placed, x first, before any square is removed"
    if rules.fixed and any(cells[start] == GONE for start in rules.starts):
        return "expected the fixed start squares on the board, got one that is gone"
    return None


def find_wrong_moves(rules, board):
    """Returns what is wrong with a board after the number of moves that it implies, or None."""
    if can_move_without_trace(rules, board):
        return None
    made = implied_moves(rules, board)
    if made % 2 != board.side:
        expected = "an odd" if board.side else "an even"
        return f"expected {expected} number of moves with {'xo'[board.side]} to move, got {made}, counted by gone squares and pieces"
    if NOWHERE in rules.starts:
        return None
    for start, piece, its_moves in zip(rules.starts, board.pieces, ((made + 1) // 2, made // 2), strict=True):
        if its_moves == 0 and piece != start:
            return f"expected {'xo'[rules.starts.index(start)]} on {square_text(start, rules.width)}, as it has not moved yet"
        if its_moves and rules.removal == VACATED and not rules.fixed and not board.gone >> start & 1:
            return f"expected {square_text(start, rules.width)} to be gone, as the piece that started there has moved"
    return None


def implied_moves(rules, board):
    """Returns the number of moves that the pieces and the gone squares imply."""
    placed = sum(square != NOWHERE for square in board.pieces) if NOWHERE in rules.starts else 0
    return board.gone.bit_count() + placed


def can_move_without_trace(rules, board):
    """Tells whether some moves may have removed nothing: from fixed squares, or because nothing else is left."""
    if not rules.fixed:
        return False
    filled = functools.reduce(lambda squares, square: squares | 1 << square, (*rules.starts, *board.pieces), board.gone)
    return rules.removal == VACATED or filled == (1 << rules.width * rules.height) - 1
