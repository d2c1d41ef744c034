"""Rules of Isola: two pieces on a board whose squares disappear; the side to move that cannot move loses, and there are no draws.

Squares are row-major with row 0 at the bottom, so that a1 is square 0 and, on the 8x8 board, h8 is square 63. A rule set is a combination
of

- the step of a piece: `king` (one square), `queen` (any distance, not through or onto a gone or occupied square), or a `knight`'s jump;
- what disappears: the `vacated` square, or `any` unoccupied square of the mover's choice, the vacated one too;
- the start squares, or none: then each side's first move places its piece on any open square;
- fixed starts: the start squares never disappear and may be entered again.

Moves. A step is numbered direction + 8 * (distance - 1), directions clockwise from north (N NE E SE S SW W NW; the knight's from NNE), as
seen from side 0 with row 0 at the bottom. Where the vacated square disappears, a move is the destination square. Where any square may, it
is

    step * number of squares + removed square

and if nothing can be removed, the destination counts as the removed square. A placement removes nothing: it is the square itself.

Only the side to move can lose: with free removal the opponent's vacated square can free a stuck piece.
This module holds the parameters, the start, and moves and boards as text; the kernels are in `isola_law`. Both follow `interface`.
"""

import re

from .errors import NotationError, RulesError, check_choice, check_whole
from .interface import RUNNING, WON
from .isola_board import RuleSet, find_problem
from .isola_law import (  # noqa: F401 - kernels of the interface
    GONE_KEYS,
    MAX_SIDE,
    MAX_SQUARES,
    PIECE_KEYS,
    SIDE_KEY,
    action_count,
    can_move,
    changes,
    destination_of,
    is_legal,
    may_win_at_once,
    moves,
    play,
    skip,
    step_count,
    undo,
)
from .isola_presets import NOWHERE, PRESETS, start_squares
from .isola_steps import ANY, DIRECTIONS, GONE, KING_COLUMNS, KING_ROWS, KNIGHT, KNIGHT_COLUMNS, KNIGHT_ROWS, OPEN, VACATED, reach
from .notation import read_board, read_square, square_text
from .state import State, state_type
from .symmetry import board_symmetries, cell_map, vector_image

STEPS = ("king", "queen", "knight")
REMOVALS = ("vacated", "any")
STATE = state_type(
    "key side ply status width height step removal fixed start0 start1",
    pieces=2,  # squares of the two pieces
    cells=MAX_SQUARES,  # OPEN, 1 + side of a piece, or GONE
    trail=2 * MAX_SQUARES + 8,  # the origin of the piece that each ply moved; at least one ply in two removes a square
)


def initial(rules="queen", width=None, height=None, step=None, removal=None, starts=None, fixed=None):
    """Returns the start of a game.

    Args:
        rules: a preset, one of PRESETS; the other arguments replace its parts.
        width, height: 1 to 15.
        step: "king", "queen" or "knight".
        removal: "vacated" or "any".
        starts: "corners" (top left, bottom right), "left_right" or "bottom_top" (middles of those edges; on an even edge the two middles
            that face each other across the centre), "none" (free placement), or two squares such as ["a3", "h4"].
        fixed: the start squares never disappear and may be entered again.

    Raises:
        RulesError: a part is unknown or out of its range.
    """
    parts = dict(PRESETS[check_choice("rules", rules, tuple(PRESETS))])
    changed = {"width": width, "height": height, "step": step, "removal": removal, "starts": starts, "fixed": fixed}
    parts.update({name: value for name, value in changed.items() if value is not None})
    width, height = check_whole("width", parts["width"], 1, MAX_SIDE), check_whole("height", parts["height"], 1, MAX_SIDE)
    start0, start1 = start_squares(parts["starts"], width, height)
    fixed = check_choice("fixed", parts["fixed"], (True, False))
    if fixed and start0 == NOWHERE:
        raise RulesError("fixed: expected False with starts='none', as there are no start squares to keep, got True")
    state = State(
        STATE,
        width=width,
        height=height,
        step=STEPS.index(check_choice("step", parts["step"], STEPS)),
        removal=REMOVALS.index(check_choice("removal", parts["removal"], REMOVALS)),
        fixed=int(fixed),
        start0=start0,
        start1=start1,
    )
    set_pieces(state, start0, start1)
    return state


def set_pieces(state, first, second):
    """Puts the two pieces on a board without any, NOWHERE for none, and sets the status."""
    for side, square in enumerate((first, second)):
        state.pieces[side] = square
        if square != NOWHERE:
            state.cells[square] = 1 + side
            state.key ^= PIECE_KEYS[square, side]
    state.status = RUNNING if can_move(state) else WON


