"""Lines of four with gravity on bitboards: threats, replies that do not lose, and what following up above the rival is worth. Kernels.

A cell is a bit of an int64, as in `envs.rules.connect_k_bitboards`: columns follow each other from the bottom up, and above each lies a
sentinel that no stone takes. Three int64 hold a position: `own`, the stones of the side to move, `rival`, those of the other one, and
`filled`, both together.

     6 13 20 27 34 41 48    sentinels
    ---------------------
     5 12 19 26 33 40 47    row 5      f f f f f f f
     4 11 18 25 32 39 46               l l l l l l l
     3 10 17 24 31 38 45               f f f f f f f
     2  9 16 23 30 37 44               l l l l l l l
     1  8 15 22 29 36 43               f f f f f f f
     0  7 14 21 28 35 42    row 0      l l l l l l l    `f`: cells of BOARD.follower      (width 7, height 6)

Parity. Of the two sides one is the *leader*, who moves whenever an even number of cells is empty, and the other the *follower*. The follower
can answer each move by the cell above it, and so gets every cell `f` (the topmost of a column, and every second one below it), with the
exception of an `f` that can be played at once: these are answered by one another, and as their number is even when the leader is to move,
there always is one left.
"""

import numpy as np

from ...envs.rules.bitboards import count, inlined

BOARD = np.dtype([(name, np.int64) for name in "width height cells first bottom all follower".split()])


def boards_of(width, height):
    """Returns the constants of a board, BOARD[1]: its sizes, its row 0, all its cells, and the follower's."""
    tall = height + 1
    bottom = sum(1 << column * tall for column in range(width))
    follower = sum(bottom << row for row in range(height - 1, -1, -2))
    return np.array([(width, height, width * height, (1 << height) - 1, bottom, bottom * ((1 << height) - 1), follower)], BOARD)


@inlined
def playable_cells(board, filled):
    """Returns the lowest empty cell of each column that has one: 1 added at the bottom of a column carries up to it."""
    return filled + board.bottom & board.all


@inlined
def completing_cells(board, stones):
    """Returns the cells, filled or not, where one more stone makes four in a row.

    Of three stones and the cell `.` each kind is found by shifts along the line: x x x .   x x . x   x . x x   . x x x
    """
    cells = stones << 1 & stones << 2 & stones << 3
    for shift in (board.height, board.height + 1, board.height + 2):
        before, after = stones << shift, stones >> shift
        two_before, two_after = before & stones << 2 * shift, after & stones >> 2 * shift
        cells |= two_before & (stones << 3 * shift | after) | two_after & (stones >> 3 * shift | before)
    return cells


@inlined
def has_four(board, stones):
    """Tells whether four stones stand in a row."""
    pairs = stones & stones >> 1
    fours = pairs & pairs >> 2
    for shift in (board.height, board.height + 1, board.height + 2):
        pairs = stones & stones >> shift
        fours |= pairs & pairs >> 2 * shift
    return fours != 0


@inlined
def safe_replies(board, filled, rival_threats):
    """Returns the playable cells that do not let the rival win by its next move.

    Two threats that can be played at once leave none, one leaves only itself; a cell below a threat is none.
    """
    cells = playable_cells(board, filled)
    forced = cells & rival_threats
    if forced != 0:
        cells = 0 if forced & forced - 1 != 0 else forced
    return cells & ~(rival_threats >> 1)


@inlined
def follower_holds(board, leader, filled, pairs):
    """Tells whether following up leaves the leader, who is to move, without a line: then the follower has a draw at least.

    The leader gets at most its own cells and those that can be played at once; of two of these, one.
    """
    sure = leader | ~filled & board.all & ~board.follower
    shared = playable_cells(board, filled) & board.follower
    if not has_four(board, sure | shared):
        return True
    if pairs:
        first = shared & -shared
        second = shared ^ first
        if second != 0 and second & second - 1 == 0:
            return not has_four(board, sure | first) and not has_four(board, sure | second)
    return False


@inlined
def follower_holds_moving(board, leader, filled, pairs):
    """Does the same where the follower is to move: it first plays a shared cell."""
    sure = leader | ~filled & board.all & ~board.follower
    shared = playable_cells(board, filled) & board.follower
    if pairs:
        if shared & shared - 1 == 0:
            return not has_four(board, sure)
        rest = shared
        while rest != 0:
            if not has_four(board, sure | shared ^ rest & -rest):
                return True
            rest &= rest - 1
        return False
    return not has_four(board, sure | shared)


@inlined
def column_of(board, cell):
    """Returns all cells of the column of a cell."""
    shift = 0
    while cell >> shift > board.first:
        shift += board.height + 1
    return board.first << shift


@inlined
def leader_wins(board, follower, filled, threat, column):
    """Tells whether the leader wins by a threat on a cell of its own that is not playable: it never plays below it, and follows up elsewhere.

    Without the threat's column from the cell below the threat on, an odd number of cells is empty when the leader is to move. So it moves
    once and then is the one who follows up, on cells `l`, until only the cell below the threat is left to the follower.
    The follower's reach is all `f` below the threat in its column, all `l` of the other columns, and what can be played at once.
    """
    below = column & threat - 1 & ~filled
    playable = playable_cells(board, filled)
    reach = (~filled & board.all & ~board.follower | playable) & ~column | below & (board.follower | playable)
    return not has_four(board, follower | reach)
