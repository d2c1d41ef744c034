"""Iterative deepening on a tree that is kept from move to move (see `kept_tree`)."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from ...envs import compiled
from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules import interface as rules_interface
from ..evaluation import interface as evaluation_interface
from ..evaluation.interface import LIMIT
from . import tree_alphabeta
from .alphabeta import MAX_DEPTH, START
from .kept_tree import KeptTree
from .limits import NO_LIMITS, Limits
from .pace import Pace, never
from .result import SearchResult
from .scores import is_decisive, plies_to_end


class TreeSearcher:
    """Searches the positions of one game, one after the other, and keeps the tree below the last one.

    Of what was kept, a search uses the order of moves, and proven wins and losses, which it may see at a lower depth than without them.
    Else the move and the score of a depth do not depend on earlier searches; what the depth costs does, and so what limits allow.
    """

    def __init__(self, game: Game, evaluation: ModuleType, pruning: bool, tree_mib: int) -> None:
        """Makes room for a tree and compiles the search, or loads it compiled.

        Args:
            game: what is played.
            evaluation: a module of `agents.evaluation`.
            pruning: alpha-beta; without it plain minimax.
            tree_mib: size in MiB of two halves, one for the tree and one to copy what is kept to.
        """
        levels = MAX_DEPTH + 1
        self.states = compiled.readable(game.initial().record())
        self.memories = compiled.records(1, getattr(evaluation, "MEMORY", evaluation_interface.MEMORY))
        self.frames, self.progress = compiled.records(levels, tree_alphabeta.FRAME), compiled.records(1, tree_alphabeta.PROGRESS)
        self.progress["pruning"] = pruning
        self.kept = KeptTree(tree_alphabeta.NODE, tree_mib, 1 + game.action_count, self.progress)  # depth 1 needs the root's children
        self.moves, self.lines = np.zeros(game.action_count, np.int64), np.zeros((levels, levels), np.int64)
        kernels = compiled.bind(tree_alphabeta, (rules_interface, game.rules), (evaluation_interface, evaluation))
        self._run = compiled.ready(kernels.run, *self._workspace(), 1)
        self._pace = Pace(64)
        self.kept.copy_below = compiled.ready(kernels.keep, self.kept.nodes, self.kept.spare, self.moves, 1)

    def search(self, position: Position, limits: Limits, begin: float, is_stopped: Callable[[], bool] = never) -> SearchResult:
        """Returns the best move of a position whose game goes on; see `searcher.Searcher`.

        The tree is kept if the position is the last one, or follows from it. The score is that of the deepest finished depth, the first of
        which knows no limits; at a limit, `best_of` says what the unfinished depth adds to the answer.
        """
        self.kept.move_root(position, limits.seconds)
        for name in ("nodes", "evaluations", "decided"):
            self.progress[name] = 0
        found, depth, deepest = None, 1, min(limits.depth, MAX_DEPTH)
        is_room_taken = self._count("used") > 1
        while depth <= deepest:
            evaluations = self._count("evaluations")
            allowed = limits if depth > 1 else NO_LIMITS
            outcome = self._search_depth(position, depth, allowed, begin, is_stopped if depth > 1 else never)
            if outcome == tree_alphabeta.FULL and is_room_taken:  # what was kept leaves no room: begin anew
                self.kept.plant()
                depth, is_room_taken = 1, False
                continue
            is_deeper = found is None or depth > found.depth  # not so at once after beginning anew
            if outcome == tree_alphabeta.PAUSED and found is not None and is_deeper and self.frames[0]["best_move"] >= 0:
                found = best_of(found, self._answer(depth - 1))
            if outcome != tree_alphabeta.FINISHED:
                break
            if found is None or is_deeper:
                found = self._answer(depth)
            is_seen_to_its_end = is_decisive(found.score) and plies_to_end(found.score) <= depth
            if is_seen_to_its_end or self._count("evaluations") == evaluations:
                found = found._replace(is_final=True)
                break
            depth += 1
        assert found is not None  # depth 1 knows no limits
        nodes, evaluations, decided = map(self._count, ("nodes", "evaluations", "decided"))
        return found._replace(nodes=nodes, evaluations=evaluations, table_hits=decided, seconds=time.perf_counter() - begin)

    def _search_depth(self, position: Position, depth: int, limits: Limits, begin: float, is_stopped: Callable[[], bool]) -> int:
        """Searches the root to one depth; returns FINISHED, FULL, or PAUSED at a limit."""
        self.states[:] = position.state.record()
        self.progress["phase"], self.frames["depth"][0] = START, depth
        self.frames["best_move"][0] = -1
        for budget in self._pace.budgets(lambda: self._count("nodes"), limits.nodes, limits.end(begin), is_stopped):
            outcome = self._run(*self._workspace(), budget)
            if outcome != tree_alphabeta.PAUSED:
                return outcome
        return tree_alphabeta.PAUSED

    def _answer(self, depth: int) -> SearchResult:
        """Returns what the root's frame holds, the counts left out."""
        root = self.frames[0]
        line = self.lines[0, : int(root["line_length"])].tolist()
        move, score = int(root["best_move"]), int(root["best"])
        is_final = is_decisive(score)
        return SearchResult(move, score, depth, tuple(line), 0, 0, 0, 0.0, is_final, is_final and plies_to_end(score) > depth + 1)

    def _count(self, name: str) -> int:
        return int(self.progress[0][name])

    def _workspace(self) -> tuple[Any, ...]:
        """The arguments of the kernel but its budget."""
        return self.states, self.memories, self.frames, self.progress, self.kept.nodes, self.moves, self.lines


def best_of(finished: SearchResult, unfinished: SearchResult) -> SearchResult:
    """Returns the answer at a limit, from those of the last finished depth and of the part of the root's moves searched a ply deeper.

    The best score of a part is a lower bound on that of the whole: it replaces the finished score if it is not lower. A move that the part
    prefers to the move of the finished depth, which it has searched first, replaces that move in any case.
    """
    if unfinished.score >= finished.score:
        return unfinished._replace(is_final=unfinished.score > LIMIT or finished.is_final)
    if unfinished.move != finished.move:
        return finished._replace(move=unfinished.move, pv=(unfinished.move,))
    return finished
