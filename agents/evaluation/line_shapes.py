"""Line shapes: the tuned evaluation of Gomoku, kept up to date stone by stone.

For each empty cell, side and axis it knows the shape that a stone of that side would make there (see `shapes`). The value is the sum of
what these shapes are worth, ours minus theirs, plus what the strongest threats mean: whoever is to move uses his own before the other's.

Candidates are the cells within NEAR steps of a stone where a stone would make or spoil a shape, and fewer where more cannot matter:

    we have a five                        that cell
    they have a five                      the cells of their fives
    we make an open or a double four      that cell: it wins in three plies, and nothing is quicker
    they make one                         what spoils it, and our fours: all else loses in four plies

So the score of a search that is deep enough is the one that all moves would give.
"""

import numpy as np

from ...envs.rules.gomoku import EMPTY, MAX_SIZE
from ...envs.rules.lines import AXES, axis_columns, axis_rows
from .interface import MAX_PROMISE, clipped
from .shapes import (
    AHEAD,
    BEHIND,
    DOUBLE_THREE,
    FIVE,
    FOUR,
    FOUR_THREE,
    HALF_BITS,
    HALF_LINE,
    HALF_MASK,
    ONE_FOUR,
    OPEN_FOUR,
    OPEN_THREE,
    REACH,
    SHAPE_BITS,
    SHAPE_MASK,
    SHAPES,
    THREAT,
    THREATS,
    WIN,
    WINNING_FOUR,
)

MAX_CELLS = MAX_SIZE * MAX_SIZE
NEAR = 2  # steps from a stone within which a cell is a candidate
WEIGHTS = {
    # a shape that a stone could make
    "two": 2,
    "open_two": 8,
    "three": 10,
    "open_three": 40,
    "four": 40,
    "open_four": 120,
    # a cell where two shapes meet
    "double_three": 60,
    "four_three": 120,
    # what the side to move can do
    "win": 500_000,  # five next, or an open or double four that nothing answers
    "attack": 3_000,  # a four with an open three, with nothing to answer
    "lesser_attack": 900,  # two open threes, or a four with an open three while an open four has to be answered
    "turn": 60,
    # what it has to answer
    "burden": 150,  # an open four
    "double_burden": 600,  # open fours on so many cells that one answer hardly meets them
}
SHAPE_WEIGHTS = 6  # the first of them
WORTH_OF_WIN, ATTACK, LESSER_ATTACK, TURN, BURDEN, DOUBLE_BURDEN = range(SHAPE_WEIGHTS + 2, len(WEIGHTS))
LINES = 6 * MAX_SIZE - 2  # rows, columns, rising and falling diagonals
SIDE_BITS = AXES * SHAPE_BITS
SIDE_MASK = (1 << SIDE_BITS) - 1
CODE_MASK = (1 << 2 * SIDE_BITS) - 1
HIGH = OPEN_THREE | OPEN_THREE << SIDE_BITS  # the bits that shapes from OPEN_THREE on have, and no others
BOTH = SHAPE_MASK | SHAPE_MASK << SIDE_BITS  # the shapes of both sides along axis 0
CODE_BITS = 2 * SIDE_BITS
CELL_OF_WIN, SHAPES_WORTH, SUMS = THREATS, THREATS + 1, THREATS + 2  # the sum of the winning cells: the cell, if it is the only one
MOST_READ = 2 * AXES * REACH  # cells whose shapes a stone can change
OFF_BOARD = (1 << 2 * (MAX_SIZE + 2 * REACH)) - 1  # a line with no cell on the board
LOWER_BITS = OFF_BOARD // 3  # the lower bit of each cell
MODULUS = 67  # tells all powers of two below 2**66 apart
COLUMNS = np.zeros(MODULUS, np.int64)  # by the lower bit of a cell modulo MODULUS: its column
for _column in range(MAX_SIZE):
    COLUMNS[(1 << 2 * (REACH + _column)) % MODULUS] = _column
URGENCY = np.array((0, 1_000, 10_000, 2_000, 40_000, 200_000, 400_000), np.int64)  # by threat: how early it is searched
MEMORY = np.dtype(
    [
        ("weights", np.int64, (len(WEIGHTS),)),
        ("shape_worth", np.int64, (1 << SHAPE_BITS,)),  # by shape
        ("sums", np.int64, (2 * SUMS,)),  # by side: empty cells by threat, CELL_OF_WIN, SHAPES_WORTH
        ("lines", np.int64, (LINES,)),
        ("codes", np.int32, (MAX_CELLS,)),  # by cell: the shapes along the axes, SHAPE_BITS each, of side 0 and above them of side 1
        ("past_sums", np.int64, (2 * SUMS * MAX_CELLS,)),  # a stack: the sums before each stone
        ("past_codes", np.int64, (MOST_READ * MAX_CELLS,)),  # a stack: cell << CODE_BITS | code of the cells read for each stone
        ("past_ends", np.int64, (MAX_CELLS + 1,)),  # by stones since the root: where its part of `past_codes` ends
        ("stones", np.int64),  # since the root
        ("threats", np.int16, (MAX_CELLS,)),  # what `candidates` has to answer
    ]
)


