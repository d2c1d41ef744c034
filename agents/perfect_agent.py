"""The perfect player: exact play by a solver."""

from __future__ import annotations

import functools
import threading
import time
from dataclasses import dataclass, field
from typing import NamedTuple

from ..envs.chance import draw, stream_of
from ..envs.game import Game
from ..envs.position import Position
from ..envs.rules.connect_k_bitboards import record_of
from ..envs.rules.errors import AgentError
from .agent import MOST_NODES, MOST_SECONDS, Analysis, check_running, parameter
from .factory import build
from .search.pace import Pace, never
from .search.scores import WIN
from .search_agent import SearchAgent
from .solver.book import has_book, shipped_book
from .solver.connect_four import Best, ConnectFourSolver, can_solve, plies_left
from .solver.exact import Exact, ExactSolver

TABLE_MIB = 64.0  # of the solver, less if a limit of nodes cannot fill it
BYTES_A_NODE = 16
PACE = 1 << 10  # nodes of the first slice
MOST_CELLS = 64  # of a board without gravity or with another k; larger ones are never solved


class SharedSolver(NamedTuple):
    """The solver of a game for all agents of this process, and the lock that its user holds."""

    solver: ConnectFourSolver | ExactSolver
    lock: threading.Lock


class Scored(NamedTuple):
    """The score of a move and the plies to the end of the game."""

    score: int
    plies: int


@functools.lru_cache(maxsize=4)
def solver_of(game: Game, table_mib: float) -> SharedSolver:
    """Returns the solver of a game, made when it is first asked for."""
    return SharedSolver((ConnectFourSolver if can_solve(game) else ExactSolver)(game, table_mib), threading.Lock())


@dataclass
class PerfectAgent:
    """Plays the quickest win, else a draw, else the slowest loss; of equal moves one is drawn by the seed.

    The score of its analysis is exact: where the game has a solver of its own as there (see `solver.connect_four`), elsewhere as searches
    have it (see `search.scores`). The depth is the number of plies to the end of the game under best play, 0 in a draw of unknown length,
    and `is_final` is True. Half of a limit goes to the solver. If it does not finish, `best` plays with the other half: then the analysis
    has no score and `is_final` is False. Without a limit every position is solved; the first moves of a game take minutes or more.
    Positions of Connect Four on 7x6 that `solver.book` has are looked up: they cost no nodes.

    With a limit of nodes the answer depends on the position, the parameters and the seed alone. All agents of a process share a solver for
    each game and size of table, and wait for each other.
    """

    nodes: int | None = parameter(None, "positions to enter at most, half of them to solve the position", low=1, high=MOST_NODES)
    seconds: float | None = parameter(None, "time to think at most; not reproducible", low=0, high=MOST_SECONDS)
    book: bool = parameter(True, "whether positions of Connect Four that were solved ahead are looked up")
    name: str = field(default="perfect", init=False)

    def __post_init__(self) -> None:
        self._fallback: tuple[Game, SearchAgent] | None = None
        self.reset()

    def check_game(self, game: Game) -> None:
        """Raises AgentError if the game is too large for a solver."""
        cells = game.width * game.height
        if not can_solve(game) and cells > MOST_CELLS:
            raise AgentError(f"agent {self.name!r}: expected a board of at most {MOST_CELLS} cells, got {cells} in {game!r}")

    def reset(self, seed: int | None = None) -> None:
        """Seeds the choice among equal moves; None draws a seed."""
        self._stream = stream_of(seed)

    def act(self, position: Position) -> int:
        """Returns a best move, or within a limit that of `best`."""
        return self.analyse(position).move

    def analyse(self, position: Position) -> Analysis:
        """Returns a best move with the exact score and the plies to the end, or within a limit the move of `best` without a score."""
        begin = time.perf_counter()
        check_running(position)
        self.check_game(position.game)
        scored, nodes = self._in_book(position), 0
        if not scored:
            scored, nodes = self._solved(position, begin)
        if not scored:
            found = self._best(position.game).analyse(position)
            return Analysis(found.move, depth=found.depth, nodes=nodes + found.nodes, seconds=time.perf_counter() - begin, pv=found.pv)
        score = max(scored.values()).score
        moves = [move for move in scored if scored[move].score == score]
        move = moves[draw(self._stream, len(moves))]
        seconds = time.perf_counter() - begin
        scores = None if can_solve(position.game) else {move: found.score for move, found in scored.items()}
        return Analysis(move, score, scored[move].plies, nodes, seconds=seconds, pv=(move,), is_final=True, scores=scores)

    def get_ready(self, game: Game) -> None:
        """Compiles the solver and `best`, or loads them compiled."""
        self._solver_of(game)
        if self.book and has_book(game):
            shipped_book()
        if not self._is_unlimited:
            self._best(game).get_ready(game)

    @property
    def _is_unlimited(self) -> bool:
        return self.nodes is None and self.seconds is None

    def _in_book(self, position: Position) -> dict[int, Scored]:
        """Returns the best moves with their score and plies if the book has the position, else nothing."""
        best = shipped_book().find(position) if self.book and has_book(position.game) else None
        return _scored_moves(position, best)

    def _solved(self, position: Position, begin: float) -> tuple[dict[int, Scored], int]:
        """Returns the best moves, or all moves, with score and plies, and the nodes that they have cost; no moves if a limit is reached."""
        solver, lock = self._solver_of(position.game)
        with lock:
            if self.nodes is not None:
                solver.clear()  # so that the answer does not depend on earlier ones
            most = None if self.nodes is None else self.nodes // 2
            end = None if self.seconds is None else begin + self.seconds / 2
            budgets = None if self._is_unlimited else Pace(PACE).budgets(lambda: solver.nodes, most, end, never)
            if isinstance(solver, ExactSolver):
                values = solver.move_values(position, budgets)
                is_whole = len(values) == len(position.legal_moves)
                return {move: _scored(exact) for move, exact in values.items()} if is_whole else {}, solver.nodes
            record = record_of(position.state)[0]
            best = solver.best_moves(int(record["own"]), int(record["filled"]), budgets)
            return _scored_moves(position, best), solver.nodes

    def _solver_of(self, game: Game) -> SharedSolver:
        table_mib = TABLE_MIB if self.nodes is None else min(TABLE_MIB, max(1.0, self.nodes * BYTES_A_NODE / 2**20))
        return solver_of(game, table_mib)

    def _best(self, game: Game) -> SearchAgent:
        """Returns the agent for positions that the solver does not finish."""
        if self._fallback is None or self._fallback[0] != game:
            nodes = None if self.nodes is None else self.nodes - self.nodes // 2
            seconds = None if self.seconds is None else self.seconds / 2
            self._fallback = game, build({"name": "best", "nodes": nodes, "seconds": seconds}, game)
        return self._fallback[1]


def _scored_moves(position: Position, best: Best | None) -> dict[int, Scored]:
    """Returns the best moves of a position of Connect Four with score and plies; none if they are not known."""
    if best is None:
        return {}
    empty = position.game.width * position.game.height - position.ply
    return dict.fromkeys(best.moves, Scored(best.score, plies_left(empty, best.score)))


def _scored(exact: Exact) -> Scored:
    """Returns the score, as searches have it, of a move with a proven value."""
    plies = exact.plies or 0
    return Scored(exact.value * (WIN - plies), plies)
