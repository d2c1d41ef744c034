"""Territory: the default evaluation of Isola.

While the pieces are in one component the value is the sum, ours minus theirs, of

- `steps`: the squares that the piece can step to now,
- `close`: the open squares around it, a king's or a knight's step away,
- `lead`: the open squares that it reaches in fewer moves than the other piece (equally many are the side to move's),

each times its weight. On a board that has fallen apart the value is that of `mobility`: the difference of the components' sizes, far above
all others. With a piece not placed yet it is 0. The weights are set by hand; tuning by games (configs/tune/isola.yaml) found none
that are better.

Source of the lead: J. Lieberum, "An evaluation function for the game of Amazons" (2005).
"""

import numpy as np

from ...envs.rules.isola import NOWHERE
from . import region_bitboards, regions
from .interface import LIMIT
from .regions import MEMORY as REGIONS
from .regions import close, filled_squares, is_split, lead, order_score, room, steps

__all__ = ["MEMORY", "ON_BITBOARDS", "WEIGHTS", "evaluate", "order_score"]
ON_BITBOARDS = regions, region_bitboards
WEIGHTS = {"steps": 10, "close": 10, "lead": 10}
STEPS, CLOSE, LEAD = range(3)  # indices of WEIGHTS
MEMORY = np.dtype([*REGIONS.descr, ("weights", np.int64, (len(WEIGHTS),))])


def evaluate(state, memory):
    """Returns the value from the side to move's view."""
    us, them = state.side, 1 - state.side
    if state.pieces[0] == NOWHERE or state.pieces[1] == NOWHERE:
        return 0
    if is_split(state, memory):
        squares = state.width * state.height + filled_squares(state)
        return (room(state, memory, us) - room(state, memory, them)) * (LIMIT // squares)
    value = memory.weights[STEPS] * (steps(state, us) - steps(state, them))
    value += memory.weights[CLOSE] * (close(state, us) - close(state, them))
    return value + memory.weights[LEAD] * lead(state, memory, us)
