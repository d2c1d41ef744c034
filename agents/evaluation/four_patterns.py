"""Four patterns: the evaluation of system E, for boards on which four in a row win.

It counts patterns of a side's stones (1) and empty cells (0) along rows, columns and diagonals. With h1 .. w the counts of one side and a
tilde for those of the other, and f the number of lines of four through the cells of each side's stones, one side minus the other,

    50 (h1 - ~h1) + 200 (h2 - ~h2) + 300 (h3 - ~h3) + 500 (h4 - ~h4) + 100 (v - ~v) + 100 (d1 - ~d1) + 200 (d2 - ~d2) + 200000 (w - ~w)

with f added while fewer than 12 stones stand. A pattern may overlap itself and others; off-board cells match nothing. A child's
evaluation is also its place in the order of search.
"""

import numpy as np

from ...envs.rules.interface import RUNNING, play, undo
from ...envs.rules.lines import AXES, axis_columns, axis_rows
from .interface import MAX_ORDER_SCORE, clipped

FOUR, LONGEST, OPENING_STONES = 4, 6, 12
ROWS, COLUMNS, DIAGONALS = 1, 2, 4  # bits of the axes on which a pattern counts
NAMED = (  # name, pattern from the first cell on, axes, weight
    ("h1", "1100", ROWS, 50),
    ("h1", "0011", ROWS, 50),
    ("h2", "0110", ROWS, 200),
    ("h2", "1110", ROWS, 200),
    ("h2", "0111", ROWS, 200),
    ("h2", "11011", ROWS, 200),
    ("h2", "001100", ROWS, 200),
    ("h3", "00110", ROWS, 300),
    ("h4", "01110", ROWS, 500),
    ("v", "1110", COLUMNS, 100),
    ("d1", "0110", DIAGONALS, 100),
    ("d2", "1011", DIAGONALS, 200),
    ("d2", "1101", DIAGONALS, 200),
    ("w", "1111", ROWS | COLUMNS | DIAGONALS, 200_000),
)
# by pattern: its length, its cells as bits (the first cell lowest) that hold stones and that are empty, its axes, its weight
PATTERNS = np.array(
    [(len(text), int(text[::-1], 2), int(text[::-1].translate({48: "1", 49: "0"}), 2), axes, weight) for _, text, axes, weight in NAMED],
    np.int64,
)
HALF = MAX_ORDER_SCORE // 2


def refusal(game):
    """Returns what kind of evaluation a game needs instead, or None if this one fits: it knows lines of four only."""
    return None if game.parameters.get("k") == FOUR else "one that fits other k than 4"


def pattern_score(state, cell, axis):
    """Returns the weights of the patterns that begin at a cell along an axis, side 0's minus side 1's."""
    columns, rows = axis_columns(axis), axis_rows(axis)
    x, y, length = cell % state.width, cell // state.width, 0
    first, second = np.int64(0), np.int64(0)  # bits of the two sides' stones
    while length < LONGEST and 0 <= x < state.width and 0 <= y < state.height:
        owner = state.cells[y * state.width + x]
        first |= np.int64(owner == 1) << length
        second |= np.int64(owner == 2) << length
        length += 1
        x += columns
        y += rows
    score = np.int64(0)
    kind = ROWS if axis == 0 else COLUMNS if axis == 1 else DIAGONALS
    for i in range(PATTERNS.shape[0]):
        if PATTERNS[i, 0] <= length and PATTERNS[i, 3] & kind:
            stones, empty, weight = PATTERNS[i, 1], PATTERNS[i, 2], PATTERNS[i, 4]
            if (first | second) & empty == 0:
                score += weight if first & stones == stones else 0
                score -= weight if second & stones == stones else 0
    return score


def lines_through(state, cell):
    """Returns how many lines of four cells on the board pass through a cell."""
    x, y, count = cell % state.width, cell // state.width, 0
    for axis in range(AXES):
        columns, rows = axis_columns(axis), axis_rows(axis)
        for back in range(FOUR):
            left, low = x - back * columns, y - back * rows
            right, high = left + (FOUR - 1) * columns, low + (FOUR - 1) * rows
            if 0 <= left < state.width and 0 <= right < state.width and 0 <= low < state.height and 0 <= high < state.height:
                count += 1
    return count


def first_side_score(state):
    """Returns the evaluation from side 0's view."""
    score = np.int64(0)
    for cell in range(state.width * state.height):
        for axis in range(AXES):
            score += pattern_score(state, cell, axis)
        if state.ply < OPENING_STONES and state.cells[cell] != 0:
            lines = lines_through(state, cell)
            score += lines if state.cells[cell] == 1 else -lines
    return score


def evaluate(state, memory):
    """Returns the evaluation from the side to move's view."""
    score = first_side_score(state)
    return clipped(score if state.side == 0 else -score)


def order_score(state, memory, move):
    """Returns the evaluation after a move, from the mover's view, moved into 0 .. MAX_ORDER_SCORE; a win stands at the top."""
    play(state, move)
    score = -evaluate(state, memory) if state.status == RUNNING else HALF
    undo(state, move)
    return np.int64(min(max(score + HALF, 0), MAX_ORDER_SCORE))
