"""What an evaluation gives to a search.

These functions are placeholders: binding (see `envs.compiled`) puts an evaluation's own functions in their place. An evaluation is a
module with `evaluate`, a record type MEMORY for what it remembers of a position, and whichever others it needs; those it leaves out keep
the defaults written here. One with weights to tune names them in WEIGHTS with their defaults, in order, and finds them, set before
`set_up` is called, in a field `weights` of its MEMORY, int64[len(WEIGHTS)]. One that can also judge bitboards (see `Game.bitboards`) names
in ON_BITBOARDS its module of kernels for cells, and the module that stands in for it on bitboards; both do the same.
"""

import numpy as np

from ...envs.rules.interface import moves

MEMORY = np.dtype([("unused", np.int64)])
MAX_ORDER_SCORE = 1 << 20
ALL_MOVES = 1 << 20
LIMIT = 999_998_999  # static evaluations stay within +-LIMIT; beyond it lie the won and lost games


def clipped(evaluation):
    """Returns a sum kept within +-LIMIT."""
    return min(max(evaluation, -LIMIT), LIMIT)


def set_up(state, memory):
    """Notes in a new `memory` what depends on the board and the weights alone; called once, before the first `prepare`."""


def prepare(state, memory):
    """Fills `memory` for a position from scratch, at the root of a search."""


def update(state, memory, move):
    """Brings `memory` up to date; called right after `play(state, move)`."""


def revert(state, memory, move):
    """Takes `update` back; called right before `undo(state, move)`."""


def evaluate(state, memory):
    """Returns the static evaluation of a running game from the side to move's view, within +-LIMIT."""
    return 0


def candidates(state, memory, out, start):
    """Writes the moves worth searching to out[start:] and returns their number: legal ones, at least one."""
    return moves(state, out, start)


def forced_moves(state, memory, out, start):
    """Writes the moves that cannot be put off to out[start:] and returns their number, 0 in a quiet position.

    These are the moves that win at once if there are any, else those that can keep the opponent from winning at once. Without this function
    every position is quiet.
    """
    return 0


def winning_moves(state, memory, side, out, start) -> int:
    """Writes the moves with which a side would win at once, if it were its turn, to out[start:] and returns their number, 0 by default."""
    return 0


def fours(state, memory, out, start):
    """Writes the moves that threaten to win at once to out[start:], the most promising first, and returns their number.

    None by default: then the search finds no wins by threats.
    """
    return 0


def threes(state, memory, out, start):
    """Writes the quiet moves that may threaten a win by fours to out[start:], the most promising first, and returns their number."""
    return 0


def parries(state, memory, line, length, out, start):
    """Writes the moves that may meet a threat to out[start:] and returns their number: against all others the threat wins.

    Args:
        state: the defender is to move; neither side can win at once.
        memory: of the position.
        line: what wins by fours if the defender passes: moves of the attacker and answers in turn.
        length: of the line.
        out: int64[...].
        start: where to write.
    """
    return moves(state, out, start)


def late_move(depth):
    """Returns how many moves of a node so many plies above the leaves are worth a search, where nothing forces it; all by default."""
    return ALL_MOVES


def order_score(state, memory, move):
    """Returns how early a candidate is to be searched, 0 to MAX_ORDER_SCORE; higher is earlier, equals keep their order."""
    return 0
