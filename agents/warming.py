"""Compiling everything ahead of time, so that no first move waits for it."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium

from ..envs.game import Game
from ..envs.position import Position
from ..envs.registration import GAMES
from .factory import make
from .perfect_agent import MOST_CELLS
from .registry import AGENTS
from .search_agent import knows_threats
from .solver.connect_four import can_solve


class WarmUp(NamedTuple):
    """Something to compile.

    Attributes:
        spec: of an agent; or {"opponent": …}, the options of a batch.
        game: what is played.
        seconds: that it usually takes, as measured on one core of a two-core machine.
    """

    spec: dict[str, Any]
    game: Game
    seconds: float

    def compile(self) -> None:
        """Compiles it, or loads it from the cache folder."""
        if "opponent" in self.spec:
            gymnasium.make_vec(self.game.id, num_envs=1, **self.spec, **self.game.options).close()
        else:
            make(self.spec, self.game).act(Position(self.game))


def warm_ups() -> list[WarmUp]:
    """Returns what there is to compile: every search and tree of every kind of game, and the batches of the usual opponents."""
    kinds = {registration.kind.name: registration.kind for registration in GAMES.values()}.values()
    boards = {kind.name: [Game.of(board) for board in kind.warm_boards] for kind in kinds}
    searches = [
        WarmUp({"name": "alphabeta", "depth": 1, "evaluation": evaluation, "cutoffs": False}, game, 7)
        for kind in kinds
        for game in boards[kind.name]
        for evaluation in kind.evaluation_modules
    ]
    threats = [
        WarmUp({"name": "alphabeta", "depth": 1, "evaluation": evaluation, "threats": True}, game, 20)
        for kind in kinds
        for game in boards[kind.name]
        for evaluation, module in kind.evaluation_modules.items()
        if knows_threats(importlib.import_module(module), game)
    ]
    trees = [
        WarmUp({"name": name}, boards[kind.name][0], 4)
        for name in ("window_scan", "mcts")
        for kind in kinds
        if boards[kind.name] and AGENTS[name].plays(kind.name)
    ]
    batches = [
        WarmUp({"opponent": opponent}, game, seconds)
        for kind in kinds
        for game in boards[kind.name]
        for opponent, seconds in {"random": 9, "greedy": 9, **({"alphabeta:depth=1": 16} if kind.evaluations else {})}.items()
    ]
    solvers = [WarmUp({"name": "perfect", "nodes": 1}, game, 8) for game in solved_games()]
    return [*searches, *threats, *trees, *solvers, *batches]


def solved_games() -> list[Game]:
    """Returns games that `perfect` plays, one for each solver and module of rules that it uses."""
    games = [Game.of(text) for id, registration in GAMES.items() for text in (id, *registration.kind.warm_boards)]
    games = [game for game in games if can_solve(game) or game.width * game.height <= MOST_CELLS]
    by_kernels = {(can_solve(game), game.bitboards or game.rules): game for game in reversed(games)}
    return list(reversed(by_kernels.values()))


def warmup(progress: Callable[[int, float], None] | None = None) -> None:
    """Compiles every search of every kind of game, and the batches of the usual opponents, into the cache folder or loads them from it.

    Args:
        progress: called with the number of them done, out of len(warm_ups()), and the seconds that the others will take if all goes on as
            the last two did (one alone may have been loaded, or found compiled).
    """
    last, all_of_them = 0.0, warm_ups()
    for done, each in enumerate(all_of_them, start=1):
        start = time.perf_counter()
        each.compile()
        before, last = last, (time.perf_counter() - start) / each.seconds
        if progress:
            progress(done, max(before, last) * sum(other.seconds for other in all_of_them[done:]))
