"""What Isola on bitboards gives to exact play: wins at once, moves that are alike, and longest paths. Kernels.

The *region* is the set of squares that the pieces can reach step by step. A square outside it never matters again, but that it may be
removed: such squares are alike, so positions with equally many of them share a key, and only one of them is tried.

Where the vacated square disappears, pieces in different components play on alone, each as long as it can. The side to move has a longest
path of n moves and the other one of m: it loses if n <= m, after 2 * n plies, and else wins after 2 * m + 1. A path is searched within a
number of steps; if they do not suffice, what was found and the size of the component bound it.
"""

import numpy as np

from ...envs.chance import BITS_62, scrambled
from ...envs.rules.bitboards import count, lowest
from ...envs.rules.isola_bitboards import NONE, bit_of, destinations, near, removable_after
from ...envs.rules.isola_presets import NOWHERE
from ...envs.rules.isola_steps import ANY, DIRECTIONS, KNIGHT, furthest, reach
from ..evaluation.region_bitboards import lead
from .exact_table import WIN

BIT = np.uint64(1)
LOW_BITS, HIGH_SHIFT = np.uint64(BITS_62), np.uint64(62)
LEAST_KEPT = 4  # squares of the region from which on nodes have entries in the table
LEAST_MIRRORED = 10  # squares from which on symmetric positions share an entry
MAX_STEPS = 2000  # of the search for one path
MAX_SYMMETRIES, SQUARES = 8, 64
MIDDLE = 256  # of the scale of order scores
MEMORY = np.dtype(
    [
        ("symmetries", np.int64),
        ("images", np.int64, (MAX_SYMMETRIES, SQUARES)),  # where each symmetry takes each square
        ("white", np.uint64),  # the squares of one colour of a chessboard
        ("region", np.uint64),
        ("path", np.int64, (SQUARES + 1,)),  # scratch of a path: its squares
        ("untried", np.uint64, (SQUARES + 1,)),  # scratch of a path: the next squares that are left to try
    ]
)


def suits(game):
    """Tells whether a game is Isola on bitboards."""
    return game.kind.name == "isola" and game.bitboards is not None


