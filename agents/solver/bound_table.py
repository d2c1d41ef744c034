"""The table of proven bounds: buckets of two entries, one int64 each. Kernels.

    bit 63      18 17       12 11        6 5         0
       [ tag      ] [ effort  ] [ upper   ] [ lower   ]        bounds with OFFSET added; 0: an entry that is free

A position's key is one integer, different for different positions: the stones of the side to move plus all stones plus row 0. In each
column the stones and row 0 sum to a 1 above the topmost stone, and the side's own stones below it say whose each is. The bucket of a key
is key % buckets, the tag is key // buckets, and tag * buckets + bucket gives the key back. So equal tags in one bucket mean equal
positions: no two positions can be mistaken for each other, and an entry stays true for ever.

The effort is the bit length of the number of nodes that an entry has cost. The first entry of a bucket gives way only to one that cost
as much; all others go to the second.
"""

import numpy as np

BUCKET = 2
OFFSET = 32  # of bounds: scores lie in -31..31
BITS, MASK = 6, 63  # of each field
EFFORT, TAG = 2 * BITS, 3 * BITS  # where fields begin
MAX_TAG = 1 << 63 - TAG


def buckets_of(bits, mib):
    """Returns the number of buckets for keys of some bits in a table of some MiB: odd, so that all bits of a key count."""
    least = (1 << bits) // MAX_TAG
    return max(int(mib * 2**20) // (8 * BUCKET), least, 1) | 1


def find(table, key):
    """Returns the entry of a key without its tag, or 0."""
    buckets = table.shape[0] // BUCKET
    tag, first = key // buckets, BUCKET * (key % buckets)
    if table[first] >> TAG == tag:
        return table[first] & (1 << TAG) - 1
    if table[first + 1] >> TAG == tag:
        return table[first + 1] & (1 << TAG) - 1
    return 0


def lower_of(entry):
    """Returns the score that the position has at least."""
    return (entry & MASK) - OFFSET


def upper_of(entry):
    """Returns the score that the position has at most."""
    return (entry >> BITS & MASK) - OFFSET


def store(table, key, lower, upper, effort):
    """Keeps the bounds of a position."""
    buckets = table.shape[0] // BUCKET
    tag, first = key // buckets, BUCKET * (key % buckets)
    entry = tag << TAG | effort << EFFORT | upper + OFFSET << BITS | lower + OFFSET
    if table[first] >> TAG != tag:
        if table[first] >> EFFORT & MASK > effort:
            first += 1
        else:
            table[first + 1] = table[first]
    table[first] = entry
