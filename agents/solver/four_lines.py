"""Lines of four with gravity on bitboards: threats, safe replies, and what parity alone decides. Kernels.

A cell is a bit of an int64, as in `envs.rules.connect_k_bitboards`: columns follow each other from the bottom up, and above each lies a
sentinel that no stone takes. `own` holds the stones of the side to move, `filled` all stones; the rival's are own ^ filled.

     6 13 20 27 34 41 48    sentinels
    ---------------------
     5 12 19 26 33 40 47    row 5      f f f f f f f
     4 11 18 25 32 39 46               l l l l l l l
     3 10 17 24 31 38 45               f f f f f f f
     2  9 16 23 30 37 44               l l l l l l l
     1  8 15 22 29 36 43               f f f f f f f
     0  7 14 21 28 35 42    row 0      l l l l l l l      (width 7, height 6)

A *threat* of a side is an empty cell where its stone makes four in a row.

Parity. The *leader* is the side that moves when an even number of cells is empty, the *follower* the other one. The follower can answer
every move by the cell above it. So it gets the cells `f`: the topmost of each column and every second one below. Where an `f` can be
played at once, no cell is left below it to make a pair: such cells are *shared*. A shared cell is answered by another shared one, which
the follower may choose. There always is one: a column has a shared cell if its number of empty cells is odd, and there are evenly many of
these when the leader is to move. Where the follower is to move, it first takes one.

Source: V. Allis, "A knowledge-based approach of Connect-Four" (1988), for claimeven and the rules of odd and even threats.
"""

from typing import NamedTuple

import numpy as np

from ...envs.rules.bitboards import count, inlined

UNKNOWN = 1 << 20  # no score


class Board(NamedTuple):
    """The constants of a board: its sizes, and as bits its row 0, all its cells, the sentinels above them, and the cells `f`."""

    width: np.int64
    height: np.int64
    cells: np.int64
    bottom: np.int64
    inside: np.int64
    sentinels: np.int64
    follower: np.int64


def board_of(width, height):
    """Returns the constants of a board."""
    bottom = sum(1 << column * (height + 1) for column in range(width))
    follower = sum(bottom << row for row in range(height - 1, -1, -2))
    constants = (width, height, width * height, bottom, bottom * ((1 << height) - 1), bottom << height, follower)
    return Board(*(np.int64(constant) for constant in constants))


@inlined
def playable_cells(board, filled):
    """Returns the lowest empty cell of each column that has one: 1 added at the bottom of a column carries up to it."""
    return filled + board.bottom & board.inside


@inlined
def completing_cells(board, stones):
    """Returns the bits, cells or not, empty or not, where one more stone makes four in a row.

    Along a line the missing stone `.` stands after three, among them, or before them: x x x .   x x . x   x . x x   . x x x
    """
    cells = stones << 1 & stones << 2 & stones << 3
    for shift in (board.height, board.height + 1, board.height + 2):
        before, after = stones << shift, stones >> shift
        two_before, two_after = before & stones << 2 * shift, after & stones >> 2 * shift
        cells |= two_before & (stones << 3 * shift | after) | two_after & (stones >> 3 * shift | before)
    return cells


@inlined
def threats_of(board, stones, filled):
    """Returns the threats of the side that owns `stones`."""
    return completing_cells(board, stones) & board.inside & ~filled


@inlined
def has_four(board, stones):
    """Tells whether four stones stand in a row: two pairs, one right after the other."""
    pairs = stones & stones >> 1
    fours = pairs & pairs >> 2
    for shift in (board.height, board.height + 1, board.height + 2):
        pairs = stones & stones >> shift
        fours |= pairs & pairs >> 2 * shift
    return fours != 0


@inlined
def safe_replies(board, filled, rival_threats):
    """Returns the playable cells after which the rival cannot win by its next move.

    One threat that can be played at once leaves only itself, two leave nothing; a cell below a threat is never safe.
    """
    cells = playable_cells(board, filled)
    forced = cells & rival_threats
    if forced != 0:
        cells = 0 if forced & forced - 1 != 0 else forced
    return cells & ~(rival_threats >> 1)


@inlined
def sentinel_of(board, cell):
    """Returns the sentinel of a cell's column: the lowest one above the cell."""
    above = board.sentinels & -cell
    return above & -above


def holds(board, stones, shared):
    """Tells whether a side that follows up keeps its rival from four.

    Args:
        board: its constants.
        stones: the rival's, and the cells that it may get.
        shared: shared cells; an even number if the rival is to move.
    """
    if not has_four(board, stones | shared):
        return True
    number = count(shared)
    if number > 4 or has_four(board, stones):
        return False
    fatal, left = 0, shared
    while left != 0:
        cell = left & -left
        left ^= cell
        fatal += has_four(board, stones | cell)
    if number == 4:
        return fatal == 0 and is_paired(board, stones, shared)
    return fatal <= number & 1  # the rival gets one cell, at most; if the side itself is to move, it takes a fatal one first


