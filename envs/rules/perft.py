"""Perft: the number of move sequences of an exact length, the first test of any rules. A template (see `envs.compiled`)."""

from .interface import RUNNING, moves, play, undo


def perft(states, depth, out, counts, chosen):
    """Counts the move sequences of exactly `depth` plies; a finished game has no moves.

    Args:
        states: STATE[1], the root; unchanged at the end.
        depth: plies, at least 1.
        out: int64[depth, action count], the moves of each level.
        counts, chosen: int64[depth], how many moves each level has and which is next.
    """
    state, level, total = states[0], 0, 0
    counts[0] = moves(state, out[0], 0) if state.status == RUNNING else 0
    chosen[0] = 0
    while level >= 0:
        if chosen[level] == counts[level]:
            level -= 1
            if level >= 0:
                undo(state, out[level, chosen[level] - 1])
            continue
        move = out[level, chosen[level]]
        chosen[level] += 1
        play(state, move)
        if level + 1 == depth:
            total += 1
            undo(state, move)
        elif state.status == RUNNING:
            level += 1
            counts[level] = moves(state, out[level], 0)
            chosen[level] = 0
        else:
            undo(state, move)
    return total
