"""ConnectFourSolver: the exact score of any position of Connect Four, on boards of any size that fit 62 bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs import compiled
from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules.connect_k_bitboards import record_of
from ...envs.rules.errors import AgentError
from . import null_window
from .bound_table import BUCKET, buckets_for
from .four_lines import Board, board_of, lines_through

BUDGET = 1 << 20  # nodes between two looks at Ctrl-C
Integers = NDArray[np.int64]


def plies_left(empty: int, score: int) -> int:
    """Returns how many plies a game goes on under best play, by the number of empty cells and the exact score."""
    if score > 0:
        return 2 * ((empty + 1) // 2 - score + 1) - 1
    return 2 * (empty // 2 + score + 1) if score < 0 else empty


def can_solve(game: Game) -> bool:
    """Tells whether the solver takes a game."""
    rules = game.parameters
    return game.kind.name == "connect_k" and rules["k"] == 4 and rules["gravity"] and game.bitboards is not None


class Workspace(NamedTuple):
    """Arrays for the searches of one board, for one thread.

    Attributes:
        board: its constants.
        columns: int64[width], the cells of each column, the middle ones first.
        lines: int64[64], see `four_lines.lines_through`.
        history: int64[2, 64], by the side to move and the cell.
        frames: null_window.FRAME[cells + 1], one a level.
        progress: null_window.PROGRESS[1].
        moves, threats, keys, order_scores: int64[(cells + 1) * width], the replies of each level, the threats that they make, the
            keys of the positions after them, and their order.
        table: int64[BUCKET * buckets], see `bound_table`.
    """

    board: Board
    columns: Integers
    lines: Integers
    history: Integers
    frames: Any
    progress: Any
    moves: Integers
    threats: Integers
    keys: Integers
    order_scores: Integers
    table: Integers


class Best(NamedTuple):
    """The exact score of a position, and its best moves in ascending order."""

    score: int
    moves: tuple[int, ...]


class Solved(NamedTuple):
    """int64[n] each: the exact scores of positions, or their signs, and the nodes that each has cost; n is less where budgets ran out."""

    scores: Integers
    nodes: Integers


class ConnectFourSolver:
    """Solves positions of one board with gravity and k = 4.

    A score is 0 for a draw, else the number of stones that the winner has not placed when the game ends, plus one; negative if the side to
    move loses. The table is kept from call to call, as its entries stay true; after `clear` the nodes of a call are the same every time.

    >>> solver = ConnectFourSolver("ConnectFour")
    >>> solver.score(Position("ConnectFour", "44444752622"))
    2

    Attributes:
        game: what is solved.
        nodes: positions entered by the last call.
        probes: look-ups in the table by the last call.
    """

    def __init__(self, game: str | Game, table_mib: float = 64) -> None:
        """Makes room for searches and compiles them, or loads them compiled.

        Args:
            game: Connect Four, or Connect-K with gravity and k = 4.
            table_mib: size of the table, rounded down to a power of two; at least 2 MiB on boards of 62 bits, on smaller boards less.

        Raises:
            AgentError: another game, or a board that does not fit.
        """
        self.game = Game.of(game)
        if not can_solve(self.game):
            raise AgentError(f"solver: expected a game with gravity, k 4 and width * (height + 1) of at most 62, got {self.game!r}")
        self.workspace = _workspace_for(self.game.width, self.game.height, table_mib)
        self.nodes = self.probes = 0
        kernels = compiled.bind(null_window)
        self._set_root, self._solve, self._solve_all = kernels.set_root, kernels.solve, kernels.solve_all
        bitboards = np.zeros(0, np.int64)
        compiled.ready_together(
            (self._set_root, (self.workspace, 0, 0, 0)),
            (self._solve, (self.workspace, 1)),
            (self._solve_all, (self.workspace, bitboards, bitboards, 0, bitboards, bitboards, 1)),
        )

    def clear(self) -> None:
        """Forgets all that earlier calls have found."""
        self.workspace.table[:] = 0

    def score(self, position: Position) -> int:
        """Returns the exact score of a position, which may be over."""
        return int(self.solve_many([position]).scores[0])

    def sign(self, position: Position) -> int:
        """Returns 1 if the side to move wins, -1 if it loses, and 0 for a draw; cheaper than the score."""
        return int(self.solve_many([position], is_weak=True).scores[0])

    def move_scores(self, position: Position, budgets: Iterable[int] | None = None) -> dict[int, int]:
        """Returns the exact score of each legal move, seen from the side that makes it; of the first ones where budgets run out."""
        children: list[Position] = []
        for move in position.legal_moves:
            children.append(position.copy())
            children[-1].push(move)
        scores = self.solve_many(children, budgets=budgets).scores.tolist()
        return {move: -score for move, score in zip(position.legal_moves, scores, strict=False)}

    def best_moves(self, own: int, filled: int, budgets: Iterable[int] | None = None) -> Best | None:
        """Returns the exact score of a position that is not over with the moves that keep it; None if budgets, of nodes, run out.

        Cheaper than the scores of all moves: of each move it only asks whether it is worse. The position is given as in `solve_bitboards`.
        """
        self.nodes = self.probes = 0
        budgets = repeat(BUDGET) if budgets is None else iter(budgets)
        cells = self.game.width * self.game.height
        score = self._score_within(own, filled, -cells, cells, budgets)
        if score is None:
            return None
        best = list[int]()
        for column, cell in enumerate(self._moves(filled)):  # the position after a move has at least the score -score
            if cell:
                after = self._score_within(own ^ filled, filled | cell, -score, 1 - score, budgets)
                if after is None:
                    return None
                if after == -score:
                    best.append(column)
        return Best(score, tuple(best))

    def _moves(self, filled: int) -> Iterator[int]:
        """Yields the lowest empty cell of each column, 0 of a full one."""
        tall = self.game.height + 1
        for shift in range(0, self.game.width * tall, tall):
            column = (1 << self.game.height) - 1 << shift
            yield (filled & column) + (1 << shift) & column

    def score_within(self, own: int, filled: int, low: int, high: int, budgets: Iterable[int] | None = None) -> int | None:
        """Returns the exact score of a position, `low` if it is less, `high` if it is more; None if budgets, of nodes, run out.

        The closer the bounds, the cheaper. The position is given as in `solve_bitboards`.
        """
        self.nodes = self.probes = 0
        return self._score_within(own, filled, low, high, repeat(BUDGET) if budgets is None else budgets)

    def _score_within(self, own: int, filled: int, low: int, high: int, budgets: Iterable[int]) -> int | None:
        """Does the same, and adds to the nodes and probes of the call."""
        now, nodes, probes = self.workspace.progress, self.nodes, self.probes
        self._set_root(self.workspace, own, filled, 0)
        now["low"], now["high"] = max(int(now[0]["low"]), low), min(int(now[0]["high"]), high)
        now["probes"] = 0
        for budget in budgets:
            is_done = self._solve(self.workspace, budget)
            self.nodes, self.probes = nodes + int(now[0]["nodes"]), probes + int(now[0]["probes"])
            if is_done:
                return min(max(int(now[0]["low"]), low), high)
        return None

    def solve_many(self, positions: Sequence[Position], is_weak: bool = False, budgets: Iterable[int] | None = None) -> Solved:
        """Solves positions; with `is_weak` only the signs of their scores; with `budgets`, of nodes, the first ones until they run out.

        Raises:
            AgentError: a position of another game.
        """
        if wrong := [position.game for position in positions if position.game != self.game]:
            raise AgentError(f"solver: expected positions of {self.game!r}, got one of {wrong[0]!r}")
        records = [record_of(position.state)[0] for position in positions]
        own, filled = (np.array([record[name] for record in records], np.int64) for name in ("own", "filled"))
        return self.solve_bitboards(own, filled, is_weak, budgets)

    def solve_bitboards(self, own: Integers, filled: Integers, is_weak: bool = False, budgets: Iterable[int] | None = None) -> Solved:
        """Solves positions that are given as bitboards; see `envs.rules.connect_k_bitboards`.

        Args:
            own: int64[n], the stones of the side to move.
            filled: int64[n], all stones; none float, and the side to move has no four.
            is_weak: whether the signs of the scores are enough.
            budgets: of nodes, asked for one after the other; without them everything is solved.

        Raises:
            AgentError: arrays of two lengths.
        """
        if len(own) != len(filled):
            raise AgentError(f"solver: expected as many bitboards of own stones as of all stones, got {len(own)} and {len(filled)}")
        solved = Solved(np.zeros(len(own), np.int64), np.zeros(len(own), np.int64))
        now = self.workspace.progress
        now["next"], now["is_begun"], now["probes"] = 0, 0, 0
        self.nodes = 0
        for budget in repeat(BUDGET) if budgets is None else budgets:
            is_done = self._solve_all(self.workspace, own, filled, int(is_weak), solved.scores, solved.nodes, budget)
            self.nodes = int(solved.nodes.sum()) + (0 if is_done else int(now[0]["nodes"]))
            if is_done:
                break
        self.probes, count = int(now[0]["probes"]), int(now[0]["next"])
        return Solved(solved.scores[:count], solved.nodes[:count])


def _workspace_for(width: int, height: int, table_mib: float) -> Workspace:
    """Returns the memory for a board."""
    cells, tall = width * height, height + 1
    from_the_middle = sorted(range(width), key=lambda column: abs(2 * column - width + 1))
    return Workspace(
        board=board_of(width, height),
        columns=np.array([(1 << height) - 1 << column * tall for column in from_the_middle], np.int64),
        lines=lines_through(width, height),
        history=np.zeros((2, 64), np.int64),
        frames=compiled.records(cells + 1, null_window.FRAME),
        progress=compiled.records(1, null_window.PROGRESS),
        moves=np.zeros((cells + 1) * width, np.int64),
        threats=np.zeros((cells + 1) * width, np.int64),
        keys=np.zeros((cells + 1) * width, np.int64),
        order_scores=np.zeros((cells + 1) * width, np.int64),
        table=np.zeros(BUCKET * buckets_for(width * tall, table_mib), np.int64),
    )
