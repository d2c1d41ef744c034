"""System A: a player of Connect-K that keeps its tree, and can go on searching it while the opponent thinks."""

from __future__ import annotations

import time
import weakref
from dataclasses import dataclass, field
from typing import Any

from ..envs.game import Game
from ..envs.position import Position
from ..envs.rules.errors import AgentError
from .agent import MOST_MIB, MOST_NODES, MOST_SECONDS, Analysis, check_running, parameter
from .evaluation import window_scan
from .pondering import Pondering
from .search.alphabeta import MAX_DEPTH
from .search.limits import Limits
from .search.tree_searcher import TreeSearcher
from .tree_agent import TreeAgent

DEFAULT_DEPTH = 4


@dataclass
class WindowScanAgent(TreeAgent[TreeSearcher]):
    """Iterative deepening alpha-beta on a tree that is kept during the game, with the window scan as its evaluation.

    The best child found at one depth is searched first at the next, and after my move and the opponent's reply the subtree below them is
    searched on. A value from an earlier depth ends a node only if it decides the game. Among moves worth the most the first in the order
    of moves is played, so with a limit of depth move and score depend on the position and the parameters alone, pondering or not, unless
    the tree is too small for that depth. With limits of nodes or seconds, what was kept lets a search get further.

    A position that does not follow from the last one, as its record of moves tells, begins a new tree. A copy or a pickle takes the tree
    with it but not the thread; making one, like a fork of the process, ends the pondering of the running turn.
    """

    depth: int | None = parameter(None, "plies to search at most; 4 if no limit is given", low=1, high=MAX_DEPTH)
    nodes: int | None = parameter(None, "positions to enter at most, those entered while pondering left out", low=1, high=MOST_NODES)
    seconds: float | None = parameter(None, "time to think at most; not reproducible", low=0, high=MOST_SECONDS)
    tree_mib: int = parameter(64, "size of the tree in MiB; when it is full, the last finished depth answers", low=1, high=MOST_MIB)
    pruning: bool = parameter(True, "alpha-beta; false is plain minimax")
    keep: bool = parameter(True, "keep the tree below the moves that are played; false builds it anew for each move")
    ponder: bool = parameter(False, "search on while the opponent thinks, on a thread of its own")
    name: str = field(default="window_scan", init=False)

    def __post_init__(self) -> None:
        is_unlimited = self.depth is None and self.nodes is None and self.seconds is None
        self._limits = Limits(self.depth or (DEFAULT_DEPTH if is_unlimited else MAX_DEPTH), self.nodes, self.seconds)
        self._stop_pondering = _nothing

    def check_game(self, game: Game) -> None:
        """Raises AgentError unless the game is Connect-K."""
        if game.kind.name != "connect_k":
            raise AgentError(f"agent {self.name!r} does not play {game.name}; it plays connect_k")

    def reset(self, seed: int | None = None) -> None:
        """Drops the tree and stops pondering; nothing is left to chance."""
        with self._lock:
            self._stop_pondering()
            self._forget_tree()

    def act(self, position: Position) -> int:
        """Returns the best move that the search finds within its limits."""
        return self.analyse(position).move

    def analyse(self, position: Position) -> Analysis:
        """Returns the best move, its score (see `search.scores`) and the line that leads to it; with `ponder` goes on on a thread."""
        begin = time.perf_counter()
        check_running(position)
        with self._lock:
            self._stop_pondering()
            searcher = self._searcher_of(position.game)
            if not self.keep:
                searcher.kept.forget()
            found = searcher.search(position, self._limits, begin)
            if self.ponder:
                self._ponder(position, found.move)
        return Analysis(**found._asdict())

    def _ponder(self, position: Position, move: int) -> None:
        """Searches the position after a move until the next call, as deep as that call can use."""
        awaited = position.copy()
        awaited.push(move)
        if awaited.is_over:
            return
        searcher, limits = self._searcher_of(position.game), Limits(min(self._limits.depth + 1, MAX_DEPTH))
        pondering = Pondering(lambda is_stopped: searcher.search(awaited, limits, time.perf_counter(), is_stopped))
        self._stop_pondering = weakref.finalize(self, pondering.stop)  # also called when the agent or the interpreter comes to its end

    def _new_searcher(self, game: Game) -> TreeSearcher:
        self.check_game(game)
        return TreeSearcher(game, window_scan, self.pruning, self.tree_mib)

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            self._stop_pondering()
            return {**super().__getstate__(), "_stop_pondering": _nothing}


def _nothing() -> None:
    """Stops no pondering."""
