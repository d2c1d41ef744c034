"""Zobrist keys, the same on every machine and with every version of NumPy.

Source: the SplitMix64 generator (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
"""

import numpy as np

KEY_BITS = 62  # keys stay positive in an int64, so that compiled and plain arithmetic agree


def random_keys(seed, *shape):
    """Returns an int64 array of random keys below 2**62, decided by `seed`."""
    mask, keys = 2**64 - 1, []
    for index in range(1, int(np.prod(shape)) + 1):
        z = (seed + index * 0x9E3779B97F4A7C15) & mask
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        keys.append((z ^ (z >> 31)) >> (64 - KEY_BITS))
    return np.array(keys, np.int64).reshape(shape)
