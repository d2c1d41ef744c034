"""Compiling everything ahead of time, so that no first move waits for it."""

from __future__ import annotations

from collections.abc import Callable

from ..envs.position import Position
from .registry import make
from .search_agent import EVALUATIONS

# one game of each kind, as the compiled code serves every board of the kind, with each evaluation; four in a row suits all of Connect-K's
GAMES = {"connect_k": "sparring/ConnectFour-v0", "gomoku": "sparring/Gomoku-v0", "isola": "sparring/Isola-v0"}
WARMUPS = [(GAMES[kind], evaluation) for kind, evaluations in EVALUATIONS.items() for evaluation in evaluations]


def warmup(progress: Callable[[int], None] | None = None) -> None:
    """Compiles the search of every kind of game with each of its evaluations into the cache folder; what is there already is only loaded.

    Args:
        progress: called with the number of searches done, out of len(WARMUPS).
    """
    for done, (game, evaluation) in enumerate(WARMUPS, start=1):
        make({"name": "alphabeta", "depth": 1, "evaluation": evaluation}, game).act(Position(game))
        if progress:
            progress(done)
