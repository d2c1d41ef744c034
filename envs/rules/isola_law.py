"""The law of Isola: what is legal, what a move does, and who has won. Kernels.

They ask a board what is open and change it through the functions of `isola_cells`, for which `isola_bitboards` stands in on small boards.
For the rules in words and the numbering of moves see `isola`.
"""

from .bitboards import inlined
from .interface import RUNNING, WON
from .isola_cells import (
    can_remove,
    can_step,
    count_open_around,
    has_open,
    has_open_around,
    is_kept,
    is_open,
    occupy,
    remove,
    restore,
    vacate,
    write_open,
    write_removals,
    write_steps,
)
from .isola_presets import NOWHERE
from .isola_steps import DIRECTIONS, GONE, MOST_CLOSED, OPEN, VACATED, furthest, reach, target
from .zobrist import random_keys

MAX_SIDE = 15
MAX_SQUARES = MAX_SIDE * MAX_SIDE
PIECE_KEYS = random_keys(5, MAX_SQUARES, 2)  # by square and side
GONE_KEYS = random_keys(6, MAX_SQUARES)
SIDE_KEY = int(random_keys(7, 1)[0])


def step_count(state):
    """Returns the number of different steps: the eight directions times the longest distance."""
    return DIRECTIONS * furthest(state)


def action_count(state):
    """Returns the number of actions, legal now or not: squares, or steps x squares where any square may be removed."""
    squares = state.width * state.height
    return squares if state.removal == VACATED else step_count(state) * squares


def moves(state, out, start):
    """Writes the legal moves in ascending order to out[start:] and returns their number; the game still runs."""
    squares, origin, count = state.width * state.height, state.pieces[state.side], start
    if origin == NOWHERE:
        return write_open(state, out, start)
    if state.removal == VACATED:
        return write_steps(state, origin, out, start)
    blocked = 0  # a bit for each direction in which the piece can go no further
    for distance in range(1, furthest(state) + 1):
        for direction in range(DIRECTIONS):
            if blocked >> direction & 1:
                continue
            destination = reach(state, origin, direction, distance)
            if destination == NOWHERE or not is_open(state, destination):
                blocked |= 1 << direction
                continue
            step = direction + DIRECTIONS * (distance - 1)
            count += write_removals(state, origin, destination, step * squares, out, count)
    return count - start


def can_move(state):
    """Tells whether the side to move has a legal move."""
    origin = state.pieces[state.side]
    return has_open(state) if origin == NOWHERE else has_open_around(state, origin)


@inlined
def destination_of(state, move):
    """Returns the square that a legal move of the side to move leads to."""
    origin = state.pieces[state.side]
    if state.removal == VACATED or origin == NOWHERE:
        return move
    step = move // (state.width * state.height)
    return target(state, origin, step % DIRECTIONS, step // DIRECTIONS + 1)


def removed_by(state, move, origin, destination):
    """Returns the square that a move removes, or NOWHERE if it removes none."""
    if origin == NOWHERE:
        return NOWHERE
    if state.removal == VACATED:
        return NOWHERE if is_kept(state, origin) else origin
    square = move % (state.width * state.height)
    return NOWHERE if square == destination else square


def play(state, move):
    """Moves the piece of the side to move and removes a square; `move` is legal and the game still runs."""
    side = state.side
    origin, destination = state.pieces[side], destination_of(state, move)
    if origin != NOWHERE:
        vacate(state, origin)
        state.key ^= PIECE_KEYS[origin, side]
    occupy(state, destination, side)
    state.pieces[side] = destination
    removed = removed_by(state, move, origin, destination)
    if removed != NOWHERE:
        remove(state, removed)
        state.key ^= GONE_KEYS[removed]
    state.trail[state.ply] = origin
    state.key ^= PIECE_KEYS[destination, side] ^ SIDE_KEY
    state.side = 1 - side
    state.ply += 1
    if not can_move(state):
        state.status = WON


def undo(state, move):
    """Takes back the last move, `move`."""
    state.ply -= 1
    state.status = RUNNING
    side = 1 - state.side
    origin, destination = state.trail[state.ply], state.pieces[side]
    state.trail[state.ply] = 0
    removed = removed_by(state, move, origin, destination)
    if removed != NOWHERE:
        restore(state, removed)
        state.key ^= GONE_KEYS[removed]
    vacate(state, destination)
    state.pieces[side] = origin
    if origin != NOWHERE:
        occupy(state, origin, side)
        state.key ^= PIECE_KEYS[origin, side]
    state.key ^= PIECE_KEYS[destination, side] ^ SIDE_KEY
    state.side = side


def skip(state):
    """Hands the turn to the other side; its own inverse."""
    state.side = 1 - state.side
    state.key ^= SIDE_KEY


def may_win_at_once(state):
    """Returns False only if no legal move of a running game wins it: the opponent has more open squares than one move can close."""
    square = state.pieces[1 - state.side]
    return square == NOWHERE or count_open_around(state, square) <= MOST_CLOSED


def is_legal(state, move):
    """Tells whether `move` is a legal move of a game that still runs."""
    squares, origin = state.width * state.height, state.pieces[state.side]
    if not 0 <= move < action_count(state):
        return False
    if origin == NOWHERE:
        return move < squares and is_open(state, move)
    if state.removal == VACATED:
        return can_step(state, origin, move)
    step = move // squares
    direction, distance = step % DIRECTIONS, step // DIRECTIONS + 1
    for nearer in range(1, distance + 1):
        square = reach(state, origin, direction, nearer)
        if square == NOWHERE or not is_open(state, square):
            return False
    return can_remove(state, origin, target(state, origin, direction, distance), move % squares)


def changes(state, move, out):
    """Writes the squares that a legal move changes to out, as pairs with what they hold afterwards; returns their number."""
    origin, destination = state.pieces[state.side], destination_of(state, move)
    removed, count = removed_by(state, move, origin, destination), 0
    if origin != NOWHERE:
        out[0], out[1], count = origin, OPEN, 1
    if removed != NOWHERE:
        out[2 * count], out[2 * count + 1] = removed, GONE
        count += 1
    out[2 * count], out[2 * count + 1] = destination, 1 + state.side
    return count + 1
