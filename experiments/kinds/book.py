"""A book: the positions that `perfect` meets against any opponent, solved ahead.

`perfect` chooses any of its best moves, the opponent replies with any move. Ply by ply, from the empty board on, all positions are solved
that come of this: `perfect` is the first seat at even plies and the second at odd ones. A position and its mirror image are one.

A position is *quick* if its moves are solved within `quick_nodes` nodes from an empty table. What `perfect` meets after a quick position is
left out, and so are quick positions themselves: it solves these when it meets them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import count, repeat, takewhile
from queue import SimpleQueue
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from ...agents.solver.book import Book, Stones, integer_board, key_of, stones_of
from ...agents.solver.connect_four import BUDGET, Best, ConnectFourSolver, can_solve
from ...agents.solver.four_lines import Board, has_four, playable_cells
from ...envs.rules.connect_k_bitboards import MAX_BITS
from ...envs.rules.errors import shown
from ..config.parts import Experiment, GameChoice, Mistake, Threads, game_of
from ..files import replace_atomically
from ..games.entries import Entry
from ..games.log import GamesLog
from ..results import Count as Number
from ..results import GameRecord, GameResults
from ..run_folder import RunFolder
from ..terminal.phrases import choice_text
from ..terminal.progress import Show, progress
from .kind import Kind

if TYPE_CHECKING:
    from ..report.run import Run
    from ..report.sections import RunView

LOG = "solved.jsonl"
BYTES_A_NODE = 16  # of the table that tells quick positions

Groups = list[list[int]]  # keys of positions, those together that follow the same one


class BookConfig(Experiment, frozen=True):
    """A book for `perfect`. `workers` and `table_mib` do not change it.

    Attributes:
        game: Connect Four, or Connect-K with gravity and k = 4.
        max_ply: the last ply whose positions are solved; by default the book ends where all positions are quick.
        quick_nodes: positions that are solved with fewer nodes are left out; with 0 none is.
        workers: number of threads that solve positions.
        table_mib: size of the solver's table, for each worker.
    """

    kind: Literal["book"] = "book"
    game: GameChoice
    max_ply: Annotated[int, Field(ge=0, le=MAX_BITS)] | None = None
    quick_nodes: Annotated[int, Field(ge=0, le=10**12)] = 2_000_000
    workers: Threads = 1
    table_mib: Annotated[int, Field(ge=1, le=2**16)] = 512

    def mistakes(self) -> Iterator[Mistake]:
        """Yields a game that the solver does not take."""
        if not can_solve(game_of(self.game)):
            yield ("game",), f"expected a game with gravity, k 4 and width * (height + 1) of at most {MAX_BITS}, got {game_of(self.game)!r}"

    def plan(self) -> str:
        """Returns a line on the book."""
        end = "" if self.max_ply is None else f", up to ply {self.max_ply}"
        return f"book of {choice_text(self.game)}{end}"

    def identity(self) -> dict[str, Any]:
        """Returns the settings that decide the book."""
        return {key: value for key, value in super().identity().items() if key not in ("workers", "table_mib")}


class BookResults(GameResults):
    """The results of such a run.

    Attributes:
        positions: in the book.
        quick: positions that were left out.
        plies: number of plies from the start whose positions were solved.
        bytes: size of the file.
    """

    positions: Number
    quick: Number
    plies: Number
    bytes: Number

    def lines(self) -> list[str]:
        """Returns a line on the book."""
        return [f"{self.positions:,} positions of {self.plies} plies, {self.quick:,} quick ones left out, {self.bytes:,} bytes"]


class SolvedEntry(Entry):
    """A line of solved.jsonl.

    Attributes:
        id: the position's key.
        nodes: that its moves cost from an empty table, at most `quick_nodes`.
        scores: the exact score of each move, from left to right; null for one that is known to be worse than another.
    """

    id: Annotated[int, Field(ge=0, lt=2**MAX_BITS)]
    nodes: Annotated[int, Field(ge=0)]
    scores: list[Annotated[int, Field(ge=-MAX_BITS, le=MAX_BITS)] | None]


class Move(NamedTuple):
    """A move: its column, and the bit of its cell."""

    column: int
    cell: int


def moves_of(board: Board, filled: int) -> list[Move]:
    """Returns the moves of a position by all its stones."""
    cells, tall = playable_cells(board, filled), board.height + 1
    columns = [Move(column, cells & (1 << tall) - 1 << column * tall) for column in range(board.width)]
    return [move for move in columns if move.cell]


def replied(board: Board, stones: Stones, moves: Iterable[Move]) -> Iterator[int]:
    """Yields the keys of the positions after some moves and any reply, where the game goes on."""
    for move in moves:
        own, filled = stones.own | move.cell, stones.filled | move.cell
        if has_four(board, own):
            continue
        for reply in moves_of(board, filled):
            if not has_four(board, stones.own ^ stones.filled | reply.cell) and filled | reply.cell != board.inside:
                yield key_of(board, Stones(own, filled | reply.cell))


def solved_of(moves: Sequence[Move], scores: Sequence[int | None]) -> Best:
    """Returns the highest score with the moves that have it."""
    highest = max(score for score in scores if score is not None)
    return Best(highest, tuple(move.column for move, score in zip(moves, scores, strict=True) if score == highest))


def run_book(config: BookConfig, folder: RunFolder) -> BookResults:
    """Solves the positions that the log lacks, ply by ply, and writes the book after each ply, or when it is interrupted.

    Raises:
        GamesLogError: a position in the log does not have a score for each move; names file and line.
    """
    game = game_of(config.game)
    board, path = integer_board(game.width, game.height), folder.path / f"{config.name}.book"
    last = board.cells if config.max_ply is None else config.max_ply
    layer: Groups = [[key_of(board, Stones(0, 0))]]
    following: Groups = [_distinct(key_of(board, Stones(0, move.cell)) for move in moves_of(board, 0))]
    plies, solved = 0, dict[int, Best]()
    with GamesLog(folder.path / LOG, SolvedEntry, _mistake_in_scores) as log:
        solvers = _Solvers(config, board, log)
        while plies <= last and (layer or following):
            for key in (key for group in layer for key in group if key in log):
                log.hold(key, len(moves_of(board, stones_of(board, key).filled)))
            try:
                solvers.solve(plies, layer)
            finally:
                solved |= _hard(config, board, log, layer)
                book = Book.of(game.width, game.height, solved)
                replace_atomically(path, lambda part, book=book: part.write_bytes(book.to_bytes()))
            layer, following, plies = following, _followers(board, solved, layer), plies + 1
        quick = len(log) - len(solved)
    record = GameRecord.of(game)
    return BookResults(kind=config.kind, game=record, positions=len(solved), quick=quick, plies=plies, bytes=path.stat().st_size)


def _distinct(keys: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(keys))


def _hard(config: BookConfig, board: Board, log: GamesLog, groups: Groups) -> dict[int, Best]:
    """Returns the positions of a ply that are solved and not quick."""
    hard: dict[int, Best] = {}
    for key in (key for group in groups for key in group if key in log):
        entry = log[key]
        if entry["nodes"] >= config.quick_nodes:
            hard[key] = solved_of(moves_of(board, stones_of(board, key).filled), entry["scores"])
    return hard


def _followers(board: Board, solved: dict[int, Best], groups: Groups) -> Groups:
    """Returns the positions two plies after those of a ply that are in the book, each once."""
    seen, followers = set[int](), Groups()
    for key in (key for group in groups for key in group if key in solved):
        stones = stones_of(board, key)
        best = [move for move in moves_of(board, stones.filled) if move.column in solved[key].moves]
        group = [follower for follower in _distinct(replied(board, stones, best)) if follower not in seen]
        seen.update(group)
        if group:
            followers.append(group)
    return followers


def _mistake_in_scores(entry: dict[str, Any], moves: int) -> str | None:
    """Returns the mistake in a line whose position has some number of moves, or None."""
    if len(entry["scores"]) == moves and any(score is not None for score in entry["scores"]):
        return None
    return f"scores: expected {moves}, one for each move and not all null, got {shown(entry['scores'])}"


class _Pair(NamedTuple):
    """The solvers of a worker: one whose table is cleared before each position, and one that keeps a large table."""

    quick: ConnectFourSolver
    lasting: ConnectFourSolver


class _Solvers:
    """Solves positions on threads, as kernels run without Python's lock."""

    def __init__(self, config: BookConfig, board: Board, log: GamesLog) -> None:
        self._config, self._board, self._log = config, board, log
        self._idle: SimpleQueue[_Pair] = SimpleQueue()
        self._lock, self._stop = threading.Lock(), threading.Event()
        game, quick_mib = game_of(config.game), max(1.0, config.quick_nodes * BYTES_A_NODE / 2**20)
        for _ in range(config.workers):
            self._idle.put(_Pair(ConnectFourSolver(game, quick_mib), ConnectFourSolver(game, config.table_mib)))

    def solve(self, ply: int, groups: Groups) -> None:
        """Solves the positions of a ply that the log lacks and writes them to it; the positions of a group by one worker."""
        missing = [[key for key in group if key not in self._log] for group in groups]
        size = sum(map(len, groups))
        with progress(f"{self._config.name}: ply {ply}", size) as show, ThreadPoolExecutor(self._config.workers) as threads:
            numbers = count(size - sum(map(len, missing)))
            show(next(numbers))
            try:
                for future in as_completed([threads.submit(self._solve_group, group, numbers, show) for group in missing if group]):
                    future.result()
            finally:  # an interruption ends the others at the next budget
                self._stop.set()
                threads.shutdown(cancel_futures=True)
        self._stop.clear()

    def _solve_group(self, keys: list[int], numbers: Iterator[int], show: Show) -> None:
        """Solves positions, writes each to the log, and shows its number."""
        pair = self._idle.get()
        try:
            for key in keys:
                entry = self._solved(pair, stones_of(self._board, key))
                if entry is None:
                    return
                with self._lock:
                    self._log.append({"id": key, **entry})
                    show(next(numbers))
        finally:
            self._idle.put(pair)

    def _solved(self, pair: _Pair, stones: Stones) -> dict[str, Any] | None:
        """Returns the nodes and scores of a position, None if it is interrupted."""
        moves = moves_of(self._board, stones.filled)
        own = np.full(len(moves), stones.own ^ stones.filled, np.int64)
        filled = np.array([stones.filled | move.cell for move in moves], np.int64)
        pair.quick.clear()
        found = pair.quick.solve_bitboards(own, filled, budgets=[self._config.quick_nodes]).scores
        scores = (-found).tolist() if len(found) == len(moves) else self._scores(pair.lasting, stones, moves)
        return None if scores is None else {"nodes": pair.quick.nodes, "scores": scores}

    def _scores(self, solver: ConnectFourSolver, stones: Stones, moves: Sequence[Move]) -> list[int | None] | None:
        """Returns the score of each move that is best, None for the others; None in place of all if it is interrupted."""
        budgets = takewhile(lambda _: not self._stop.is_set(), repeat(BUDGET))
        best = solver.best_moves(*stones, budgets)
        return None if best is None else [best.score if move.column in best.moves else None for move in moves]


def book_section(run: Run[Any], section_id: str) -> RunView:
    """Returns the section of such a run."""
    from ..report.sections import played_section

    verdict = run.results.lines()[0] if run.results else "The book is not finished yet"
    return played_section(run, section_id, verdict, has_games=False)


KIND = Kind(BookConfig, BookResults, f"{__name__}:run_book", f"{__name__}:book_section")
