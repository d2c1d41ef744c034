"""The transposition table: buckets of two entries, the first kept for depth, the second for whatever came last. Kernels.

An entry of an earlier search is never found, as keys carry the salt of their search, and always gives way. Decisive scores are kept as
seen from their own node (see `scores`).
"""

import numpy as np

ENTRY = np.dtype([("key", np.int64), ("score", np.int32), ("move", np.int16), ("depth", np.uint8), ("stamp", np.uint8)])
BUCKET = 2
BOUND_BITS, BOUND_MASK = 2, 3  # a stamp is a generation above a bound
GENERATIONS = 64  # how many searches can be told apart by their stamps
DEPTH_MASK, ESTIMATED = 127, 128  # a depth as it is kept, and the bit beside it, see `is_estimated`


def find(table, key):
    """Returns the index of the entry of a key, or -1.

    Args:
        table: ENTRY[power of two], at least BUCKET.
        key: salted key of the position.
    """
    first = BUCKET * (key & (table.shape[0] // BUCKET - 1))
    if table[first].key == key:
        return first
    return first + 1 if table[first + 1].key == key else -1


def bound_of(entry):
    """Returns EXACT, LOWER or UPPER."""
    return np.int64(entry.stamp) & BOUND_MASK


def depth_of(entry):
    """Returns the depth that a node was searched to."""
    return np.int64(entry.depth) & DEPTH_MASK


def is_estimated(entry):
    """Tells whether the score is no result of the game: an evaluation had a part in it, and it decides nothing."""
    return entry.depth > DEPTH_MASK


def store(table, key, generation, score, move, depth, bound):
    """Keeps what a node found: its bucket's first entry gives way if it is older or not deeper, and moves to the second.

    The depth has ESTIMATED added if `is_estimated` is to be true.
    """
    first = BUCKET * (key & (table.shape[0] // BUCKET - 1))
    entry, other = table[first], table[first + 1]
    if entry.key != key:
        if np.int64(entry.stamp) >> BOUND_BITS == generation and depth_of(entry) > depth & DEPTH_MASK:
            entry = other
        else:
            other.key, other.score, other.move, other.depth, other.stamp = entry.key, entry.score, entry.move, entry.depth, entry.stamp
    entry.key, entry.score, entry.move, entry.depth, entry.stamp = key, score, move, depth, generation << BOUND_BITS | bound
