"""Words: integers, int64 or uint64, whose bits are the squares of a board. Kernels that the compiler turns into single instructions."""

import numpy as np

ONE = np.uint8(1)  # so small that what is computed with it keeps the type of the word, signed or not


def inlined(kernel):
    """Marks a kernel to be compiled into every place that calls it, so that a constant given there unrolls its loops."""
    kernel.is_inlined = True
    return kernel


def count(word):
    """Returns the number of bits set."""
    bits = 0
    while word != 0:
        word &= word - ONE
        bits += 1
    return bits


def lowest(word):
    """Returns the index of the lowest bit set; there is one."""
    return count(~word & (word - ONE))
