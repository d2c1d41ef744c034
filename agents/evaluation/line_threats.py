"""Threats of Gomoku: which cells win at once, make a four or a three, and which parry a threat. Kernels of `line_shapes`.

A line of fours holds the attacker's moves and the answers to them in turn.
"""

import numpy as np

from ...envs.rules.connect_k import EMPTY
from ...envs.rules.gomoku import FIVE as LENGTH
from ...envs.rules.gomoku import MAX_SIZE
from ...envs.rules.lines import AXES, axis_columns, axis_rows
from .shape_board import CELL_OF_WIN, OFF_BOARD, SUMS, threat_at, worth_at
from .shapes import FOUR_THREE, ONE_FOUR, ONE_THREE, REACH, WIN, WINNING_FOUR

NEAR = 2  # steps from a stone, on a line with it, within which a cell is a candidate
LOWER_BITS = OFF_BOARD // 3  # the lower bit of each cell
MODULUS = 67  # tells all powers of two below 2**66 apart
COLUMNS = np.zeros(MODULUS, np.int64)  # by the lower bit of a cell modulo MODULUS: its column
for _column in range(MAX_SIZE):
    COLUMNS[(1 << 2 * (REACH + _column)) % MODULUS] = _column
URGENCY = np.array((0, 1_000, 10_000, 2_000, 40_000, 200_000, 400_000), np.int64)  # by threat: how early it is searched


def near_cells(state, memory, out, start):
    """Writes the empty cells on a line with a stone NEAR steps away or less to out[start:] in ascending order, returns their number."""
    board, count = ((1 << 2 * state.width) - 1 << 2 * REACH) & LOWER_BITS, start
    below, low, here = np.int64(0), np.int64(0), stones_of(memory, 0, board)  # two rows down, one row down, this row
    high = stones_of(memory, 1, board)
    for row in range(state.height):
        above = stones_of(memory, row + NEAR, board) if row + NEAR < state.height else np.int64(0)
        one, two = low | high, below | above
        near = (here | one) << 2 | (here | one) >> 2 | (here | two) << 4 | (here | two) >> 4 | one | two
        near &= board & ~here
        while near:
            lowest = near & -near
            out[count] = row * state.width + COLUMNS[lowest % MODULUS]
            near ^= lowest
            count += 1
        below, low, here, high = low, here, high, above
    return count - start


def stones_of(memory, row, board):
    """Returns the stones of a row, the lower bit of each cell; `board` are the cells on the board."""
    return (memory.lines[row] | memory.lines[row] >> 1) & board


def winning_moves(state, memory, side, out, start):
    """Writes the cells where a side makes a five to out[start:] and returns their number."""
    wins = memory.sums[side * SUMS + WIN]
    if wins == 1:
        out[start] = memory.sums[side * SUMS + CELL_OF_WIN]
    elif wins > 1:
        return keep_threats(memory, side, WIN, out, start, near_cells(state, memory, out, start))
    return wins


def fours(state, memory, out, start):
    """Writes the cells where we make a four to out[start:], the strongest first, and returns their number."""
    ours = state.side * SUMS
    if memory.sums[ours + ONE_FOUR] + memory.sums[ours + FOUR_THREE] + memory.sums[ours + WINNING_FOUR] == 0:
        return 0
    count = keep_threats(memory, state.side, ONE_FOUR, out, start, near_cells(state, memory, out, start))
    sort_by_worth(memory, state.side, out, start, count)
    return count


def threes(state, memory, out, start):
    """Writes the cells where we make an open three and no four to out[start:], the strongest first, and returns their number."""
    count, kept = near_cells(state, memory, out, start), start
    for i in range(start, start + count):
        if ONE_THREE <= threat_at(memory, state.side, out[i]) < ONE_FOUR:
            out[kept] = out[i]
            kept += 1
    sort_by_worth(memory, state.side, out, start, kept - start)
    return kept - start


def parries(state, memory, line, length, out, start):
    """Writes the moves that may meet a threat to out[start:] and returns their number.

    All other stones leave the fours of the line and their answers as they are, and give the defender no four in between.

        the cells of the line
        our fours
        cells in a row of five with an answer of the line, where both make a four with our stones
    """
    count = start
    for i in range(length):
        out[count] = line[i]
        count += 1
    first = count
    count += fours(state, memory, out, first)
    count = first + keep_new(out, start, first, count)
    for i in range(1, length, 2):
        for axis in range(AXES):
            for back in range(LENGTH):
                rows_end = write_row(state, line, length, line[i], axis, back, out, count)
                count += keep_new(out, start, count, rows_end)
    return count - start


def write_row(state, line, length, cell, axis, back, out, start):
    """Writes the empty cells off the line in one row of five to out[start:] if one of them makes a four of ours there; returns the end.

    Args:
        state: we are to move.
        line, length: a line of fours; its answers count as our stones.
        cell: an answer.
        axis: of the row.
        back: steps back from the cell to where the row begins.
        out, start: where to write.
    """
    columns, rows, end, stones = axis_columns(axis), axis_rows(axis), start, 0
    column, row = cell % state.width - back * columns, cell // state.width - back * rows
    for _ in range(LENGTH):
        if not (0 <= column < state.width and 0 <= row < state.height):
            return start
        at = row * state.width + column
        owner = state.cells[at]
        if owner == 2 - state.side:
            return start
        is_ours = 1 if owner != EMPTY else 0
        for i in range(1, length, 2):
            is_ours |= 1 if line[i] == at else 0
        stones += is_ours
        if not is_ours:
            out[end] = at
            end += 1
        column, row = column + columns, row + rows
    return end if stones >= LENGTH - 2 else start


def keep_new(out, start, first, end):
    """Keeps of out[first:end] what is not in out[start:first] and returns the number."""
    kept = first
    for i in range(first, end):
        is_new = True
        for j in range(start, kept):
            is_new &= out[j] != out[i]
        if is_new:
            out[kept] = out[i]
            kept += 1
    return kept - first


def sort_by_worth(memory, side, out, start, count):
    """Sorts out[start:start + count] by the threat that a side's stone would be, then by what its shapes are worth, the highest first."""
    for i in range(start + 1, start + count):
        move, at = out[i], i
        rank = rank_of(memory, side, move)
        while at > start and rank_of(memory, side, out[at - 1]) < rank:
            out[at] = out[at - 1]
            at -= 1
        out[at] = move


def rank_of(memory, side, cell):
    """Returns how strong a side's stone on a cell is."""
    return URGENCY[threat_at(memory, side, cell)] + worth_at(memory, side, cell)


def keep_threats(memory, side, least, out, start, count):
    """Keeps of out[start:start + count] the cells where a side has a threat of at least `least` and returns their number."""
    kept = start
    for i in range(start, start + count):
        if threat_at(memory, side, out[i]) >= least:
            out[kept] = out[i]
            kept += 1
    return kept - start
