"""One ply of foresight for oneself and one for the opponent: the greedy player. A template."""

from ...envs.chance import NO_MOVE, draw
from ...envs.rules.interface import RUNNING, WON, is_legal, may_win_at_once, moves, play, undo


def answer(state, workspace, stream):
    """Returns a random one of the moves that win at once, else of those after which the opponent cannot win at once, else of all.

    Args:
        state: a running game, left as it is.
        workspace: int64[2 * actions], room for two lists of moves.
        stream: see `envs.chance`.
    """
    out = workspace
    left = moves(state, out, 0)
    wins = 0
    for i in range(left if may_win_at_once(state) else 0):
        if wins_at_once(state, out[i]):
            out[wins] = out[i]
            wins += 1
    if wins > 0:
        return out[draw(stream, wins)]
    first, refutation, start = NO_MOVE, NO_MOVE, left  # what refutes one move mostly refutes the next one too
    while left > 0:
        index = draw(stream, left)
        move = out[index]
        first = move if first == NO_MOVE else first
        play(state, move)
        refutation = refutation_of(state, refutation, out, start) if state.status == RUNNING else NO_MOVE
        undo(state, move)
        if refutation == NO_MOVE:
            return move
        left -= 1
        out[index] = out[left]
    return first


def wins_at_once(state, move):
    """Tells whether a legal move wins the game."""
    play(state, move)
    is_win = state.status == WON
    undo(state, move)
    return is_win


def refutation_of(state, known, out, start):
    """Returns a move that wins at once, `known` if it does, or NO_MOVE; out[start:] has room for all moves."""
    if known != NO_MOVE and is_legal(state, known) and wins_at_once(state, known):
        return known
    if not may_win_at_once(state):
        return NO_MOVE
    for i in range(start, start + moves(state, out, start)):
        if wins_at_once(state, out[i]):
            return out[i]
    return NO_MOVE
