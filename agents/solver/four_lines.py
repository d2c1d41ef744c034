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
played at once, no cell is left below it to make a pair: such cells are *shared*. A shared cell is answered by another shared one. There
always is one: a column has a shared cell if its number of empty cells is odd, and there are evenly many of these when the leader is
to move.

Source: V. Allis, "A knowledge-based approach of Connect-Four" (1988), for claimeven and the rules of odd and even threats.
"""

import numpy as np

from ...envs.rules.bitboards import count, inlined

BOARD = np.dtype([(name, np.int64) for name in "width height cells bottom inside follower".split()])
UNKNOWN = 1 << 20  # no score


def boards_of(width, height):
    """Returns the constants of a board, BOARD[1]: its sizes, and as bits its row 0, all its cells, and the cells `f`."""
    bottom = sum(1 << column * (height + 1) for column in range(width))
    follower = sum(bottom << row for row in range(height - 1, -1, -2))
    return np.array([(width, height, width * height, bottom, bottom * ((1 << height) - 1), follower)], BOARD)


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
def column_of(board, cell):
    """Returns all cells of the column of a cell."""
    column = np.int64((1 << board.height) - 1)
    while column < cell:
        column <<= board.height + 1
    return column


@inlined
def follower_holds(board, leader, filled):
    """Tells whether the follower has at least a draw by following up: the leader's stones, cells `l` and shared cells hold no four.

    Where the follower is to move, it first takes a shared cell; their number is odd then.
    """
    shared = playable_cells(board, filled) & board.follower
    return not has_four(board, leader | ~filled & board.inside & ~board.follower | shared)


@inlined
def leader_wins(board, follower, filled, threat, column):
    """Tells whether the leader wins by a threat on a cell `l` that is not playable.

    The leader never plays the cell below the threat, and follows up in the rest of the board: an odd number of empty cells when it is to
    move, so it moves first there, and the follower runs out of other moves. In the threat's column the leader gets `l`, in the others `f`.
    It is to be shown that the follower's stones, the cells it gets, and all that are playable hold no four.

        t   threat, l                  the leader's, in the end
        f   cell below the threat      the follower's last move
        l   below these two            the leader's
        f                              the follower's

    Args:
        board: BOARD.
        follower: the follower's stones.
        filled: all stones.
        threat: the cell.
        column: its column.
    """
    empty, playable = ~filled & board.inside, playable_cells(board, filled)
    elsewhere = (empty & ~board.follower | playable) & ~column
    below = column & threat - 1 & ~filled & (board.follower | playable)
    return not has_four(board, follower | elsewhere | below)


@inlined
def score_by_parity(board, leader, filled, leader_threats, asked):
    """Returns a bound on the leader's score that tells whether it reaches `asked`, or UNKNOWN.

    It is 0, an upper bound, if the follower holds a draw and more is asked; or what a threat wins at least, if that is as much as asked.
    The game is over at the latest when only the cells above the threat are empty.
    """
    if asked > 0 and follower_holds(board, leader, filled):
        return 0
    cells = leader_threats & ~board.follower & ~playable_cells(board, filled)
    while cells != 0:
        threat = cells & -cells
        column = column_of(board, threat)
        score = count(column & -threat & ~threat) // 2 + 1
        if score >= asked and leader_wins(board, leader ^ filled, filled, threat, column):
            return score
        cells ^= threat
    return UNKNOWN


@inlined
def mirrored(board, key):
    """Returns a bitboard with its columns in reverse order."""
    tall, image = board.height + 1, np.int64(0)
    for _ in range(board.width):
        image = image << tall | key & (1 << tall) - 1
        key >>= tall
    return image


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
