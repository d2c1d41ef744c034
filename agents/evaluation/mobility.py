"""Mobility: the evaluation of Isola that counts where the pieces can step.

The value is the number of squares that our piece could step to, whoever's turn it is, minus the number for the other piece. What is removed
does not count: each step counts once. A piece that is not placed yet counts as 0.
"""

import numpy as np

from ...envs.rules.isola import NOWHERE, OPEN, destination_of
from ...envs.rules.isola_steps import DIRECTIONS, furthest, reach


def steps_from(state, origin):
    """Returns how many squares a piece on `origin` can step to; 0 for NOWHERE."""
    if origin == NOWHERE:
        return 0
    count = 0
    for direction in range(DIRECTIONS):
        for distance in range(1, furthest(state) + 1):
            square = reach(state, origin, direction, distance)
            if square == NOWHERE or state.cells[square] != OPEN:
                break
            count += 1
    return count


def evaluate(state, memory):
    """Returns the steps of the side to move minus those of the other."""
    return steps_from(state, state.pieces[state.side]) - steps_from(state, state.pieces[1 - state.side])


def promise(state, memory, move):
    """Returns the number of open squares around the destination of a move."""
    destination, count = destination_of(state, move), 0
    for direction in range(DIRECTIONS):
        square = reach(state, destination, direction, 1)
        if square != NOWHERE and state.cells[square] == OPEN:
            count += 1
    return np.int64(count)
