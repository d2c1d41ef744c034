"""Scores of a search, and the only conversions between them.

A win `n` plies from the root scores WIN - n, so that a quicker win is higher; a loss is its negative. Static evaluations stay within
+-LIMIT, so that |score| > LIMIT means that the game is decided. A table keeps decisive scores as seen from its own node.

        -WIN ........ -LIMIT ....................... 0 ....................... LIMIT ........ WIN
        lost at once   lost late    static evaluations      won late   won at once
"""

from ..evaluation.interface import LIMIT

MAX_PLY = 1000  # more plies than any game lasts
WIN = LIMIT + 1 + MAX_PLY
INFINITY = 2 * WIN
EXACT, LOWER, UPPER = range(3)  # a table entry's score: the true one; one that the true one reaches; one that it does not exceed


def is_decisive(score: int) -> bool:
    """Tells whether a score means a won or lost game."""
    return score > LIMIT or score < -LIMIT


def plies_to_end(score: int) -> int:
    """Returns the plies to the end of the game that a decisive score tells of."""
    return WIN - abs(score)


def to_table(score, level):
    """Returns a score as it is kept by a node `level` plies from the root: decisive ones count from the node."""
    if score > LIMIT:
        return score + level
    return score - level if score < -LIMIT else score


def from_table(score, level):
    """Returns a kept score as seen from the root, for a node `level` plies away from it."""
    if score > LIMIT:
        return score - level
    return score + level if score < -LIMIT else score
