"""Runs of stones on a row-major board, for the games that are won by a line."""

AXES = 4  # 0 east, 1 north, 2 north-east, 3 south-east


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


def has_line(state, cell, k):
    """Tells whether k or more stones of one owner stand in a row through an occupied cell."""
    for axis in range(AXES):
        if run_length(state, cell, axis) >= k:
            return True
    return False


def has_exact_line(state, cell, k):
    """Tells whether exactly k stones of one owner stand in an unbroken run through an occupied cell."""
    for axis in range(AXES):
        if run_length(state, cell, axis) == k:
            return True
    return False
