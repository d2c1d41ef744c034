"""ExactSolver: the value of a position of any game under best play, and the plies to the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs import compiled
from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules import connect_k_bitboards, isola_bitboards
from ...envs.rules import interface as rules_interface
from ...envs.rules.errors import AgentError
from ...envs.rules.state import State
from . import exact_interface, exact_isola, exact_lines, exact_search
from .exact_table import BUCKET, ENTRY, FREE_ENTRY, WIN
from .known_values import KnownValues

BUDGET = 1 << 16  # nodes between two looks at Ctrl-C
COSTLY = 1 << 24  # nodes from which on a value is kept on disk, some seconds
MAX_PLIES = 500
FULL = "full"  # the ending of drawn games that last until the board is full
Integers = NDArray[np.int64]


class Workspace(NamedTuple):
    """Arrays for the searches of one game, for one thread.

    Attributes:
        states: STATE[1], the position to solve; in the middle of a line until a window is finished.
        memories: MEMORY[1], the notes of `exact_interface`.
        frames: exact_search.FRAME[levels], one a level.
        progress: exact_search.PROGRESS[1].
        moves, order_scores: int64[levels * actions], a stack of move lists, and how early each move is searched.
        history: int64[2, actions].
        table: ENTRY[power of two], see `exact_table`.
    """

    states: Any
    memories: Any
    frames: Any
    progress: Any
    moves: Integers
    order_scores: Integers
    history: Integers
    table: Any


class Exact(NamedTuple):
    """What a position is worth to the side to move: 1, 0 or -1; and the plies to the end, few for the winner and many for the loser.

    The plies are None if they are not known.
    """

    value: int
    plies: int | None


class ExactSolver:
    """Solves positions of one game. The table is kept from call to call, as its entries stay true; values that were costly, on disk.

    >>> solver = ExactSolver("TicTacToe")
    >>> solver.value(Position("TicTacToe", "a1 b1"))
    Exact(value=1, plies=5)

    Attributes:
        game: what is solved.
        nodes: positions entered by the last call.
    """

    def __init__(self, game: str | Game, table_mib: float = 64) -> None:
        """Makes room for searches of a game and compiles them, or loads them compiled.

        Args:
            game: any; where it fits bitboards (see `Game.bitboards`) proofs are far shorter.
            table_mib: size of the table, rounded down to a power of two of entries.
        """
        self.game = Game.of(game)
        self.nodes = 0
        self._known = KnownValues(self.game)
        rules, knowledge = _parts_of(self.game)
        self._record_of = rules.record_of if hasattr(rules, "record_of") else State.record
        self.workspace = _workspace_for(self.game, self._record_of(self.game.initial()), knowledge, table_mib)
        kernels = compiled.bind(exact_search, (rules_interface, rules), (exact_interface, knowledge))
        self._begin, self._solve = kernels.begin, kernels.solve
        compiled.ready_together((self._begin, (self.workspace, 0)), (self._solve, (self.workspace, 1)))

    def clear(self) -> None:
        """Forgets all that earlier calls have found."""
        self.workspace.table[:] = FREE_ENTRY

    def value(self, position: Position) -> Exact:
        """Returns the exact value of a position, which may be over, with the plies to the end."""
        solved = self.solve(position)
        assert solved is not None  # there is no limit
        return solved

    def sign(self, position: Position) -> int:
        """Returns 1 if the side to move wins, -1 if it loses, and 0 for a draw; cheaper than the plies."""
        solved = self.solve(position, is_weak=True)
        assert solved is not None  # there is no limit
        return solved.value

    def move_values(self, position: Position, budgets: Iterable[int] | None = None) -> dict[int, Exact]:
        """Returns the exact value of each legal move, seen from the side that makes it, with the plies from before the move to the end.

        With `budgets`, of nodes, it has the first moves until they run out, and values kept on disk are not used.
        """
        self._check(position)
        values: dict[int, Exact] = {}
        self.nodes = 0
        slices = repeat(BUDGET) if budgets is None else iter(budgets)
        for move in position.legal_moves:
            child = position.copy()
            child.push(move)
            solved = self._solved(child, slices, uses_disk=budgets is None)
            if solved is None or (solved.value != 0 and solved.plies is None):
                break
            values[move] = Exact(-solved.value, None if solved.plies is None else solved.plies + 1)
        return values

    def solve(self, position: Position, nodes: int | None = None, is_weak: bool = False) -> Exact | None:
        """Solves a position within some nodes.

        Args:
            position: left as it is; it may be over.
            nodes: a limit; None for none.
            is_weak: leaves the plies unknown, which is cheaper.

        Returns:
            What is known; None if the value is not, as the nodes are spent. What they have proven stays in the table.

        Raises:
            AgentError: a position of another game, or a game that may last longer than MAX_PLIES.
        """
        self._check(position)
        self.nodes = 0
        return self._solved(position, self._budgets(nodes), is_weak)

    def _check(self, position: Position) -> None:
        if position.game != self.game:
            raise AgentError(f"solver: expected positions of {self.game!r}, got one of {position.game!r}")

    def _budgets(self, nodes: int | None) -> Iterator[int]:
        """Yields budgets until some nodes are spent; None for no end."""
        while nodes is None or self.nodes < nodes:
            yield BUDGET if nodes is None else min(BUDGET, nodes - self.nodes)

    def _solved(self, position: Position, budgets: Iterable[int], is_weak: bool = False, uses_disk: bool = True) -> Exact | None:
        """Solves a position within budgets, and adds its nodes to those of the call."""
        if position.is_over:
            return Exact(0 if position.winner is None else 1 if position.winner == position.side else -1, 0)
        known = self._known.values.get(position.text) if uses_disk else None
        if known and (is_weak or known[1] is not None or known[0] == 0):
            return Exact(*known)
        self.workspace.states[:] = self._record_of(position.state)
        self._begin(self.workspace, int(is_weak))
        now, before = self.workspace.progress, self.nodes
        for budget in budgets:
            is_solved = self._solve(self.workspace, budget)
            self.nodes = before + int(now[0]["nodes"])
            if now[0]["is_too_long"]:
                raise AgentError(f"solver: expected a game of at most {MAX_PLIES} plies, got a longer one: {self.game!r}")
            if is_solved:
                break
        solved = self._result(position, int(now[0]["low"]), int(now[0]["high"]))
        if solved and uses_disk and self.nodes - before >= COSTLY:
            self._known.keep(position.text, solved)
        return solved

    def _result(self, position: Position, low: int, high: int) -> Exact | None:
        """Returns what bounds on the score say."""
        if low == high == 0:
            is_filled = FULL in self.game.endings and self.game.parameters.get("rule") != "renju"  # where fouls can end a game sooner
            return Exact(0, self.game.width * self.game.height - position.ply if is_filled else None)
        if low <= 0 <= high:
            return None
        return Exact(1 if low > 0 else -1, WIN - abs(low) if low == high else None)


def _parts_of(game: Game) -> tuple[ModuleType, ModuleType]:
    """Returns the modules of the rules and of the knowledge for a game."""
    for rules, knowledge in ((connect_k_bitboards, exact_lines), (isola_bitboards, exact_isola)):
        if knowledge.suits(game):
            return rules, knowledge
    return game.rules, exact_interface


def _workspace_for(game: Game, states: Any, knowledge: ModuleType, table_mib: float) -> Workspace:
    """Returns the memory for a game."""
    levels = min(2 * game.width * game.height, MAX_PLIES) + 2
    entries = max(int(table_mib * 2**20) // ENTRY.itemsize, BUCKET)
    table = compiled.records(1 << entries.bit_length() - 1, ENTRY)
    table[:] = FREE_ENTRY
    return Workspace(
        states=compiled.readable(states),
        memories=compiled.readable(knowledge.new_memory(game)),
        frames=compiled.records(levels, exact_search.FRAME),
        progress=compiled.records(1, exact_search.PROGRESS),
        moves=np.zeros(levels * game.action_count, np.int64),
        order_scores=np.zeros(levels * game.action_count, np.int64),
        history=np.zeros((2, game.action_count), np.int64),
        table=table,
    )
