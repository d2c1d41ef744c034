"""The board of Isola as cells: the functions by which `isola_law` reads and changes a board. `isola_bitboards` stands in for them."""

from .isola_presets import NOWHERE
from .isola_steps import DIRECTIONS, GONE, OPEN, furthest, reach


def is_open(state, square):
    """Tells whether a square is neither gone nor occupied."""
    return state.cells[square] == OPEN


def is_kept(state, square):
    """Tells whether a square never disappears."""
    return state.fixed and (square == state.start0 or square == state.start1)


def occupy(state, square, side):
    """Puts the piece of a side on an open square."""
    state.cells[square] = 1 + side


def vacate(state, square):
    """Takes the piece off a square, which becomes open."""
    state.cells[square] = OPEN


def remove(state, square):
    """Lets an open square disappear."""
    state.cells[square] = GONE


def restore(state, square):
    """Makes a gone square open again."""
    state.cells[square] = OPEN


def has_open(state):
    """Tells whether any square is open."""
    for square in range(state.width * state.height):
        if state.cells[square] == OPEN:
            return True
    return False


def has_open_around(state, square):
    """Tells whether any square that is one shortest step away from a square is open."""
    for direction in range(DIRECTIONS):
        near = reach(state, square, direction, 1)
        if near != NOWHERE and state.cells[near] == OPEN:
            return True
    return False


def count_open_around(state, square):
    """Returns how many squares that are one shortest step away from a square are open."""
    count = 0
    for direction in range(DIRECTIONS):
        near = reach(state, square, direction, 1)
        if near != NOWHERE and state.cells[near] == OPEN:
            count += 1
    return count


def write_open(state, out, start):
    """Writes the open squares in ascending order to out[start:] and returns their number."""
    count = start
    for square in range(state.width * state.height):
        if state.cells[square] == OPEN:
            out[count] = square
            count += 1
    return count - start


def write_steps(state, origin, out, start):
    """Writes the squares that a piece on `origin` can step to in ascending order to out[start:] and returns their number."""
    count = start
    for direction in range(DIRECTIONS):
        for distance in range(1, furthest(state) + 1):
            square = reach(state, origin, direction, distance)
            if square == NOWHERE or state.cells[square] != OPEN:
                break
            out[count] = square
            count += 1
    sort(out, start, count)
    return count - start


def sort(out, start, end):
    """Sorts out[start:end] in ascending order (insertion sort: a queen has few moves)."""
    for i in range(start + 1, end):
        value, j = out[i], i
        while j > start and out[j - 1] > value:
            out[j] = out[j - 1]
            j -= 1
        out[j] = value


def can_step(state, origin, destination):
    """Tells whether a piece on `origin` can step to another square, one of the board, in one move."""
    if state.cells[destination] != OPEN:
        return False
    for direction in range(DIRECTIONS):
        for distance in range(1, furthest(state) + 1):
            square = reach(state, origin, direction, distance)
            if square == NOWHERE or state.cells[square] != OPEN:
                break
            if square == destination:
                return True
    return False


def write_removals(state, origin, destination, base, out, start):
    """Writes `base` + removed square for each way to complete a step to out[start:], in ascending order, and returns their number."""
    count = start
    for square in range(state.width * state.height):
        if square != destination and is_removable(state, origin, square):
            out[count] = base + square
            count += 1
    if count == start:
        out[count] = base + destination
        count += 1
    return count - start


def can_remove(state, origin, destination, square):
    """Tells whether a square may complete a step: one that may disappear, or the destination if there is none."""
    if square != destination:
        return is_removable(state, origin, square)
    for other in range(state.width * state.height):
        if other != destination and is_removable(state, origin, other):
            return False
    return True


def is_removable(state, origin, square):
    """Tells whether a square other than the destination may disappear after a step from `origin`."""
    return (state.cells[square] == OPEN or square == origin) and not is_kept(state, square)