def is_paired(board, stones, shared):
    """Tells whether each shared cell makes a four together with at most one other, which then answers it; see `holds`."""
    left = shared
    while left != 0:
        cell = left & -left
        left ^= cell
        others, partners = shared ^ cell, 0
        while others != 0:
            other = others & -others
            others ^= other
            partners += has_four(board, stones | cell | other)
        if partners > 1:
            return False
    return True


@inlined
def follower_holds(board, leader, filled, dead):
    """Tells whether the leader gets no four while the follower follows up.

    Args:
        board: its constants.
        leader: the leader's stones.
        filled: all stones.
        dead: cells that are never played, see `follower_waits`; or 0.
    """
    shared = playable_cells(board, filled) & board.follower
    return holds(board, leader | board.inside & ~(filled | board.follower | dead), shared)


@inlined
def follower_wins(board, leader, filled, score):
    """Tells whether following up gives the follower a four of its stones and cells `f`, for at least a score, and the leader none.

    When it gets the last of these cells, those above it are empty. So the cells lie below 2 * (score - 1) rows.
    """
    rows = max(board.height - 2 * (score - 1), 0)
    claimed = board.bottom * ((1 << rows) - 1) & board.follower & ~(filled | playable_cells(board, filled))
    return has_four(board, leader ^ filled | claimed) and follower_holds(board, leader, filled, 0)


@inlined
def follower_waits(board, leader, filled, threat, sentinel):
    """Tells whether the follower wins by a threat on a cell `f` that is not playable, for which it waits.

    The leader never plays the cell below the threat, and the follower follows up in the rest of the board, an even number of empty cells,
    until the leader runs out of other moves. The threat and the cells above it are dead.

        f   dead
        l   dead
        t   threat, f                  the follower's, in the end
        l   cell below the threat      the leader's last move
        f   below these two            the follower's

    Args:
        board: its constants.
        leader: the leader's stones.
        filled: all stones.
        threat: the cell.
        sentinel: that of its column.
    """
    return follower_holds(board, leader, filled, sentinel - threat)


@inlined
def leader_waits(board, follower, filled, threat, sentinel):
    """Tells whether the leader wins by a threat on a cell `l` that is not playable, for which it waits.

    The leader never plays the cell below the threat, and follows up in the rest of the board: an odd number of empty cells when it is to
    move, so it moves first there, and the follower runs out of other moves. In the threat's column the leader gets `l`, in the others `f`.

        f   dead
        t   threat, l                  the leader's, in the end
        f   cell below the threat      the follower's last move
        l   below these two            the leader's
        f                              the follower's

    Args:
        board: its constants.
        follower: the follower's stones.
        filled: all stones.
        threat: the cell.
        sentinel: that of its column.
    """
    column = sentinel - (sentinel >> board.height)
    claimed = board.follower ^ column
    empty = board.inside & ~(filled | sentinel - threat)
    return holds(board, follower | empty & ~claimed, empty & claimed & playable_cells(board, filled))


@inlined
def score_by_parity(board, leader, filled, leader_threats, follower_threats, asked):
    """Returns a bound on the leader's score that tells whether it reaches `asked`, or UNKNOWN.

    It is an upper bound if it is less than asked, else a lower one. A side that waits for a threat wins, at the latest, when only the cells
    above the threat are empty.
    """
    if asked > 0 and follower_holds(board, leader, filled, 0):
        return 0
    later = ~playable_cells(board, filled)
    threats = follower_threats & board.follower & later
    while threats != 0:
        threat = threats & -threats
        sentinel = sentinel_of(board, threat)
        score = -(count(sentinel - 2 * threat) // 2) - 1
        if score < asked and follower_waits(board, leader, filled, threat, sentinel):
            return score
        threats &= ~(sentinel - threat)
    if asked <= 0 and follower_wins(board, leader, filled, 1 - asked):
        return asked - 1
    if asked <= 0 and not has_four(board, leader ^ filled | board.inside & ~filled):
        return 0
    threats = leader_threats & ~board.follower & later
    while threats != 0:
        threat = threats & -threats
        sentinel = sentinel_of(board, threat)
        score = count(sentinel - 2 * threat) // 2 + 1
        if score >= asked and leader_waits(board, leader ^ filled, filled, threat, sentinel):
            return score
        threats &= ~(sentinel - threat)
    return UNKNOWN


@inlined
def mirrored(board, key):
    """Returns a bitboard with its columns in reverse order: each column on the left changes places with one on the right."""
    tall = board.height + 1
    left, distance = (1 << tall) - 1, (board.width - 1) * tall
    while distance > 0:
        differing = (key ^ key >> distance) & left
        key ^= differing | differing << distance
        left, distance = left << tall, distance - 2 * tall
    return key


def lines_through(width, height):
    """Returns int64[64]: for each cell, by its bit, how many rows of four cells it is part of."""
    lines = np.zeros(64, np.int64)
    for column in range(width):
        for row in range(height):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(column + i * right, row + i * up) for i in range(4)]
                if cells[-1][0] < width and 0 <= cells[-1][1] < height:
                    for cell in cells:
                        lines[cell[0] * (height + 1) + cell[1]] += 1
    return lines
