"""Open lines: the evaluation of Gomoku that counts runs of stones by length and open ends.

A run is a longest row of touching stones of one side along an axis; an end is open if the next cell is on the board and empty. A run of n
stones with e open ends is worth WORTH[n][e], and nothing with no open end. The value is the sum over both sides' runs, ours minus theirs.
It does not see runs with gaps.

Only cells within two steps of a stone are candidates; every cell that completes or stops a row of five is among them.
"""

import numpy as np

from ...envs.rules.gomoku import EMPTY, MAX_SIZE
from ...envs.rules.lines import AXES, axis_columns, axis_rows
from .interface import clipped

MAX_CELLS = MAX_SIZE * MAX_SIZE
NEAR = 2  # steps from a stone within which a cell is a candidate
MEMORY = np.dtype([("near", np.uint8, (MAX_CELLS,))])  # stones within NEAR steps of each cell
ONE_OPEN_END = (0, 1, 10, 100, 1_000)  # by stones in the run, up to four
TWO_OPEN_ENDS = (0, 4, 40, 400, 40_000)


def prepare(state, memory):
    """Counts the stones near each cell from scratch."""
    for cell in range(state.width * state.height):
        memory.near[cell] = 0
    for cell in range(state.width * state.height):
        if state.cells[cell] != EMPTY:
            change(state, memory, cell, 1)


def change(state, memory, cell, amount):
    """Adds a stone to the counts of the cells near it, or takes it away (amount -1)."""
    column, row = cell % state.width, cell // state.width
    for y in range(max(row - NEAR, 0), min(row + NEAR, state.height - 1) + 1):
        for x in range(max(column - NEAR, 0), min(column + NEAR, state.width - 1) + 1):
            near = y * state.width + x
            memory.near[near] = np.int64(memory.near[near]) + amount


def update(state, memory, move):
    """Counts the stone just placed."""
    change(state, memory, move, 1)


def revert(state, memory, move):
    """Forgets the stone about to be taken back."""
    change(state, memory, move, -1)


def candidates(state, memory, out, start):
    """Writes the empty cells near a stone, or the centre of an empty board, to out[start:] and returns their number."""
    count, squares = start, state.width * state.height
    if state.ply == 0:
        out[start] = (state.height // 2) * state.width + state.width // 2
        return 1
    for cell in range(squares):
        if state.cells[cell] == EMPTY and memory.near[cell] != 0:
            out[count] = cell
            count += 1
    return count - start


def promise(state, memory, move):
    """Returns the number of stones near a cell."""
    return np.int64(memory.near[move])


def is_empty(state, column, row):
    """Tells whether (column, row) is an empty cell of the board."""
    return 0 <= column < state.width and 0 <= row < state.height and state.cells[row * state.width + column] == EMPTY


def worth_of_run(state, cell, axis):
    """Returns the worth of the run that begins at a stone, or 0 if the stone is not the first of its run along the axis."""
    width, owner = state.width, state.cells[cell]
    columns, rows = axis_columns(axis), axis_rows(axis)
    column, row = cell % width, cell // width
    x, y = column - columns, row - rows
    if 0 <= x < width and 0 <= y < state.height and state.cells[y * width + x] == owner:
        return 0
    ends = 1 if is_empty(state, x, y) else 0
    length, x, y = 1, column + columns, row + rows
    while 0 <= x < width and 0 <= y < state.height and state.cells[y * width + x] == owner:
        length += 1
        x += columns
        y += rows
    ends += 1 if is_empty(state, x, y) else 0
    if ends == 0 or length > 4:
        return 0
    return TWO_OPEN_ENDS[length] if ends == 2 else ONE_OPEN_END[length]


def evaluate(state, memory):
    """Returns the worth of the side to move's runs minus that of the other's."""
    balance = np.int64(0)
    for cell in range(state.width * state.height):
        if state.cells[cell] != EMPTY:
            worth = 0
            for axis in range(AXES):
                worth += worth_of_run(state, cell, axis)
            balance += worth if state.cells[cell] == 1 + state.side else -worth
    return clipped(balance)