def line_through(axis, column, row):
    """Returns the index of the line through a cell along an axis."""
    if axis == 0:
        return row
    if axis == 1:
        return MAX_SIZE + column
    return 3 * MAX_SIZE - 1 + column - row if axis == 2 else 4 * MAX_SIZE - 1 + column + row


def shift_of(axis, column, row):
    """Returns where the bits of a cell lie in the line through it along an axis."""
    return 2 * (REACH + (row if axis == 1 else column))


def prepare(state, memory):
    """Reads the board from scratch."""
    for i in range(SHAPE_WEIGHTS):
        memory.shape_worth[i + 1] = memory.weights[i]
    memory.shape_worth[0], memory.shape_worth[FIVE] = 0, memory.shape_worth[OPEN_FOUR]
    memory.stones, memory.past_ends[0] = 0, 0
    for i in range(LINES):
        memory.lines[i] = OFF_BOARD
    for i in range(2 * SUMS):
        memory.sums[i] = 0
    for cell in range(state.width * state.height):
        memory.codes[cell] = 0
        column, row = cell % state.width, cell // state.width
        for axis in range(AXES):
            memory.lines[line_through(axis, column, row)] ^= (3 ^ np.int64(state.cells[cell])) << shift_of(axis, column, row)
    for cell in range(state.width * state.height):
        if state.cells[cell] == EMPTY:
            column, row = cell % state.width, cell // state.width
            for axis in range(AXES):
                line, shift = memory.lines[line_through(axis, column, row)], shift_of(axis, column, row)
                memory.codes[cell] = code_with(memory, state.exact, axis, cell, line, shift)
            count_cell(memory, cell, 1)


def code_with(memory, exact, axis, cell, line, shift):
    """Returns the code of an empty cell with the shapes along an axis up to date; `shift` is where its bits lie in the line."""
    behind = np.int64(BEHIND[line >> (shift - 2 * REACH) & HALF_LINE])
    ahead = np.int64(AHEAD[line >> (shift + 2) & HALF_LINE])
    table, field = exact << 2 * HALF_BITS, SHAPE_BITS * axis
    first = np.int64(SHAPES[table | (behind & HALF_MASK) << HALF_BITS | ahead & HALF_MASK])
    second = np.int64(SHAPES[table | (behind >> HALF_BITS) << HALF_BITS | ahead >> HALF_BITS])
    return np.int64(memory.codes[cell]) & ~(BOTH << field) | (first | second << SIDE_BITS) << field


def count_cell(memory, cell, amount):
    """Adds an empty cell to the sums, or takes one away (amount -1)."""
    for side in range(2):
        count_threat(memory, side, cell, threat_at(memory, side, cell), amount)
        memory.sums[side * SUMS + SHAPES_WORTH] += amount * worth_at(memory, side, cell)


def count_threat(memory, side, cell, threat, amount):
    """Adds an empty cell to those where a side has a threat, or takes it away (amount -1)."""
    memory.sums[side * SUMS + threat] += amount
    if threat == WIN:
        memory.sums[side * SUMS + CELL_OF_WIN] += amount * cell


def update(state, memory, move):
    """Takes in the stone just placed: first keeps the sums, then reads what it changes, and keeps that too."""
    for i in range(2 * SUMS):
        memory.past_sums[2 * SUMS * memory.stones + i] = memory.sums[i]
    count_cell(memory, move, -1)
    end = turn_stone(state, memory, move, memory.past_ends[memory.stones])
    memory.stones += 1
    memory.past_ends[memory.stones] = end


def turn_stone(state, memory, cell, end):
    """Puts a stone on the lines through a cell and reads the cells that see it; returns where `past_codes`, which ended at `end`, ends."""
    column, row, reach = cell % state.width, cell // state.width, REACH - 1 + state.exact
    first, second, worth = np.int64(0), np.int64(0), memory.shape_worth
    for axis in range(AXES):
        index, shift = line_through(axis, column, row), shift_of(axis, column, row)
        memory.lines[index] ^= (2 - state.side) << shift
        line, step, field = memory.lines[index], axis_rows(axis) * state.width + axis_columns(axis), SHAPE_BITS * axis
        for direction in range(-1, 2, 2):
            seen, at, other = 0, shift, cell
            for _ in range(reach):
                at += 2 * direction
                other += step * direction
                found = line >> at & 3
                seen |= found
                if seen == 3:  # beyond stones of both sides, or the edge, nobody sees this stone
                    break
                if found == EMPTY:
                    code, fresh = np.int64(memory.codes[other]), code_with(memory, state.exact, axis, other, line, at)
                    memory.past_codes[end] = other << CODE_BITS | code
                    end += 1
                    memory.codes[other] = fresh
                    first += worth[fresh >> field & SHAPE_MASK] - worth[code >> field & SHAPE_MASK]
                    field += SIDE_BITS
                    second += worth[fresh >> field & SHAPE_MASK] - worth[code >> field & SHAPE_MASK]
                    field -= SIDE_BITS
                    if (code ^ fresh) & BOTH << field and (fresh | code) & (HIGH << field):
                        count_threats(memory, other, code, fresh)
    memory.sums[SHAPES_WORTH] += first
    memory.sums[SUMS + SHAPES_WORTH] += second
    return end


