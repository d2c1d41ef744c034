"""Compiling everything ahead of time, so that no first move waits for it."""

from __future__ import annotations

from collections.abc import Callable

from ..envs.game import Game
from ..envs.position import Position
from .registry import make
from .search_agent import EVALUATIONS

# of each kind a board that fits into machine words and one that does not, as the compiled code of one serves all others like it; four in a
# row suits all of Connect-K's evaluations
GAMES = {
    "connect_k": (Game("ConnectFour"), Game("ConnectK", width=8, height=8, k=4)),
    "gomoku": (Game("Gomoku"),),
    "isola": (Game("Isola"), Game("Isola", rules="nines")),
}
WARMUPS = [(game, evaluation) for kind, evaluations in EVALUATIONS.items() for game in GAMES[kind] for evaluation in evaluations]


def warmup(progress: Callable[[int], None] | None = None) -> None:
    """Compiles the search of every kind of game with each of its evaluations into the cache folder; what is there already is only loaded.

    Args:
        progress: called with the number of searches done, out of len(WARMUPS).
    """
    # every evaluation allows for a table without cutoffs, and the switches do not change what is compiled
    for done, (game, evaluation) in enumerate(WARMUPS, start=1):
        make({"name": "alphabeta", "depth": 1, "cutoffs": False, "evaluation": evaluation}, game).act(Position(game))
        if progress:
            progress(done)
