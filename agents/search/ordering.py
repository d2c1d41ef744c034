"""The order in which a node's moves are searched: hash move, killers, history, and the evaluation's order score. Kernels.

A move's order key is one number, higher for earlier moves, and no two moves of a node share it: the move's rank above INDEX_BITS, and in
these bits LAST_INDEX minus its index in the list, so that moves of equal rank keep their order. Only the keys are sorted: a key
tells its move's index, so the list of moves stays as it was.
"""

import numpy as np

from ...envs.rules.bitboards import inlined
from ..evaluation.interface import order_score

HASH_RANK, FIRST_KILLER_RANK, SECOND_KILLER_RANK = 1 << 40, 2000, 1000  # the first above all, the others on the order score's scale
MAX_HISTORY = 1 << 35
INDEX_BITS = 20  # lists have fewer than 2**20 moves
LAST_INDEX = (1 << INDEX_BITS) - 1
NO_MOVE = -1


@inlined
def order_moves(workspace, frame, level):
    """Writes the order keys of a node's moves; each source has its switch."""
    state, memory, settings = workspace.states[0], workspace.memories[0], workspace.switches[0]
    moves, order_keys, history, killers = workspace.moves, workspace.order_keys, workspace.history, workspace.killers
    start, hash_move, side = frame.start, frame.hash_move, state.side
    by_order_score, by_history, first, second = settings.order_score, settings.history, NO_MOVE, NO_MOVE
    if settings.killers:
        first, second = killers[level, 0], killers[level, 1]
    for i in range(start, frame.end):
        move = moves[i]
        if move == hash_move:
            rank = HASH_RANK
        else:
            rank = FIRST_KILLER_RANK if move == first else SECOND_KILLER_RANK if move == second else 0
            rank += history[side, move] if by_history else 0
            rank += order_score(state, memory, move) if by_order_score else 0
        order_keys[i] = rank << INDEX_BITS | (LAST_INDEX - (i - start))


@inlined
def next_move(moves, order_keys, start, first, end):
    """Brings the highest of order_keys[first:end] to `first` and returns its move; the list of moves begins at `start`."""
    highest = order_keys[first]
    for i in range(np.uint64(first + 1), np.uint64(end)):  # unsigned, see `envs.batch.kernels.FIRST`
        key = order_keys[i]
        order_keys[i], highest = min(key, highest), max(key, highest)
    order_keys[first] = highest
    return moves[start + LAST_INDEX - (highest & LAST_INDEX)]


def reward_cutoff(state, move, depth, killers, history, level):
    """Remembers a move that refuted its node, for killers and history."""
    if killers[level, 0] != move:
        killers[level, 1], killers[level, 0] = killers[level, 0], move
    history[state.side, move] = min(history[state.side, move] + depth * depth, MAX_HISTORY)