def new_memory(game):
    """Returns MEMORY[1] with what depends on the board alone."""
    memory = np.zeros(1, MEMORY)
    memory["symmetries"] = len(game.symmetries)
    memory["white"] = sum(1 << s for s in range(game.width * game.height) if (s % game.width + s // game.width) % 2)
    for symmetry, (images, _) in enumerate(game.symmetries):
        memory["images"][0, symmetry, : len(images)] = images
    return memory


def is_placed(state):
    """Tells whether both pieces are on the board."""
    return state.pieces[0] != NOWHERE and state.pieces[1] != NOWHERE


def flooded(state, squares, free):
    """Returns the free squares that pieces on some squares can reach step by step."""
    reached, further = NONE, near(state, squares) & free
    while further != reached:
        reached = further
        further |= near(state, reached) & free
    return reached


def look(state, memory):
    """Returns a lower and an upper bound on the score: wins at once."""
    if not is_placed(state):
        return 2 - WIN, WIN - 1
    origin, other = bit_of(state.pieces[state.side]), bit_of(state.pieces[1 - state.side])
    around, steps = near(state, other), destinations(state, state.pieces[state.side])
    if state.removal == ANY:
        while steps != NONE:
            step = steps & ~(steps - BIT)
            left = around & (state.open | origin) & ~step
            if left & (left - BIT) == NONE and left & state.kept == NONE:
                return WIN - 1, WIN - 1
            steps ^= step
    else:
        left = around & (state.open | origin & state.kept)
        if left == NONE or (left & (left - BIT) == NONE and left & steps != NONE):
            return WIN - 1, WIN - 1
    return 2 - WIN, WIN - 3


def is_kept(state, memory):
    """Tells whether the region is large enough, and notes it."""
    if not is_placed(state):
        memory.region = state.open
        return True
    pieces = bit_of(state.pieces[0]) | bit_of(state.pieces[1])
    memory.region = flooded(state, pieces, state.open | pieces if state.removal == ANY or state.kept != NONE else state.open)
    return count(memory.region) >= LEAST_KEPT


def alike(state, memory):
    """Returns the squares outside the region that may be removed."""
    return state.open & ~memory.region & ~state.kept


def mixed(squares, numbers):
    """Returns 62 bits for the squares of a region and other numbers."""
    return scrambled(np.int64(squares & LOW_BITS) ^ scrambled(numbers << 2 | np.int64(squares >> HIGH_SHIFT)))


def key_of(state, memory):
    """Returns the key of region, pieces, and the number of squares outside that may be removed; the smallest of symmetric ones."""
    origin, other = np.int64(state.pieces[state.side]), np.int64(state.pieces[1 - state.side])
    spare = count(alike(state, memory)) if state.removal == ANY else 0
    key = mixed(memory.region, (origin << 8 | other) << 8 | spare)
    if count(memory.region) >= LEAST_MIRRORED:
        for symmetry in range(1, memory.symmetries):
            region, image = memory.region, NONE
            while region != NONE:
                image |= bit_of(memory.images[symmetry, lowest(region)])
                region &= region - BIT
            ours = memory.images[symmetry, origin] if origin != NOWHERE else origin
            theirs = memory.images[symmetry, other] if other != NOWHERE else other
            key = min(key, mixed(image, (ours << 8 | theirs) << 8 | spare))
    return key


def most_steps(state, memory, origin, squares):
    """Returns how many steps a piece can make at most over some squares; a knight's change the colour."""
    if state.step != KNIGHT:
        return count(squares)
    white = count(squares & memory.white)
    black = count(squares) - white
    if origin & memory.white != NONE:
        return min(2 * black, 2 * white + 1)
    return min(2 * white, 2 * black + 1)


def path_bounds(state, memory, origin):
    """Returns bounds on the length of the longest path of a piece that is alone in its component.

    A depth-first search that tries the squares with the fewest ways on first; it ends when a path is as long as the component allows.
    """
    open_squares, longest, length, steps = state.open, 0, 0, 0
    most = most_steps(state, memory, bit_of(origin), flooded(state, bit_of(origin), state.open))
    memory.path[0], memory.untried[0] = origin, destinations(state, origin)
    while length >= 0 and longest < most and steps < MAX_STEPS:
        left = memory.untried[length]
        if left == NONE:
            if length > 0:
                state.open |= bit_of(memory.path[length])
            length -= 1
            continue
        square, fewest = left, np.int64(SQUARES)
        while left != NONE:
            candidate = left & ~(left - BIT)
            ways = count(near(state, candidate) & state.open)
            if ways < fewest:
                square, fewest = candidate, ways
            left ^= candidate
        memory.untried[length] ^= square
        state.open ^= square
        length += 1
        steps += 1
        longest = max(longest, length)
        memory.path[length] = lowest(square)
        memory.untried[length] = destinations(state, memory.path[length])
        if length + most_steps(state, memory, square, flooded(state, square, state.open)) <= longest:
            memory.untried[length] = NONE
    state.open = open_squares
    return longest, most if length >= 0 and longest < most else longest


def judge(state, memory):
    """Returns a lower and an upper bound on the score: exact, or nearly so, once the pieces are apart for good."""
    if state.removal == ANY or state.kept != NONE or not is_placed(state):
        return 2 - WIN, WIN - 1
    ours, theirs = bit_of(state.pieces[state.side]), bit_of(state.pieces[1 - state.side])
    if flooded(state, ours, state.open) & near(state, theirs) != NONE:
        return 2 - WIN, WIN - 3
    own_least, own_most = path_bounds(state, memory, np.int64(state.pieces[state.side]))
    other_least, other_most = path_bounds(state, memory, np.int64(state.pieces[1 - state.side]))
    lower = WIN - (2 * other_most + 1) if own_least > other_most else 2 * own_least - WIN
    upper = 2 * own_most - WIN if own_most <= other_least else WIN - (2 * other_least + 1)
    return lower, upper


def order_score_by_ways(state, square, open_squares, around):
    """Returns how early a move to a square is searched by its ways on, those of the other piece, and those after these."""
    own, other = count(near(state, square) & open_squares), around & open_squares
    return MIDDLE + 2 * own - 8 * count(other) - 4 * count(near(state, other) & open_squares)


def order_score_by_lead(state, memory, square, open_squares, around):
    """Returns how early a move to a square is searched by the ways on that it leaves, and by the lead if both pieces are placed."""
    side, score = state.side, MIDDLE + count(near(state, square) & open_squares) - 4 * count(around & open_squares)
    if not is_placed(state):
        return score
    open_before, origin = state.open, state.pieces[side]
    state.open, state.pieces[side] = open_squares, lowest(square)
    score -= 2 * lead(state, memory, 1 - side)
    state.open, state.pieces[side] = open_before, origin
    return score


def replies(state, memory, out, order_scores, start):
    """Writes the moves that do not lose by the next move, as far as that is seen, and of moves that are alike only one."""
    side, end = state.side, start
    origin, other = np.int64(state.pieces[side]), np.int64(state.pieces[1 - side])
    around = near(state, bit_of(other)) if other != NOWHERE else NONE
    if state.removal == ANY and origin != NOWHERE:
        return replies_with_removal(state, memory, out, order_scores, start)
    left = destinations(state, origin) if origin != NOWHERE else state.open
    while left != NONE:
        square = left & ~(left - BIT)
        left ^= square
        open_squares = state.open & ~square
        if origin != NOWHERE and state.kept == NONE and near(state, square) & open_squares == NONE:
            continue
        out[end], order_scores[end] = lowest(square), order_score_by_lead(state, memory, square, open_squares, around)
        end += 1
    return end - start


def replies_with_removal(state, memory, out, order_scores, start):
    """Does the same where any square may be removed."""
    end, squares, origin = start, state.width * state.height, np.int64(state.pieces[state.side])
    around = near(state, bit_of(state.pieces[1 - state.side]))
    spare = alike(state, memory)
    others = spare & (spare - BIT)  # all but one of those that are alike
    for direction in range(DIRECTIONS):
        for distance in range(1, furthest(state) + 1):
            destination = reach(state, origin, direction, distance)
            if destination == NOWHERE or bit_of(destination) & state.open == NONE:
                break
            square = bit_of(destination)
            open_squares = (state.open | bit_of(origin)) & ~square
            base = (direction + DIRECTIONS * (distance - 1)) * squares
            removable = removable_after(state, origin, destination) & ~others
            while removable != NONE:
                removed = removable & ~(removable - BIT)
                removable ^= removed
                out[end] = base + lowest(removed)
                order_scores[end] = order_score_by_ways(state, square, open_squares & ~removed, around)
                end += 1
    return end - start