def count_threats(memory, cell, code, fresh):
    """Counts the threats at an empty cell whose code has changed."""
    for side in range(2):
        before, after = THREAT[code >> side * SIDE_BITS & SIDE_MASK], THREAT[fresh >> side * SIDE_BITS & SIDE_MASK]
        if before != after:
            count_threat(memory, side, cell, np.int64(before), -1)
            count_threat(memory, side, cell, np.int64(after), 1)


def revert(state, memory, move):
    """Forgets the stone about to be taken back: puts back what `update` has kept."""
    column, row = move % state.width, move // state.width
    for axis in range(AXES):
        memory.lines[line_through(axis, column, row)] ^= (2 - state.side) << shift_of(axis, column, row)
    memory.stones -= 1
    for i in range(memory.past_ends[memory.stones], memory.past_ends[memory.stones + 1]):
        memory.codes[memory.past_codes[i] >> CODE_BITS] = memory.past_codes[i] & CODE_MASK
    for i in range(2 * SUMS):
        memory.sums[i] = memory.past_sums[2 * SUMS * memory.stones + i]


def code_at(memory, side, cell):
    """Returns the shapes of a side's stone on an empty cell, SHAPE_BITS for each axis."""
    return np.int64(memory.codes[cell]) >> side * SIDE_BITS & SIDE_MASK


def threat_at(memory, side, cell):
    """Returns the threat that a side's stone on an empty cell would be."""
    return np.int64(THREAT[code_at(memory, side, cell)])


def worth_at(memory, side, cell):
    """Returns what the shapes of a side's stone on an empty cell would be worth."""
    code, worth = code_at(memory, side, cell), np.int64(0)
    for axis in range(AXES):
        worth += memory.shape_worth[code >> SHAPE_BITS * axis & SHAPE_MASK]
    return worth


def near_cells(state, memory, out, start):
    """Writes the empty cells on a line with a stone NEAR steps away or less to out[start:] in ascending order, returns their number."""
    board, count = ((1 << 2 * state.width) - 1 << 2 * REACH) & LOWER_BITS, start
    for row in range(state.height):
        near = np.int64(0)
        for y in range(max(row - NEAR, 0), min(row + NEAR, state.height - 1) + 1):
            stones, steps = (memory.lines[y] | memory.lines[y] >> 1) & board, abs(y - row)
            if steps == 0:
                near |= stones << 2 | stones >> 2 | stones << 4 | stones >> 4
            else:
                near |= stones | stones << 2 * steps | stones >> 2 * steps
        near &= board & ~(memory.lines[row] | memory.lines[row] >> 1)
        while near:
            lowest = near & -near
            out[count] = row * state.width + COLUMNS[lowest % MODULUS]
            near ^= lowest
            count += 1
    return count - start


def forcing(state, memory, out, start):
    """Writes the moves that cannot be put off to out[start:] and returns their number: our fives, else the blocks of theirs."""
    side = state.side if memory.sums[state.side * SUMS + WIN] else 1 - state.side
    wins = memory.sums[side * SUMS + WIN]
    if wins == 1:
        out[start] = memory.sums[side * SUMS + CELL_OF_WIN]
    elif wins > 1:
        return keep_threats(memory, side, WIN, out, start, near_cells(state, memory, out, start))
    return wins


