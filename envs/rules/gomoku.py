"""Rules of Gomoku: five in a row on a square board without gravity.

A move is a cell; cells are row-major with row 0 at the bottom, so that a1 is cell 0 and, on the 15x15 board, h8 (the centre) is
7 * 15 + 7 = 112. `freestyle`: five or more in a row win. `standard`: exactly five win, a longer line is nothing. A full board without a
winner is a draw. The functions follow `interface`.
"""

from .errors import check_choice, check_whole
from .interface import DRAWN, RUNNING, WON
from .lines import has_exact_line, has_line, lacks_one_stone, long_runs
from .notation import read_board, read_square, split_squares, square_text
from .state import State, state_type
from .stones import check_counts, settle
from .symmetry import board_symmetries, cell_map
from .zobrist import random_keys

MIN_SIZE, MAX_SIZE = 5, 20
FIVE = 5
RULES = ("freestyle", "standard")
STATE = state_type("key side ply status width height exact", cells=MAX_SIZE * MAX_SIZE)
KEYS = random_keys(3, MAX_SIZE * MAX_SIZE, 2)  # by cell and side
SIDE_KEY = int(random_keys(4, 1)[0])
EMPTY = 0  # cells hold EMPTY or 1 + side
LINE, FULL = range(2)  # endings


def initial(size=15, rule="freestyle"):
    """Returns the empty board.

    Args:
        size: side of the board, 5 to 20.
        rule: "freestyle" (five or more win) or "standard" (exactly five win).

    Raises:
        RulesError: a parameter is out of its range.
    """
    size = check_whole("size", size, MIN_SIZE, MAX_SIZE)
    return State(STATE, width=size, height=size, exact=int(check_choice("rule", rule, RULES) == "standard"))


def cell_count(state):
    """Returns the number of cells of the board."""
    return state.width * state.height


def action_count(state):
    """Returns the number of actions: one for each cell."""
    return state.width * state.height


def moves(state, out, start):
    """Writes the legal moves in ascending order to out[start:] and returns their number; the game still runs."""
    count = start
    for cell in range(state.width * state.height):
        if state.cells[cell] == EMPTY:
            out[count] = cell
            count += 1
    return count - start


def is_won_through(state, cell):
    """Tells whether the stone on `cell` completes a winning line."""
    return has_exact_line(state, cell, FIVE) if state.exact else has_line(state, cell, FIVE)


def play(state, move):
    """Places a stone of the side to move on the empty cell `move`; the game still runs."""
    side = state.side
    state.cells[move] = 1 + side
    state.key ^= KEYS[move, side] ^ SIDE_KEY
    state.side = 1 - side
    state.ply += 1
    if is_won_through(state, move):
        state.status = WON
    elif state.ply == state.width * state.height:
        state.status = DRAWN


def undo(state, move):
    """Takes back the last move, `move`."""
    side = 1 - state.side
    state.cells[move] = EMPTY
    state.key ^= KEYS[move, side] ^ SIDE_KEY
    state.side = side
    state.ply -= 1
    state.status = RUNNING


def skip(state):
    """Hands the turn to the other side; its own inverse."""
    state.side = 1 - state.side
    state.key ^= SIDE_KEY


def has_zugzwang(state):
    """Tells whether passing could be better than every move."""
    return False  # one more stone hardly ever hurts: an overline under the standard rule alone


def is_legal(state, move):
    """Tells whether `move` is a legal move of a game that still runs."""
    return 0 <= move < state.width * state.height and state.cells[move] == EMPTY


def may_win_at_once(state):
    """Returns False only if no legal move of a running game wins it."""
    return lacks_one_stone(state, 1 + state.side, FIVE)


def write_mask(state, mask, out):
    """Sets mask[action] to 1 for the legal moves of a running game and to 0 for all other actions."""
    for cell in range(state.width * state.height):
        mask[cell] = state.cells[cell] == EMPTY


def changes(state, move, out):
    """Writes the one cell that a legal move fills, and with whose stone, to out; returns 1."""
    out[0], out[1] = move, 1 + state.side
    return 1


def why_illegal(state, move):
    """Returns why a move is not legal in a game that still runs."""
    if not 0 <= move < action_count(state):
        return f"expected 0 to {action_count(state) - 1}"
    return f"{square_text(move, state.width)} is taken"


def ending(state):
    """Returns how a finished game ended: LINE or FULL."""
    return LINE if state.status == WON else FULL


def move_text(state, move):
    """Returns a move as text, such as "h8"."""
    return square_text(move, state.width)


def read_move(state, text):
    """Returns the move that a text stands for, legal or not, or None if it is no move of this board."""
    return read_square(text, state.width, state.height)


def split_moves(state, text):
    """Returns the single moves of a text; they need no spaces between them."""
    return split_squares(text)


def join_moves(state, texts):
    """Returns the text of several moves."""
    return " ".join(texts)


def set_board(state, text):
    """Sets an empty board to a board text.

    Raises:
        NotationError: the text is no board, or one that is impossible at sight; whether a game leads to it is not searched.
    """
    cells, state.side = read_board(text, state.width, state.height, "xo")
    check_counts(cells, state.side, text)
    for cell, owner in enumerate(cells):
        if owner:
            state.cells[cell] = owner
            state.key ^= KEYS[cell, owner - 1]
    state.ply = len(cells) - cells.count(EMPTY)
    state.key ^= SIDE_KEY * (state.ply & 1)
    settle(state, is_won_through, text)


def symmetries(state):
    """Returns the eight symmetries as pairs of lists: where each cell and where each action goes; the first is the identity."""
    maps = [cell_map(symmetry, state.width, state.height) for symmetry in board_symmetries(state.width, state.height)]
    return [(cells, cells) for cells in maps]


def winning_lines(state):
    """Returns the pairs of end cells of all lines that won a finished game."""
    found = long_runs(state, FIVE) if state.status == WON else []
    return [(first, last) for first, last, length in found if length == FIVE or not state.exact]
