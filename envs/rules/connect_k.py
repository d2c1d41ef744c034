"""Rules of Connect-K: k or more in a row on a width x height board, with or without gravity.

Cells are row-major with row 0 at the bottom:

    row 2 | 14 15 16 17 18 19 20
    row 1 |  7  8  9 10 11 12 13
    row 0 |  0  1  2  3  4  5  6      (width 7)

A move is a column with gravity and a cell without. Side 0 moves first; a full board without a line is a draw, and a line made by the
last stone is a win. Which longer lines win `exact` says (see `lines.is_winning`); `gomoku` sets it, no parameter does. The functions
follow `interface`.
"""

import numpy as np

from .errors import NotationError, RulesError, check_choice, check_whole, shown
from .interface import DRAWN, RUNNING, WON
from .lines import has_line, lacks_one_stone, winning_runs
from .notation import read_board, read_square, split_squares, square_text
from .state import State, state_type
from .symmetry import board_symmetries, cell_map
from .zobrist import random_keys

MAX_SIDE = 20
STATE = state_type(
    "key side ply status width height k gravity exact key_set",
    heights=MAX_SIDE,  # stones in each column, with gravity only
    cells=MAX_SIDE * MAX_SIDE,
)
CONNECT_K_KEYS, GOMOKU_KEYS = range(2)  # state.key_set
KEYS = np.stack([random_keys(seed, MAX_SIDE * MAX_SIDE, 2) for seed in (1, 3)])  # by key set, cell and side
SIDE_KEYS = np.concatenate([random_keys(seed, 1) for seed in (2, 4)])
MOVE_KEYS = KEYS ^ SIDE_KEYS.reshape(2, 1, 1)  # a stone, and the turn that passes with it
EMPTY = 0  # cells hold EMPTY or 1 + side
LINE, FULL = range(2)  # endings
COLUMN_NAMES = "123456789abcdefghijk"


def initial(width=9, height=7, k=5, gravity=False):
    """Returns the empty board.

    Args:
        width, height: 1 to 20.
        k: stones in a row that win, 1 to the larger side.
        gravity: stones fall to the lowest empty cell of a column.

    Raises:
        RulesError: a parameter is out of its range.
    """
    width, height = check_whole("width", width, 1, MAX_SIDE), check_whole("height", height, 1, MAX_SIDE)
    longest = max(width, height)
    if isinstance(k, int) and k > longest:
        raise RulesError(f"k: expected at most {longest}, the larger side of a {width}x{height} board, got {shown(k)}")
    k = check_whole("k", k, 1, longest)
    gravity = check_choice("gravity", gravity, (True, False))
    return State(STATE, width=width, height=height, k=k, gravity=int(gravity))


def action_count(state):
    """Returns the number of actions, legal now or not: columns with gravity, cells without."""
    return state.width if state.gravity else state.width * state.height


def moves(state, out, start):
    """Writes the legal moves in ascending order to out[start:] and returns their number; the game still runs."""
    count = start
    if state.gravity:
        for column in range(state.width):
            if state.heights[column] < state.height:
                out[count] = column
                count += 1
    else:
        for cell in range(state.width * state.height):
            if state.cells[cell] == EMPTY:
                out[count] = cell
                count += 1
    return count - start


def is_won_through(state, cell):
    """Tells whether the stone on `cell` is part of a winning line."""
    return has_line(state, cell, state.k, state.exact)


def wins_at(state, cell):
    """Tells whether a stone of the side to move on an empty cell would win."""
    state.cells[cell] = 1 + state.side
    is_win = is_won_through(state, cell)
    state.cells[cell] = EMPTY
    return is_win


def landing_cell(state, move):
    """Returns the cell that a legal move fills."""
    return state.heights[move] * state.width + move if state.gravity else move


def play(state, move):
    """Places a stone of the side to move; `move` is legal and the game still runs."""
    side, cell = state.side, landing_cell(state, move)
    state.cells[cell] = 1 + side
    if state.gravity:
        state.heights[move] += 1
    state.key ^= MOVE_KEYS[state.key_set, cell, side]
    state.side = 1 - side
    state.ply += 1
    if is_won_through(state, cell):
        state.status = WON
    elif state.ply == state.width * state.height:
        state.status = DRAWN


def undo(state, move):
    """Takes back the last move, `move`."""
    if state.gravity:
        state.heights[move] -= 1
    side, cell = 1 - state.side, landing_cell(state, move)
    state.cells[cell] = EMPTY
    state.key ^= MOVE_KEYS[state.key_set, cell, side]
    state.side = side
    state.ply -= 1
    state.status = RUNNING


def skip(state):
    """Hands the turn to the other side; its own inverse."""
    state.side = 1 - state.side
    state.key ^= SIDE_KEYS[state.key_set]


