"""Random Connect Four positions, sorted by stage of the game and by how many moves are left under best play: sets to measure solvers on.

Positions come from random legal play from the start, to a number of moves drawn evenly from those of the stage; no side has won, and the
side to move has no win at once.
"""

import random
from typing import NamedTuple

CELLS = 42
STAGES = {"begin": range(8, 15), "middle": range(15, 29), "end": range(29, 41)}  # how many moves were played
LEVELS = {"easy": range(14), "medium": range(14, 28), "hard": range(28, CELLS + 1)}  # how many are left


class Boards(NamedTuple):
    """A position as the solver takes it: bits of the stones of the side to move and of all stones, and the moves that led to it."""

    own: int
    filled: int
    moves: str


def moves_left(ply, score):
    """Returns how many moves a game goes on under best play, by its exact score."""
    empty = CELLS - ply
    if score == 0:
        return empty
    stones = (empty + 1) // 2 - (score - 1) if score > 0 else empty // 2 - (-score - 1)  # that the winner still places
    return 2 * stones - 1 if score > 0 else 2 * stones


def level_of(ply, score):
    """Returns the name of the level of a position."""
    return next(level for level, lengths in LEVELS.items() if moves_left(ply, score) in lengths)


def has_four(stones):
    """Tells whether four stones stand in a row; columns of seven bits."""
    return any(stones & stones >> step & stones >> 2 * step & stones >> 3 * step for step in (1, 6, 7, 8))


def random_boards(stage, seed):
    """Yields positions of a stage without end."""
    random_moves = random.Random(f"{stage} {seed}")
    while True:
        plies = random_moves.choice(STAGES[stage])
        own, rival, heights, moves = 0, 0, [0] * 7, ""
        while len(moves) < plies and not has_four(rival):
            column = random_moves.choice([column for column in range(7) if heights[column] < 6])
            own, rival = rival, own | 1 << 7 * column + heights[column]
            heights[column] += 1
            moves += str(column + 1)
        wins = any(has_four(own | 1 << 7 * column + heights[column]) for column in range(7) if heights[column] < 6)
        if not has_four(rival) and not wins:
            yield Boards(own, own | rival, moves)
