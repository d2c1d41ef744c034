"""Bitboards: integers, int64 or uint64, whose bits are the squares of a board. Kernels that compile to single instructions."""

import numpy as np

ONE = np.uint8(1)  # of so small a type that results keep the type of the bitboard, signed or not


def inlined(kernel):
    """Marks a kernel to be compiled into each of its callers, so that a constant argument unrolls its loops."""
    kernel.is_inlined = True
    return kernel


def count(bitboard):
    """Returns the number of bits set."""
    bits = 0
    while bitboard != 0:
        bitboard &= bitboard - ONE
        bits += 1
    return bits


def lowest(bitboard):
    """Returns the index of the lowest bit set; the bitboard is not empty."""
    return count(~bitboard & (bitboard - ONE))
