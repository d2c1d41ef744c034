"""Iterative deepening on the resumable kernel: Python reads the clock between budgets, so no threads, no flags, and Ctrl-C works."""

from __future__ import annotations

import time
from types import ModuleType
from typing import Any

import numpy as np

from ...envs import compiled
from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules import interface as rules_interface
from ..evaluation import interface as evaluation_interface
from . import alphabeta
from .limits import Limits
from .result import SearchResult
from .scores import INFINITY, is_decisive

NODES_BETWEEN_CLOCK_READS = 2000
SALT_STEP = 0x1E3779B97F4A7C15  # odd, below 2**61
SALT_MASK = 2**62 - 1


class Searcher:
    """Searches positions of one game. What it finds depends on the position and the limits alone, not on earlier searches."""

    def __init__(self, game: Game, evaluation: ModuleType, table_mib: int) -> None:
        """Makes room for searches of a game and compiles them, or loads them compiled.

        Args:
            game: what is played.
            evaluation: a module of `agents.evaluation`.
            table_mib: size of the transposition table in MiB, rounded down to a power of two of entries.
        """
        levels = alphabeta.MAX_DEPTH + 1
        self.states = compiled.readable(game.initial().record())
        self.memories = compiled.records(1, getattr(evaluation, "MEMORY", evaluation_interface.MEMORY))
        self.frames, self.progress = compiled.records(levels, alphabeta.FRAME), compiled.records(1, alphabeta.PROGRESS)
        self.moves, self.ranks = np.zeros((2, levels * game.action_count), np.int64)
        self.lines, self.killers = np.zeros((levels, levels), np.int64), np.zeros((levels, 2), np.int64)
        self.history = np.zeros((2, game.action_count), np.int64)
        entries = max(table_mib * 2**20 // alphabeta.ENTRY.itemsize, 1)
        self.table = compiled.records(1 << (entries.bit_length() - 1), alphabeta.ENTRY)
        self.searches = 0
        kernels = compiled.bind(alphabeta, (rules_interface, game.rules), (evaluation_interface, evaluation))
        self._run = compiled.ready(kernels.run, *self._workspace(), 1)

    def search(self, position: Position, limits: Limits) -> SearchResult:
        """Returns the best move of a position whose game goes on, as the last finished depth sees it."""
        begin = time.perf_counter()
        end = None if limits.seconds is None else begin + limits.seconds
        self._forget()
        found: tuple[int, int, tuple[int, ...]] | None = None
        depth_reached = 0
        deepest = min(limits.depth, alphabeta.MAX_DEPTH, max(position.state.cells.count(0) + 2, 1))
        for depth in range(1, deepest + 1):
            if not self._search_depth(position, depth, limits.nodes, end, must_finish=depth == 1):
                break
            now = self.progress[0]
            found, depth_reached = (int(now["best_move"]), int(now["value"]), self._line()), depth
            if is_decisive(found[1]):
                break
        assert found is not None, "depth 1 is always finished"
        nodes, evaluations, hits = (int(self.progress[0][name]) for name in ("nodes", "evaluations", "table_hits"))
        move, score, line = found
        return SearchResult(move, score, depth_reached, line, nodes, evaluations, hits, time.perf_counter() - begin)

    def _search_depth(self, position: Position, depth: int, nodes: int | None, end: float | None, must_finish: bool) -> bool:
        """Searches the root to one depth; returns False if a limit cut it short."""
        self.states[:] = position.state.record()
        self.progress["phase"] = alphabeta.START
        for name, value in (("alpha", -INFINITY), ("beta", INFINITY), ("depth", depth)):
            self.frames[name][0] = value
        while True:
            budget = NODES_BETWEEN_CLOCK_READS
            if not must_finish:
                if end is not None and time.perf_counter() >= end:
                    return False
                if nodes is not None:
                    budget = min(budget, nodes - int(self.progress[0]["nodes"]))
                    if budget <= 0:
                        return False
            if self._run(*self._workspace(), budget):
                return True

    def _forget(self) -> None:
        """Makes this search independent of earlier ones: a new salt hides their table entries."""
        self.searches += 1
        self.progress[:] = np.zeros(1, alphabeta.PROGRESS)
        self.progress["salt"] = self.searches * SALT_STEP & SALT_MASK
        self.history[:] = 0
        self.killers[:] = -1

    def _line(self) -> tuple[int, ...]:
        return tuple(int(move) for move in self.lines[0, : int(self.frames[0]["line_length"])])

    def _workspace(self) -> tuple[Any, ...]:
        """The arguments of the kernel but its budget."""
        records = self.states, self.memories, self.frames, self.progress
        return *records, self.moves, self.ranks, self.lines, self.history, self.killers, self.table
