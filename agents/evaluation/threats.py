"""Threats: the default evaluation of Connect-K, with or without gravity.

A window that holds stones of exactly one side is worth a weight to it that depends on how many stones it is short of a line: `short_1` to
`short_3`, and `short_4` for four or more. A threat is an empty cell where one more stone completes a line. With gravity a threat counts
`zugzwang` if it lies in a row that its side comes to fill when everything else is filled and both play the last column from the bottom,
else `threat`: on boards of even height the first side fills the odd rows, counted from 1, and the second the even ones. Without gravity
every threat counts `threat`. The value is the sum over windows and threats, ours minus theirs. The weights were tuned by games
of Connect Four, see configs/tune/connect_four.yaml, and serve every other board too.

Source of the rows: V. Allis, "A knowledge-based approach of Connect-Four" (1988).
"""

import numpy as np

from ...envs.rules.bitboards import inlined
from ...envs.rules.connect_k import MAX_SIDE
from . import window_bitboards, windows
from .interface import clipped
from .windows import MEMORY as WINDOWS
from .windows import balance, forced_moves, order_score, prepare, revert, set_up_windows, threats, update

__all__ = ["MEMORY", "ON_BITBOARDS", "WEIGHTS", "evaluate", "forced_moves", "order_score", "prepare", "revert", "set_up", "update"]
ON_BITBOARDS = windows, window_bitboards
WEIGHTS = {"short_1": 20, "short_2": 23, "short_3": 4, "short_4": 1, "zugzwang": 120, "threat": 15}
SHORTEST = 4  # windows that are shorter of a line weigh the same
ZUGZWANG, THREAT = 4, 5  # indices of WEIGHTS
MEMORY = np.dtype([*WINDOWS.descr, ("weights", np.int64, (len(WEIGHTS),))])


def set_up(state, memory):
    """Sets what windows are worth, and notes where they are."""
    memory.worth[0] = 0
    for stones in range(1, MAX_SIDE + 1):
        memory.worth[stones] = memory.weights[min(state.k - stones, SHORTEST) - 1] if stones < state.k else 0
    set_up_windows(state, memory)


@inlined
def evaluate(state, memory):
    """Returns the windows and threats of the side to move minus those of the other."""
    value = balance(state, memory)
    for turn in range(2):
        in_zugzwang, others = threats(state, memory, state.side ^ turn)
        worth = in_zugzwang * memory.weights[ZUGZWANG] + others * memory.weights[THREAT]
        value += worth if turn == 0 else -worth
    return clipped(value)