def has_zugzwang(state):
    """Tells whether passing could be better than every move."""
    return True  # a move gives up squares


def why_illegal(state, move):
    """Returns why a move is not legal in a game that still runs."""
    if not 0 <= move < action_count(state):
        return f"expected 0 to {action_count(state) - 1}"
    piece = state.pieces[state.side]
    return "the square is not open" if piece == NOWHERE else f"the piece on {square_text(piece, state.width)} cannot make it"


def move_text(state, move):
    """Returns a move of the side to move as text, such as "a8-c6", "a3-b4xd5" or, for a placement, "d4"."""
    origin, destination = state.pieces[state.side], destination_of(state, move)
    if origin == NOWHERE:
        return square_text(move, state.width)
    step = f"{square_text(origin, state.width)}-{square_text(destination, state.width)}"
    return step if state.removal == VACATED else f"{step}x{square_text(move % (state.width * state.height), state.width)}"


def read_move(state, text):
    """Returns the move that a text means for the side to move, legal or not, or None if its piece has no such move."""
    match = re.fullmatch(r"(?:([a-o]\d+)-)?([a-o]\d+)(?:x([a-o]\d+))?", text)
    names = match.groups() if match else ()
    squares = [None if name is None else read_square(name, state.width, state.height) for name in names]
    if not match or any(name is not None and square is None for name, square in zip(names, squares, strict=True)):
        return None
    origin, destination, removed = squares
    here = None if state.pieces[state.side] == NOWHERE else state.pieces[state.side]
    if origin != here or (removed is not None) != (state.removal == ANY and here is not None):
        return None
    if removed is None:
        return destination
    steps = (step for step in range(step_count(state)) if reach(state, here, step % DIRECTIONS, step // DIRECTIONS + 1) == destination)
    step = next(steps, None)
    return None if step is None else step * (state.width * state.height) + removed


def split_moves(state, text):
    """Returns the single moves of a text."""
    return text.split()


def join_moves(state, texts):
    """Returns the text of several moves."""
    return " ".join(texts)


def set_board(state, text):
    """Sets the start of a game to a board text.

    Raises:
        NotationError: the text is not a board, or breaks a rule that can be checked without searching (see `isola_board`).
    """
    cells, side = read_board(text, state.width, state.height, "xo#")
    rules = RuleSet(state.width, state.height, state.removal, bool(state.fixed), (state.start0, state.start1))
    problem = find_problem(rules, cells, side)
    if problem:
        raise NotationError(f"board text {text!r}: {problem}")
    pieces = tuple(cells.index(owner) if owner in cells else NOWHERE for owner in (1, 2))
    for square in range(state.width * state.height):
        state.cells[square] = OPEN
        if cells[square] == GONE:
            state.cells[square] = GONE
            state.key ^= GONE_KEYS[square]
    for piece_side, start in enumerate((state.start0, state.start1)):
        if start != NOWHERE:
            state.key ^= PIECE_KEYS[start, piece_side]
    moved = cells.count(GONE) + (state.start0 == NOWHERE and sum(square != NOWHERE for square in pieces))
    state.side, state.ply = side, moved + (moved + side & 1)
    state.key ^= SIDE_KEY * side
    set_pieces(state, *pieces)


def symmetries(state):
    """Returns the symmetries of the rule set as pairs of lists: where each cell and where each action goes; the first is the identity.

    Fixed start squares must go to start squares. A placement is step 0 where any square may be removed, so it must stay step 0.
    """
    pairs, starts = [], {state.start0, state.start1}
    for symmetry in board_symmetries(state.width, state.height):
        cells = cell_map(symmetry, state.width, state.height)
        if state.fixed and {cells[start] for start in starts} != starts:
            continue
        if state.removal == VACATED:
            pairs.append((cells, cells))
            continue
        columns, rows = (KNIGHT_COLUMNS, KNIGHT_ROWS) if state.step == KNIGHT else (KING_COLUMNS, KING_ROWS)
        vectors = list(zip(columns, rows, strict=True))
        turned = [vectors.index(vector_image(symmetry, *vector)) for vector in vectors]
        if state.start0 == NOWHERE and turned[0] != 0:
            continue
        steps = (turned[step % DIRECTIONS] + step // DIRECTIONS * DIRECTIONS for step in range(step_count(state)))
        pairs.append((cells, [step * len(cells) + cell for step in steps for cell in cells]))
    return pairs


def lasting_cells(state):
    """Returns the fixed start squares, which never disappear."""
    return tuple(square for square in (state.start0, state.start1) if square != NOWHERE) if state.fixed else ()
