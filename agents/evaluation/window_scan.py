"""Window scan: the evaluation of system A, for Connect-K with or without gravity.

A window of k cells on one line that holds c stones of one side and none of the other is worth 30 c - 5 (k - c) to that side; one that is
empty or holds stones of both is worth nothing. The value is the sum over all windows, ours minus theirs. A known property of the
original,
kept: a window with one stone is worth 0 at k = 7 and less than nothing above.
"""

from ...envs.rules.connect_k import MAX_SIDE
from . import window_bitboards, windows
from .interface import clipped
from .windows import MEMORY, balance, forced_moves, order_score, prepare, revert, set_up_windows, update

__all__ = ["MEMORY", "ON_BITBOARDS", "evaluate", "forced_moves", "order_score", "prepare", "revert", "set_up", "update"]
ON_BITBOARDS = windows, window_bitboards
STONE, GAP = 30, 5  # what a stone adds and an empty cell takes away


def set_up(state, memory):
    """Sets what windows are worth, and notes where they are."""
    memory.worth[0] = 0
    for stones in range(1, MAX_SIDE + 1):
        memory.worth[stones] = window_score(stones, state.k) if stones < state.k else 0
    set_up_windows(state, memory)


def window_score(stones, k):
    """Returns what a window with some stones of one side, and none of the other, is worth to it."""
    return STONE * stones - GAP * (k - stones)


def evaluate(state, memory):
    """Returns the window scores of the side to move minus those of the other."""
    return clipped(balance(state, memory))
