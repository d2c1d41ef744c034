"""The order in which a node's moves are searched: hash move, killers, history, and the evaluation's promise. Kernels.

The place of a move in the order is one number, higher for earlier moves, that no other move of its node has: its rank above INDEX_BITS, and
in them LAST_INDEX minus its index in the list, so that equals keep their order. So it takes no more than places to find the next move, and
the list stays as it was made.
"""

import numpy as np

from ...envs.rules.bitboards import inlined
from ..evaluation.interface import promise

HASH_RANK, FIRST_KILLER_RANK, SECOND_KILLER_RANK = 1 << 40, 2000, 1000  # the first above all, the others on the promise's scale
MAX_HISTORY = 1 << 35
INDEX_BITS = 20  # no list of moves is longer than they can count
LAST_INDEX = (1 << INDEX_BITS) - 1
NO_MOVE = -1


@inlined
def place_moves(workspace, frame, level):
    """Gives the moves of a node their places in the order; each source has its switch."""
    state, memory, settings = workspace.states[0], workspace.memories[0], workspace.switches[0]
    moves, places, history, killers = workspace.moves, workspace.places, workspace.history, workspace.killers
    start, hash_move, side = frame.start, frame.hash_move, state.side
    by_promise, by_history, first, second = settings.promise, settings.history, NO_MOVE, NO_MOVE
    if settings.killers:
        first, second = killers[level, 0], killers[level, 1]
    for i in range(start, frame.end):
        move = moves[i]
        if move == hash_move:
            rank = HASH_RANK
        else:
            rank = FIRST_KILLER_RANK if move == first else SECOND_KILLER_RANK if move == second else 0
            rank += history[side, move] if by_history else 0
            rank += promise(state, memory, move) if by_promise else 0
        places[i] = rank << INDEX_BITS | (LAST_INDEX - (i - start))


@inlined
def next_move(moves, places, start, first, end):
    """Brings the highest of places[first:end] to `first` and returns its move; the list of moves begins at `start`."""
    highest = places[first]
    for i in range(np.uint64(first + 1), np.uint64(end)):  # unsigned, see `envs.games.FIRST`
        place = places[i]
        places[i], highest = min(place, highest), max(place, highest)
    places[first] = highest
    return moves[start + LAST_INDEX - (highest & LAST_INDEX)]


def reward_cutoff(state, move, depth, killers, history, level):
    """Remembers a move that refuted its node, for killers and history."""
    if killers[level, 0] != move:
        killers[level, 1], killers[level, 0] = killers[level, 0], move
    history[state.side, move] = min(history[state.side, move] + depth * depth, MAX_HISTORY)
