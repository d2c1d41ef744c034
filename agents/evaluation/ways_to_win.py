"""Ways to win: the evaluation of system B, for Connect-K with or without gravity.

A window is k consecutive cells on one line. A window that holds stones of exactly one side is a way to win of degree i, its number of
stones there, and is worth 10^(i-1) to that side. The value is the sum over all windows, ours minus theirs. What counts is the stones in
the window, not whether they touch, so that a gap which one stone fills is seen. (On boards with k above 9 a window is worth 10^7 at
most.)
"""

from ...envs.rules.connect_k import MAX_SIDE
from . import window_bitboards, windows
from .interface import clipped
from .windows import MEMORY, balance, forced_moves, order_score, prepare, revert, set_up_windows, update

__all__ = ["MEMORY", "ON_BITBOARDS", "evaluate", "forced_moves", "order_score", "prepare", "revert", "set_up", "update"]
ON_BITBOARDS = windows, window_bitboards
HIGHEST_POWER = 7  # so that sums stay far inside an int64


def set_up(state, memory):
    """Sets what windows are worth, and notes where they are."""
    memory.worth[0] = 0
    for degree in range(1, MAX_SIDE + 1):
        memory.worth[degree] = 10 ** min(degree - 1, HIGHEST_POWER) if degree < state.k else 0
    set_up_windows(state, memory)


def evaluate(state, memory):
    """Returns the ways to win of the side to move minus those of the other."""
    return clipped(balance(state, memory))
