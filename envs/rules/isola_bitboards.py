"""The board of Isola on bitboards, up to 8x8: stands in for `isola_cells`, so that `isola_law` plays on it.

Square i is bit i of a uint64, so that rows follow each other from the bottom:

    row 2 | 10 11 12 13 14
    row 1 |  5  6  7  8  9
    row 0 |  0  1  2  3  4      (width 5)

A step north is a shift by the width, `rise`; a bit that leaves the top or the bottom leaves the uint64 or is not open. A step east is a
shift by 1, and a bit that lands in the first column has wrapped round from the row below: `not_first` removes it; west likewise. Whole
sets of squares move at once: `slides` fills along a direction in three doublings, enough for the seven squares of the longest line.

`open` holds the squares that are neither gone nor occupied, `kept` those that never disappear. All integers here are unsigned, as Numba
makes an int64 of a signed and an unsigned one.
"""

import numpy as np

from . import isola_cells
from .bitboards import count, lowest
from .isola_law import SIDE_KEY as SIDE_KEY
from .isola_law import action_count, changes, is_legal, may_win_at_once, moves, play, skip, undo  # noqa: F401 - the same law
from .isola_presets import NOWHERE
from .isola_steps import KNIGHT, OPEN, QUEEN
from .state import state_type

STANDS_IN_FOR = isola_cells
MAX_SIDE = 8
PLIES = 2 * MAX_SIDE * MAX_SIDE + 8  # at least one in two removes a square
BITBOARDS = "rise open kept not_first not_last"
STATE = np.dtype(
    [
        *state_type("key side ply status width height step removal", pieces=2, trail=PLIES).descr,
        *((name, "<u8") for name in BITBOARDS.split()),
    ]
)
BIT, NONE = np.uint64(1), np.uint64(0)
TWO, FOUR = np.uint64(2), np.uint64(4)


def fits(state):
    """Tells whether the board of a state of `isola` fits on bitboards."""
    return state.width <= MAX_SIDE and state.height <= MAX_SIDE


def record_of(state):
    """Returns the record on bitboards of a state of `isola`, STATE[1]."""
    record = np.zeros(1, STATE)
    for name in ("key", "side", "ply", "status", "width", "height", "step", "removal"):
        record[name] = getattr(state, name)
    record["pieces"] = list(state.pieces)
    record["trail"] = list(state.trail[:PLIES])
    squares = range(state.width * state.height)
    record["rise"] = state.width
    record["open"] = sum(1 << square for square in squares if state.cells[square] == OPEN)
    record["kept"] = sum(1 << square for square in squares if state.fixed and square in (state.start0, state.start1))
    record["not_first"] = sum(1 << square for square in squares if square % state.width != 0)
    record["not_last"] = sum(1 << square for square in squares if (square + 1) % state.width != 0)
    return record


def bit_of(square):
    """Returns the bitboard of one square."""
    return BIT << np.uint64(square)


def around(state, squares):
    """Returns the squares a king's step away from some squares."""
    sides = squares << BIT & state.not_first | squares >> BIT & state.not_last
    row = squares | sides
    return sides | row << state.rise | row >> state.rise


def jumps(state, squares):
    """Returns the squares a knight's jump away from some squares."""
    east, west = squares << BIT & state.not_first, squares >> BIT & state.not_last
    near, far = east | west, east << BIT & state.not_first | west >> BIT & state.not_last
    return near << TWO * state.rise | near >> TWO * state.rise | far << state.rise | far >> state.rise


def near(state, squares):
    """Returns the squares that are one shortest step of the game's pieces away from some squares."""
    return jumps(state, squares) if state.step == KNIGHT else around(state, squares)


def slide_up(squares, free, shift):
    """Returns some squares and the free ones that they reach in steps of a shift to higher bits."""
    squares |= free & squares << shift
    free &= free << shift
    squares |= free & squares << TWO * shift
    free &= free << TWO * shift
    return squares | free & squares << FOUR * shift


def slide_down(squares, free, shift):
    """Returns some squares and the free ones that they reach in steps of a shift to lower bits."""
    squares |= free & squares >> shift
    free &= free >> shift
    squares |= free & squares >> TWO * shift
    free &= free >> TWO * shift
    return squares | free & squares >> FOUR * shift


def slides(state, squares):
    """Returns some squares and all open ones that a queen on them can move to."""
    rise, east, west = state.rise, state.open & state.not_first, state.open & state.not_last
    up = slide_up(squares, state.open, rise) | slide_up(squares, east, BIT)
    up |= slide_up(squares, east, rise + BIT) | slide_up(squares, west, rise - BIT)
    down = slide_down(squares, state.open, rise) | slide_down(squares, west, BIT)
    return up | down | slide_down(squares, west, rise + BIT) | slide_down(squares, east, rise - BIT)


def destinations(state, square):
    """Returns the squares that a piece on `square` can step to; none for NOWHERE."""
    if square == NOWHERE:
        return NONE
    piece = bit_of(square)
    return state.open & (slides(state, piece) if state.step == QUEEN else near(state, piece))


def write(squares, base, out, start):
    """Writes `base` + square for each of some squares in ascending order to out[start:] and returns their number."""
    count = start
    while squares != NONE:
        out[count] = base + lowest(squares)
        squares &= squares - BIT
        count += 1
    return count - start


def removable_after(state, origin, destination):
    """Returns the squares of which one has to disappear after a step, with free removal: the destination alone if there is no other."""
    removable = (state.open | bit_of(origin)) & ~(bit_of(destination) | state.kept)
    return removable if removable != NONE else bit_of(destination)


def is_open(state, square):
    """Tells whether a square is neither gone nor occupied."""
    return bit_of(square) & state.open != NONE


def is_kept(state, square):
    """Tells whether a square never disappears."""
    return bit_of(square) & state.kept != NONE


def occupy(state, square, side):
    """Puts the piece of a side on an open square."""
    state.open ^= bit_of(square)


def vacate(state, square):
    """Takes the piece off a square, which becomes open."""
    state.open ^= bit_of(square)


def remove(state, square):
    """Lets an open square disappear."""
    state.open ^= bit_of(square)


def restore(state, square):
    """Makes a gone square open again."""
    state.open ^= bit_of(square)


def has_open(state):
    """Tells whether any square is open."""
    return state.open != NONE


def has_open_around(state, square):
    """Tells whether any square that is one shortest step away from a square is open."""
    return near(state, bit_of(square)) & state.open != NONE


def count_open_around(state, square):
    """Returns how many squares that are one shortest step away from a square are open."""
    return count(near(state, bit_of(square)) & state.open)


def write_open(state, out, start):
    """Writes the open squares in ascending order to out[start:] and returns their number."""
    return write(state.open, 0, out, start)


def write_steps(state, origin, out, start):
    """Writes the squares that a piece on `origin` can step to in ascending order to out[start:] and returns their number."""
    return write(destinations(state, origin), 0, out, start)


def can_step(state, origin, destination):
    """Tells whether a piece on `origin` can step to another square, one of the board, in one move."""
    return bit_of(destination) & destinations(state, origin) != NONE


def write_removals(state, origin, destination, base, out, start):
    """Writes `base` + removed square for each way to complete a step to out[start:], in ascending order, and returns their number."""
    return write(removable_after(state, origin, destination), base, out, start)


def can_remove(state, origin, destination, square):
    """Tells whether a square may complete a step: one that may disappear, or the destination if there is none."""
    return bit_of(square) & removable_after(state, origin, destination) != NONE
