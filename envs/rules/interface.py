"""The functions that a game gives to every template (search, playout, batch step, perft) and to `Position`.

A rules module defines all of them as plain functions on the named fields of a record type STATE; those in OPTIONAL have a default that it
may improve. Binding (see `envs.compiled`) replaces these placeholders by a game's own functions. The functions of the first two groups are
kernels: they run on a record of STATE, compiled or not, and on a plain `State` object. All trust their caller: legality is checked by
`Position.push` and `Env.step`.

Every STATE has at least the fields `key` (Zobrist key), `side` (to move, 0 or 1), `ply` (moves played), `status` (RUNNING, WON or DRAWN),
`width` and `height`; unless it is of bitboards also `cells`, uint8, row-major with row 0 at the bottom: 0 if empty, 1 + side for a stone or
a piece, and from 3 on whatever else the game has.
"""

RUNNING, WON, DRAWN = range(3)  # state.status; WON: the side that just moved has won
MAX_CHANGES = 3


# ------------------------------------------------------------------------------------------------------------------ Playing


def moves(state, out, start):
    """Writes the legal moves in ascending order to out[start:] and returns their number; the game still runs."""
    return 0


def play(state, move):
    """Plays a legal move in place; the game still runs."""


def undo(state, move):
    """Takes back the last move, `move`, in place, restoring every byte."""


def skip(state):
    """Hands the turn to the other side, without a move; its own inverse. For null-move pruning."""


# ------------------------------------------------------------------------------------------------------------------ Asking


def action_count(state):
    """Returns the number of actions, legal now or not."""
    return 0


def is_legal(state, move):
    """Tells whether `move` is a legal move of a game that still runs."""
    return False


def may_win_at_once(state):
    """Returns False only if no legal move of a running game wins it; meant to be faster than trying all moves. True by default."""
    return True


def write_mask(state, mask, out):
    """Sets mask[action] to 1 for the legal moves of a running game and to 0 for all other actions; out: room for all moves."""
    for action in range(action_count(state)):
        mask[action] = 0
    for i in range(moves(state, out, 0)):
        mask[out[i]] = 1


def changes(state, move, out):
    """Writes the cells that a legal move changes to out, as pairs of a cell and its new content; returns their number.

    There are at most MAX_CHANGES pairs; if a cell comes twice, the later pair counts.
    """
    return 0


def keep_legal(state, out, start, count):
    """Keeps of out[start:start + count], moves to empty cells, those that are legal and returns their number; by default all."""
    return count


def ending(state):
    """Returns how a finished game ended, as an index into the endings of its `GameKind`; by default the first."""
    return 0


# ------------------------------------------------------------------------------------------------------------------ In plain Python


def module_for(state):
    """Returns the module whose functions play on from a start, or None if this one does, as by default."""
    return


def initial(**parameters):
    """Returns the State at the start; a game has its own parameters with defaults. Raises RulesError for one out of its range."""
    raise NotImplementedError


def has_zugzwang(state):
    """Tells whether passing could be better than every move, so that null-move pruning is refused."""
    return True


def why_illegal(state, move):
    """Returns why a move is not legal in a game that still runs."""
    return "it is not legal"


def move_text(state, move):
    """Returns a move of the side to move as text."""
    return str(move)


def read_move(state, text):
    """Returns the move that a text means, legal or not, or None if it is not a move of this board."""
    return


def split_moves(state, text):
    """Returns the single moves of a text, a list of texts."""
    return text.split()


def join_moves(state, texts):
    """Returns the text of several moves."""
    return " ".join(texts)


def set_board(state, text):
    """Sets a state at the start to a board text (see `rules.notation`), or raises NotationError."""
    raise NotImplementedError


def symmetries(state):
    """Returns the symmetries as pairs of lists: where each cell and where each action goes; the first is the identity."""
    return []


# ------------------------------------------------------------------------------------------------------------------ For drawings


def winning_lines(state):
    """Returns the pairs of end cells of all lines that won a finished game; none by default."""
    return []


def lasting_cells(state):
    """Returns the cells that never disappear in a game where cells do; none by default."""
    return ()


def forbidden_cells(state):
    """Returns the empty cells to which the side to move may not move in a running game; none by default."""
    return ()


OPTIONAL = (may_win_at_once, write_mask, keep_legal, ending, module_for, winning_lines, lasting_cells, forbidden_cells)
