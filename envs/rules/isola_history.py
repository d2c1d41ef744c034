"""Which boards of Isola a game can reach.

First come tests that say what is wrong with a board; then moves are taken back, in every way in which the board can have come about, until
the start is found. A board with a long and tangled history is given the benefit of the doubt.
"""

import functools
from typing import NamedTuple

from .isola_presets import NOWHERE
from .isola_steps import DIRECTIONS, GONE, VACATED, furthest, reach
from .notation import square_text

SEARCH_LIMIT = 100  # boards looked at: every early board is settled, and none takes more than a few milliseconds


class RuleSet(NamedTuple):
    """What histories depend on; `starts` are the start squares, NOWHERE for free placement."""

    width: int
    height: int
    step: int
    removal: int
    fixed: bool
    starts: tuple[int, int]


class Board(NamedTuple):
    """A board: the squares of the two pieces, the set of gone squares as the bits of an integer, and the side to move."""

    pieces: tuple[int, int]
    gone: int
    side: int


def find_problem(rules, cells, side):
    """Returns what keeps a board from being one of a game, or None.

    Args:
        rules: the RuleSet.
        cells: OPEN, 1 + side of a piece, or GONE for each square.
        side: to move.
    """
    first, second = (cells.index(owner) if owner in cells else NOWHERE for owner in (1, 2))
    board = Board((first, second), sum(1 << square for square, value in enumerate(cells) if value == GONE), side)
    problem = find_wrong_pieces(rules, cells) or find_wrong_moves(rules, board)
    if problem is None and not can_be_reached(rules, board):
        problem = "expected a board that moves from the start lead to, got one that no order of moves explains"
    return problem


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


@functools.lru_cache(1024)
def can_be_reached(rules, board):
    """Tells whether moves lead from the start to a board with the right numbers of pieces and gone squares."""
    if NOWHERE in board.pieces or is_start(rules, board):
        return True
    is_counted = NOWHERE not in rules.starts and not can_move_without_trace(rules, board)
    if is_counted and is_too_far(rules, board):
        return False
    path, seen = [boards_before(rules, board)], {board}
    while path and len(seen) < SEARCH_LIMIT:
        for earlier in path[-1]:
            if earlier in seen or (is_counted and is_too_far(rules, earlier)):
                continue
            if is_start(rules, earlier):
                return True
            seen.add(earlier)
            path.append(boards_before(rules, earlier))
            break
        else:
            path.pop()
    return bool(path)


def is_start(rules, board):
    """Tells whether a board is the start; with free placement, one on which both pieces have just been placed."""
    return not board.gone and board.side == 0 and (NOWHERE in rules.starts or board.pieces == rules.starts)


def is_too_far(rules, board):
    """Tells whether a piece is further from its start than its moves, one for each gone square, can have brought it."""
    moved = board.gone.bit_count()
    return any(
        distances(rules, start).get(piece, made + 1) > made
        for start, piece, made in zip(rules.starts, board.pieces, ((moved + 1) // 2, moved // 2), strict=True)
    )


@functools.lru_cache(64)
def distances(rules, start):
    """Returns how many steps each square that can be reached on an empty board is away from `start`."""
    found, waiting = {start: 0}, [start]
    for square in waiting:
        for direction in range(DIRECTIONS):
            for distance in range(1, furthest(rules) + 1):
                target = reach(rules, square, direction, distance)
                if target != NOWHERE and target not in found:
                    found[target] = found[square] + 1
                    waiting.append(target)
    return found


def boards_before(rules, board):
    """Yields each board from which the last mover's move led to a board."""
    mover, kept = 1 - board.side, rules.starts if rules.fixed else ()
    here, other = board.pieces[mover], board.pieces[board.side]
    for direction in range(DIRECTIONS):
        on_the_way = 0  # the square that went after the move passed it, as a bit
        for distance in range(1, furthest(rules) + 1):
            origin = reach(rules, here, direction, distance)
            if origin in (NOWHERE, other):
                break
            bit, pieces = 1 << origin, (origin, other) if mover == 0 else (other, origin)
            for removed in removed_before(rules, board, origin in kept, bit, on_the_way):
                yield Board(pieces, board.gone & ~removed, mover)
            if board.gone & bit:
                if on_the_way or rules.removal == VACATED:
                    break
                on_the_way = bit


def removed_before(rules, board, is_kept, origin, on_the_way):
    """Yields the square, as a bit, that a move from `origin` (a bit) can have removed; 0 for none."""
    if rules.removal == VACATED:
        if is_kept or board.gone & origin:
            yield 0 if is_kept else origin
    elif on_the_way or board.gone & origin:
        if not on_the_way or not board.gone & origin:
            yield on_the_way or origin
    else:
        if is_kept and can_move_without_trace(rules, board):
            yield 0
        rest = board.gone
        while rest:
            yield rest & -rest
            rest &= rest - 1
