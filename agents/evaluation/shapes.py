"""Shapes on a line of Gomoku: what a stone on an empty cell would make, looked up in tables that are generated from definitions.

A shape is what the line through a cell is worth to a side once its stone stands there:

    FIVE        the stone wins
    OPEN_FOUR   two cells or more win next          FOUR    one cell does
    OPEN_THREE  one more stone makes an open four   THREE   one more stone makes a four
    OPEN_TWO    one more stone makes an open three  TWO     one more stone makes a three

Gaps make no difference, and lines of exactly five are told from longer ones where the rule does. Only the cells up to REACH steps away on
either side matter, and of a side's view of them only what lies before the first cell that it cannot have.

A line of the board is one word of two bits a cell (0 empty, 1 and 2 the sides' stones, 3 off the board). A half is the REACH cells on one
side of a cell; AHEAD and BEHIND turn its bits into a number for each side, and SHAPES holds the shape for each pair of numbers.
"""

import functools

import numpy as np

from ...envs.rules.gomoku import FIVE as LENGTH

NOTHING, TWO, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = range(8)
SHAPE_BITS, SHAPE_MASK = 3, 7
REACH = LENGTH  # a five covers LENGTH - 1 more cells on a side; one further, a stone could make it too long
HALF_BITS = 6  # bits of the number of a half
HALF_MASK = (1 << HALF_BITS) - 1
HALF_LINE = (1 << 2 * REACH) - 1  # the bits of a half in a line
HALVES = 3 << (LENGTH - 1)  # numbers of halves: 1 above the bits of the cells before a blocked one; whole ones also tell of the last cell


def view(cells, side):
    """Returns one side's view of a half: "x" its own stones, "." empty cells, "#" what blocks it, nearest first."""
    return "".join("." if cell == 0 else "x" if cell == 1 + side else "#" for cell in cells)


def number(text):
    """Returns the number of a half, as its owner views it."""
    inner = text[:-1].partition("#")[0]
    bits = sum(1 << i for i, cell in enumerate(inner) if cell == "x")
    return bits | (1 << len(inner) if len(inner) < REACH - 1 or text[-1] != "x" else 2 << len(inner))


def numbers_of_halves(*order):
    """Returns the numbers of a half for side 0 and, above it, side 1, by the half's bits; `order` lists its cells, nearest first."""
    table = np.zeros(1 << 2 * REACH, np.uint16)
    for bits in range(table.size):
        cells = [bits >> 2 * i & 3 for i in order]
        table[bits] = number(view(cells, 0)) | number(view(cells, 1)) << HALF_BITS
    return table


def half_text(numbered):
    """Returns the shortest half, filled up with blocked cells, that has a number."""
    length = min(numbered.bit_length() - 1, REACH - 1)
    is_long = numbered >= 2 << length
    return "".join("x" if numbered >> i & 1 else "." for i in range(length)) + ("x" if is_long else "#") + "#" * (REACH - 1 - length)


@functools.cache
def shape(line, exact):
    """Returns the shape of a line whose middle cell holds a stone.

    Args:
        line: 2 * REACH + 1 cells as in `view`, from one end to the other.
        exact: whether a line of more than five wins nothing.
    """
    before, after = line[:REACH], line[REACH + 1 :]
    run = 1 + len(after) - len(after.lstrip("x")) + len(before) - len(before.rstrip("x"))
    if run == LENGTH or (run > LENGTH and not exact):
        return FIVE
    following = [shape(line[:i] + "x" + line[i + 1 :], exact) for i in range(1, 2 * REACH) if line[i] == "."]
    if following.count(FIVE) > 1:
        return OPEN_FOUR
    return max(max(following, default=NOTHING) - 2, NOTHING)  # two steps down: a five next is a four, an open four next an open three


def table_of_shapes():
    """Returns the shape by rule (1: exactly five win) and numbers of the halves behind and ahead: uint8[2 << 2 * HALF_BITS]."""
    table = np.zeros((2, 1 << HALF_BITS, 1 << HALF_BITS), np.uint8)
    for behind in range(1, HALVES):
        for ahead in range(1, HALVES):
            line = half_text(behind)[::-1] + "x" + half_text(ahead)
            for exact in (0, 1):
                table[exact, behind, ahead] = shape(line, exact)
    return table.ravel()


AHEAD, BEHIND = numbers_of_halves(*range(REACH)), numbers_of_halves(*reversed(range(REACH)))  # the nearest cell lowest, or highest
SHAPES = table_of_shapes()

# What the shapes along a cell's four axes make together: the threat that a stone there would be
QUIET, ONE_THREE, DOUBLE_THREE, ONE_FOUR, FOUR_THREE, WINNING_FOUR, WIN = range(7)
THREATS = 7


def table_of_threats():
    """Returns the threat by the shapes along the four axes, SHAPE_BITS each: uint8[1 << 4 * SHAPE_BITS]."""
    codes = np.arange(1 << 4 * SHAPE_BITS)
    along = np.array([codes >> SHAPE_BITS * axis & (1 << SHAPE_BITS) - 1 for axis in range(4)])
    threes, fours = (along == OPEN_THREE).sum(0), (along == FOUR).sum(0)
    conditions = (
        (along == FIVE).any(0),
        (along == OPEN_FOUR).any(0) | (fours > 1),
        (fours > 0) & (threes > 0),
        fours > 0,
        threes > 1,
        threes > 0,
    )
    return np.select(conditions, (WIN, WINNING_FOUR, FOUR_THREE, ONE_FOUR, DOUBLE_THREE, ONE_THREE), QUIET).astype(np.uint8)


THREAT = table_of_threats()
