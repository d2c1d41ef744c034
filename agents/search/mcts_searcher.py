"""Monte Carlo tree search on the resumable kernel: counts simulations, reads the clock, and keeps the tree (see `mcts`)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ...envs import compiled
from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules import interface as rules_interface
from . import mcts
from .kept_tree import KeptTree
from .limits import Limits
from .pace import Pace, never
from .result import SearchResult
from .scores import MAX_PLY
from .tree import NONE

PROVEN_SCORE = 1000  # a proven win; other scores stay within it


class MctsSearcher:
    """Searches the positions of one game by simulations, and keeps the tree below the last one if it is told to."""

    def __init__(self, game: Game, exploration: float, tree_mib: int, reuse: bool) -> None:
        """Makes room for a tree and compiles the search, or loads it compiled.

        Args:
            game: what is played.
            exploration: constant of the upper confidence bound.
            tree_mib: size in MiB of two halves, one for the tree and one to copy what is kept to.
            reuse: keep the tree from one position to the next.
        """
        self.reuse = reuse
        self.states = compiled.readable(np.repeat(game.initial().record(), 2))
        self.progress = compiled.records(1, mcts.PROGRESS)
        self.progress["exploration"] = exploration
        self.out, self.path = np.zeros(game.action_count, np.int64), np.zeros(MAX_PLY + 1, np.int64)
        self.kept = KeptTree(mcts.NODE, tree_mib, 1 + game.action_count, self.progress)
        kernels = compiled.bind(mcts, (rules_interface, game.rules))
        self._run = compiled.ready(kernels.run, *self._workspace(), 1)
        self._pace = Pace(1)
        self._principal_path = compiled.ready(kernels.principal_path, self.kept.nodes, self.path)
        self.kept.copy_below = compiled.ready(kernels.keep, self.kept.nodes, self.kept.spare, self.out, 1)

    def search(
        self, position: Position, limits: Limits, begin: float, is_stopped: Callable[[], bool] = never, seed: int = 0
    ) -> SearchResult:
        """Returns the best move of a position whose game goes on; see `searcher.Searcher`.

        The tree is kept if the position is the last one, or follows from it. The simulations of a limit include those kept from earlier.

        Args:
            position: left as it is.
            limits: at least one simulation is made.
            begin: when the caller began to wait, by `time.perf_counter`.
            is_stopped: called every few simulations; ends the search like a limit.
            seed: of the random moves, which depend on the position and the state of the tree, too.
        """
        if not self.reuse:
            self.kept.forget()
        self.kept.move_root(position, limits.seconds)
        self.states[:1] = position.state.record()
        self.progress["random"] = random_state(seed, int(position.state.key), self._root("visits"))
        made = 0
        if self._root("first") == NONE:  # no move to answer with yet
            made += self._run(*self._workspace(), 1)
        for budget in self._pace.budgets(lambda: self._root("visits"), limits.nodes, limits.end(begin), is_stopped):
            if self._root("value") >= mcts.LOSS:
                break
            made += self._run(*self._workspace(), budget)
        return self._result(made, begin)

    def _result(self, made: int, begin: float) -> SearchResult:
        """Returns what the tree says of its root after some simulations."""
        length = self._principal_path(self.kept.nodes, self.path)
        line = self.kept.nodes["move"][self.path[1:length]].tolist()
        child = self.kept.nodes[int(self.path[1])]
        score = score_of(int(child["value"]), int(child["points"]), int(child["visits"]))
        is_proven = self._root("value") >= mcts.LOSS
        seconds = time.perf_counter() - begin
        return SearchResult(line[0], score, len(line), tuple(line), made, made, 0, seconds, is_proven, scores=self._scores())

    def _scores(self) -> dict[int, int]:
        """Returns the score of each move of the root that was visited."""
        scores, index = dict[int, int](), self._root("first")
        while index != NONE:
            move, value, points, visits, index = self.kept.nodes[index][["move", "value", "points", "visits", "next"]].tolist()
            if visits:
                scores[move] = score_of(value, points, visits)
        return dict(sorted(scores.items()))

    def _root(self, name: str) -> int:
        return int(self.kept.nodes[0][name])

    def _workspace(self) -> tuple[Any, ...]:
        """The arguments of the kernel but its budget."""
        return self.states, self.kept.nodes, self.progress, self.out, self.path


def score_of(value: int, points: int, visits: int) -> int:
    """Returns the score of a child for the side that moves there: its mean result from -1000 to 1000, these two only if proven."""
    if value >= mcts.LOSS:
        return (mcts.DRAW - value) * PROVEN_SCORE
    mean = round(PROVEN_SCORE * (points / visits - 1))
    return min(max(mean, 1 - PROVEN_SCORE), PROVEN_SCORE - 1)


def random_state(*numbers: int) -> int:
    """Returns a state for the kernel's generator that looks random for all but equal numbers (SplitMix64; S. Vigna, 2015)."""
    state = 0
    for number in numbers:
        state = (state + number + 0x9E3779B97F4A7C15) % 2**64
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        state = (state ^ state >> 27) * 0x94D049BB133111EB % 2**64
        state ^= state >> 31
    return (state or 1) - (2**64 if state >= 2**63 else 0)
