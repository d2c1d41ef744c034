"""Runs of stones on a row-major board, for the games that are won by a line."""

EAST, NORTH, NORTH_EAST, SOUTH_EAST = (1, 0), (0, 1), (1, 1), (1, -1)
AXES = (EAST, NORTH, NORTH_EAST, SOUTH_EAST)  # (columns, rows) of one step along each of the four axes


def run_length(state, cell, columns, rows):
    """Returns how many stones of one owner stand in an unbroken run through an occupied cell.

    Args:
        state: with `width`, `height` and row-major `cells`; unchanged.
        cell: index of a stone.
        columns, rows: one step along the axis.
    """
    width, height, cells = state.width, state.height, state.cells
    owner, length = cells[cell], 1
    x, y = cell % width + columns, cell // width + rows
    while 0 <= x < width and 0 <= y < height and cells[y * width + x] == owner:
        length += 1
        x += columns
        y += rows
    x, y = cell % width - columns, cell // width - rows
    while 0 <= x < width and 0 <= y < height and cells[y * width + x] == owner:
        length += 1
        x -= columns
        y -= rows
    return length


def has_line(state, cell, k):
    """Tells whether k or more stones of one owner stand in a row through an occupied cell."""
    return (
        run_length(state, cell, 1, 0) >= k
        or run_length(state, cell, 0, 1) >= k
        or run_length(state, cell, 1, 1) >= k
        or run_length(state, cell, 1, -1) >= k
    )


def has_exact_line(state, cell, k):
    """Tells whether exactly k stones of one owner stand in an unbroken run through an occupied cell."""
    return (
        run_length(state, cell, 1, 0) == k
        or run_length(state, cell, 0, 1) == k
        or run_length(state, cell, 1, 1) == k
        or run_length(state, cell, 1, -1) == k
    )