def has_zugzwang(state):
    """Tells whether passing could be better than every move."""
    return bool(state.gravity)  # a stone opens the cell above it; without gravity a stone hardly ever hurts, only by making a row too long


def is_legal(state, move):
    """Tells whether `move` is a legal move of a game that still runs."""
    if state.gravity:
        return 0 <= move < state.width and state.heights[move] < state.height
    return 0 <= move < state.width * state.height and state.cells[move] == EMPTY


def may_win_at_once(state):
    """Returns False only if no legal move of a running game wins it."""
    return lacks_one_stone(state, 1 + state.side, state.k)


def write_mask(state, mask, out):
    """Sets mask[action] to 1 for the legal moves of a running game and to 0 for all other actions."""
    if state.gravity:
        for column in range(state.width):
            mask[column] = state.heights[column] < state.height
    else:
        for cell in range(state.width * state.height):
            mask[cell] = state.cells[cell] == EMPTY


def changes(state, move, out):
    """Writes the one cell that a legal move fills, and with whose stone, to out; returns 1."""
    out[0], out[1] = landing_cell(state, move), 1 + state.side
    return 1


def why_illegal(state, move):
    """Returns why a move is not legal in a game that still runs."""
    if not 0 <= move < action_count(state):
        return f"expected 0 to {action_count(state) - 1}"
    return f"column {COLUMN_NAMES[move]} is full" if state.gravity else f"{square_text(move, state.width)} is taken"


def ending(state):
    """Returns how a finished game ended: LINE or FULL."""
    return LINE if state.status == WON else FULL


def move_text(state, move):
    """Returns a move as text: with gravity the column, one character from 1; without, the square."""
    return COLUMN_NAMES[move] if state.gravity else square_text(move, state.width)


def read_move(state, text):
    """Returns the move that a text means, legal or not, or None if it is not a move of this board."""
    if not state.gravity:
        return read_square(text, state.width, state.height)
    column = COLUMN_NAMES.find(text) if len(text) == 1 else -1
    return column if 0 <= column < state.width else None


def split_moves(state, text):
    """Returns the single moves of a text; they need no spaces between them."""
    return list("".join(text.split())) if state.gravity else split_squares(text)


def join_moves(state, texts):
    """Returns the text of several moves."""
    return ("" if state.gravity else " ").join(texts)


def set_board(state, text):
    """Sets an empty board to a board text.

    Raises:
        NotationError: the text is not a board, or breaks a rule that can be checked without searching for a game that leads to it.
    """
    width, height = state.width, state.height
    cells, state.side = read_board(text, width, height, "xo")
    check_counts(cells, state.side, text)
    for cell, owner in enumerate(cells):
        if owner:
            if state.gravity and cell >= width and not cells[cell - width]:
                raise NotationError(
                    f"board text {shown(text)}: expected no gap below a stone, got a floating one on {square_text(cell, width)}"
                )
            state.cells[cell] = owner
            state.heights[cell % width] += state.gravity
            state.key ^= KEYS[state.key_set, cell, owner - 1]
    state.ply = width * height - cells.count(EMPTY)
    state.key ^= SIDE_KEYS[state.key_set] * (state.ply & 1)
    winners = {owner for cell, owner in enumerate(cells) if owner and is_won_through(state, cell)}
    check_winners(winners, state.side, text)
    state.status = WON if winners else DRAWN if state.ply == width * height else RUNNING


def check_counts(cells, side, text):
    """Raises NotationError unless the numbers of stones fit the side to move."""
    first, second = cells.count(1), cells.count(2)
    if first - second != side:
        expected = "one more x than o" if side else "as many x as o"
        raise NotationError(f"board text {shown(text)}: expected {expected} with {'xo'[side]} to move, got {first} x and {second} o")


def check_winners(winners, side, text):
    """Raises NotationError if stones of both sides, or of the side to move, make a line."""
    if len(winners) == 2:
        raise NotationError(f"board text {shown(text)}: expected a line of at most one side, got lines of both")
    if 1 + side in winners:
        mover = "xo"[side]
        raise NotationError(f"board text {shown(text)}: expected no line of {mover} with {mover} to move, as the game was over before")


def symmetries(state):
    """Returns the symmetries of the board as pairs of lists: where each cell and where each action goes; the first is the identity."""
    pairs = []
    for symmetry in board_symmetries(state.width, state.height, only_mirror=bool(state.gravity)):
        cells = cell_map(symmetry, state.width, state.height)
        pairs.append((cells, cells[: state.width] if state.gravity else cells))
    return pairs


def winning_lines(state):
    """Returns the pairs of end cells of all lines that won a finished game."""
    return winning_runs(state, state.k, state.exact) if state.status == WON else []
