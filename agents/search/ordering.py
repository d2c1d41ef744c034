"""The order in which a node's moves are searched: hash move, killers, history, and the evaluation's promise. Kernels."""

from ..evaluation.interface import promise

HASH_RANK, FIRST_KILLER_RANK, SECOND_KILLER_RANK = 1 << 60, 2000, 1000  # the first above all, the others on the promise's scale
MAX_HISTORY = 1 << 35


def rank(state, memory, move, hash_move, killers, history, settings, level):
    """Returns how early a move is searched; each source has its switch."""
    if move == hash_move:
        return HASH_RANK
    order = history[state.side, move] if settings.history else 0
    if settings.killers:
        order += FIRST_KILLER_RANK if move == killers[level, 0] else SECOND_KILLER_RANK if move == killers[level, 1] else 0
    return order + promise(state, memory, move) if settings.promise else order


def bring_best_forward(moves, ranks, first, end):
    """Moves the highest-ranked of moves[first:end] to `first`, the earliest of equals, and keeps the others in order."""
    best = first
    for i in range(first + 1, end):
        if ranks[i] > ranks[best]:
            best = i
    move, its_rank = moves[best], ranks[best]
    for i in range(best, first, -1):
        moves[i], ranks[i] = moves[i - 1], ranks[i - 1]
    moves[first], ranks[first] = move, its_rank


def reward_cutoff(state, move, depth, killers, history, level):
    """Remembers a move that refuted its node, for killers and history."""
    if killers[level, 0] != move:
        killers[level, 1], killers[level, 0] = killers[level, 0], move
    history[state.side, move] = min(history[state.side, move] + depth * depth, MAX_HISTORY)
