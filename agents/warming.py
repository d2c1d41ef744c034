"""Compiling everything ahead of time, so that no first move waits for it."""

from __future__ import annotations

from collections.abc import Callable

from ..envs.position import Position
from .registry import make

# one game of each kind: the compiled code serves every board of the kind
WARMUP_GAMES = ("sparring/ConnectK-v0", "sparring/Gomoku-v0", "sparring/Isola-v0")


def warmup(progress: Callable[[int], None] | None = None) -> None:
    """Compiles the search of every kind of game into the cache folder; what is there already is only loaded.

    Args:
        progress: called with the number of games done, out of len(WARMUP_GAMES).
    """
    for done, game in enumerate(WARMUP_GAMES, start=1):
        make("alphabeta:depth=1", game).act(Position(game))
        if progress:
            progress(done)
