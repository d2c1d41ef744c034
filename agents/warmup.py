"""Compiling everything ahead of time, so that no first move waits for it."""

from __future__ import annotations

from collections.abc import Callable

from ..envs.position import Position
from .registry import make

# one game of each kind: the compiled code serves every board of the kind
GAMES = ("sparring/ConnectK-v0", "sparring/Gomoku-v0", "sparring/Isola-v0")


def warmup(progress: Callable[[str, int, int], None] | None = None) -> None:
    """Compiles the search of every kind of game into the cache folder; what is there already is only loaded.

    Args:
        progress: called before each step with what is compiled, its number from 0, and the number of steps; at the end with "" and twice that number.
    """
    for number, game in enumerate(GAMES):
        if progress:
            progress(game, number, len(GAMES))
        make("alphabeta:depth=1", game).act(Position(game))
    if progress:
        progress("", len(GAMES), len(GAMES))
