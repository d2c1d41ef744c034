"""Regions: where the pieces of Isola can go, now and in the end. Kernels on boards of cells; `region_bitboards` stands in for them.

The component of a piece is the set of squares that it can reach step by step, along open squares; a queen's moves are made of a king's
steps, so theirs are the same. Where the vacated square disappears, the pieces block the way for good. Where any square may disappear, the
way is free again once they leave, so their own squares count as open.
"""

import numpy as np

from ...envs.rules.isola import MAX_SQUARES, NOWHERE, OPEN, destination_of
from ...envs.rules.isola_cells import count_open_around
from ...envs.rules.isola_steps import ANY, DIRECTIONS, GONE, furthest, reach

MEMORY = np.dtype(
    [
        ("queue", np.uint8, (MAX_SQUARES,)),  # scratch of a flood: squares in the order in which it came to them, all 0 in between
        ("reached", np.uint8, (MAX_SQUARES,)),  # scratch of a flood: which squares it came to, all 0 in between
        ("moves", np.uint8, (2 * MAX_SQUARES,)),  # scratch of `lead`: moves that each side needs to each square, all 0 in between
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


def close(state, side):
    """Returns how many open squares are one step of the shortest distance away from the placed piece of a side."""
    return count_open_around(state, state.pieces[side])


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


def lead(state, memory, side):
    """Returns the open squares that a side, having the move, gets to first, minus those that the other does.

    First is who needs fewer moves, or as many with the move. A square that only one side can reach is that side's.
    """
    for each in range(2):
        count_moves(state, memory, each)
    total, mine, theirs = 0, side * MAX_SQUARES, (1 - side) * MAX_SQUARES
    for square in range(state.width * state.height):
        ours, other = np.int64(memory.moves[mine + square]), np.int64(memory.moves[theirs + square])
        if ours != 0 and (other == 0 or ours <= other):
            total += 1
        elif other != 0:
            total -= 1
        memory.moves[mine + square], memory.moves[theirs + square] = 0, 0
    return total


def count_moves(state, memory, side):
    """Sets memory.moves of a side: how many moves its placed piece needs to each open square, 0 for never."""
    origin, base = np.int64(state.pieces[side]), side * MAX_SQUARES
    square, looked, count, far = origin, -1, 0, np.int64(1)
    while looked < count:
        for direction in range(DIRECTIONS):
            for distance in range(1, furthest(state) + 1):
                near = reach(state, square, direction, distance)
                if near == NOWHERE or state.cells[near] != OPEN:
                    break
                if memory.moves[base + near] == 0:
                    memory.moves[base + near] = far
                    memory.queue[count] = near
                    count += 1
        looked += 1
        if looked < count:
            square = np.int64(memory.queue[looked])
            far = np.int64(memory.moves[base + square]) + 1
    for i in range(count):
        memory.queue[i] = 0


def order_score(state, memory, move):
    """Returns the number of open squares around the destination of a move."""
    return np.int64(count_open_around(state, destination_of(state, move)))
