"""Iterative deepening on the resumable kernel: Python reads the clock between budgets, so no threads, no flags, and Ctrl-C works."""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from ...envs import compiled
from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules import interface as rules_interface
from ...envs.rules.state import State
from ..evaluation import interface as evaluation_interface
from . import alphabeta
from .limits import Limits
from .mtdf import Answer, converge
from .result import SearchResult
from .scores import INFINITY, is_decisive
from .settings import SWITCHES, Settings
from .table import BUCKET, ENTRY, GENERATIONS

NODES_BETWEEN_CLOCK_READS = 2000
SALT_STEP = 0x1E3779B97F4A7C15  # odd, below 2**61
SALT_MASK = 2**62 - 1


class Searcher:
    """Searches positions of one game. What it finds depends on the position and the limits alone, not on earlier searches."""

    def __init__(self, game: Game, evaluation: ModuleType, settings: Settings, weights: Mapping[str, int] | None = None) -> None:
        """Makes room for searches of a game and compiles them, or loads them compiled.

        Args:
            game: what is played.
            evaluation: a module of `agents.evaluation`.
            settings: the switches.
            weights: of the evaluation, those that differ from its own.
        """
        levels = alphabeta.MAX_DEPTH + 1
        self.settings = settings
        words = game.words if hasattr(evaluation, "ON_WORDS") else None
        self._record_of = words.record_of if words else State.record
        self.states = compiled.readable(self._record_of(game.initial()))
        self.memories = compiled.records(1, getattr(evaluation, "MEMORY", evaluation_interface.MEMORY))
        if own := getattr(evaluation, "WEIGHTS", None):
            self.memories["weights"][0] = [*{**own, **(weights or {})}.values()]
        self.frames, self.progress = compiled.records(levels, alphabeta.FRAME), compiled.records(1, alphabeta.PROGRESS)
        self.switches = compiled.records(1, SWITCHES)
        self.switches[:] = settings.switches
        self.moves, self.ranks = np.zeros((2, levels * game.action_count), np.int64)
        self.lines, self.killers = np.zeros((levels, levels), np.int64), np.zeros((levels, 2), np.int64)
        self.history, self.equals = np.zeros((2, game.action_count), np.int64), np.zeros(game.action_count, np.int64)
        entries = max(settings.table_mib * 2**20 // ENTRY.itemsize, BUCKET)
        self.table = compiled.records(1 << (entries.bit_length() - 1), ENTRY)
        self.searches = 0
        self._nodes: int | None = None
        self._end: float | None = None
        parts = ((rules_interface, words), evaluation.ON_WORDS) if words else ((rules_interface, game.rules),)
        kernels = compiled.bind(alphabeta, *parts, (evaluation_interface, evaluation))
        self._run = compiled.ready(kernels.run, *self._workspace(), 1)

    def search(self, position: Position, limits: Limits, chance: random.Random | None = None) -> SearchResult:
        """Returns the best move of a position whose game goes on, as the last finished depth sees it; arguments as for `deepen`."""
        *_, result = self.deepen(position, limits, chance)
        return result

    def deepen(self, position: Position, limits: Limits, chance: random.Random | None = None) -> Iterator[SearchResult]:
        """Yields what each finished depth found, and at the end the last one's once more, its line complete.

        Args:
            position: left as it is.
            limits: where to stop.
            chance: draws one of the moves with the best score, which the setting `ties` finds; None for the one searched first.
        """
        begin = time.perf_counter()
        self._nodes, self._end = None, None  # the first depth knows no limits
        self._forget()
        found, reached, evaluated, equals, is_final = Answer(0, -1, ()), 0, 0, [0], False
        deepest = min(limits.depth, alphabeta.MAX_DEPTH)
        for depth in range(1 if self.settings.deepening else deepest, deepest + 1):
            answer = self._search_depth(position, depth, found.score)
            if answer is None:
                break
            found, reached, equals = answer, depth, sorted(self.equals[: int(self.progress[0]["equals"])].tolist())
            leaves, evaluated = int(self.progress[0]["evaluations"]) - evaluated, int(self.progress[0]["evaluations"])
            is_final = is_decisive(found.score) or leaves == 0  # without a leaf all lines went to the end of the game
            yield self._result(found, reached, begin, is_final)
            if is_final:
                break
            self._nodes, self._end = limits.nodes, None if limits.seconds is None else begin + limits.seconds
        if chance and (move := chance.choice(equals)) != found.move:
            found = Answer(found.score, move, (move,))
        yield self._result(found._replace(line=self._complete(position, reached, found)), reached, begin, is_final)

    def _result(self, found: Answer, depth: int, begin: float, is_final: bool) -> SearchResult:
        nodes, evaluations, hits = (int(self.progress[0][name]) for name in ("nodes", "evaluations", "table_hits"))
        seconds = time.perf_counter() - begin
        return SearchResult(found.move, found.score, depth, found.line, nodes, evaluations, hits, seconds, is_final)

    def _complete(self, position: Position, depth: int, found: Answer) -> tuple[int, ...]:
        """Returns the line of an answer, carried on to its depth or the game's end where the table or null windows cut it short.

        Searches what is left of the depth at the end of the line, within the limits; a line that they cut short stays so.
        """
        place, line = position.copy(), list(found.line)
        for move in line:
            place.push(move)
        while len(line) < depth and not place.is_over:
            rest = self._search_depth(place, depth - len(line), found.score if len(line) % 2 == 0 else -found.score)
            if rest is None:
                break
            for move in rest.line:
                place.push(move)
            line += rest.line
        return tuple(line)

    def _search_depth(self, position: Position, depth: int, guess: int) -> Answer | None:
        """Searches the root to one depth by the method of the settings; returns None if a limit cut it short."""
        search = functools.partial(self._search_window, position, depth)
        if self.settings.method == "mtdf":
            return converge(search, guess)
        width = self.settings.aspiration
        if width == 0 or depth == 1 or self.settings.method == "minimax":
            return search(-INFINITY, INFINITY)
        alpha, beta = guess - width, guess + width
        while True:
            answer = search(alpha, beta)
            if answer is None or alpha < answer.score < beta:
                return answer
            alpha, beta = (-INFINITY, beta) if answer.score <= alpha else (alpha, INFINITY)

    def _search_window(self, position: Position, depth: int, alpha: int, beta: int) -> Answer | None:
        """Searches the root to one depth in one window; returns None if a limit cut it short."""
        self.states[:] = self._record_of(position.state)
        self.progress["phase"], self.progress["equals"] = alphabeta.START, 0
        for name, value in (("alpha", alpha), ("beta", beta), ("depth", depth)):
            self.frames[name][0] = value
        while True:
            budget = NODES_BETWEEN_CLOCK_READS
            if self._end is not None and time.perf_counter() >= self._end:
                return None
            if self._nodes is not None:
                budget = min(budget, self._nodes - int(self.progress[0]["nodes"]))
                if budget <= 0:
                    return None
            if self._run(*self._workspace(), budget):
                now = self.progress[0]
                line = self.lines[0, : int(self.frames[0]["line_length"])].tolist()
                return Answer(int(now["value"]), int(now["best_move"]), tuple(line))

    def _forget(self) -> None:
        """Makes this search independent of earlier ones: a new salt hides their table entries, a new generation lets them give way."""
        self.searches += 1
        generation = self.searches % GENERATIONS
        if generation == 0:
            self.table[:] = np.zeros(1, ENTRY)
        self.progress[:] = np.zeros(1, alphabeta.PROGRESS)
        self.progress["salt"], self.progress["generation"] = self.searches * SALT_STEP & SALT_MASK, generation
        self.history[:] = 0
        self.killers[:] = -1

    def _workspace(self) -> tuple[Any, ...]:
        """The arguments of the kernel but its budget."""
        records = self.states, self.memories, self.frames, self.progress, self.switches
        return *records, self.moves, self.ranks, self.lines, self.equals, self.history, self.killers, self.table
