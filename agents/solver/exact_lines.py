"""What Connect-K on bitboards gives to exact play: threats, rows that are still possible, and what is dead. Kernels.

A *threat* of a side is an empty cell where its stone makes k in a row. A *window* is k consecutive cells on one line. It is *open* for a
side while the other has no stone there, and *lacks* as many stones as it has empty cells. A cell is *live* for a side if it lies in a
window that is open for it. A stone that is not live for its side only fills its cell, so its colour is left out of keys. Without gravity
a further stone never hurts, so an empty cell that is live for neither side is never better than a live one: it is left out of moves and
keys.

Draws. A side never wins if all its open windows lack more stones than it can still place. Without gravity neither does one whose open
windows are few: the other side can block them all if the sum of 2 ** -lacking is below 1 and it is to move, or below 1/2 and it is not.
With gravity neither does a side that the other one can follow: see `follower_holds`.

Source: P. Erdős and J. L. Selfridge, "On a combinatorial game" (1973); V. Allis, "A knowledge-based approach of Connect-Four" (1988), for
following up; J. W. H. M. Uiterwijk and H. J. van den Herik, "The advantage of the initiative" (2000), for small boards.
"""

import numpy as np

from ...envs.chance import scrambled
from ...envs.rules.bitboards import count, inlined, lowest
from ...envs.rules.connect_k_bitboards import axis_shift, fits, has_line, winning_cells
from ...envs.rules.lines import AXES
from .exact_table import WIN

MAX_K = 7  # the stones of a window are counted in three bits
NONE_OPEN = 64  # stones that no side can place
LEAST_KEPT = 5  # empty cells from which on nodes have entries in the table
LEAST_MIRRORED = 10  # empty cells from which on symmetric positions share an entry
MAX_SYMMETRIES = 8
LINE, OWN_NEAR, RIVAL_NEAR, OWN_FAR, RIVAL_FAR = 8, 16, 12, 4, 3  # of order scores: a line through a cell, and other reasons in lines
BOARD = "inside bottom follower symmetries"
SEEN = "empty replies own_live rival_live own_near rival_near own_far rival_far"
MEMORY = np.dtype(
    [
        *((name, np.int64) for name in f"{BOARD} {SEEN}".split()),
        ("actions", np.int64, (64,)),  # the move to each bit
        ("lines", np.int64, (64,)),  # how many windows each bit is part of
        ("images", np.int64, (MAX_SYMMETRIES, 64)),  # where each symmetry takes each bit
    ]
)


def suits(game):
    """Tells whether a game is Connect-K or freestyle Gomoku on a board that fits bitboards."""
    start = game.initial()
    return game.kind.name in ("connect_k", "gomoku") and not start.exact and start.k <= MAX_K and fits(start)


