"""What a game gives to every template (search, playout, batch step, perft).

These functions are placeholders: binding (see `envs.compiled`) puts a game's own functions in their place. Every rules module defines them,
beside a record type STATE, as plain functions on named fields. They run on a record of STATE, compiled or not, and on a plain
`State` object. They trust their caller: legality is checked at the doors (`Position.push`, `Env.step`).

Every STATE has at least the fields `key` (Zobrist key), `side` (to move, 0 or 1), `ply` (moves played) and `status` (RUNNING, WON or
DRAWN).
"""

RUNNING, WON, DRAWN = range(3)  # state.status; WON: the side that just moved has won


def moves(state, out, start):
    """Writes the legal moves in ascending order to out[start:] and returns their number; the game still runs."""
    return 0


def play(state, move):
    """Plays a legal move in place; the game still runs."""


def undo(state, move):
    """Takes back the last move, `move`, in place, restoring every byte."""


def skip(state):
    """Hands the turn to the other side, without a move; its own inverse. For null-move pruning."""
