"""Line shapes: the default evaluation of Gomoku, kept up to date stone by stone.

For each empty cell, side and axis it knows the shape that a stone of that side would make there (see `shapes`). The value is the sum of
what these shapes are worth, ours minus theirs, plus what the strongest threats mean: whoever is to move uses his own before the other's.
The weights follow a regression of results of games on shapes, rounded towards those that were set by hand before.

Candidates are the cells within NEAR steps of a stone where a stone would make or spoil a shape, and fewer where more cannot matter:

    we have a five                        that cell
    they have a five                      the cells of their fives
    we make an open or a double four      that cell: it wins in three plies, and nothing is quicker
    they make one                         what spoils it, and our fours: all else loses in four plies

So the score of a search that is deep enough is the one that all moves would give.

In caro the shapes are those of standard: they take a five between two stones for a win, and do not see that a five can be stopped at its
ends. There the candidates are our fives that win, or else all cells near a stone.

In renju the shapes know how long a row each side may make, but not the fouls of side 0. Its candidates are legal moves, and as its open and
double fours may be fouls, side 1 is not bound to answer them.
"""

import numpy as np

from ...envs.rules.connect_k import wins_at
from ...envs.rules.gomoku import CARO, RENJU
from ...envs.rules.interface import keep_legal, moves
from .interface import ALL_MOVES, MAX_ORDER_SCORE, clipped
from .line_threats import URGENCY, fours, keep_threats, near_cells, parries, threes, winning_moves
from .shape_board import (
    FIELDS,
    SHAPES_WORTH,
    SIDE_BITS,
    SIDE_MASK,
    SUMS,
    code_at,
    code_with,
    line_through,
    read_board,
    revert,
    shift_of,
    threat_at,
    update,
    worth_at,
)
from .shapes import (
    DOUBLE_THREE,
    FIVE,
    FOUR,
    FOUR_THREE,
    ONE_FOUR,
    OPEN_FOUR,
    REACH,
    SHAPE_BITS,
    SHAPE_MASK,
    THREAT,
    WIN,
    WINNING_FOUR,
)

__all__ = [
    "MEMORY",
    "WEIGHTS",
    "candidates",
    "evaluate",
    "forced_moves",
    "fours",
    "knows_threats",
    "late_move",
    "order_score",
    "parries",
    "prepare",
    "revert",
    "set_up",
    "threes",
    "update",
    "winning_moves",
]
WEIGHTS = {
    # a shape that a stone could make
    "two": 2,
    "open_two": 8,
    "three": 24,
    "open_three": 60,
    "four": 80,
    "open_four": 180,
    # a cell where two shapes meet
    "double_three": 10,
    "four_three": 150,
    # what the side to move can do
    "win": 500_000,  # five next, or an open or double four that nothing answers
    "attack": 1_600,  # a four with an open three, with nothing to answer
    "lesser_attack": 1_000,  # two open threes, or a four with an open three while an open four has to be answered
    "turn": 300,
    # what it has to answer
    "burden": 300,  # an open four
    "double_burden": 600,  # open fours on so many cells that one answer hardly meets them
}
SHAPE_WEIGHTS = 6  # the first of them
EARLY_MOVES, DEPTH_TO_LEAVE_OUT = 8, 4  # of a node just above the leaves, and up to which depth
WORTH_OF_WIN, ATTACK, LESSER_ATTACK, TURN, BURDEN, DOUBLE_BURDEN = range(SHAPE_WEIGHTS + 2, len(WEIGHTS))
MEMORY = np.dtype([("weights", np.int64, (len(WEIGHTS),)), *FIELDS])


def knows_threats(game):
    """Tells whether its threats are those of the rules of a game."""
    return game.parameters["rule"] in ("freestyle", "standard")


def set_up(state, memory):
    """Sets what shapes are worth."""
    for i in range(SHAPE_WEIGHTS):
        memory.shape_worth[i + 1] = memory.weights[i]
    memory.shape_worth[0], memory.shape_worth[FIVE] = 0, memory.shape_worth[OPEN_FOUR]


def prepare(state, memory):
    """Reads the board."""
    read_board(state, memory)


def forced_moves(state, memory, out, start):
    """Writes the moves that cannot be put off to out[start:] and returns their number: our fives, else the blocks of theirs."""
    if state.exact == CARO:
        return keep_wins(state, out, start, winning_moves(state, memory, state.side, out, start))
    if memory.sums[state.side * SUMS + WIN]:
        return winning_moves(state, memory, state.side, out, start)
    return keep_legal(state, out, start, winning_moves(state, memory, 1 - state.side, out, start))


def candidates(state, memory, out, start):
    """Writes the moves worth searching (see above) to out[start:] and returns their number."""
    if state.ply == 0:
        out[start] = (state.height // 2) * state.width + state.width // 2
        return 1
    count = forced_moves(state, memory, out, start)
    if count:
        return count
    count = keep_legal(state, out, start, near_cells(state, memory, out, start))
    if count == 0:
        return moves(state, out, start)
    if state.exact == CARO:
        return count
    if memory.sums[state.side * SUMS + WINNING_FOUR] and keep_threats(memory, state.side, WINNING_FOUR, out, start, count):
        return 1
    if memory.sums[(1 - state.side) * SUMS + WINNING_FOUR] and (state.exact != RENJU or state.side == 0):
        return keep_answers(state, memory, out, start, count)
    return keep_live(memory, out, start, count)


def keep_wins(state, out, start, count):
    """Keeps of out[start:start + count] the cells where a stone of ours wins by the rules and returns their number."""
    kept = start
    for i in range(start, start + count):
        if wins_at(state, out[i]):
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


def late_move(depth):
    """Returns how many moves of a quiet node are worth a search; up to DEPTH_TO_LEAVE_OUT plies above the leaves not all."""
    return EARLY_MOVES + EARLY_MOVES * (depth - 1) // 2 if depth <= DEPTH_TO_LEAVE_OUT else ALL_MOVES


def order_score(state, memory, move):
    """Returns what a stone of either side on a cell is worth, the strongest threats first, ours before theirs."""
    mine, theirs = state.side, 1 - state.side
    worth = 2 * worth_at(memory, mine, move) + worth_at(memory, theirs, move)
    urgency = 2 * URGENCY[threat_at(memory, mine, move)] + URGENCY[threat_at(memory, theirs, move)]
    return min(max(worth, 0) + urgency, MAX_ORDER_SCORE)


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
