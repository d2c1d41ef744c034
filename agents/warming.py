"""Compiling everything ahead of time, so that no first move waits for it."""

from __future__ import annotations

from collections.abc import Callable

import gymnasium

from ..envs.game import Game
from ..envs.position import Position
from .registry import AGENTS, make
from .search_agent import EVALUATIONS

# boards of each kind, one that fits into machine words and one that does not, as the compiled code of one serves all others like it;
# four in a row suits all of Connect-K's evaluations
GAMES = {
    "connect_k": (Game("ConnectFour"), Game("ConnectK", width=8, height=8, k=4)),
    "gomoku": (Game("Gomoku"),),
    "isola": (Game("Isola"), Game("Isola", rules="nines")),
}
SEARCHES = [
    ({"name": "alphabeta", "depth": 1, "evaluation": evaluation, "cutoffs": False}, game)
    for kind, evaluations in EVALUATIONS.items()
    for game in GAMES[kind]
    for evaluation in evaluations
]
TREES = [({"name": name}, games[0]) for name in ("window_scan", "mcts") for kind, games in GAMES.items() if kind in AGENTS[name].kinds]
BATCHES = [
    ({"opponent": opponent}, game) for games in GAMES.values() for game in games for opponent in ("random", "greedy", "alphabeta:depth=1")
]
WARMUPS = [*SEARCHES, *TREES, *BATCHES]


def warmup(progress: Callable[[int], None] | None = None) -> None:
    """Compiles every search of every kind of game, and the batches of the usual opponents, into the cache folder or loads them from it.

    Args:
        progress: called with the number of them done, out of len(WARMUPS).
    """
    for done, (words, game) in enumerate(WARMUPS, start=1):
        if "opponent" in words:
            gymnasium.make_vec(game.id, num_envs=1, **words, **game.options).close()
        else:
            make(words, game).act(Position(game))
        if progress:
            progress(done)
