"""What a game knows that shortens the proof of a value.

These functions are placeholders, with defaults that are true of any game without repetitions: binding (see `envs.compiled`) puts a game's
own in their place. A module of them defines those it needs, and a record type MEMORY for its notes of a position if it makes any. The
kernels are called on running games, in the order in which they stand here.
"""

import numpy as np

from ...envs.rules.interface import moves
from .exact_table import WIN

MEMORY = np.dtype([("unused", np.int64)])
MAX_ORDER_SCORE = 1 << 20


def new_memory(game):
    """Returns MEMORY[1] with what depends on the board alone. Plain Python."""
    return np.zeros(1, MEMORY)


def look(state, memory):
    """Returns a lower and an upper bound on the score, what can be seen at little cost: wins at once, and how to stop them."""
    return -WIN, WIN


def is_kept(state, memory):
    """Tells whether a node is worth an entry in the table."""
    return True


def key_of(state, memory):
    """Returns a key from 0 to 2**62 - 1; positions of equal keys have equal scores."""
    return state.key


def judge(state, memory):
    """Returns a lower and an upper bound on the score, what can be seen at some cost."""
    return -WIN, WIN


def replies(state, memory, out, order_scores, start):
    """Writes moves among which is a best one to out[start:], and returns their number; 0 if all lose by the next move.

    Also writes to order_scores[start:] how early each is to be searched, 0 to MAX_ORDER_SCORE.
    """
    end = start + moves(state, out, start)
    for i in range(start, end):
        order_scores[i] = 0
    return end - start
