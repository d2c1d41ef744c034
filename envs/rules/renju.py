"""Rules of renju: Gomoku in which some moves are forbidden to side 0.

Side 0 wins with exactly five in a row, side 1 with five or more. A move of side 0 that makes no five is a foul, and not legal, if it makes

    an overline     six or more in a row
    a double four   two fours; they may lie on one line
    a double three  two threes

where the stone just placed belongs to all of them, and

    a four          is four stones in a row that one more stone makes a five, though there be a gap for it
    straight four   is a four without a gap that either of two stones makes a five
    a three         is three stones that one more stone makes a straight four, on a cell where it makes no five and is no foul itself

So whether a three counts can hang on other threes, and these on others again. If fouls alone are left to side 0, the game is drawn.

Every foul takes LEAST_NEAR other stones of side 0 within NEAR steps on the lines through the cell. `near` counts them for each cell, so
that most cells need no closer look.

Source: the rules of the Renju International Federation (1996), without their opening and passes.
"""

import numpy as np

from .connect_k import (  # noqa: F401 - the same rules
    EMPTY,
    FULL,
    LINE,
    MAX_SIDE,
    action_count,
    changes,
    join_moves,
    may_win_at_once,
    move_text,
    read_move,
    skip,
    split_moves,
    symmetries,
    winning_lines,
)
from .connect_k import STATE as PLAIN_STATE
from .connect_k import is_legal as is_free
from .connect_k import moves as free_cells
from .connect_k import play as place
from .connect_k import set_board as set_stones
from .connect_k import undo as take_back
from .connect_k import why_illegal as why_taken
from .errors import NotationError, shown
from .interface import DRAWN, RUNNING, WON
from .lines import AXES, axis_columns, axis_rows, run_length

STATE = np.dtype([*PLAIN_STATE.descr, ("near", np.uint8, (MAX_SIDE * MAX_SIDE,))])
NEAR, LEAST_NEAR = 4, 4
BLACK = 1  # a cell with a stone of side 0
THREE, FOUR, FIVE = 3, 4, 5
NONE = -1  # no cell
FORBIDDEN = FULL + 1  # an ending
ALLOWED, WINS, OVERLINE, DOUBLE_FOUR, DOUBLE_THREE = range(5)  # what a move of side 0 is, a foul from OVERLINE on
FOULS = {OVERLINE: "overline", DOUBLE_FOUR: "double four", DOUBLE_THREE: "double three"}


# ------------------------------------------------------------------------------------------------------------------ Fouls


def verdict(state, cell):
    """Returns what a move of side 0 to an empty cell is, ALLOWED to DOUBLE_THREE; the state is left as it is."""
    column, row = cell % state.width, cell // state.width
    state.cells[cell] = BLACK
    found, is_overline, fours, threes = ALLOWED, False, 0, 0
    for axis in range(AXES):
        length, fours_here, ahead, behind = look_along(state, column, row, axis)
        if length == FIVE:
            found = WINS
        is_overline |= length > FIVE
        fours += fours_here
        threes += 1 if ahead != NONE or behind != NONE else 0
    if found != WINS:
        if is_overline:
            found = OVERLINE
        elif fours > 1:
            found = DOUBLE_FOUR
        elif threes > 1:
            threes = 0
            for axis in range(AXES):
                _, _, ahead, behind = look_along(state, column, row, axis)
                if (ahead != NONE and verdict(state, ahead) == ALLOWED) or (behind != NONE and verdict(state, behind) == ALLOWED):
                    threes += 1
            if threes > 1:
                found = DOUBLE_THREE
    state.cells[cell] = EMPTY
    return found


def look_along(state, column, row, axis):
    """Looks from a stone of side 0 along an axis, both ways.

    Returns:
        The length of the run through the stone, how many fours the stone is part of, and the cells that make a straight four of the run,
        ahead and behind, NONE if the cell there does not.
    """
    columns, rows = axis_columns(axis), axis_rows(axis)
    run_ahead, gap_ahead, next_ahead, is_open_ahead = look(state, column, row, columns, rows)
    run_behind, gap_behind, next_behind, is_open_behind = look(state, column, row, -columns, -rows)
    length, fours, ahead, behind = 1 + run_ahead + run_behind, 0, NONE, NONE
    if gap_ahead != NONE and length + next_ahead == FOUR:
        fours += 1
    if gap_behind != NONE and length + next_behind == FOUR:
        fours += 1
    if fours == 2 and length == FOUR:
        fours = 1  # one straight four
    if gap_ahead != NONE and gap_behind != NONE:
        if length + next_ahead == THREE and is_open_ahead and next_behind == 0:
            ahead = gap_ahead
        if length + next_behind == THREE and is_open_behind and next_ahead == 0:
            behind = gap_behind
    return length, fours, ahead, behind