def candidates(state, memory, out, start):
    """Writes the moves worth searching (see above) to out[start:] and returns their number."""
    if state.ply == 0:
        out[start] = (state.height // 2) * state.width + state.width // 2
        return 1
    count = forcing(state, memory, out, start)
    if count:
        return count
    count = near_cells(state, memory, out, start)
    if memory.sums[state.side * SUMS + WINNING_FOUR]:
        keep_threats(memory, state.side, WINNING_FOUR, out, start, count)
        return 1
    if memory.sums[(1 - state.side) * SUMS + WINNING_FOUR]:
        return keep_answers(state, memory, out, start, count)
    return keep_live(memory, out, start, count)


def keep_threats(memory, side, least, out, start, count):
    """Keeps of out[start:start + count] the cells where a side has a threat of at least `least` and returns their number."""
    kept = start
    for i in range(start, start + count):
        if threat_at(memory, side, out[i]) >= least:
            out[kept] = out[i]
            kept += 1
    return kept - start


def keep_live(memory, out, start, count):
    """Keeps of out[start:start + count] the cells where either side would make a shape, or all if there is none; returns their number."""
    kept = start
    for i in range(start, start + count):
        if memory.codes[out[i]] != 0:
            out[kept] = out[i]
            kept += 1
    return kept - start if kept > start else count


def keep_answers(state, memory, out, start, count):
    """Keeps of out[start:start + count] our fours and what spoils all their winning fours; returns the number.

    If nothing does, one of these is left: whatever we do, the game is lost in four plies.
    """
    mine, threats, kept = state.side, 0, start
    for i in range(start, start + count):
        if threat_at(memory, 1 - mine, out[i]) == WINNING_FOUR:
            memory.threats[threats] = out[i]
            threats += 1
    for i in range(start, start + count):
        is_kept = threat_at(memory, mine, out[i]) >= ONE_FOUR
        if not is_kept:
            spoilt = 0
            while spoilt < threats and spoils(state, memory, out[i], memory.threats[spoilt]):
                spoilt += 1
            is_kept = spoilt == threats
        if is_kept:
            out[kept] = out[i]
            kept += 1
    if kept == start:
        out[start] = memory.threats[0]
        return 1
    return kept - start


def spoils(state, memory, cell, threat):
    """Tells whether our stone on `cell` leaves less than a winning four of theirs on `threat`."""
    columns, rows, theirs = cell % state.width - threat % state.width, cell // state.width - threat // state.width, 1 - state.side
    if columns == 0 and rows == 0:
        return True
    if columns != 0 and rows != 0 and abs(columns) != abs(rows):
        return False
    axis = 0 if rows == 0 else 1 if columns == 0 else 2 if columns == rows else 3
    if max(abs(columns), abs(rows)) >= REACH or code_at(memory, theirs, threat) >> SHAPE_BITS * axis & SHAPE_MASK < FOUR:
        return False
    line = memory.lines[line_through(axis, cell % state.width, cell // state.width)]
    line ^= (1 + state.side) << shift_of(axis, cell % state.width, cell // state.width)
    code = code_with(memory, state.exact, axis, threat, line, shift_of(axis, threat % state.width, threat // state.width))
    return THREAT[code >> theirs * SIDE_BITS & SIDE_MASK] != WINNING_FOUR


def promise(state, memory, move):
    """Returns what a stone of either side on a cell is worth, the strongest threats first, ours before theirs."""
    mine, theirs = state.side, 1 - state.side
    worth = 2 * worth_at(memory, mine, move) + worth_at(memory, theirs, move)
    urgency = 2 * URGENCY[threat_at(memory, mine, move)] + URGENCY[threat_at(memory, theirs, move)]
    return min(max(worth, 0) + urgency, MAX_PROMISE)


def outlook(memory, mover, other):
    """Returns what the strongest threats are worth to the side that may use its own first; nobody has a five."""
    ours, theirs, weights = mover * SUMS, other * SUMS, memory.weights
    if memory.sums[ours + WINNING_FOUR]:
        return weights[WORTH_OF_WIN]
    burden = memory.sums[theirs + WINNING_FOUR]
    if burden:
        cost = weights[DOUBLE_BURDEN] if burden > 2 else weights[BURDEN]
        return (weights[LESSER_ATTACK] if memory.sums[ours + FOUR_THREE] else 0) - cost
    if memory.sums[ours + FOUR_THREE]:
        return weights[ATTACK]
    return weights[LESSER_ATTACK] if memory.sums[ours + DOUBLE_THREE] else weights[TURN]


def evaluate(state, memory):
    """Returns the value from the side to move's view; with one five of theirs to block, the move is theirs again after it."""
    mine, theirs, sums, weights = state.side, 1 - state.side, memory.sums, memory.weights
    if sums[mine * SUMS + WIN]:
        return weights[WORTH_OF_WIN]
    if sums[theirs * SUMS + WIN] > 1:
        return -weights[WORTH_OF_WIN]
    score = sums[mine * SUMS + SHAPES_WORTH] - sums[theirs * SUMS + SHAPES_WORTH]
    score += weights[SHAPE_WEIGHTS] * (sums[mine * SUMS + DOUBLE_THREE] - sums[theirs * SUMS + DOUBLE_THREE])
    score += weights[SHAPE_WEIGHTS + 1] * (sums[mine * SUMS + FOUR_THREE] - sums[theirs * SUMS + FOUR_THREE])
    score += -outlook(memory, theirs, mine) if sums[theirs * SUMS + WIN] else outlook(memory, mine, theirs)
    return clipped(score)
