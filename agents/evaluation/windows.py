"""Windows: k consecutive cells on one line, and how many stones of each side stand in them. Kernels of the evaluations of Connect-K.

A window that holds stones of one side alone is worth `worth[number of stones]` to it; one that is empty or holds stones of both is
worth nothing. The counts are kept up to date move by move. Windows are numbered axis * MAX_CELLS + the window's first cell.
"""

import numpy as np

from ...envs.rules.connect_k import EMPTY, MAX_SIDE, landing_cell, moves
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
        ("short", np.int64, (2,)),  # by side: windows with k - 1 of its stones and none of the other's
        ("starts", np.int64, (AXES,)),  # on bitboards: where windows begin along each axis
        ("board", np.int64),  # on bitboards: all cells
        ("bottom", np.int64),  # on bitboards: the cells of row 0
        ("rows", np.int64, (2,)),  # on bitboards: by side, the cells that it fills in zugzwang
    ]
)


def set_up_windows(state, memory):
    """Notes where the windows through each cell begin."""
    for cell in range(state.width * state.height):
        find_windows(state, memory, cell)


def prepare(state, memory):
    """Counts the stones of all windows."""
    memory.balance, memory.short[0], memory.short[1] = 0, 0, 0
    for i in range(2 * AXES * MAX_CELLS):
        memory.counts[i] = 0
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
    delta, our_short, their_short, nearly = np.int64(0), 0, 0, state.k - 1
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
                our_short += (1 if after == nearly else 0) - (1 if before == nearly else 0)
            elif before == 0:
                delta += memory.worth[enemy]
                their_short -= 1 if enemy == nearly else 0
            elif after == 0:
                delta -= memory.worth[enemy]
                their_short += 1 if enemy == nearly else 0
    memory.balance += delta if side == 0 else -delta
    memory.short[side] += our_short
    memory.short[1 - side] += their_short


def filled_cell(state, move):
    """Returns the cell that the last move, `move`, filled."""
    return (np.int64(state.heights[move]) - 1) * state.width + move if state.gravity else move


def update(state, memory, move):
    """Counts the stone just placed."""
    change(state, memory, filled_cell(state, move), 1 - state.side, 1)


def revert(state, memory, move):
    """Forgets the stone about to be taken back."""
    change(state, memory, filled_cell(state, move), 1 - state.side, -1)


def forced_moves(state, memory, out, start):
    """Writes the moves that win at once, else those that block such moves of the opponent, to out[start:]; returns their number."""
    for turn in range(2):
        side = state.side ^ turn
        if memory.short[side] > 0 or state.k == 1:
            count = winning_moves(state, memory, side, out, start)
            if count > 0:
                return count
    return 0


def winning_moves(state, memory, side, out, start):
    """Writes the moves with which a side would win at once to out[start:] in ascending order and returns their number."""
    count = start
    for i in range(start, start + moves(state, out, start)):
        if is_winning(state, memory, side, landing_cell(state, out[i])):
            out[count] = out[i]
            count += 1
    return count - start


def is_winning(state, memory, side, cell):
    """Tells whether a stone of a side on an empty cell completes a window."""
    mine, theirs = side * AXES * MAX_CELLS, (1 - side) * AXES * MAX_CELLS
    for axis in range(AXES):
        step = axis_rows(axis) * state.width + axis_columns(axis)
        first = axis * MAX_CELLS + cell - np.int64(memory.back[axis * MAX_CELLS + cell]) * step
        for i in range(memory.windows[axis * MAX_CELLS + cell]):
            window = first + i * step
            if memory.counts[mine + window] == state.k - 1 and memory.counts[theirs + window] == 0:
                return True
    return False


def fills_in_zugzwang(state, side, row):
    """Tells whether a side comes to fill a row of the last column when all others are full; with gravity."""
    return state.gravity == 1 and (state.height * (state.width - 1) + row) % 2 == side


def threats(state, memory, side):
    """Returns how many empty cells complete a window of a side: in rows that it fills in zugzwang, and in others."""
    in_zugzwang, others = 0, 0
    if memory.short[side] > 0:
        for cell in range(state.width * state.height):
            if state.cells[cell] == EMPTY and is_winning(state, memory, side, cell):
                if fills_in_zugzwang(state, side, cell // state.width):
                    in_zugzwang += 1
                else:
                    others += 1
    return in_zugzwang, others


def order_score(state, memory, move):
    """Returns the number of windows through the cell that a move fills."""
    return np.int64(memory.through[landing_cell(state, move)])


def balance(state, memory):
    """Returns what the windows of the side to move are worth minus what those of the other are."""
    return memory.balance if state.side == 0 else -memory.balance
