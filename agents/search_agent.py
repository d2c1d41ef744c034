"""The search agents: alpha-beta with an evaluation, to a depth, a number of nodes or a time."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from ..envs.batch.batch_opponent import BatchOpponent
from ..envs.chance import stream_of
from ..envs.game import Game
from ..envs.position import Position
from ..envs.registration import GAMES
from ..envs.rules.errors import AgentError, did_you_mean, unknown
from .agent import MOST_MIB, MOST_NODES, MOST_SECONDS, Analysis, check_running, parameter
from .evaluation import interface as evaluation_interface
from .evaluation.interface import LIMIT
from .search import deepening
from .search.alphabeta import MAX_DEPTH
from .search.alphabeta_searcher import AlphaBetaSearcher
from .search.limits import Limits
from .search.settings import METHODS, Settings
from .search.workspace import Workspace, workspace_for

DEFAULT_DEPTH = 4
MOST_LABELS = 2**16  # that an agent remembers, about 50 MB
MOST_AT_ONCE = Limits(depth=4, nodes=100_000)  # either keeps a search short enough to go on without a look at the clock
TIE_BREAKS = ("first", "random")
KINDS = {registration.kind.name: registration.kind for registration in GAMES.values()}
EVALUATION_DOC = "; ".join(f"{name}: {', '.join(kind.evaluation_modules)}" for name, kind in KINDS.items()) + "; none: the first of them"


@dataclass
class SearchAgent:
    """Alpha-beta with null-window scouting, iterative deepening, a transposition table, killers and history, each a switch.

    Its answer depends on the position and the parameters alone (with `tie_break` random on the seed as well): with limits of depth or nodes
    it is the same on every machine and after every history. Without any limit it searches four plies.

    Threads may share it: each search under way works in memory of its own.
    """

    depth: int | None = parameter(None, "plies to search at most; 4 if no limit is given", low=1, high=MAX_DEPTH)
    nodes: int | None = parameter(None, "positions to enter at most", low=1, high=MOST_NODES)
    seconds: float | None = parameter(None, "time to think at most; not reproducible", low=0, high=MOST_SECONDS)
    evaluation: str | None = parameter(None, EVALUATION_DOC)
    weights: dict[str, int] | None = parameter(None, "of the evaluation, where they differ: weights.NAME=VALUE")  # noqa: RUF009 - a field
    method: str = parameter("pvs", "pvs (alpha-beta with null-window scouting), alphabeta, mtdf, or minimax (no pruning)", choices=METHODS)
    deepening: bool = parameter(True, "search depth 1, 2, 3, … up to the limit; false goes straight to the depth")
    table_mib: int | None = parameter(None, "size of the transposition table in MiB; 0 for none; by default up to 4", low=0, high=MOST_MIB)
    cutoffs: bool = parameter(True, "end nodes with scores from the table; false remembers best moves only")
    killers: bool = parameter(True, "search refutations of sibling nodes early")
    history: bool = parameter(True, "search moves that refuted other nodes early")
    order_score: bool = parameter(True, "search moves early that the evaluation calls promising")
    aspiration: int = parameter(0, "half the width of the window around the last depth's score; 0 for an open window", low=0, high=LIMIT)
    quiescence: bool = parameter(False, "search on where a win at once is there to be taken or stopped")
    null_move: bool = parameter(False, "give up nodes that are too good even after a pass; inexact, not with gravity, not in Isola")
    reductions: bool = parameter(False, "search late moves less deep first; inexact")
    extensions: bool = parameter(False, "do not count the reply to a move that leaves only one as a ply; inexact")
    late_pruning: bool = parameter(False, "leave out late moves near the leaves; inexact; Gomoku with line_shapes")
    unfinished: bool = parameter(False, "answer with the best move so far of a depth that a limit cuts short, not with that of the last")
    fours: bool = parameter(
        False, "leaves that are won by fours alone count as won; line_shapes in freestyle and standard Gomoku, else ignored"
    )
    threats: bool = parameter(False, "look for wins by threes and fours, ours and theirs, between depths; where fours are known")
    tie_break: str = parameter("first", "first: of equal moves the one searched first; random: drawn by the seed", choices=TIE_BREAKS)
    name: str = field(default="alphabeta", init=False)

    def __post_init__(self) -> None:
        is_unlimited = self.depth is None and self.nodes is None and self.seconds is None
        depth = self.depth or (DEFAULT_DEPTH if is_unlimited else MAX_DEPTH)
        self._limits = Limits(depth, self.nodes, self.seconds)
        if not self.deepening and self.depth is None:
            raise self._error("deepening", "a depth to go straight to", "false without one")
        if self.tie_break == "random" and self.method == "mtdf":
            raise self._error("tie_break", "'first' with mtdf, whose null windows do not tell equal moves apart", "'random'")
        self._idle: tuple[Game, list[AlphaBetaSearcher]] | None = None
        self._labels: dict[tuple[Game, int, bytes], Analysis] = {}
        self.reset()

    def check_game(self, game: Game) -> None:
        """Raises AgentError if the evaluation, its weights or a switch do not suit this game."""
        known = list(game.kind.evaluation_modules)
        called = self.evaluation or next(iter(known), None)
        if called is None:
            raise AgentError(f"agent {self.name!r} does not play {game.name}, as no evaluation is registered for it")
        expected = _refusal(called, game) if called in known else f"one of {', '.join(known)}"
        if expected:
            hint = "" if called in known else did_you_mean(called, known)
            raise self._error("evaluation", f"{expected} for {game.name}", f"{called!r}{hint}")
        evaluation = self._evaluation_of(game)
        own: Mapping[str, int] = getattr(evaluation, "WEIGHTS", {})
        for name in self.weights or {}:
            if name not in own:
                expected = unknown("weight", name, list(own)) if own else f"expected none, as {called} has none to set, got {name!r}"
                raise AgentError(f"agent {self.name!r}: weights: {expected}")
        if self.null_move and game.rules.has_zugzwang(game.initial()):
            raise self._error("null_move", f"false for {game!r}, where passing can be better than every move", "true")
        if getattr(evaluation, "IS_PATH_DEPENDENT", False) and self.cutoffs and self.table_mib != 0:
            raise self._error("cutoffs", f"false with {called}, whose value depends on the path", "true")

    def weights_for(self, game: Game) -> dict[str, int]:
        """Returns the weights of the evaluation in a game by name, in order; none if it has none to set."""
        return {**getattr(self._evaluation_of(game), "WEIGHTS", {}), **(self.weights or {})}

    def reset(self, seed: int | None = None) -> None:
        """Seeds the choice among equal moves; no search depends on an earlier one."""
        self._stream = stream_of(seed)

    def act(self, position: Position) -> int:
        """Returns the best move that the search finds within its limits."""
        return self.analyse(position).move

    def analyse(self, position: Position) -> Analysis:
        """Returns the best move, its score (see `search.scores`) and the line that leads to it."""
        *_, analysis = self.deepen(position)
        return analysis

    def label(self, position: Position) -> Analysis:
        """Returns what `analyse` does, of the line only its first move.

        Small searches take two thirds of the time, and positions that come again are remembered where the answer takes no chance.
        """
        if self.seconds is not None or not (self._limits.depth <= MOST_AT_ONCE.depth or self._has_few_nodes):
            return self.analyse(position)
        begin, key = time.perf_counter(), (position.game, position.side, bytes(position.state.cells))
        if key in self._labels:
            return self._labels[key]
        check_running(position)
        with self._searcher(position.game) as searcher:
            label = Analysis(**searcher.search_at_once(position, self._limits, begin, self._ties_stream)._asdict())
        if self.tie_break == "first" and len(self._labels) < MOST_LABELS:  # early positions come first, and come again most often
            self._labels[key] = label
        return label

    def deepen(self, position: Position) -> Iterator[Analysis]:
        """Yields the analysis of each finished depth, and at the end the last one once more, its line complete."""
        begin = time.perf_counter()
        check_running(position)
        with self._searcher(position.game) as searcher:
            for found in searcher.deepen(position, self._limits, begin, stream=self._ties_stream):
                yield Analysis(**found._asdict())

    @property
    def _has_few_nodes(self) -> bool:
        return self.nodes is not None and self.nodes <= (MOST_AT_ONCE.nodes or 0)

    @property
    def _ties_stream(self) -> list[int] | None:
        return self._stream if self.tie_break == "random" else None

    @contextmanager
    def _searcher(self, game: Game) -> Iterator[AlphaBetaSearcher]:
        """Lends a searcher that nobody else uses meanwhile."""
        idle = self._idle_searchers(game)
        try:
            searcher = idle.pop()
        except IndexError:  # a first search, or others that have not ended yet
            searcher = self._new_searcher(game)
        try:
            yield searcher
        finally:
            idle.append(searcher)

    def batch_opponent(self, game: Game) -> BatchOpponent | None:
        """Returns how it plays inside a batch; None with a limit of time, which a batch does not look at."""
        if self.seconds is not None:
            return None
        evaluation = self._evaluation_of(game)
        settings = self._settings(evaluation, game)

        def workspace(game: Game, bitboards: ModuleType | None) -> Workspace:
            return workspace_for(game, bitboards, evaluation, settings, self.weights, self._limits)

        on_bitboards = (evaluation.ON_BITBOARDS,) if hasattr(evaluation, "ON_BITBOARDS") else None
        return BatchOpponent(deepening, workspace, ((evaluation_interface, evaluation), *settings.parts), on_bitboards)

    def get_ready(self, game: Game) -> None:
        """Compiles the search of a game, or loads it compiled, and makes room for it."""
        if not (idle := self._idle_searchers(game)):
            idle.append(self._new_searcher(game))

    def _idle_searchers(self, game: Game) -> list[AlphaBetaSearcher]:
        """Returns the searchers of a game that nobody uses; whoever takes one puts it back."""
        idle = self._idle
        if idle is None or idle[0] != game:
            self.check_game(game)
            idle = self._idle = game, []
        return idle[1]

    def _new_searcher(self, game: Game) -> AlphaBetaSearcher:
        evaluation = self._evaluation_of(game)
        return AlphaBetaSearcher(game, evaluation, self._settings(evaluation, game), self.weights)

    def _settings(self, evaluation: ModuleType, game: Game) -> Settings:
        named = {name: getattr(self, name) for name in Settings._fields if name not in ("ties", "table_mib")}
        if not knows_threats(evaluation, game):
            named["fours"] = named["threats"] = False
        table_mib = self._limits.table_mib if self.table_mib is None else self.table_mib
        return Settings(**named, table_mib=table_mib, ties=self.tie_break == "random")

    def _evaluation_of(self, game: Game) -> ModuleType:
        modules = game.kind.evaluation_modules
        return importlib.import_module(modules[self.evaluation or next(iter(modules))])

    def _error(self, parameter: str, expected: str, got: str) -> AgentError:
        return AgentError(f"agent {self.name!r}: {parameter}: expected {expected}, got {got}")

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_idle": None, "_labels": {}}


def knows_threats(evaluation: ModuleType, game: Game) -> bool:
    """Tells whether an evaluation knows the threats of a game, so that wins by them can be searched for."""
    return hasattr(evaluation, "knows_threats") and evaluation.knows_threats(game)


def _refusal(evaluation: str, game: Game) -> str | None:
    """Returns what an evaluation misses in a game of its kind, or None."""
    module = importlib.import_module(game.kind.evaluation_modules[evaluation])
    return module.refusal(game) if hasattr(module, "refusal") else None
