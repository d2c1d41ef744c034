"""Streams of random numbers for kernels, the same numbers compiled or not. Kernels.

A stream is an array (or list) of one integer from 0 to 2**62 - 1. It counts up in large odd steps, and each number is the count,
scrambled, so streams with different seeds are unrelated. Environments and agents draw from streams, alone and in a batch, so both play
the same games.

Source: the construction of SplitMix (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), with a Feistel network
(M. Luby and C. Rackoff, 1988) instead of its 64-bit products, as no product here may exceed an int64.
"""

import secrets
from typing import Any

from .rules.interface import RUNNING, action_count, is_legal, moves, play, undo

BITS_31, BITS_62 = 2**31 - 1, 2**62 - 1
STEP = 0x1E3779B97F4A7C15  # odd
FACTORS = 0x5BD1E995, 0x2C1B3C6D, 0x297A2D39, 0x6C8E9CF5  # odd, their bits well spread
MIDDLE = 15  # low bits of a product that a round drops, so that each bit of a factor matters
PROBABILITY_ONE = 2**31  # probabilities are integers in units of 1 / PROBABILITY_ONE
GUESSES = 2  # actions drawn before the legal moves are listed
NO_MOVE = -1


def stream_of(seed: int | None = None) -> list[int]:
    """Returns a new stream as a list, for use outside kernels; None draws a seed, and of a seed the lowest 62 bits count."""
    stream = [0]
    begin(stream, secrets.randbits(62) if seed is None else seed & BITS_62)
    return stream


def scrambled(number: Any) -> Any:
    """Returns a number from 0 to 2**62 - 1 that looks random, another one for each number of that range."""
    high, low = number >> 31, number & BITS_31
    for factor in FACTORS:
        high, low = low, high ^ (low * factor >> MIDDLE & BITS_31)
    return high << 31 | low


def begin(stream: Any, seed: int) -> None:
    """Sets a stream to its beginning for a seed from 0 to 2**62 - 1."""
    stream[0] = scrambled(seed ^ STEP)


def draw(stream: Any, bound: int) -> int:
    """Returns a random number from 0 to bound - 1, each as likely as the others up to one in 2**31 / bound; bound is at most 2**31."""
    stream[0] = (stream[0] + STEP) & BITS_62
    return (scrambled(stream[0]) >> 31) * bound >> 31


def draw_event(stream: Any, probability: int) -> bool:
    """Returns True with a probability in units of 1 / PROBABILITY_ONE."""
    return draw(stream, PROBABILITY_ONE) < probability


def random_move(state: Any, out: Any, stream: Any) -> Any:
    """Returns a random legal move of a running game, each as likely as the others; out: room for all moves."""
    for _ in range(GUESSES):
        move = draw(stream, action_count(state))
        if is_legal(state, move):
            return move
    return out[draw(stream, moves(state, out, 0))]


def random_opening_move(state: Any, out: Any, stream: Any) -> Any:
    """Returns a random legal move that does not end the game, or NO_MOVE if all do; out: room for all moves."""
    left = moves(state, out, 0)
    while left > 0:
        index = draw(stream, left)
        move = out[index]
        play(state, move)
        is_running = state.status == RUNNING
        undo(state, move)
        if is_running:
            return move
        left -= 1
        out[index] = out[left]
    return NO_MOVE
