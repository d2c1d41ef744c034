"""The shapes that stones would make on the empty cells of a Gomoku board, kept up to date stone by stone. Kernels of `line_shapes`.

A stone changes only what the cells that see it along a line would make: at most MOST_READ of them, which are read anew from the tables of
`shapes`. What they said before goes on a stack, so that taking a stone back reads nothing.
"""

import numpy as np

from ...envs.rules.connect_k import EMPTY
from ...envs.rules.gomoku import MAX_SIZE
from ...envs.rules.lines import AXES, axis_columns, axis_rows
from .shapes import AHEAD, BEHIND, HALF_BITS, HALF_LINE, HALF_MASK, OPEN_THREE, REACH, SHAPE_BITS, SHAPE_MASK, SHAPES, THREAT, THREATS, WIN

MAX_CELLS = MAX_SIZE * MAX_SIZE
LINES = 6 * MAX_SIZE - 2  # rows, columns, rising and falling diagonals
SIDE_BITS = AXES * SHAPE_BITS
SIDE_MASK = (1 << SIDE_BITS) - 1
HIGH = OPEN_THREE | OPEN_THREE << SIDE_BITS  # the bits that shapes from OPEN_THREE on have, and no others
BOTH = SHAPE_MASK | SHAPE_MASK << SIDE_BITS  # the shapes of both sides along axis 0
CODE_BITS = 2 * SIDE_BITS
CODE_MASK = (1 << CODE_BITS) - 1
CELL_OF_WIN, SHAPES_WORTH, SUMS = THREATS, THREATS + 1, THREATS + 2  # the sum of the winning cells: the cell, if it is the only one
MOST_READ = 2 * AXES * REACH  # cells whose shapes a stone can change
OFF_BOARD = (1 << 2 * (MAX_SIZE + 2 * REACH)) - 1  # a line with no cell on the board
FIELDS = [
    ("shape_worth", np.int64, (1 << SHAPE_BITS,)),  # by shape
    ("sums", np.int64, (2 * SUMS,)),  # by side: empty cells by threat, CELL_OF_WIN, SHAPES_WORTH
    ("lines", np.int64, (LINES,)),
    ("codes", np.int32, (MAX_CELLS,)),  # by cell: the shapes along the axes, SHAPE_BITS each, of side 0 and above them of side 1
    ("past_sums", np.int64, (2 * SUMS * MAX_CELLS,)),  # a stack: the sums before each stone
    ("past_codes", np.int64, (MOST_READ * MAX_CELLS,)),  # a stack: cell << CODE_BITS | code of the cells read for each stone
    ("past_ends", np.int64, (MAX_CELLS + 1,)),  # by stones since the root: where its part of `past_codes` ends
    ("stones", np.int64),  # since the root
    ("threats", np.int16, (MAX_CELLS,)),  # what `candidates` has to answer
]


def line_through(axis, column, row):
    """Returns the index of the line through a cell along an axis."""
    if axis == 0:
        return row
    if axis == 1:
        return MAX_SIZE + column
    return 3 * MAX_SIZE - 1 + column - row if axis == 2 else 4 * MAX_SIZE - 1 + column + row


def shift_of(axis, column, row):
    """Returns where the bits of a cell lie in the line through it along an axis."""
    return 2 * (REACH + (row if axis == 1 else column))


def read_board(state, memory):
    """Reads the board from scratch; `shape_worth` is set."""
    memory.stones, memory.past_ends[0] = 0, 0
    for i in range(LINES):
        memory.lines[i] = OFF_BOARD
    for i in range(2 * SUMS):
        memory.sums[i] = 0
    for cell in range(state.width * state.height):
        memory.codes[cell] = 0
        column, row = cell % state.width, cell // state.width
        for axis in range(AXES):
            memory.lines[line_through(axis, column, row)] ^= (3 ^ np.int64(state.cells[cell])) << shift_of(axis, column, row)
    for cell in range(state.width * state.height):
        if state.cells[cell] == EMPTY:
            column, row = cell % state.width, cell // state.width
            for axis in range(AXES):
                line, shift = memory.lines[line_through(axis, column, row)], shift_of(axis, column, row)
                memory.codes[cell] = code_with(memory, state.exact, axis, cell, line, shift)
            count_cell(memory, cell, 1)


def code_with(memory, exact, axis, cell, line, shift):
    """Returns the code of an empty cell with the shapes along an axis up to date.

    Args:
        memory: of the board.
        exact: of the state, a bit for each side.
        axis, cell: where to look.
        line, shift: the line, and where the bits of the cell lie in it.
    """
    behind = np.int64(BEHIND[line >> (shift - 2 * REACH) & HALF_LINE])
    ahead = np.int64(AHEAD[line >> (shift + 2) & HALF_LINE])
    first_table, second_table, field = (exact & 1) << 2 * HALF_BITS, (exact >> 1 & 1) << 2 * HALF_BITS, SHAPE_BITS * axis
    first = np.int64(SHAPES[first_table | (behind & HALF_MASK) << HALF_BITS | ahead & HALF_MASK])
    second = np.int64(SHAPES[second_table | (behind >> HALF_BITS) << HALF_BITS | ahead >> HALF_BITS])
    return np.int64(memory.codes[cell]) & ~(BOTH << field) | (first | second << SIDE_BITS) << field


