"""Perft of a game: how many move sequences of an exact length it has, compiled unless SPARRING_JIT=0."""

from __future__ import annotations

import numpy as np

from . import compiled
from .game import Game
from .position import Position
from .rules import interface, perft


def count(start: str | Game | Position, depth: int) -> int:
    """Returns the number of move sequences of exactly `depth` plies; a finished game has no moves.

    >>> count("TicTacToe", 2)
    72

    Args:
        start: an id, a Game, or the position to start from, which is left as it is.
        depth: plies, at least 0.
    """
    position = start if isinstance(start, Position) else Position(start)
    if depth < 1:
        return 1
    kernel = compiled.bind(perft, (interface, position.game.rules)).perft
    moves = np.zeros((depth, position.game.action_count), np.int64)
    counts, chosen = np.zeros((2, depth), np.int64)
    if compiled.is_plain():  # in plain mode a State is several times as fast as a record
        return kernel([position.state.copy()], depth, moves, counts, chosen)
    arguments = position.state.record(), depth, moves, counts, chosen
    return int(compiled.ready(kernel, *arguments)(*arguments))
