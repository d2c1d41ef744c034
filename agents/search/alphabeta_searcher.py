"""Iterative deepening on the resumable kernel: Python reads the clock between budgets, so no threads, no flags, and Ctrl-C works."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import NamedTuple

import numpy as np

from ...envs import compiled
from ...envs.chance import draw
from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules import interface as rules_interface
from ...envs.rules.state import State
from ..evaluation import interface as evaluation_interface
from . import alphabeta, deepening
from .alphabeta import LEAST_INEXACT_DEPTH, LEAST_PRUNED_DEPTH
from .limits import NO_LIMITS, Limits
from .pace import Pace, never
from .result import SearchResult
from .scores import is_decisive, plies_to_end
from .settings import Settings
from .workspace import workspace_for


class Answer(NamedTuple):
    """What the search of one depth found."""

    score: int
    move: int
    line: tuple[int, ...]


class AlphaBetaSearcher:
    """Searches positions of one game. What it finds depends on the position and the limits alone, not on earlier searches."""

    def __init__(self, game: Game, evaluation: ModuleType, settings: Settings, weights: Mapping[str, int] | None = None) -> None:
        """Makes room for searches of a game and compiles them, or loads them compiled.

        Args:
            game: what is played.
            evaluation: a module of `agents.evaluation`.
            settings: the switches.
            weights: of the evaluation, those that differ from its own.
        """
        bitboards = game.bitboards if hasattr(evaluation, "ON_BITBOARDS") else None
        self.settings = settings
        self.workspace = workspace_for(game, bitboards, evaluation, settings, weights)
        self._record_of = bitboards.record_of if bitboards else State.record
        self._pace = Pace(64)
        parts = ((rules_interface, bitboards), evaluation.ON_BITBOARDS) if bitboards else ((rules_interface, game.rules),)
        kernels = compiled.bind(deepening, *parts, (evaluation_interface, evaluation), *settings.parts)
        self._begin, self._take_root, self._search = kernels.begin_search, kernels.take_root, kernels.search_depth
        self._keep_unfinished, self._answer_at_once = kernels.keep_unfinished, kernels.answer
        self._is_ready_at_once = False
        alone = (self.workspace,)
        compiled.ready_together((self._begin, alone), (self._take_root, alone), (self._search, (*alone, 1)), (self._keep_unfinished, alone))

    def search(
        self,
        position: Position,
        limits: Limits,
        begin: float,
        is_stopped: Callable[[], bool] = never,
        stream: list[int] | None = None,
    ) -> SearchResult:
        """Returns what `deepen` finds last; see `searcher.Searcher`."""
        *_, result = self.deepen(position, limits, begin, is_stopped, stream)
        return result

    def search_at_once(self, position: Position, limits: Limits, begin: float, stream: list[int] | None = None) -> SearchResult:
        """Returns what `search` finds, of its line the first move alone, in one compiled call; for a small limit of depth or nodes."""
        workspace, plans, nothing = self.workspace, self.workspace.plans, np.zeros(1, np.int64)
        deepest = min(limits.depth, alphabeta.MAX_DEPTH)
        plans["first"], plans["deepest"] = 1 if self.settings.deepening else deepest, deepest
        plans["nodes"] = limits.nodes or deepening.UNLIMITED
        if not self._is_ready_at_once:
            compiled.ready(self._answer_at_once, workspace.states[0], workspace, nothing)
            self._is_ready_at_once = True
        workspace.states[:] = self._record_of(position.state)
        self._answer_at_once(workspace.states[0], workspace, nothing)
        is_finished = self._planned("stage") == deepening.SETTLED or bool(self._planned("is_by_threats"))
        found = Answer(self._planned("score"), self._drawn(self._planned("move"), stream), ())
        is_final = is_finished and (is_decisive(found.score) or bool(self._planned("is_complete")))
        return self._result(found._replace(line=(found.move,)), self._planned("depth") - (not is_finished), begin, is_final)

    def _drawn(self, move: int, stream: list[int] | None) -> int:
        """Returns one of the moves with the best score if there are several, the first of which is given, and a stream."""
        ties = self.workspace.ties[: self._planned("ties")].tolist()
        return ties[draw(stream, len(ties))] if stream is not None and ties else move

    def deepen(
        self,
        position: Position,
        limits: Limits,
        begin: float,
        is_stopped: Callable[[], bool] = never,
        stream: list[int] | None = None,
    ) -> Iterator[SearchResult]:
        """Yields what each finished depth found, and at the end the last one's once more, its line complete.

        If a limit cuts a depth short, the setting `unfinished` lets the best of its moves so far take the last one's place; the first of
        them was the last one's own.

        Args:
            position: left as it is.
            limits: the first depth is always searched to its end.
            begin: when the caller began to wait, by `time.perf_counter`.
            is_stopped: called every few nodes; ends the search like a limit.
            stream: draws one of the moves with the best score, which the setting `ties` finds; see `envs.chance`. None: the first.
        """

        def search_depth(depth: int) -> Answer | None:
            return self._search_depth(depth, limits, begin, is_stopped)

        self._pace = Pace(64)
        self.workspace.states[:] = self._record_of(position.state)
        self._begin(self.workspace)
        deepest = min(limits.depth, alphabeta.MAX_DEPTH)
        reached = 1 if self.settings.deepening else deepest
        found = self._search_depth(reached)
        assert found is not None  # the first depth knows no limits
        while True:
            is_final = is_decisive(found.score) or bool(self._planned("is_complete"))
            yield self._result(found, reached, begin, is_final)
            answer = None if is_final or reached == deepest else search_depth(reached + 1)
            if answer is None:
                self._keep_unfinished(self.workspace)
                found = self._answer()
                break
            found, reached = answer, reached + 1
        if (move := self._drawn(found.move, stream)) != found.move:
            found = Answer(found.score, move, (move,))
        yield self._result(found._replace(line=self._complete(position, reached, found, search_depth)), reached, begin, is_final)

    def _result(self, found: Answer, depth: int, begin: float, is_final: bool) -> SearchResult:
        nodes, evaluations, hits = (self._counted(name) for name in ("nodes", "evaluations", "table_hits"))
        seconds = time.perf_counter() - begin
        is_bound = is_decisive(found.score) and plies_to_end(found.score) > self._longest_exact_win(depth)
        return SearchResult(found.move, found.score, depth, found.line, nodes, evaluations, hits, seconds, is_final, is_bound)

    def _longest_exact_win(self, depth: int) -> int:
        """Returns up to how many plies a win that is found at some depth is known to be the quickest one.

        The depth before, as far as it was searched in full, found none, and the wins of one side come every two plies.
        """
        if self.settings.late_pruning:
            depth = min(depth, LEAST_PRUNED_DEPTH)
        elif self.settings.reductions or self.settings.null_move:
            depth = min(depth, LEAST_INEXACT_DEPTH)
        return depth + 1

    def _complete(self, position: Position, depth: int, found: Answer, search_depth: Callable[[int], Answer | None]) -> tuple[int, ...]:
        """Returns the line of an answer, carried on to its depth or the game's end where the table or null windows cut it short.

        Searches what is left of the depth at the end of the line, within the limits; a line that they cut short stays so.
        """
        if self._planned("is_by_threats"):
            return found.line
        self.workspace.plans["threats_are_settled"], self.workspace.plans["doubts"] = True, deepening.MOST_DOUBTS
        end_of_line, line = position.copy(), list(found.line)
        for move in line:
            end_of_line.push(move)
        while len(line) < depth and not end_of_line.is_over:
            self.workspace.plans["score"] = found.score if len(line) % 2 == 0 else -found.score
            self.workspace.states[:] = self._record_of(end_of_line.state)
            self._take_root(self.workspace)
            rest = search_depth(depth - len(line))
            if rest is None:
                break
            for move in rest.line:
                end_of_line.push(move)
            line += rest.line
        return tuple(line)

    def _search_depth(
        self, depth: int, limits: Limits = NO_LIMITS, begin: float = 0.0, is_stopped: Callable[[], bool] = never
    ) -> Answer | None:
        """Searches the root to one depth by the method of the settings; returns None if a limit cut it short."""
        self.workspace.plans["stage"], self.workspace.plans["depth"] = deepening.NEW, depth
        for budget in self._pace.budgets(lambda: self._counted("nodes"), limits.nodes, limits.end(begin), is_stopped):
            if self._search(self.workspace, budget):
                return self._answer()
        return None

    def _answer(self) -> Answer:
        line = self.workspace.found_line[: self._planned("line_length")].tolist()
        return Answer(self._planned("score"), self._planned("move"), tuple(line))

    def _counted(self, name: str) -> int:
        return int(self.workspace.progress[0][name])

    def _planned(self, name: str) -> int:
        return int(self.workspace.plans[0][name])
