"""Compiling everything ahead of time, so that no first move waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

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


class WarmUp(NamedTuple):
    """Something to compile.

    Attributes:
        words: of an agent, or with "opponent" those of a batch.
        game: what is played.
        seconds: that it usually takes, as measured on one core of a two-core machine.
    """

    words: dict[str, Any]
    game: Game
    seconds: float

    def compile(self) -> None:
        """Compiles it, or loads it from the cache folder."""
        if "opponent" in self.words:
            gymnasium.make_vec(self.game.id, num_envs=1, **self.words, **self.game.options).close()
        else:
            make(self.words, self.game).act(Position(self.game))


SEARCHES = [
    WarmUp({"name": "alphabeta", "depth": 1, "evaluation": evaluation, "cutoffs": False}, game, 7)
    for kind, evaluations in EVALUATIONS.items()
    for game in GAMES[kind]
    for evaluation in evaluations
]
TREES = [
    WarmUp({"name": name}, games[0], 4) for name in ("window_scan", "mcts") for kind, games in GAMES.items() if kind in AGENTS[name].kinds
]
BATCHES = [
    WarmUp({"opponent": opponent}, game, seconds)
    for games in GAMES.values()
    for game in games
    for opponent, seconds in {"random": 9, "greedy": 9, "alphabeta:depth=1": 16}.items()
]
WARMUPS = [*SEARCHES, *TREES, *BATCHES]
SECONDS = sum(each.seconds for each in WARMUPS)


def warmup(progress: Callable[[int, float], None] | None = None) -> None:
    """Compiles every search of every kind of game, and the batches of the usual opponents, into the cache folder or loads them from it.

    Args:
        progress: called with the number of them done, out of len(WARMUPS), and the seconds that the others will take if all goes on as the
            last two did (one alone may have been loaded, or found compiled).
    """
    last = 0.0
    for done, each in enumerate(WARMUPS, start=1):
        start = time.perf_counter()
        each.compile()
        before, last = last, (time.perf_counter() - start) / each.seconds
        if progress:
            progress(done, max(before, last) * sum(other.seconds for other in WARMUPS[done:]))
