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

and if nothing can be removed the destination stands for the removed square. A placement removes nothing: it is the square itself.

The loss is tested on the turn of the side to move only: with free removal the opponent's vacated square can free a stuck piece.
The functions follow `interface`. What they ask of a board and do to it stands in `isola_cells`, for which `isola_bitboards`
stands in on small boards.
"""

import re

from .errors import NotationError, RulesError, check_choice, check_whole
from .interface import RUNNING, WON
from .isola_board import RuleSet, find_problem
from .isola_cells import (
    can_remove,
    can_step,
    count_open_around,
    has_open,
    has_open_around,
    is_kept,
    is_open,
    occupy,
    remove,
    restore,
    vacate,
    write_open,
    write_removals,
    write_steps,
)
from .isola_presets import NOWHERE, PRESETS, start_squares
from .isola_steps import (
    ANY,
    DIRECTIONS,
    GONE,
    KING_COLUMNS,
    KING_ROWS,
    KNIGHT,
    KNIGHT_COLUMNS,
    KNIGHT_ROWS,
    MOST_CLOSED,
    OPEN,
    VACATED,
    furthest,
    reach,
    target,
)
from .notation import read_board, read_square, square_text
from .state import State, state_type
from .symmetry import board_symmetries, cell_map, vector_image
from .zobrist import random_keys

MAX_SIDE = 15
MAX_SQUARES = MAX_SIDE * MAX_SIDE
STEPS = ("king", "queen", "knight")
REMOVALS = ("vacated", "any")
STATE = state_type(
    "key side ply status width height step removal fixed start0 start1",
    pieces=2,  # squares of the two pieces
    cells=MAX_SQUARES,  # OPEN, 1 + side of a piece, or GONE
    trail=2 * MAX_SQUARES + 8,  # where the piece moved by each ply came from; one ply in two removes a square at least
)
PIECE_KEYS = random_keys(5, MAX_SQUARES, 2)  # by square and side
GONE_KEYS = random_keys(6, MAX_SQUARES)
SIDE_KEY = int(random_keys(7, 1)[0])


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
    given = {"width": width, "height": height, "step": step, "removal": removal, "starts": starts, "fixed": fixed}
    parts.update({name: value for name, value in given.items() if value is not None})
    width, height = check_whole("width", parts["width"], 1, MAX_SIDE), check_whole("height", parts["height"], 1, MAX_SIDE)
    start0, start1 = start_squares(parts["starts"], width, height)
    fixed = check_choice("fixed", parts["fixed"], (True, False))
    if fixed and start0 == NOWHERE:
        raise RulesError("fixed: expected False, as there are no start squares to keep, got True")
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
    """Puts the two pieces on an empty board, NOWHERE for none, and settles whether the side to move can move."""
    for side, square in enumerate((first, second)):
        state.pieces[side] = square
        if square != NOWHERE:
            state.cells[square] = 1 + side
            state.key ^= PIECE_KEYS[square, side]
    state.status = RUNNING if can_move(state) else WON


def step_count(state):
    """Returns the number of different steps: eight directions, for a queen times the distances."""
    return DIRECTIONS * furthest(state)


def action_count(state):
    """Returns the number of actions, legal now or not: squares, or steps x squares where any square may be removed."""
    squares = state.width * state.height
    return squares if state.removal == VACATED else step_count(state) * squares


def moves(state, out, start):
    """Writes the legal moves in ascending order to out[start:] and returns their number; the game still runs."""
    squares, origin, count = state.width * state.height, state.pieces[state.side], start
    if origin == NOWHERE:
        return write_open(state, out, start)
    if state.removal == VACATED:
        return write_steps(state, origin, out, start)
    blocked = 0  # a bit for each direction that is closed from some distance on
    for distance in range(1, furthest(state) + 1):
        for direction in range(DIRECTIONS):
            if blocked >> direction & 1:
                continue
            destination = reach(state, origin, direction, distance)
            if destination == NOWHERE or not is_open(state, destination):
                blocked |= 1 << direction
                continue
            step = direction + DIRECTIONS * (distance - 1)
            count += write_removals(state, origin, destination, step * squares, out, count)
    return count - start


def can_move(state):
    """Tells whether the side to move has a legal move."""
    origin = state.pieces[state.side]
    return has_open(state) if origin == NOWHERE else has_open_around(state, origin)


def destination_of(state, move):
    """Returns the square that a legal move of the side to move leads to."""
    origin = state.pieces[state.side]
    if state.removal == VACATED or origin == NOWHERE:
        return move
    step = move // (state.width * state.height)
    return target(state, origin, step % DIRECTIONS, step // DIRECTIONS + 1)


def removed_by(state, move, origin, destination):
    """Returns the square that a move removes, or NOWHERE if it removes none."""
    if origin == NOWHERE:
        return NOWHERE
    if state.removal == VACATED:
        return NOWHERE if is_kept(state, origin) else origin
    square = move % (state.width * state.height)
    return NOWHERE if square == destination else square


def play(state, move):
    """Moves the piece of the side to move and removes a square; `move` is legal and the game still runs."""
    side = state.side
    origin, destination = state.pieces[side], destination_of(state, move)
    if origin != NOWHERE:
        vacate(state, origin)
        state.key ^= PIECE_KEYS[origin, side]
    occupy(state, destination, side)
    state.pieces[side] = destination
    removed = removed_by(state, move, origin, destination)
    if removed != NOWHERE:
        remove(state, removed)
        state.key ^= GONE_KEYS[removed]
    state.trail[state.ply] = origin
    state.key ^= PIECE_KEYS[destination, side] ^ SIDE_KEY
    state.side = 1 - side
    state.ply += 1
    if not can_move(state):
        state.status = WON


def undo(state, move):
    """Takes back the last move, `move`."""
    state.ply -= 1
    state.status = RUNNING
    side = 1 - state.side
    origin, destination = state.trail[state.ply], state.pieces[side]
    state.trail[state.ply] = 0
    removed = removed_by(state, move, origin, destination)
    if removed != NOWHERE:
        restore(state, removed)
        state.key ^= GONE_KEYS[removed]
    vacate(state, destination)
    state.pieces[side] = origin
    if origin != NOWHERE:
        occupy(state, origin, side)
        state.key ^= PIECE_KEYS[origin, side]
    state.key ^= PIECE_KEYS[destination, side] ^ SIDE_KEY
    state.side = side


def skip(state):
    """Hands the turn to the other side; its own inverse."""
    state.side = 1 - state.side
    state.key ^= SIDE_KEY


def has_zugzwang(state):
    """Tells whether passing could be better than every move."""
    return True  # a move gives up squares


def may_win_at_once(state):
    """Returns False only if no legal move of a running game wins it: the opponent has too many squares to go to for one move to close."""
    square = state.pieces[1 - state.side]
    return square == NOWHERE or count_open_around(state, square) <= MOST_CLOSED


def is_legal(state, move):
    """Tells whether `move` is a legal move of a game that still runs."""
    squares, origin = state.width * state.height, state.pieces[state.side]
    if not 0 <= move < action_count(state):
        return False
    if origin == NOWHERE:
        return move < squares and is_open(state, move)
    if state.removal == VACATED:
        return can_step(state, origin, move)
    step = move // squares
    direction, distance = step % DIRECTIONS, step // DIRECTIONS + 1
    for nearer in range(1, distance + 1):
        square = reach(state, origin, direction, nearer)
        if square == NOWHERE or not is_open(state, square):
            return False
    return can_remove(state, origin, target(state, origin, direction, distance), move % squares)


def changes(state, move, out):
    """Writes the squares that a legal move changes to out, as pairs with what they hold afterwards; returns their number."""
    origin, destination = state.pieces[state.side], destination_of(state, move)
    removed, count = removed_by(state, move, origin, destination), 0
    if origin != NOWHERE:
        out[0], out[1], count = origin, OPEN, 1
    if removed != NOWHERE:
        out[2 * count], out[2 * count + 1] = removed, GONE
        count += 1
    out[2 * count], out[2 * count + 1] = destination, 1 + state.side
    return count + 1


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
    """Returns the move of the side to move that a text stands for, legal or not, or None if it is no move of its piece."""
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
        NotationError: the text is no board, or one that is impossible at sight (see `isola_board`).
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
    """Returns the fixed start squares, which can never disappear."""
    return tuple(square for square in (state.start0, state.start1) if square != NOWHERE) if state.fixed else ()
