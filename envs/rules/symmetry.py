"""The symmetries of a rectangular board."""

from typing import NamedTuple


class Symmetry(NamedTuple):
    """A reflection or turn: first swap columns and rows, then mirror."""

    swap: bool
    mirror_columns: bool
    mirror_rows: bool


def board_symmetries(width, height, only_mirror=False):
    """Returns the symmetries of a board, the identity first: two if rows must stay (gravity), else four, or eight of a square."""
    if only_mirror:
        return [Symmetry(False, mirror, False) for mirror in (False, True)]
    swaps = (False, True) if width == height else (False,)
    return [Symmetry(swap, columns, rows) for swap in swaps for rows in (False, True) for columns in (False, True)]


def cell_map(symmetry, width, height):
    """Returns the list of the cells that each cell of a row-major board goes to."""
    targets = []
    for cell in range(width * height):
        column, row = cell % width, cell // width
        if symmetry.swap:
            column, row = row, column
        column = width - 1 - column if symmetry.mirror_columns else column
        row = height - 1 - row if symmetry.mirror_rows else row
        targets.append(row * width + column)
    return targets


def vector_image(symmetry, columns, rows):
    """Returns the image of a step (columns, rows)."""
    if symmetry.swap:
        columns, rows = rows, columns
    return (-columns if symmetry.mirror_columns else columns, -rows if symmetry.mirror_rows else rows)