def look(state, column, row, columns, rows):
    """Looks from a cell one way: stones of side 0, a gap, the next stones of side 0.

    Returns:
        The number of the first stones, the empty cell that ends them (NONE if something else does), the number of the next ones, and
        whether these end at an empty cell where one more stone makes them no longer than by one.
    """
    width, height, cells = state.width, state.height, state.cells
    x, y, run, following = column + columns, row + rows, 0, 0
    while 0 <= x < width and 0 <= y < height and cells[y * width + x] == BLACK:
        x, y, run = x + columns, y + rows, run + 1
    if not (0 <= x < width and 0 <= y < height) or cells[y * width + x] != EMPTY:
        return run, NONE, 0, False
    gap = y * width + x
    x, y = x + columns, y + rows
    while 0 <= x < width and 0 <= y < height and cells[y * width + x] == BLACK:
        x, y, following = x + columns, y + rows, following + 1
    if not (0 <= x < width and 0 <= y < height) or cells[y * width + x] != EMPTY:
        return run, gap, following, False
    x, y = x + columns, y + rows
    return run, gap, following, not (0 <= x < width and 0 <= y < height) or cells[y * width + x] != BLACK


def is_foul(state, cell):
    """Tells whether a move of side 0 to an empty cell is a foul."""
    return state.near[cell] >= LEAST_NEAR and verdict(state, cell) >= OVERLINE


def count_near(state, cell, amount):
    """Adds a stone of side 0 to the counts of the cells near it, or takes it away (amount -1)."""
    x, y = cell % state.width, cell // state.width
    for axis in range(AXES):
        columns, rows = axis_columns(axis), axis_rows(axis)
        for steps in range(-NEAR, NEAR + 1):
            column, row = x + steps * columns, y + steps * rows
            if steps != 0 and 0 <= column < state.width and 0 <= row < state.height:
                other = row * state.width + column
                state.near[other] = np.int64(state.near[other]) + amount


def keep_legal(state, out, start, count):
    """Keeps of out[start:start + count], empty cells, those that are legal moves and returns their number."""
    if state.side == 1:
        return count
    kept = start
    for i in range(start, start + count):
        if not is_foul(state, out[i]):
            out[kept] = out[i]
            kept += 1
    return kept - start


def can_move(state):
    """Tells whether the side to move has a legal move."""
    for cell in range(state.width * state.height):
        if state.cells[cell] == EMPTY and (state.side == 1 or not is_foul(state, cell)):
            return True
    return False


# ------------------------------------------------------------------------------------------------------------------ Playing


def moves(state, out, start):
    """Writes the legal moves in ascending order to out[start:] and returns their number; the game still runs."""
    return keep_legal(state, out, start, free_cells(state, out, start))


def play(state, move):
    """Places a stone of the side to move; `move` is legal and the game still runs."""
    place(state, move)
    if state.side == 1:
        count_near(state, move, 1)
    elif state.status == RUNNING and not can_move(state):
        state.status = DRAWN


def undo(state, move):
    """Takes back the last move, `move`."""
    take_back(state, move)
    if state.side == 0:
        count_near(state, move, -1)


def is_legal(state, move):
    """Tells whether `move` is a legal move of a game that still runs."""
    return is_free(state, move) and (state.side == 1 or not is_foul(state, move))


def write_mask(state, mask, out):
    """Sets mask[action] to 1 for the legal moves of a running game and to 0 for all other actions."""
    for cell in range(state.width * state.height):
        mask[cell] = state.cells[cell] == EMPTY and (state.side == 1 or not is_foul(state, cell))


def ending(state):
    """Returns how a finished game ended: LINE, FULL or FORBIDDEN."""
    if state.status == WON:
        return LINE
    return FULL if state.ply == state.width * state.height else FORBIDDEN


# ------------------------------------------------------------------------------------------------------------------ In plain Python


def has_zugzwang(state):
    """Tells whether passing could be better than every move: fouls can be all that is left to side 0."""
    return True


def why_illegal(state, move):
    """Returns why a move is not legal in a game that still runs."""
    return FOULS[verdict(state, move)] if is_free(state, move) else why_taken(state, move)


def set_board(state, text):
    """Sets an empty board to a board text.

    Raises:
        NotationError: the text is not a board, or breaks a rule that can be checked without searching for a game that leads to it.
    """
    set_stones(state, text)
    stones = [cell for cell in range(state.width * state.height) if state.cells[cell] == BLACK]
    for cell in stones:
        count_near(state, cell, 1)
    if state.status != WON and any(run_length(state, cell, axis) > FIVE for cell in stones for axis in range(AXES)):
        raise NotationError(f"board text {shown(text)}: expected no more than five x in a row, got an overline")
    if state.status == RUNNING and not can_move(state):
        state.status = DRAWN


def forbidden_cells(state):
    """Returns the cells of the fouls."""
    cells = range(state.width * state.height) if state.side == 0 else ()
    return [cell for cell in cells if state.cells[cell] == EMPTY and is_foul(state, cell)]
