"""Territory: where the pieces of Isola can go, now and in the end. Kernels on boards of cells; `territory_words` stands in for them.

The component of a piece is the set of squares that it can reach step by step, along open squares; a queen's moves are made of a king's
steps, so theirs are the same. Where the vacated square disappears, the pieces block the way for good. Where any square may disappear, the
way is free again once they leave, so their own squares count as open.
"""

import numpy as np

from ...envs.rules.isola import MAX_SQUARES, NOWHERE, OPEN, destination_of
from ...envs.rules.isola_history import ANY, GONE
from ...envs.rules.isola_steps import DIRECTIONS, furthest, reach

MEMORY = np.dtype(
    [
        ("weights", np.int64, (1,)),
        ("queue", np.uint8, (MAX_SQUARES,)),  # scratch of a flood: squares in the order in which it came to them, all 0 in between
        ("reached", np.uint8, (MAX_SQUARES,)),  # scratch of a flood: which squares it came to, all 0 in between
    ]
)


def filled_squares(state):
    """Returns the number of squares that are gone."""
    count = 0
    for square in range(state.width * state.height):
        count += 1 if state.cells[square] == GONE else 0
    return count


def steps(state, side):
    """Returns how many squares the piece of a side can step to; 0 if it is not placed."""
    origin, count = np.int64(state.pieces[side]), 0
    if origin == NOWHERE:
        return 0
    for direction in range(DIRECTIONS):
        for distance in range(1, furthest(state) + 1):
            square = reach(state, origin, direction, distance)
            if square == NOWHERE or state.cells[square] != OPEN:
                break
            count += 1
    return count


def is_passable(state, square):
    """Tells whether a component can lead over a square."""
    return state.cells[square] != GONE if state.removal == ANY else state.cells[square] == OPEN


def flood(state, memory, side):
    """Marks the component of a placed piece in memory.reached, lists it in memory.queue and returns its size."""
    square, looked, count = np.int64(state.pieces[side]), -1, 0
    while looked < count:
        for direction in range(DIRECTIONS):
            near = reach(state, square, direction, 1)
            if near != NOWHERE and memory.reached[near] == 0 and is_passable(state, near):
                memory.reached[near] = 1
                memory.queue[count] = near
                count += 1
        looked += 1
        square = np.int64(memory.queue[looked]) if looked < count else square
    return count


def clear(memory, count):
    """Empties the scratch of a flood that came to `count` squares."""
    for i in range(count):
        memory.reached[memory.queue[i]] = 0
        memory.queue[i] = 0


def is_split(state, memory):
    """Tells whether the placed pieces stand in different components."""
    count, split = flood(state, memory, 0), True
    for direction in range(DIRECTIONS):
        near = reach(state, np.int64(state.pieces[1]), direction, 1)
        if near != NOWHERE and memory.reached[near]:
            split = False
    clear(memory, count)
    return split


def room(state, memory, side):
    """Returns the size of the component of a placed piece."""
    count = flood(state, memory, side)
    clear(memory, count)
    return count


def promise(state, memory, move):
    """Returns the number of open squares around the destination of a move."""
    destination, count = destination_of(state, move), 0
    for direction in range(DIRECTIONS):
        square = reach(state, destination, direction, 1)
        if square != NOWHERE and state.cells[square] == OPEN:
            count += 1
    return np.int64(count)
