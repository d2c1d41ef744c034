"""The steps of Isola's pieces: directions, distances, the squares they lead to, and the squares that may disappear after one.

A step is numbered direction + 8 * (distance - 1), directions clockwise from north, which is away from row 0:

    king and queen    N NE E SE S SW W NW
    knight            NNE ENE ESE SSE SSW WSW WNW NNW
"""

from .isola_presets import NOWHERE

KING, QUEEN, KNIGHT = range(3)
VACATED, ANY = range(2)  # what disappears
OPEN, GONE = 0, 3  # what a cell holds, beside 1 + side of a piece
DIRECTIONS = 8
MOST_CLOSED = 2  # open squares that one move can close: it enters one and removes another
KING_COLUMNS, KING_ROWS = (0, 1, 1, 1, 0, -1, -1, -1), (1, 1, 0, -1, -1, -1, 0, 1)
KNIGHT_COLUMNS, KNIGHT_ROWS = (1, 2, 2, 1, -1, -2, -2, -1), (2, 1, -1, -2, -2, -1, 1, 2)


def furthest(state):
    """Returns the longest distance of a step: 1, or for a queen the longer side less one, at least 1."""
    return max(state.width - 1, state.height - 1, 1) if state.step == QUEEN else 1


def reach(state, square, direction, distance):
    """Returns the square `distance` steps away along a direction, or NOWHERE if that is off the board."""
    if state.step == KNIGHT:
        column, row = square % state.width + KNIGHT_COLUMNS[direction], square // state.width + KNIGHT_ROWS[direction]
    else:
        column = square % state.width + distance * KING_COLUMNS[direction]
        row = square // state.width + distance * KING_ROWS[direction]
    if 0 <= column < state.width and 0 <= row < state.height:
        return row * state.width + column
    return NOWHERE


def can_move(state):
    """Tells whether the side to move has a legal move."""
    origin = state.pieces[state.side]
    if origin == NOWHERE:
        for square in range(state.width * state.height):
            if state.cells[square] == OPEN:
                return True
        return False
    for direction in range(DIRECTIONS):
        destination = reach(state, origin, direction, 1)
        if destination != NOWHERE and state.cells[destination] == OPEN:
            return True
    return False


def has_few_steps(state, origin):
    """Tells whether a piece on `origin` can go to MOST_CLOSED squares at most in steps of the shortest distance; True for NOWHERE."""
    if origin == NOWHERE:
        return True
    count = 0
    for direction in range(DIRECTIONS):
        destination = reach(state, origin, direction, 1)
        if destination != NOWHERE and state.cells[destination] == OPEN:
            count += 1
    return count <= MOST_CLOSED


def can_reach(state, origin, destination):
    """Tells whether a piece on `origin` can step to another square in one move."""
    for direction in range(DIRECTIONS):
        for distance in range(1, furthest(state) + 1):
            square = reach(state, origin, direction, distance)
            if square == NOWHERE or state.cells[square] != OPEN:
                break
            if square == destination:
                return True
    return False


def is_open_line(state, origin, direction, distance):
    """Tells whether all squares up to `distance` steps away along a direction are open; they are on the board."""
    for nearer in range(1, distance + 1):
        if state.cells[reach(state, origin, direction, nearer)] != OPEN:
            return False
    return True


def is_removable(state, square, origin):
    """Tells whether a square may be removed after a step from `origin` to another one."""
    is_kept = state.fixed and (square == state.start0 or square == state.start1)
    return (state.cells[square] == OPEN or square == origin) and not is_kept


def has_removable(state, origin, destination):
    """Tells whether a step from `origin` to `destination` leaves any square to remove."""
    for square in range(state.width * state.height):
        if square != destination and is_removable(state, square, origin):
            return True
    return False


def removals(state, origin, destination, base, out, start):
    """Writes `base` + removed square for each way to complete a step to out[start:] and returns their number."""
    count = start
    for square in range(state.width * state.height):
        if square != destination and is_removable(state, square, origin):
            out[count] = base + square
            count += 1
    if count == start:
        out[count] = base + destination
        count += 1
    return count - start
