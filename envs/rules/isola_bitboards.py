"""Rules of Isola on machine words, for boards up to 8x8: the same moves in the same order, and the same keys, as `isola`.

Square i is bit i of a uint64, so that rows follow each other from the bottom:

    row 2 | 10 11 12 13 14
    row 1 |  5  6  7  8  9
    row 0 |  0  1  2  3  4      (width 5)

A step north is a shift by the width, `rise`; what leaves the top or the bottom is not open or leaves the word. A step east is a shift by
1, and what lands in the first column has come round from the row below: `not_first` takes it away; west likewise. Sets of squares move at
once: `slides` fills along a direction in three doublings, enough for the seven squares of the longest line.

`open` holds the squares that are neither gone nor occupied, `kept` those that never disappear. What touches a word is unsigned, as
signed and unsigned integers must not meet.
"""

import numpy as np

from .bitboards import count, lowest
from .interface import RUNNING, WON
from .isola import GONE_KEYS, PIECE_KEYS, SIDE_KEY, action_count
from .isola_presets import NOWHERE
from .isola_steps import (
    DIRECTIONS,
    GONE,
    KING_COLUMNS,
    KING_ROWS,
    KNIGHT,
    KNIGHT_COLUMNS,
    KNIGHT_ROWS,
    MOST_CLOSED,
    OPEN,
    QUEEN,
    VACATED,
    furthest,
    reach,
)
from .state import state_type

MAX_SIDE = 8
PLIES = 2 * MAX_SIDE * MAX_SIDE + 8  # one in two removes a square at least
WORDS = "rise open kept not_first not_last"
STATE = np.dtype(
    [*state_type("key side ply status width height step removal", pieces=2, trail=PLIES).descr, *((name, "<u8") for name in WORDS.split())]
)
BIT, NONE = np.uint64(1), np.uint64(0)
TWO, FOUR = np.uint64(2), np.uint64(4)


def fits(state):
    """Tells whether the board of a state of `isola` can be held in words."""
    return state.width <= MAX_SIDE and state.height <= MAX_SIDE


def record_of(state):
    """Returns the words of a state of `isola`, STATE[1]."""
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
    """Returns the word of one square."""
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
    """Returns the squares one step of the shortest distance away from some squares, for the game's kind of piece."""
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


def moves(state, out, start):
    """Writes the legal moves in ascending order to out[start:] and returns their number; the game still runs."""
    origin = np.int64(state.pieces[state.side])
    if origin == NOWHERE:
        return write(state.open, 0, out, start)
    if state.removal == VACATED:
        return write(destinations(state, origin), 0, out, start)
    count, squares, blocked = start, state.width * state.height, 0  # blocked: a bit for each direction closed from some distance on
    for distance in range(1, furthest(state) + 1):
        for direction in range(DIRECTIONS):
            if blocked >> direction & 1:
                continue
            destination = reach(state, origin, direction, distance)
            if destination == NOWHERE or bit_of(destination) & state.open == NONE:
                blocked |= 1 << direction
                continue
            base = (direction + DIRECTIONS * (distance - 1)) * squares
            count += write(removable_after(state, origin, destination), base, out, count)
    return count - start


def write(squares, base, out, start):
    """Writes `base` + square for each of some squares in ascending order to out[start:] and returns their number."""
    count = start
    while squares != NONE:
        out[count] = base + lowest(squares)
        squares &= squares - BIT
        count += 1
    return count - start


def can_move(state):
    """Tells whether the side to move has a legal move."""
    square = state.pieces[state.side]
    if square == NOWHERE:
        return state.open != NONE
    return near(state, bit_of(square)) & state.open != NONE


def removable_after(state, origin, destination):
    """Returns the squares one of which disappears when a piece steps, where any may: the destination if there is no other."""
    removable = (state.open | bit_of(origin)) & ~(bit_of(destination) | state.kept)
    return removable if removable != NONE else bit_of(destination)


def may_win_at_once(state):
    """Returns False only if no legal move of a running game wins it: the opponent has too many squares to go to for one move to close."""
    square = state.pieces[1 - state.side]
    return square == NOWHERE or count(near(state, bit_of(square)) & state.open) <= MOST_CLOSED


