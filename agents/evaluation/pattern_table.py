"""Pattern table: the evaluation of system C, for Gomoku.

A frame is six cells in a row, read as six digits in base 3: 0 empty, 1 mine, 2 theirs or off the board. The nine cells from -4 to +4 around
a cell, along one axis, hold four frames with the cell inside; it is never a frame's first or last cell:

    cell        -4 -3 -2 -1  x  1  2  3  4
    frame 4      #  #  #  #  #  #
    frame 3         #  #  #  #  #  #
    frame 2            #  #  #  #  #  #
    frame 1               #  #  #  #  #  #

A placement scores, for each axis, what the best of its four frames is worth with the cell as mine, and the same in the opponent's view of
the board for the worth of blocking there. The board as a whole is never evaluated. A node is worth the most of (the score of a placement
minus the worth of its child), a leaf 0: so the value of a leaf is the sum of the placements since the root, ours minus theirs, and depends
on the path. Each axis counts for itself, so two open threes at once are two open threes and no more: it does not see that they win.

The candidates are the empty cells next to a stone. Each placement puts the new ones on a stack, and they come off when it is taken back.
"""

import numpy as np

from ...envs.rules.connect_k import EMPTY
from ...envs.rules.gomoku import MAX_SIZE
from ...envs.rules.interface import keep_legal, moves
from ...envs.rules.lines import AXES, axis_columns, axis_rows
from .interface import MAX_ORDER_SCORE, clipped

IS_PATH_DEPENDENT = True  # equal positions reached by other moves have other values: a table must not pass them on
FRAME, BASE = 6, 3
MINE, THEIRS = 1, 2  # digits; an empty cell is 0
INSIDE = FRAME - 2  # places of a cell in the frames that count
PATTERNS = (  # name, worth, readings from the first cell on: 1 mine, 0 empty; a frame is worth the best that it contains
    ("five", 100_000, ("11111",)),
    ("open four", 10_000, ("011110",)),
    ("four", 1_000, ("11110", "11101", "11011", "10111", "01111")),
    ("open three", 900, ("011100", "001110", "011010", "010110")),
    ("three", 100, ("11100", "11010", "11001", "10110", "10101", "10011", "01110", "01101", "01011", "00111")),
    ("open two", 90, ("001100", "011000", "000110", "010100", "001010", "010010")),
    ("two", 10, ("11000", "10100", "10010", "10001", "01100", "01010", "01001", "00110", "00101", "00011")),
    ("one", 1, ("10000", "01000", "00100", "00010", "00001")),
)


