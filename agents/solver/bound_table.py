"""The table of proven bounds: buckets of two entries, one int64 each. Kernels.

    bit 63      18 17       12 11        6 5         0
       [ tag      ] [ effort  ] [ upper   ] [ lower   ]        bounds with OFFSET added; 0: an entry that is free

The key of a position is a sum: stones of the side to move + all stones + row 0. Different positions have different keys: in each column
row 0 and all stones sum to a 1 above the topmost stone, and the side's own stones below it tell whose each is.

A key's bucket is key % buckets, its tag key // buckets. Tag and bucket give the key back, so an entry in the bucket that has the tag is of
this position and no other. It stays true for ever. Tags fit: a key has at most 62 bits, and there are enough buckets to leave 45.

The effort is the bit length of the number of nodes that an entry has cost. The first entry of a bucket gives way to one of at least its
effort, and moves to the second; one of less effort goes to the second at once.
"""

from ...envs.rules.bitboards import inlined

BUCKET = 2
OFFSET = 32  # scores lie in -31..31
BITS, MASK = 6, 63  # of a field
EFFORT, TAG = 2 * BITS, 3 * BITS  # their lowest bits
TAG_BITS = 63 - TAG


def buckets_for(bits, mib):
    """Returns how many buckets a table of some MiB has, for keys of some bits: an odd number, so that every bit of a key has a say."""
    return max(int(mib * 2**20) // (8 * BUCKET), 1 << max(bits - TAG_BITS, 0)) | 1


@inlined
def find(table, key):
    """Returns the entry of a key, or 0.

    Args:
        table: int64[BUCKET * an odd number].
        key: of the position.
    """
    buckets = table.shape[0] // BUCKET
    tag, first = key // buckets, BUCKET * (key % buckets)
    if table[first] >> TAG == tag:
        return table[first]
    return table[first + 1] if table[first + 1] >> TAG == tag else 0


@inlined
def lower_of(entry):
    """Returns the score that the position has at least."""
    return (entry & MASK) - OFFSET


@inlined
def upper_of(entry):
    """Returns the score that the position has at most."""
    return (entry >> BITS & MASK) - OFFSET


def store(table, key, lower, upper, nodes):
    """Keeps the bounds of a position that some nodes have proven."""
    buckets = table.shape[0] // BUCKET
    tag, first = key // buckets, BUCKET * (key % buckets)
    effort = 0
    while nodes != 0:
        effort += 1
        nodes >>= 1
    entry = tag << TAG | effort << EFFORT | upper + OFFSET << BITS | lower + OFFSET
    if table[first] >> TAG == tag or effort >= table[first] >> EFFORT & MASK:
        if table[first] >> TAG != tag:
            table[first + 1] = table[first]
        table[first] = entry
    else:
        table[first + 1] = entry