def is_legal(state, move):
    """Tells whether `move` is a legal move of a game that still runs."""
    squares, origin = state.width * state.height, np.int64(state.pieces[state.side])
    if not 0 <= move < action_count(state):
        return False
    if origin == NOWHERE:
        return move < squares and bit_of(move) & state.open != NONE
    if state.removal == VACATED:
        return bit_of(move) & destinations(state, origin) != NONE
    step = move // squares
    direction, distance = step % DIRECTIONS, step // DIRECTIONS + 1
    for nearer in range(1, distance + 1):
        destination = reach(state, origin, direction, nearer)
        if destination == NOWHERE or bit_of(destination) & state.open == NONE:
            return False
    return bit_of(move % squares) & removable_after(state, origin, destination_of(state, move)) != NONE


def changes(state, move, out):
    """Writes the squares that a legal move changes to out, as pairs with what they hold afterwards; returns their number."""
    origin, destination = np.int64(state.pieces[state.side]), destination_of(state, move)
    removed, count = removed_by(state, move, origin, destination), 0
    if origin != NOWHERE:
        out[0], out[1], count = origin, OPEN, 1
    if removed != NOWHERE:
        out[2 * count], out[2 * count + 1] = removed, GONE
        count += 1
    out[2 * count], out[2 * count + 1] = destination, 1 + state.side
    return count + 1


def destination_of(state, move):
    """Returns the square that a legal move of the side to move leads to."""
    origin = np.int64(state.pieces[state.side])
    if state.removal == VACATED or origin == NOWHERE:
        return move
    step = move // (state.width * state.height)
    direction, distance = step % DIRECTIONS, step // DIRECTIONS + 1
    if state.step == KNIGHT:
        return origin + KNIGHT_ROWS[direction] * state.width + KNIGHT_COLUMNS[direction]
    return origin + distance * (KING_ROWS[direction] * state.width + KING_COLUMNS[direction])


def removed_by(state, move, origin, destination):
    """Returns the square that a move removes, or NOWHERE if it removes none."""
    if origin == NOWHERE:
        return NOWHERE
    if state.removal == VACATED:
        return NOWHERE if bit_of(origin) & state.kept != NONE else origin
    square = move % (state.width * state.height)
    return NOWHERE if square == destination else square


def play(state, move):
    """Moves the piece of the side to move and removes a square; `move` is legal and the game still runs."""
    side = state.side
    origin, destination = np.int64(state.pieces[side]), destination_of(state, move)
    if origin != NOWHERE:
        state.open |= bit_of(origin)
        state.key ^= PIECE_KEYS[origin, side]
    removed = removed_by(state, move, origin, destination)
    if removed != NOWHERE:
        state.open ^= bit_of(removed)
        state.key ^= GONE_KEYS[removed]
    state.open ^= bit_of(destination)
    state.pieces[side] = destination
    state.trail[state.ply] = origin
    state.key ^= PIECE_KEYS[destination, side] ^ SIDE_KEY
    state.side = 1 - side
    state.ply += 1
    if not can_move(state):
        state.status = WON


def undo(state, move):
    """Takes back the last move, `move`."""
    state.ply -= 1
    state.status = RUNNING
    side = 1 - state.side
    origin, destination = np.int64(state.trail[state.ply]), np.int64(state.pieces[side])
    state.trail[state.ply] = 0
    removed = removed_by(state, move, origin, destination)
    if removed != NOWHERE:
        state.open ^= bit_of(removed)
        state.key ^= GONE_KEYS[removed]
    state.open ^= bit_of(destination)
    state.pieces[side] = origin
    if origin != NOWHERE:
        state.open ^= bit_of(origin)
        state.key ^= PIECE_KEYS[origin, side]
    state.key ^= PIECE_KEYS[destination, side] ^ SIDE_KEY
    state.side = side


def skip(state):
    """Hands the turn to the other side; its own inverse. The side that gets it may have no move: `status` is left as it is."""
    state.side = 1 - state.side
    state.key ^= SIDE_KEY