def digits(key):
    """Returns the digits of a frame's key as text, its first cell first."""
    return "".join(str(key // BASE**i % BASE) for i in range(FRAME))


def table_of_worths():
    """Returns what a frame is worth by its key: int64[BASE**FRAME]."""
    worths = np.zeros(BASE**FRAME, np.int64)
    for key in range(worths.size):
        worths[key] = max((worth for _, worth, readings in PATTERNS for reading in readings if reading in digits(key)), default=0)
    return worths


WORTHS = table_of_worths()
POWERS = np.array([BASE**i for i in range(FRAME)], np.int64)
PAD = FRAME - 1  # frames begin up to PAD cells before the board
STRIDE = MAX_SIZE + 2 * PAD
PLACES = STRIDE * STRIDE
MAX_CELLS = MAX_SIZE * MAX_SIZE
MEMORY = np.dtype(
    [
        ("balance", np.int64),  # the scores of the placements since the root, side 0's minus side 1's
        ("keys", np.int16, (2 * AXES * PLACES,)),  # by view (side), axis and first cell: the frames
        ("stack", np.int64, (MAX_CELLS,)),  # cells that have come next to a stone, in that order
        ("height", np.int64),  # of the stack
        ("is_listed", np.uint8, (MAX_CELLS,)),  # by cell: whether it is on the stack
        ("heights", np.int64, (MAX_CELLS + 1,)),  # by ply: the height before the placement
    ]
)


def place_of(state, cell):
    """Returns the index of a cell among the first cells of frames, which include PAD cells around the largest board."""
    return (cell // state.width + PAD) * STRIDE + cell % state.width + PAD


def step_of(axis):
    """Returns the distance between neighbours along an axis among the first cells of frames."""
    return axis_rows(axis) * STRIDE + axis_columns(axis)


def prepare(state, memory):
    """Reads the frames and the candidates of a position, whose value is 0."""
    memory.balance, memory.height = 0, 0
    for i in range(2 * AXES * PLACES):
        memory.keys[i] = BASE**FRAME - 1  # off the board everywhere
    for cell in range(state.width * state.height):
        memory.is_listed[cell] = 0
    for cell in range(state.width * state.height):
        owner = np.int64(state.cells[cell])
        for side in range(2):
            change_frames(state, memory, cell, side, (0 if owner == EMPTY else MINE if owner == 1 + side else THEIRS) - THEIRS)
        if owner != EMPTY:
            list_neighbours(state, memory, cell)


def change_frames(state, memory, cell, side, difference):
    """Adds a difference to the digit of a cell in all frames of one side's view."""
    for axis in range(AXES):
        first, step = (side * AXES + axis) * PLACES + place_of(state, cell), step_of(axis)
        for i in range(FRAME):
            memory.keys[first - i * step] += difference * POWERS[i]


def list_neighbours(state, memory, cell):
    """Puts the empty cells next to a stone on the stack that are not there yet."""
    column, row = cell % state.width, cell // state.width
    for y in range(max(row - 1, 0), min(row + 1, state.height - 1) + 1):
        for x in range(max(column - 1, 0), min(column + 1, state.width - 1) + 1):
            near = y * state.width + x
            if state.cells[near] == EMPTY and memory.is_listed[near] == 0:
                memory.is_listed[near] = 1
                memory.stack[memory.height] = near
                memory.height += 1


def worth_for(state, memory, cell, side):
    """Returns what a side's stone on an empty cell makes: the best frame along each axis, summed."""
    worth = np.int64(0)
    for axis in range(AXES):
        first, step, best = (side * AXES + axis) * PLACES + place_of(state, cell), step_of(axis), np.int64(0)
        for i in range(1, INSIDE + 1):
            best = max(best, WORTHS[memory.keys[first - i * step] + MINE * POWERS[i]])
        worth += best
    return worth


def placement(state, memory, cell):
    """Returns the score of placing on an empty cell, the same for both sides: what it makes for one and takes from the other."""
    return worth_for(state, memory, cell, 0) + worth_for(state, memory, cell, 1)


def update(state, memory, move):
    """Adds the score of the placement, by the frames as they were before it, then brings frames and candidates up to date."""
    mover = 1 - state.side
    score = placement(state, memory, move)
    memory.balance += score if mover == 0 else -score
    change_frames(state, memory, move, mover, MINE)
    change_frames(state, memory, move, 1 - mover, THEIRS)
    memory.heights[state.ply - 1] = memory.height
    list_neighbours(state, memory, move)


def revert(state, memory, move):
    """Takes back the score, the frames and the candidates of the last placement."""
    mover = 1 - state.side
    while memory.height > memory.heights[state.ply - 1]:
        memory.height -= 1
        memory.is_listed[memory.stack[memory.height]] = 0
        memory.stack[memory.height] = 0
    memory.heights[state.ply - 1] = 0
    change_frames(state, memory, move, mover, -MINE)
    change_frames(state, memory, move, 1 - mover, -THEIRS)
    score = placement(state, memory, move)
    memory.balance -= score if mover == 0 else -score


def candidates(state, memory, out, start):
    """Writes the legal moves next to a stone, or the centre of an empty board, to out[start:] and returns their number.

    If there is none, all legal moves.
    """
    if state.ply == 0:
        out[start] = (state.height // 2) * state.width + state.width // 2
        return 1
    count = start
    for i in range(memory.height):
        if state.cells[memory.stack[i]] == EMPTY:
            out[count] = memory.stack[i]
            count += 1
    legal = keep_legal(state, out, start, count - start)
    return legal if legal > 0 else moves(state, out, start)


def order_score(state, memory, move):
    """Returns the score of a placement."""
    return min(placement(state, memory, move), MAX_ORDER_SCORE)


def evaluate(state, memory):
    """Returns the sum of the placements since the root, those of the side to move minus those of the other."""
    return clipped(memory.balance if state.side == 0 else -memory.balance)
