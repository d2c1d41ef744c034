"""The search agents: alpha-beta with an evaluation, to a depth, a number of nodes or a time."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from ..envs.game import Game
from ..envs.position import Position
from ..envs.rules.errors import AgentError
from .agent import Analysis, check_running, parameter
from .evaluation.interface import LIMIT
from .search.alphabeta import MAX_DEPTH
from .search.deepening import Searcher
from .search.limits import Limits
from .search.settings import METHODS, Settings

DEFAULT_DEPTH = 4
EVALUATIONS = {  # by kind of game, the default first
    "connect_k": ("ways_to_win", "window_scan", "four_patterns"),
    "gomoku": ("line_shapes",),
    "isola": ("mobility",),
}


@dataclass
class SearchAgent:
    """Alpha-beta with null-window scouting, iterative deepening, a transposition table, killers and history.

    Its answer depends on the position and the parameters alone: with limits of depth or nodes it is the same on every machine and after
    every history. Without any limit it searches four plies.
    """

    depth: int | None = parameter(None, "plies to search at most; 4 if no limit is given", low=1, high=MAX_DEPTH)
    nodes: int | None = parameter(None, "positions to enter at most", low=1)
    seconds: float | None = parameter(None, "time to think at most; not reproducible", low=0)
    evaluation: str | None = parameter(
        None,
        "Connect-K: ways_to_win, window_scan or, where k is 4, four_patterns; Gomoku: line_shapes; Isola: mobility; none: the first of them",
    )
    method: str = parameter("pvs", "pvs (alpha-beta with null-window scouting), alphabeta, mtdf, or minimax (no pruning)", choices=METHODS)
    deepening: bool = parameter(True, "search depth 1, 2, 3, … up to the limit; false goes straight to the depth")
    table_mib: int = parameter(4, "size of the transposition table in MiB; 0 for none", low=0, high=65_536)
    killers: bool = parameter(True, "search refutations of sibling nodes early")
    history: bool = parameter(True, "search moves that refuted other nodes early")
    promise: bool = parameter(True, "search moves early that the evaluation calls promising")
    aspiration: int = parameter(0, "half the width of the window around the last depth's score; 0 for an open window", low=0, high=LIMIT)
    reductions: bool = parameter(False, "search late moves a ply less deep first; inexact")
    name: str = field(default="alphabeta", init=False)

    def __post_init__(self) -> None:
        is_unlimited = self.depth is None and self.nodes is None and self.seconds is None
        depth = self.depth or (DEFAULT_DEPTH if is_unlimited else MAX_DEPTH)
        self._limits = Limits(depth, self.nodes, self.seconds)
        if not self.deepening and self.depth is None:
            raise AgentError(f"agent {self.name!r}: deepening: expected a depth to go straight to, got false without one")
        self._searcher: tuple[Game, Searcher] | None = None

    def check_game(self, game: Game) -> None:
        """Raises AgentError if the evaluation is not for this game."""
        known = EVALUATIONS[game.kind]
        called = self.evaluation or known[0]
        expected = _refusal(called, game) if called in known else f"one of {', '.join(known)}"
        if expected:
            raise AgentError(f"agent {self.name!r}: evaluation: expected {expected} for {game.name}, got {called!r}")

    def reset(self, seed: int | None = None) -> None:
        """Does nothing: no search depends on an earlier one, and nothing is left to chance."""

    def act(self, position: Position) -> int:
        """Returns the best move that the search finds within its limits."""
        return self.analyse(position).move

    def analyse(self, position: Position) -> Analysis:
        """Returns the best move, its score (see `search.scores`) and the line that leads to it."""
        check_running(position)
        found = self._search_of(position.game).search(position, self._limits)
        return Analysis(found.move, found.score, found.depth, found.nodes, found.seconds, found.pv)

    def _search_of(self, game: Game) -> Searcher:
        """Returns the searcher of a game; the first call compiles it, or loads it compiled."""
        if self._searcher is None or self._searcher[0] != game:
            self.check_game(game)
            evaluation = _evaluation(self.evaluation or EVALUATIONS[game.kind][0])
            self._searcher = game, Searcher(game, evaluation, self._settings())
        return self._searcher[1]

    def _settings(self) -> Settings:
        return Settings(**{name: getattr(self, name) for name in Settings._fields})

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_searcher": None}


def _evaluation(name: str) -> ModuleType:
    return importlib.import_module(f".evaluation.{name}", __package__)


def _refusal(evaluation: str, game: Game) -> str | None:
    """Returns what an evaluation misses in a game of its kind, or None."""
    refusal = getattr(_evaluation(evaluation), "refusal", None)
    return refusal(game) if refusal else None
