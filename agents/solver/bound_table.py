"""The table of proven bounds: buckets of two entries, one int64 each. Kernels.

    bit 63      18 17       12 11        6 5         0
       [ tag      ] [ effort  ] [ upper   ] [ lower   ]        bounds with OFFSET added; 0: an entry that is free

The key of a position is a sum: stones of the side to move + all stones + row 0. Different positions have different keys: in each column
row 0 and all stones sum to a 1 above the topmost stone, and the side's own stones below it tell whose each is.

There are 2 ** b buckets. A key's tag is its bits from b on, its bucket the b bits below, exclusive-or a mix of the tag. So tag and bucket
give the key back, and an entry in the bucket that has the tag is of this position and no other. It stays true for ever. Tags fit: a key has
at most 62 bits, and there are enough buckets to leave 45.

The effort is the bit length of the number of nodes that an entry has cost. The first entry of a bucket gives way to one of at least its
effort, and moves to the second; one of less effort goes to the second at once.
"""

import numpy as np

from ...envs.rules.bitboards import count, inlined
from ...envs.rules.memory import prefetch

BUCKET = 2
OFFSET = 32  # scores lie in -31..31
BITS, MASK = 6, 63  # of a field
EFFORT, TAG = 2 * BITS, 3 * BITS  # their lowest bits
TAG_BITS = 63 - TAG
MULTIPLIER = 0x2C1B5  # of 18 bits, so that a tag's product has at most 63


def buckets_for(bits, mib):
    """Returns how many buckets a table of at most some MiB has, for keys of some bits: a power of two."""
    fitting = max(int(mib * 2**20) // (8 * BUCKET), 1)
    return 1 << max(fitting.bit_length() - 1, bits - TAG_BITS)


@inlined
def tag_of(table, key):
    """Returns the bits of a key that an entry holds."""
    return key >> count(np.int64(table.shape[0] // BUCKET - 1))


@inlined
def first_of(table, key, tag):
    """Returns the index of the first entry of a key's bucket."""
    product = tag * MULTIPLIER
    return BUCKET * ((key ^ product ^ product >> 21) & table.shape[0] // BUCKET - 1)


@inlined
def find(table, key):
    """Returns the entry of a key, or 0.

    Args:
        table: int64[BUCKET * a power of two].
        key: of the position.
    """
    tag = tag_of(table, key)
    first = first_of(table, key, tag)
    if table[first] >> TAG == tag:
        return table[first]
    return table[first + 1] if table[first + 1] >> TAG == tag else 0


@inlined
def send_for(table, key):
    """Asks for the bucket of a key ahead of a look-up."""
    prefetch(table, first_of(table, key, tag_of(table, key)))


@inlined
def lower_of(entry):
    """Returns the score that the position has at least."""
    return (entry & MASK) - OFFSET


@inlined
def upper_of(entry):
    """Returns the score that the position has at most."""
    return (entry >> BITS & MASK) - OFFSET


@inlined
def bit_length(number):
    """Returns the number of bits of a number: all below its highest one are set, then counted."""
    for shift in (1, 2, 4, 8, 16, 32):
        number |= number >> shift
    return count(np.int64(number))


def store(table, key, lower, upper, nodes):
    """Keeps the bounds of a position that some nodes have proven."""
    tag = tag_of(table, key)
    first = first_of(table, key, tag)
    effort = bit_length(nodes)
    entry = tag << TAG | effort << EFFORT | upper + OFFSET << BITS | lower + OFFSET
    if table[first] >> TAG == tag or effort >= table[first] >> EFFORT & MASK:
        if table[first] >> TAG != tag:
            table[first + 1] = table[first]
        table[first] = entry
    else:
        table[first + 1] = entry
