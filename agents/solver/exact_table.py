"""Scores of exact play, and the table of their proven bounds. Kernels.

A win n plies away scores WIN - n, a loss n plies away n - WIN, a draw 0: a win is better the sooner it comes, a loss the later. In a search
scores count from its root; the table keeps them as seen from their own node, so that they stay true for ever.

The table has buckets of two entries. An entry holds the whole key of its position, 62 bits that are as good as random: that a look-up finds
the entry of another position has a chance of one in 2**61, one in 200 million for 10**10 look-ups. The first entry of a bucket gives way to
one of at least its effort, the bit length of the nodes that it has cost, and moves to the second; one of less effort goes to the second.
"""

import numpy as np

from ...envs.rules.bitboards import inlined

WIN = 10_000  # above the plies of any game
BUCKET = 2
ENTRY = np.dtype([("key", np.int64), ("lower", np.int16), ("upper", np.int16), ("move", np.int16), ("effort", np.int16)])
FREE_ENTRY = np.array((-1, 0, 0, 0, 0), ENTRY)  # no position has its key


@inlined
def later(score, plies):
    """Returns a score as it is seen some plies earlier: what is decided is further away."""
    return score - plies if score > 0 else score + plies if score < 0 else score


@inlined
def find(table, key):
    """Returns the index of the entry of a key, or -1."""
    first = BUCKET * (key & (table.shape[0] // BUCKET - 1))
    if table[first].key == key:
        return first
    return first + 1 if table[first + 1].key == key else -1


def store(table, key, lower, upper, move, nodes):
    """Keeps the bounds of a position that some nodes have proven, and the move that did."""
    first = BUCKET * (key & (table.shape[0] // BUCKET - 1))
    entry, other = table[first], table[first + 1]
    effort = 0
    while nodes != 0:
        effort += 1
        nodes >>= 1
    if entry.key != key:
        if effort < entry.effort:
            entry = other
        else:
            other.key, other.lower, other.upper, other.move, other.effort = entry.key, entry.lower, entry.upper, entry.move, entry.effort
    entry.key, entry.lower, entry.upper, entry.move, entry.effort = key, lower, upper, move, effort
