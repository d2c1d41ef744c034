"""Windows: k consecutive cells on one line, and how many stones of each side stand in them. Kernels of the evaluations of Connect-K.

A window that holds stones of one side alone is worth `worth[number of stones]` to it; one that is empty or holds stones of both is
worth nothing. The counts are kept up to date move by move. Windows are numbered axis * MAX_CELLS + the window's first cell.
"""

import numpy as np

from ...envs.rules.connect_k import MAX_SIDE
from ...envs.rules.lines import AXES, axis_columns, axis_rows

MAX_CELLS = MAX_SIDE * MAX_SIDE
MEMORY = np.dtype(
    [
        ("balance", np.int64),  # what side 0's windows are worth minus what side 1's are
        ("worth", np.int64, (MAX_SIDE + 1,)),  # by number of stones; 0 for none
        ("counts", np.uint8, (2 * AXES * MAX_CELLS,)),  # stones of side 0, then of side 1, in each window
        ("through", np.uint8, (MAX_CELLS,)),  # windows through each cell
        ("back", np.uint8, (AXES * MAX_CELLS,)),  # steps from each cell back to the first window through it, along each axis
        ("windows", np.uint8, (AXES * MAX_CELLS,)),  # number of windows through each cell along each axis
        ("starts", np.int64, (AXES,)),  # on boards held in words: where windows begin along each axis
    ]
)


def count_windows(state, memory):
    """Counts all windows from scratch; the weights are set."""
    memory.balance = 0
    for i in range(2 * AXES * MAX_CELLS):
        memory.counts[i] = 0
    for cell in range(state.width * state.height):
        find_windows(state, memory, cell)
    for cell in range(state.width * state.height):
        if state.cells[cell] != 0:
            change(state, memory, cell, np.int64(state.cells[cell]) - 1, 1)


def find_windows(state, memory, cell):
    """Notes where the windows through a cell begin."""
    through = 0
    for axis in range(AXES):
        columns, rows = axis_columns(axis), axis_rows(axis)
        back = room(state, cell, -columns, -rows, state.k - 1)
        windows = max(room(state, cell, columns, rows, state.k - 1) + back - state.k + 2, 0)
        memory.back[axis * MAX_CELLS + cell], memory.windows[axis * MAX_CELLS + cell] = back, windows
        through += windows
    memory.through[cell] = through


def room(state, cell, columns, rows, most):
    """Returns how many steps (columns, rows) fit on the board from a cell, at most `most`."""
    column, row = cell % state.width, cell // state.width
    if columns != 0:
        most = min(most, state.width - 1 - column if columns > 0 else column)
    if rows != 0:
        most = min(most, state.height - 1 - row if rows > 0 else row)
    return most


def change(state, memory, cell, side, amount):
    """Adds a stone of a side to the windows through a cell, or takes it away (amount -1)."""
    mine, theirs = side * AXES * MAX_CELLS, (1 - side) * AXES * MAX_CELLS
    delta = np.int64(0)
    for axis in range(AXES):
        step = axis_rows(axis) * state.width + axis_columns(axis)
        first = axis * MAX_CELLS + cell - np.int64(memory.back[axis * MAX_CELLS + cell]) * step
        for i in range(memory.windows[axis * MAX_CELLS + cell]):
            window = first + i * step
            before, enemy = np.int64(memory.counts[mine + window]), np.int64(memory.counts[theirs + window])
            after = before + amount
            memory.counts[mine + window] = after
            if enemy == 0:
                delta += memory.worth[after] - memory.worth[before]
            elif before == 0:
                delta += memory.worth[enemy]
            elif after == 0:
                delta -= memory.worth[enemy]
    memory.balance += delta if side == 0 else -delta


def filled_cell(state, move):
    """Returns the cell that the last move, `move`, filled."""
    return (np.int64(state.heights[move]) - 1) * state.width + move if state.gravity else move


def update(state, memory, move):
    """Counts the stone just placed."""
    change(state, memory, filled_cell(state, move), 1 - state.side, 1)


def revert(state, memory, move):
    """Forgets the stone about to be taken back."""
    change(state, memory, filled_cell(state, move), 1 - state.side, -1)


def promise(state, memory, move):
    """Returns the number of windows through the cell that a move fills."""
    return np.int64(memory.through[np.int64(state.heights[move]) * state.width + move if state.gravity else move])


def balance(state, memory):
    """Returns what the windows of the side to move are worth minus what those of the other are."""
    return memory.balance if state.side == 0 else -memory.balance