def count_cell(memory, cell, amount):
    """Adds an empty cell to the sums, or takes one away (amount -1)."""
    for side in range(2):
        count_threat(memory, side, cell, threat_at(memory, side, cell), amount)
        memory.sums[side * SUMS + SHAPES_WORTH] += amount * worth_at(memory, side, cell)


def count_threat(memory, side, cell, threat, amount):
    """Adds an empty cell to those where a side has a threat, or takes it away (amount -1)."""
    memory.sums[side * SUMS + threat] += amount
    if threat == WIN:
        memory.sums[side * SUMS + CELL_OF_WIN] += amount * cell


def update(state, memory, move):
    """Takes in the stone just placed: first keeps the sums, then reads what it changes, and keeps that too."""
    for i in range(2 * SUMS):
        memory.past_sums[2 * SUMS * memory.stones + i] = memory.sums[i]
    count_cell(memory, move, -1)
    end = turn_stone(state, memory, move, memory.past_ends[memory.stones])
    memory.stones += 1
    memory.past_ends[memory.stones] = end


def turn_stone(state, memory, cell, end):
    """Puts a stone on the lines through a cell and reads the cells that see it; returns where `past_codes`, which ended at `end`, ends."""
    column, row, reach = cell % state.width, cell // state.width, REACH - 1 + min(state.exact, 1)
    first, second, worth = np.int64(0), np.int64(0), memory.shape_worth
    for axis in range(AXES):
        index, shift = line_through(axis, column, row), shift_of(axis, column, row)
        memory.lines[index] ^= (2 - state.side) << shift
        line, step = memory.lines[index], axis_rows(axis) * state.width + axis_columns(axis)
        field, above = SHAPE_BITS * axis, SHAPE_BITS * axis + SIDE_BITS  # where the shapes of both sides along the axis lie
        for direction in range(-1, 2, 2):
            seen, at, other = 0, shift, cell
            for _ in range(reach):
                at += 2 * direction
                other += step * direction
                found = line >> at & 3
                seen |= found
                if seen == 3:  # beyond stones of both sides, or the edge, nobody sees this stone
                    break
                if found == EMPTY:
                    code, fresh = np.int64(memory.codes[other]), code_with(memory, state.exact, axis, other, line, at)
                    memory.past_codes[end] = other << CODE_BITS | code
                    end += 1
                    memory.codes[other] = fresh
                    first += worth[fresh >> field & SHAPE_MASK] - worth[code >> field & SHAPE_MASK]
                    second += worth[fresh >> above & SHAPE_MASK] - worth[code >> above & SHAPE_MASK]
                    if (code ^ fresh) & BOTH << field and (fresh | code) & (HIGH << field):
                        count_threats(memory, other, code, fresh)
    memory.sums[SHAPES_WORTH] += first
    memory.sums[SUMS + SHAPES_WORTH] += second
    return end


def count_threats(memory, cell, code, fresh):
    """Counts the threats at an empty cell whose code has changed."""
    for side in range(2):
        before, after = THREAT[code >> side * SIDE_BITS & SIDE_MASK], THREAT[fresh >> side * SIDE_BITS & SIDE_MASK]
        if before != after:
            count_threat(memory, side, cell, np.int64(before), -1)
            count_threat(memory, side, cell, np.int64(after), 1)


def revert(state, memory, move):
    """Forgets the stone about to be taken back: puts back what `update` has kept."""
    column, row = move % state.width, move // state.width
    for axis in range(AXES):
        memory.lines[line_through(axis, column, row)] ^= (2 - state.side) << shift_of(axis, column, row)
    memory.stones -= 1
    for i in range(memory.past_ends[memory.stones], memory.past_ends[memory.stones + 1]):
        memory.codes[memory.past_codes[i] >> CODE_BITS] = memory.past_codes[i] & CODE_MASK
    for i in range(2 * SUMS):
        memory.sums[i] = memory.past_sums[2 * SUMS * memory.stones + i]


def code_at(memory, side, cell):
    """Returns the shapes of a side's stone on an empty cell, SHAPE_BITS for each axis."""
    return np.int64(memory.codes[cell]) >> side * SIDE_BITS & SIDE_MASK


def threat_at(memory, side, cell):
    """Returns the threat that a side's stone on an empty cell would be."""
    return np.int64(THREAT[code_at(memory, side, cell)])


def worth_at(memory, side, cell):
    """Returns what the shapes of a side's stone on an empty cell would be worth."""
    code, worth = code_at(memory, side, cell), np.int64(0)
    for axis in range(AXES):
        worth += memory.shape_worth[code >> SHAPE_BITS * axis & SHAPE_MASK]
    return worth
