"""Iterative deepening on the resumable kernel: Python reads the clock between budgets, so no threads, no flags, and Ctrl-C works."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import NamedTuple

from ...envs import compiled
from ...envs.chance import draw
from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules import interface as rules_interface
from ...envs.rules.state import State
from ..evaluation import interface as evaluation_interface
from . import alphabeta, deepening
from .alphabeta import LEAST_INEXACT_DEPTH
from .limits import Limits
from .pace import Pace
from .result import SearchResult
from .scores import is_decisive, plies_to_end
from .settings import Settings
from .workspace import workspace_for


class Answer(NamedTuple):
    """What the search of one depth found."""

    score: int
    move: int
    line: tuple[int, ...]


class Searcher:
    """Searches positions of one game. What it finds depends on the position and the limits alone, not on earlier searches."""

    def __init__(
        self, game: Game, evaluation: ModuleType, settings: Settings, limits: Limits, weights: Mapping[str, int] | None = None
    ) -> None:
        """Makes room for searches of a game and compiles them, or loads them compiled.

        Args:
            game: what is played.
            evaluation: a module of `agents.evaluation`.
            settings: the switches.
            limits: where each search stops.
            weights: of the evaluation, those that differ from its own.
        """
        words = game.bitboards if hasattr(evaluation, "ON_WORDS") else None
        self.settings, self.limits = settings, limits
        self.workspace = workspace_for(game, words, evaluation, settings, weights, limits)
        self._record_of = words.record_of if words else State.record
        self._nodes: int | None = None
        self._end: float | None = None
        parts = ((rules_interface, words), evaluation.ON_WORDS) if words else ((rules_interface, game.rules),)
        kernels = compiled.bind(deepening, *parts, (evaluation_interface, evaluation))
        self._begin, self._take_root, self._search = kernels.begin_search, kernels.take_root, kernels.search_depth
        alone = (self.workspace,)
        compiled.ready_together((self._begin, alone), (self._take_root, alone), (self._search, (*alone, 1)))

    def deepen(self, position: Position, stream: list[int] | None, begin: float) -> Iterator[SearchResult]:
        """Yields what each finished depth found, and at the end the last one's once more, its line complete.

        Args:
            position: left as it is.
            stream: draws one of the moves with the best score, which the setting `ties` finds; see `envs.chance`. None: the first.
            begin: when the caller began to wait, by `time.perf_counter`.
        """
        limits = self.limits
        self._nodes, self._end = None, None  # the first depth knows no limits
        self._pace = Pace(64)
        self.workspace.states[:] = self._record_of(position.state)
        self._begin(self.workspace)
        found, reached, ties, is_final = Answer(0, -1, ()), 0, [0], False
        deepest = min(limits.depth, alphabeta.MAX_DEPTH)
        for depth in range(1 if self.settings.deepening else deepest, deepest + 1):
            answer = self._search_depth(depth)
            if answer is None:
                break
            found, reached, ties = answer, depth, self.workspace.ties[: self._planned("ties")].tolist()
            is_final = is_decisive(found.score) or bool(self._planned("is_complete"))
            yield self._result(found, reached, begin, is_final)
            if is_final:
                break
            self._nodes, self._end = limits.nodes, None if limits.seconds is None else begin + limits.seconds
        if stream is not None and ties and (move := ties[draw(stream, len(ties))]) != found.move:
            found = Answer(found.score, move, (move,))
        yield self._result(found._replace(line=self._complete(position, reached, found)), reached, begin, is_final)

    def _result(self, found: Answer, depth: int, begin: float, is_final: bool) -> SearchResult:
        nodes, evaluations, hits = (self._counted(name) for name in ("nodes", "evaluations", "table_hits"))
        seconds = time.perf_counter() - begin
        is_bound = is_decisive(found.score) and plies_to_end(found.score) > self._longest_exact_win(depth)
        return SearchResult(found.move, found.score, depth, found.line, nodes, evaluations, hits, seconds, is_final, is_bound)

    def _longest_exact_win(self, depth: int) -> int:
        """Returns up to how many plies a win that is found at some depth is known to be the quickest one.

        The depth before, as far as it was searched in full, found none, and the wins of one side come every two plies.
        """
        is_exact = not (self.settings.reductions or self.settings.null_move)
        return (depth if is_exact else min(depth, LEAST_INEXACT_DEPTH)) + 1

    def _complete(self, position: Position, depth: int, found: Answer) -> tuple[int, ...]:
        """Returns the line of an answer, carried on to its depth or the game's end where the table or null windows cut it short.

        Searches what is left of the depth at the end of the line, within the limits; a line that they cut short stays so.
        """
        place, line = position.copy(), list(found.line)
        for move in line:
            place.push(move)
        while len(line) < depth and not place.is_over:
            self.workspace.plans["score"] = found.score if len(line) % 2 == 0 else -found.score
            self.workspace.states[:] = self._record_of(place.state)
            self._take_root(self.workspace)
            rest = self._search_depth(depth - len(line))
            if rest is None:
                break
            for move in rest.line:
                place.push(move)
            line += rest.line
        return tuple(line)

    def _search_depth(self, depth: int) -> Answer | None:
        """Searches the root to one depth by the method of the settings; returns None if a limit cut it short."""
        self.workspace.plans["stage"], self.workspace.plans["depth"] = deepening.NEW, depth
        now = self._pace.start()
        while self._end is None or now < self._end:
            budget = self._pace.amount if self._nodes is None else min(self._pace.amount, self._nodes - self._counted("nodes"))
            if budget <= 0:
                return None
            if self._search(self.workspace, budget):
                line = self.workspace.found_line[: self._planned("line_length")].tolist()
                return Answer(self._planned("score"), self._planned("move"), tuple(line))
            now = self._pace.measure()
        return None

    def _counted(self, name: str) -> int:
        return int(self.workspace.progress[0][name])

    def _planned(self, name: str) -> int:
        return int(self.workspace.plans[0][name])
