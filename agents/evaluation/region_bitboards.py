"""Regions on bitboards: stands in for `regions`. Floods go one step further in all directions at once. Kernels."""

import numpy as np

from ...envs.rules.bitboards import count, inlined
from ...envs.rules.isola_bitboards import NONE, bit_of, destinations, near, slides
from ...envs.rules.isola_presets import NOWHERE
from ...envs.rules.isola_steps import ANY, QUEEN


def filled_squares(state):
    """Returns the number of squares that are gone."""
    filled = state.width * state.height - count(state.open)
    for side in range(2):
        filled -= 0 if state.pieces[side] == NOWHERE else 1
    return filled


@inlined
def steps(state, side):
    """Returns how many squares the piece of a side can step to; 0 if it is not placed."""
    return count(destinations(state, state.pieces[side]))


def passable(state):
    """Returns the squares over which a component can lead; both pieces are placed."""
    return state.open | bit_of(state.pieces[0]) | bit_of(state.pieces[1]) if state.removal == ANY else state.open


def is_split(state, memory):
    """Tells whether the placed pieces stand in different components."""
    free = passable(state)
    goal, reached = near(state, bit_of(state.pieces[1])) & free, NONE
    further = near(state, bit_of(state.pieces[0])) & free
    while further != reached:
        reached = further
        if reached & goal != NONE:
            return False
        further |= near(state, reached) & free
    return True


def room(state, memory, side):
    """Returns the size of the component of a placed piece."""
    free, reached = passable(state), NONE
    further = near(state, bit_of(state.pieces[side])) & free
    while further != reached:
        reached = further
        further |= near(state, reached) & free
    return count(reached)


def lead(state, memory, side):
    """Returns the open squares that a side, having the move, gets to first, minus those that the other does."""
    ours, theirs = bit_of(state.pieces[side]), bit_of(state.pieces[1 - side])
    mine, other, before = NONE, NONE, NONE
    while ours | theirs != before:
        before = ours | theirs
        ours, theirs = ours | further(state, ours), theirs | further(state, theirs)
        mine |= ours & state.open & ~other
        other |= theirs & state.open & ~mine
    return np.int64(count(mine)) - np.int64(count(other))


def further(state, squares):
    """Returns the open squares that a piece on one of some squares can move to."""
    return state.open & (slides(state, squares) if state.step == QUEEN else near(state, squares))
