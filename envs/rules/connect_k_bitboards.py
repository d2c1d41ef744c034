"""Rules of Connect-K on bitboards of at most 62 bits: the same moves in the same order, and the same keys, as `connect_k`.

A cell is a bit of an int64. Columns follow each other from the bottom up, and above each lies a sentinel that is always 0:

     6 13 20 27 34 41 48    sentinels
    ---------------------
     5 12 19 26 33 40 47    row 5
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42    row 0      (width 7, height 6)

A step up is a shift by 1, a step right one by height + 1, and a diagonal step one by height + 2 or height. No line runs over the edge of
the board, as it would cross a sentinel. Two bitboards hold a position: `own`, the stones of the side to move, and `filled`, all stones;
the opponent's are own ^ filled. Adding 1 at the bottom of a column carries up to its lowest empty cell.
"""

import numpy as np

from .bitboards import inlined, lowest
from .connect_k import CONNECT_K_KEYS, SIDE_KEYS
from .connect_k import KEYS as ALL_KEYS
from .connect_k import ending as ending
from .interface import DRAWN, RUNNING, WON
from .lines import AXES
from .state import state_type

MAX_BITS = 62
KEYS, SIDE_KEY = ALL_KEYS[CONNECT_K_KEYS], int(SIDE_KEYS[CONNECT_K_KEYS])
STATE = state_type("key side ply status width height k gravity own filled")


def fits(state):
    """Tells whether the board of a state of `connect_k` fits on bitboards."""
    return state.width * (state.height + 1) <= MAX_BITS


def record_of(state):
    """Returns the record on bitboards of a state of `connect_k`, STATE[1]."""
    record = np.zeros(1, STATE)
    for name in ("key", "side", "ply", "status", "width", "height", "k", "gravity"):
        record[name] = getattr(state, name)
    own = filled = 0
    for cell in range(state.width * state.height):
        if content := state.cells[cell]:
            bit = 1 << (cell % state.width * (state.height + 1) + cell // state.width)
            own |= bit if content == 1 + state.side else 0
            filled |= bit
    record["own"], record["filled"] = own, filled
    return record


def axis_shift(state, axis):
    """Returns how far bits shift in one step along an axis, 0 to 3: up, down right, right, up right."""
    return 1 if axis == 0 else state.height + axis - 1


@inlined
def has_line(state, stones):
    """Tells whether k or more stones stand in a row."""
    return has_line_of(state, stones, 4) if state.k == 4 else has_line_of(state, stones, state.k)


@inlined
def has_line_of(state, stones, k):
    """Does the same for k of the state, a constant argument where k is common."""
    for axis in range(AXES):
        shift, runs, length = axis_shift(state, axis), stones, 1  # a bit for each cell where `length` stones in a row begin
        while length < k:
            longer = min(length, k - length)
            runs &= runs >> longer * shift
            length += longer
        if runs != 0:
            return True
    return False


def moves(state, out, start):
    """Writes the legal moves in ascending order to out[start:] and returns their number; the game still runs."""
    count, tall = start, state.height + 1
    if state.gravity:
        tops = ~state.filled >> (state.height - 1)
        for column in range(state.width):
            out[count] = column  # overwritten by the next column if this one is full
            count += tops >> column * tall & 1
        return count - start
    cell = 0
    for row in range(state.height):
        cells = state.filled >> row
        for _ in range(state.width):
            if cells & 1 == 0:
                out[count] = cell
                count += 1
            cells >>= tall
            cell += 1
    return count - start


def action_count(state):
    """Returns the number of actions, legal now or not: columns with gravity, cells without."""
    return state.width if state.gravity else state.width * state.height


def is_legal(state, move):
    """Tells whether `move` is a legal move of a game that still runs."""
    if not 0 <= move < action_count(state):
        return False
    if state.gravity:
        return state.filled >> move * (state.height + 1) + state.height - 1 & 1 == 0
    return state.filled >> move % state.width * (state.height + 1) + move // state.width & 1 == 0


def winning_cells(state, stones, playable):
    """Returns the playable cells where one more stone completes k in a row."""
    return completing_cells(state, stones, playable, 4) if state.k == 4 else completing_cells(state, stones, playable, state.k)


@inlined
def completing_cells(state, stones, playable, k):
    """Returns the winning cells for k of the state, a constant argument where k is common.

    Along each axis a cell `.` wins if i stones stand before it and k - 1 - i behind it, for some i. For k 4 and i 2:

        x x . x
    """
    cells = np.int64(0)
    for axis in range(AXES):
        shift = axis_shift(state, axis)
        before = np.int64(-1)  # cells with i stones right before them: x x .
        around = np.int64(-1)  # for some j up to i: j stones before the cell, and stones from k - i to k - 1 - j cells behind it
        for i in range(1, k):
            before &= stones << i * shift
            around = around & stones >> (k - i) * shift | before
        cells |= around
    return cells & playable


def may_win_at_once(state):
    """Returns False only if no legal move of a running game wins it."""
    return winning_cells(state, state.own, ~state.filled) != 0


def write_mask(state, mask, out):
    """Sets mask[action] to 1 for the legal moves of a running game and to 0 for all other actions."""
    tall = state.height + 1
    if state.gravity:
        tops = ~state.filled >> (state.height - 1)
        for column in range(state.width):
            mask[column] = tops >> column * tall & 1
    else:
        for row in range(state.height):
            cells = ~state.filled >> row
            for column in range(state.width):
                mask[row * state.width + column] = cells >> column * tall & 1


def changes(state, move, out):
    """Writes the one cell that a legal move fills, and with whose stone, to out; returns 1."""
    out[0], out[1] = landing_cell(state, move), 1 + state.side
    return 1


def landing_row(state, column):
    """Returns the row of the lowest empty cell of a column that has one; with gravity."""
    return lowest(~(state.filled >> column * (state.height + 1)))


def column_and_row(state, move):
    """Returns the column and the row of the cell that a legal move fills."""
    if state.gravity:
        return move, landing_row(state, move)
    return move % state.width, move // state.width


def landing_cell(state, move):
    """Returns the cell that a legal move fills, numbered as in `connect_k`."""
    return landing_row(state, move) * state.width + move if state.gravity else move


@inlined
def play(state, move):
    """Places a stone of the side to move; `move` is legal and the game still runs."""
    column, row = column_and_row(state, move)
    bit = np.int64(1) << column * (state.height + 1) + row
    stones = state.own | bit
    state.own ^= state.filled
    state.filled |= bit
    state.key ^= KEYS[row * state.width + column, state.side] ^ SIDE_KEY
    state.side = 1 - state.side
    state.ply += 1
    if has_line(state, stones):
        state.status = WON
    elif state.ply == state.width * state.height:
        state.status = DRAWN


@inlined
def undo(state, move):
    """Takes back the last move, `move`."""
    column, row = column_and_row(state, move)
    row -= state.gravity  # the lowest empty cell lies above the stone
    state.filled ^= np.int64(1) << column * (state.height + 1) + row
    state.own ^= state.filled
    state.side = 1 - state.side
    state.key ^= KEYS[row * state.width + column, state.side] ^ SIDE_KEY
    state.ply -= 1
    state.status = RUNNING


def skip(state):
    """Hands the turn to the other side; its own inverse."""
    state.own ^= state.filled
    state.side = 1 - state.side
    state.key ^= SIDE_KEY