def new_memory(game):
    """Returns MEMORY[1] with what depends on the board alone."""
    width, height, k, gravity = (getattr(game.initial(), name) for name in ("width", "height", "k", "gravity"))
    memory = np.zeros(1, MEMORY)
    bits = [cell % width * (height + 1) + cell // width for cell in range(width * height)]
    memory["inside"] = sum(1 << bit for bit in bits)
    memory["bottom"] = sum(1 << bit for bit in bits[:width])
    memory["follower"] = sum(1 << bits[row * width + column] for row in range(height - 1, -1, -2) for column in range(width))
    memory["symmetries"] = len(game.symmetries)
    for cell, bit in enumerate(bits):
        memory["actions"][0, bit] = cell % width if gravity else cell
        for symmetry, (images, _) in enumerate(game.symmetries):
            memory["images"][0, symmetry, bit] = bits[images[cell]]
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            window = [(cell % width + i * right, cell // width + i * up) for i in range(k)]
            if window[-1][0] < width and 0 <= window[-1][1] < height:
                for column, row in window:
                    memory["lines"][0, bits[row * width + column]] += 1
    return memory


@inlined
def rows_of(state, inside, stones, rival, k):
    """Returns what the open windows of a side amount to, for k of the state, a constant argument where k is common.

    The stones of all windows are counted at once: a bit of `ones`, `twos` and `fours` is about the window that begins at it.

    Returns:
        The sum of 2 ** (k - lacking) over all open windows, the fewest stones that one lacks (NONE_OPEN if there is none), and as bits the
        cells of all of them, of those that lack two, and of those that lack three.
    """
    weight, lacking, live, near, far = 0, NONE_OPEN, np.int64(0), np.int64(0), np.int64(0)
    for axis in range(AXES):
        shift, windows, length = axis_shift(state, axis), inside & ~rival, 1
        while length < k:
            longer = min(length, k - length)
            windows &= windows >> longer * shift
            length += longer
        if windows == 0:
            continue
        ones, twos, fours = np.int64(0), np.int64(0), np.int64(0)
        for i in range(k):
            stone = stones >> i * shift
            carry = ones & stone
            ones ^= stone
            fours ^= twos & carry
            twos ^= carry
        for held in range(k):
            alike = windows & (ones if held & 1 else ~ones) & (twos if held & 2 else ~twos) & (fours if held & 4 else ~fours)
            if alike != 0:
                weight += count(alike) << held
                lacking = min(lacking, k - held)
                cells = alike
                for i in range(1, k):
                    cells |= alike << i * shift
                live |= cells
                if held == k - 2:
                    near |= cells
                elif held == k - 3:
                    far |= cells
    return weight, lacking, live, near, far


def rows(state, inside, stones, rival):
    """Returns `rows_of` for k of the state."""
    if state.k == 4:
        return rows_of(state, inside, stones, rival, 4)
    if state.k == 5:
        return rows_of(state, inside, stones, rival, 5)
    return rows_of(state, inside, stones, rival, state.k)


@inlined
def playable_cells(state, memory, filled):
    """Returns the cells where a stone can be placed."""
    return filled + memory.bottom & memory.inside if state.gravity else memory.inside & ~filled


@inlined
def follower_holds(state, memory, leader, filled):
    """Tells whether the follower has at least a draw by answering each move with the cell above it; with gravity.

    The leader moves when an even number of cells is empty. The follower gets the topmost cell of each column and every second one below,
    but for those that can be played at once: a move to such a shared cell is answered by another one. It is to be shown that the leader's
    stones, its cells and the shared ones hold no k in a row. See `four_lines`.
    """
    shared = playable_cells(state, memory, filled) & memory.follower
    return not has_line(state, leader | ~filled & memory.inside & ~memory.follower | shared)


@inlined
def wins_by_two_threats(state, memory, stones, filled, cell):
    """Tells whether a stone on a cell makes threats that one reply cannot stop."""
    after = filled | cell
    threats = winning_cells(state, stones | cell, memory.inside & ~after)
    at_once = threats & playable_cells(state, memory, after)
    return at_once & at_once - 1 != 0 or (state.gravity and at_once & threats >> 1 != 0)


def look(state, memory):
    """Returns a lower and an upper bound on the score, and notes the replies and the open windows."""
    own, filled = state.own, state.filled
    rival, empty = own ^ filled, memory.inside & ~filled
    playable = playable_cells(state, memory, filled)
    # Step 1. Wins at once, and how to stop them
    if winning_cells(state, own, playable) != 0:
        return WIN - 1, WIN - 1
    left = count(empty)
    if left == 1:
        return 0, 0
    threats = winning_cells(state, rival, empty)
    forced = threats & playable
    replies = playable
    if forced != 0:
        if forced & forced - 1 != 0:
            return 2 - WIN, 2 - WIN
        replies = forced
    if state.gravity:
        replies &= ~(threats >> 1)
        if replies == 0:
            return 2 - WIN, 2 - WIN
    # Step 2. What the open windows say
    own_weight, own_lacking, own_live, own_near, own_far = rows(state, memory.inside, own, rival)
    rival_weight, rival_lacking, rival_live, rival_near, rival_far = rows(state, memory.inside, rival, own)
    lower, upper = max(2 * rival_lacking, 4) - WIN, WIN - max(2 * own_lacking - 1, 3)
    if 2 * own_lacking - 1 > left:
        upper = 0
    if 2 * rival_lacking > left:
        lower = 0
    if state.gravity:
        if left & 1 == 0:
            if upper > 0 and follower_holds(state, memory, own, filled):
                upper = 0
        elif lower < 0 and follower_holds(state, memory, rival, filled):
            lower = 0
    else:
        if own_weight < 1 << (state.k - 1):
            upper = 0
        if rival_weight < 1 << state.k:
            lower = 0
        replies &= own_live | rival_live
    # Step 3. Two threats at once
    if upper > 0:
        cells = own_near & replies
        while cells != 0:
            cell = cells & -cells
            if wins_by_two_threats(state, memory, own, filled, cell):
                return WIN - 3, WIN - 3
            cells ^= cell
    memory.empty, memory.replies = empty, replies
    memory.own_live, memory.own_near, memory.own_far = own_live, own_near, own_far
    memory.rival_live, memory.rival_near, memory.rival_far = rival_live, rival_near, rival_far
    return lower, upper


def is_kept(state, memory):
    """Tells whether enough cells are empty."""
    return count(memory.empty) >= LEAST_KEPT


def image_of(memory, symmetry, bits):
    """Returns where a symmetry takes some bits."""
    image = np.int64(0)
    while bits != 0:
        image |= np.int64(1) << memory.images[symmetry, lowest(bits)]
        bits &= bits - 1
    return image


def key_of(state, memory):
    """Returns the key of what is live, the smallest of its symmetric ones if enough cells are empty."""
    own, rival = state.own & memory.own_live, (state.own ^ state.filled) & memory.rival_live
    empty = memory.empty if state.gravity else memory.empty & (memory.own_live | memory.rival_live)
    key = scrambled(own ^ scrambled(rival ^ scrambled(empty)))
    if count(memory.empty) >= LEAST_MIRRORED:
        for symmetry in range(1, memory.symmetries):
            image = scrambled(image_of(memory, symmetry, empty))
            image = scrambled(image_of(memory, symmetry, rival) ^ image)
            key = min(key, scrambled(image_of(memory, symmetry, own) ^ image))
    return key


def replies(state, memory, out, order_scores, start):
    """Writes the replies, and how many rows they carry on or stop."""
    cells, end = memory.replies, start
    while cells != 0:
        cell = cells & -cells
        bit = lowest(cell)
        order_score = memory.lines[bit]
        order_score += OWN_NEAR if memory.own_near & cell else 0
        order_score += RIVAL_NEAR if memory.rival_near & cell else 0
        order_score += OWN_FAR if memory.own_far & cell else 0
        order_score += RIVAL_FAR if memory.rival_far & cell else 0
        out[end], order_scores[end] = memory.actions[bit], LINE * order_score
        end += 1
        cells ^= cell
    return end - start
