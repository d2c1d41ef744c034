"""Mobility: the evaluation of system D, for Isola.

While the two players can reach each other the value is

    (our steps - theirs * their steps) * filled squares

where steps are the squares that a piece can step to from where it stands, whoever's turn it is, filled squares are those that are gone, and
`theirs` is a weight, 3 by default. It weighs the opponent's freedom more than ours, so it does not change its sign with the sides.

Once a quarter of the board is filled, a board on which the pieces stand in different components is as good as decided: the side with
more room left will make the last move. There the value is

    (size of our component - size of theirs) * (LIMIT // (squares of the board + filled squares))

far above all others, the same for both sides but for its sign, and the higher the earlier the board fell apart. A component is what a
piece can reach step by step, however many it takes, if nothing else moves (see `regions`). It counts squares, not the longest path, and
where any square may be removed the opponent eats into it as well: the sizes are an estimate.

A piece that is not placed yet has no steps and no component; nothing is filled as long as there is one, so the value is 0.
"""

import numpy as np

from . import region_bitboards, regions
from .interface import LIMIT, clipped
from .regions import MEMORY as REGIONS
from .regions import filled_squares, is_split, order_score, room, steps

__all__ = ["MEMORY", "ON_BITBOARDS", "WEIGHTS", "evaluate", "order_score"]
ON_BITBOARDS = regions, region_bitboards
WEIGHTS = {"theirs": 3}
MEMORY = np.dtype([*REGIONS.descr, ("weights", np.int64, (len(WEIGHTS),))])
SPLIT_SHARE = 4  # one part in so many of the board is filled before components are looked at


def evaluate(state, memory):
    """Returns the value from the side to move's view."""
    squares, filled, us = state.width * state.height, filled_squares(state), state.side
    if SPLIT_SHARE * filled >= squares and is_split(state, memory):
        return (room(state, memory, us) - room(state, memory, 1 - us)) * (LIMIT // (squares + filled))
    return clipped((steps(state, us) - memory.weights[0] * steps(state, 1 - us)) * filled)
