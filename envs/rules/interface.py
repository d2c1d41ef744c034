"""What a game gives to every template (search, playout, batch step, perft).

These functions are placeholders: binding (see `envs.compiled`) puts a game's own functions in their place. Every rules module defines them
(`write_mask` and `may_win_at_once` only where it can do better), beside a record type STATE, as plain functions on named fields. They run
on a record of STATE, compiled or not, and on a plain `State` object. They trust their caller: legality is checked at the doors
(`Position.push`, `Env.step`).

Every STATE has at least the fields `key` (Zobrist key), `side` (to move, 0 or 1), `ply` (moves played) and `status` (RUNNING, WON or
DRAWN).
"""

RUNNING, WON, DRAWN = range(3)  # state.status; WON: the side that just moved has won
MAX_CHANGES = 3


def moves(state, out, start):
    """Writes the legal moves in ascending order to out[start:] and returns their number; the game still runs."""
    return 0


def play(state, move):
    """Plays a legal move in place; the game still runs."""


def undo(state, move):
    """Takes back the last move, `move`, in place, restoring every byte."""


def skip(state):
    """Hands the turn to the other side, without a move; its own inverse. For null-move pruning."""


def action_count(state):
    """Returns the number of actions, legal now or not."""
    return 0


def is_legal(state, move):
    """Tells whether `move` is a legal move of a game that still runs."""
    return False


def may_win_at_once(state):
    """Returns False only if no legal move of a running game wins it, quicker than by trying them all; True otherwise."""
    return True


def write_mask(state, mask, out):
    """Sets mask[action] to 1 for the legal moves of a running game and to 0 for all other actions; out: room for all moves."""
    for action in range(action_count(state)):
        mask[action] = 0
    for i in range(moves(state, out, 0)):
        mask[out[i]] = 1


def changes(state, move, out):
    """Writes what a legal move changes on the board to out, as pairs of a cell and what it holds afterwards; returns their number.

    A cell holds 0 if it is empty, 1 + side for a stone or a piece, or what else a game knows. There are MAX_CHANGES pairs at most, and if a
    cell comes twice, the later one counts.
    """
    return 0
