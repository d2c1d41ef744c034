"""Boards of stones as text: which of them a game can reach.

Shared by Connect-K and Gomoku, where stones are only added, so that a board with its side to move decides everything but their order.
"""

from .errors import NotationError, shown
from .interface import DRAWN, RUNNING, WON

SEARCH_LIMIT = 200_000  # orders of gravity stones looked at before a board is given the benefit of the doubt


def check_counts(cells, side, text):
    """Raises NotationError unless the numbers of stones fit the side to move."""
    first, second = cells.count(1), cells.count(2)
    if first - second != side:
        expected = "one more x than o" if side else "as many x as o"
        raise NotationError(f"board text {shown(text)}: expected {expected} with {'xo'[side]} to move, got {first} x and {second} o")


def settle(state, won_through, removable, text):
    """Sets the status of a state whose stones stand; raises NotationError if the last stone cannot have been legal.

    Args:
        state: all fields but `status` are set.
        won_through: tells whether the stone on a cell is part of a winning line.
        removable: tells whether the stone on a cell can have been the last one.
        text: for the message.
    """
    lines: list[list[int]] = [[], []]
    for cell in range(state.width * state.height):
        if state.cells[cell] and won_through(state, cell):
            lines[state.cells[cell] - 1].append(cell)
    mover = 1 - state.side
    if lines[0] and lines[1]:
        raise NotationError(f"board text {shown(text)}: expected a line of one side at most, got lines of both")
    if lines[state.side]:
        raise NotationError(
            f"board text {shown(text)}: expected no line of {'xo'[state.side]} with {'xo'[state.side]} to move, the game was over before"
        )
    if lines[mover] and not any(removable(cell) and not _is_won_without(state, cell, won_through) for cell in lines[mover]):
        raise NotationError(
            f"board text {shown(text)}: expected lines that one last stone completes, got lines of {'xo'[mover]} that were complete before"
        )
    state.status = WON if lines[mover] else DRAWN if state.ply == state.width * state.height else RUNNING


def _is_won_without(state, last, won_through):
    """Tells whether the owner of the stone `last` has a winning line when that stone is taken away."""
    owner, state.cells[last] = state.cells[last], 0
    cells = range(state.width * state.height)
    is_won = any(state.cells[cell] == owner and won_through(state, cell) for cell in cells)
    state.cells[last] = owner
    return is_won


def can_be_stacked(columns, last_owner, last=None):
    """Tells whether columns of stones can have been dropped by two sides in turn.

    Args:
        columns: the owners (1 or 2) of each column from the bottom; at least one stone.
        last_owner: owner of the last stone, 1 or 2; the first is always 1.
        last: the column of the last stone, None for any.

    Looks for an order by taking stones away from the top, the last one first, and remembers the heights that led nowhere.
    """
    every = range(len(columns))
    start = tuple(len(column) for column in columns)
    path = [(start, last_owner, iter(every if last is None else (last,)))]
    dead, looked = set(), 0
    while path and looked < SEARCH_LIMIT:
        heights, owner, choices = path[-1]
        for column in choices:
            top = heights[column] - 1
            if top < 0 or columns[column][top] != owner:
                continue
            left = (*heights[:column], top, *heights[column + 1 :])
            if not any(left):
                return True
            if left not in dead:
                path.append((left, 3 - owner, iter(every)))
                looked += 1
                break
        else:
            dead.add(heights)
            path.pop()
    return bool(path)
