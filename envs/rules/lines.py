"""Runs of stones on a row-major board, for the games that are won by a line."""

import numpy as np

AXES = 4  # 0 east, 1 north, 2 north-east, 3 south-east
FIRST_EXACT, SECOND_EXACT, UNENCLOSED = 1, 2, 4  # lines that win: of side 0, or 1, exactly k; none between two stones of the other side


def axis_columns(axis):
    """Returns the columns of one step along an axis."""
    return 0 if axis == 1 else 1


def axis_rows(axis):
    """Returns the rows of one step along an axis."""
    return 0 if axis == 0 else 1 if axis < 3 else -1


def run_length(state, cell, axis):
    """Returns how many stones of one owner stand in an unbroken run through an occupied cell along an axis.

    Args:
        state: with `width`, `height` and row-major `cells`; unchanged.
        cell: index of a stone.
        axis: 0 to 3.
    """
    width, height, cells = state.width, state.height, state.cells
    columns, rows = axis_columns(axis), axis_rows(axis)
    column, row = cell % width, cell // width
    owner, length = cells[cell], 1
    for _ in range(2):  # forward, then backward
        x, y = column + columns, row + rows
        while 0 <= x < width and 0 <= y < height and cells[y * width + x] == owner:
            length += 1
            x += columns
            y += rows
        columns, rows = -columns, -rows
    return length


def lacks_one_stone(state, owner, k):
    """Tells whether k cells in a row anywhere hold k - 1 stones of an owner and are otherwise empty.

    Args:
        state: with `width`, `height` and row-major `cells`; unchanged.
        owner: 1 or 2.
        k: at least 1.
    """
    width, height = state.width, state.height
    for axis in range(AXES):
        columns, rows = axis_columns(axis), axis_rows(axis)
        lowest, highest = (1 - width) * abs(rows), (height - 1) * columns
        for line in range(lowest, 1 + highest):  # a line begins in row `line` of the first column, or below the board
            column, row = max(-line, 0), max(line, 0)
            length = min(width - column if columns else height, height - row if rows else width)
            first = (row if rows >= 0 else height - 1 - row) * width + column
            if lacks_one_on(state, owner, k, first, rows * width + columns, length):
                return True
    return False


def lacks_one_on(state, owner, k, first, step, length):
    """Tells the same of one line, `length` cells in steps from `first`; on bitboards, a bit for each cell."""
    stones, gaps = np.int64(0), np.int64(0)
    for i in range(length):
        content = np.int64(state.cells[first + i * step])
        stones |= np.int64(content == owner) << i
        gaps |= np.int64(content == 0) << i
    full, short = stones, gaps  # cells where i stones in a row begin, and where i stones with one gap begin
    for i in range(1, k):
        short = short & stones >> i | full & gaps >> i
        full &= stones >> i
    return short != 0


def has_line(state, cell, k, exact):
    """Tells whether a winning line runs through an occupied cell; see `is_winning`."""
    for axis in range(AXES):
        length = run_length(state, cell, axis)
        if length >= k and (exact == 0 or is_winning(state, cell, axis, length, k, exact)):
            return True
    return False


def is_winning(state, cell, axis, length, k, exact):
    """Tells whether an unbroken run of at least k stones wins.

    Args:
        state: with `width`, `height` and row-major `cells`; unchanged.
        cell, axis: a stone of the run, and its direction.
        length: of the run.
        k: stones that win.
        exact: 0 if longer runs win, too; else a sum of FIRST_EXACT, SECOND_EXACT and UNENCLOSED.
    """
    if length > k:
        return exact & (FIRST_EXACT if state.cells[cell] == 1 else SECOND_EXACT) == 0
    return exact & UNENCLOSED == 0 or not is_enclosed(state, cell, axis)


def is_enclosed(state, cell, axis):
    """Tells whether the run through an occupied cell has a stone of the other side at both ends; the edge is none."""
    width, height, cells = state.width, state.height, state.cells
    columns, rows = axis_columns(axis), axis_rows(axis)
    owner = cells[cell]
    for _ in range(2):  # forward, then backward
        x, y = cell % width + columns, cell // width + rows
        while 0 <= x < width and 0 <= y < height and cells[y * width + x] == owner:
            x += columns
            y += rows
        if not (0 <= x < width and 0 <= y < height) or cells[y * width + x] == 0:
            return False
        columns, rows = -columns, -rows
    return True


def winning_runs(state, k, exact):
    """Returns (first cell, last cell) of every winning line on the board; in plain Python."""
    runs = []
    for axis in range(AXES):
        columns, rows = axis_columns(axis), axis_rows(axis)
        for cell in range(state.width * state.height):
            column, row = cell % state.width - columns, cell // state.width - rows
            is_inside = 0 <= column < state.width and 0 <= row < state.height
            if state.cells[cell] and not (is_inside and state.cells[row * state.width + column] == state.cells[cell]):
                length = run_length(state, cell, axis)
                if length >= k and is_winning(state, cell, axis, length, k, exact):
                    runs.append((cell, cell + (length - 1) * (rows * state.width + columns)))
    return sorted(runs)
