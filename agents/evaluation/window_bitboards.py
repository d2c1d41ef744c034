"""Windows on bitboards: stands in for `windows`. All windows of an axis are counted at once, at the leaves alone. Kernels.

A window is the bit of its first cell. The number of stones in each window is written in binary across five integers, the planes: bit i of
plane p is binary digit p of the number of stones in window i. So a stone is added to every window in a few instructions, and the windows
with a given number of stones are those where all planes agree with its digits.
"""

import numpy as np

from ...envs.rules.bitboards import count, inlined
from ...envs.rules.connect_k_bitboards import axis_shift, column_and_row, landing_cell, moves, winning_cells
from ...envs.rules.lines import AXES
from .windows import fills_in_zugzwang, find_windows

THREE_PLANES = 7  # stones that three planes can count


def set_up_windows(state, memory):
    """Notes where windows can begin along each axis, and how many of them lead through each cell."""
    for cell in range(state.width * state.height):
        find_windows(state, memory, cell)
    memory.bottom = 0
    for column in range(state.width):
        memory.bottom |= np.int64(1) << column * (state.height + 1)
    memory.board = memory.bottom * ((np.int64(1) << state.height) - 1)
    for side in range(2):
        memory.rows[side] = 0
        for row in range(state.height):
            if fills_in_zugzwang(state, side, row):
                memory.rows[side] |= memory.bottom << row
    for axis in range(AXES):
        memory.starts[axis] = ~spread(~memory.board, axis_shift(state, axis), state.k)


@inlined
def spread(cells, shift, length):
    """Returns the first cells of the rows of `length` cells that hold at least one of some cells."""
    reached = 1
    while reached < length:
        further = min(reached, length - reached)
        cells |= cells >> further * shift
        reached += further
    return cells


def prepare(state, memory):
    """Nothing to do: windows are counted at the leaves."""


def update(state, memory, move):
    """Nothing to do: windows are counted at the leaves."""


def revert(state, memory, move):
    """Nothing to do: windows are counted at the leaves."""


def order_score(state, memory, move):
    """Returns the number of windows through the cell that a move fills."""
    return np.int64(memory.through[landing_cell(state, move)])


def forced_moves(state, memory, out, start):
    """Writes the moves that win at once, or if there are none the cells where the opponent would, to out[start:]; returns their number."""
    playable = memory.board & (state.filled + memory.bottom if state.gravity else ~state.filled)
    cells = winning_cells(state, state.own, playable)
    if cells == 0:
        cells = winning_cells(state, state.own ^ state.filled, playable)
    if cells == 0:
        return 0
    count = start
    for i in range(start, start + moves(state, out, start)):
        column, row = column_and_row(state, out[i])
        if cells >> column * (state.height + 1) + row & 1:
            out[count] = out[i]
            count += 1
    return count - start


def threats(state, memory, side):
    """Returns how many empty cells complete a window of a side: in rows that it fills in zugzwang, and in others."""
    stones = state.own if side == state.side else state.own ^ state.filled
    cells = winning_cells(state, stones, memory.board & ~state.filled)
    in_zugzwang = count(cells & memory.rows[side])
    return in_zugzwang, count(cells) - in_zugzwang


@inlined
def planes(stones, shift, k):
    """Returns the number of stones in the k cells from each cell on, as five planes, the lowest digit first."""
    a, b, c, d, e = stones, np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for _ in range(1, min(k, THREE_PLANES)):
        stones >>= shift
        to_b = a & stones
        a ^= stones
        c |= b & to_b
        b ^= to_b
    for _ in range(THREE_PLANES, k):
        stones >>= shift
        to_b = a & stones
        a ^= stones
        to_c = b & to_b
        b ^= to_b
        to_d = c & to_c
        c ^= to_c
        e |= d & to_d
        d ^= to_d
    return a, b, c, d, e


def balance(state, memory):
    """Returns what the windows of the side to move are worth minus what those of the other are."""
    return balance_of(state, memory, 4) if state.k == 4 else balance_of(state, memory, state.k)


@inlined
def balance_of(state, memory, k):
    """Returns the balance; k is that of the state, given as a constant where it is a common one."""
    total = np.int64(0)
    for axis in range(AXES):
        shift, starts = axis_shift(state, axis), memory.starts[axis]
        ours, theirs = spread(state.own, shift, k), spread(state.own ^ state.filled, shift, k)
        held = starts & (ours ^ theirs)  # by one side alone
        a, b, c, d, e = planes(state.filled, shift, k)
        for stones in range(1, k):
            found = held & ~(a ^ -(stones & 1)) & ~(b ^ -(stones >> 1 & 1))
            if k > 4:  # one side alone holds k - 1 cells of a window at most
                found &= ~(c ^ -(stones >> 2 & 1))
            if k > THREE_PLANES:
                found &= ~(d ^ -(stones >> 3 & 1)) & ~(e ^ -(stones >> 4 & 1))
            total += memory.worth[stones] * (count(found & ours) - count(found & theirs))
    return total
