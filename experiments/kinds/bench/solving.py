"""The exact solver on sets of positions: its time and nodes for each of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from ....agents.solver.connect_four import ConnectFourSolver, Integers, Solved
from ....envs.position import Position
from ...games.connect_four_sets import Boards, Scored, boards_of, generated_sets, read_positions
from .config import Solver
from .results import Solving

EMPTY_BOARD = "empty board"
FIRST_SCORE = 1  # of the empty board: the first player wins by its last stone


def time_solver(config: Solver, seed: int, show: Callable[[int], None]) -> dict[str, Solving]:
    """Solves the sets of a config and returns the work by the name of the set.

    Args:
        config: which sets.
        seed: of random positions.
        show: called with the number of finished sets.
    """
    solver = ConnectFourSolver("ConnectFour", config.table_mib)
    results: dict[str, Solving] = {}
    for name, positions in _sets(config, solver, seed):
        results[name] = _solving(solver, positions, config.table_mib)
        show(len(results))
    return results


def count_sets(config: Solver) -> int:
    """Returns the number of sets."""
    return (len(config.files) or 6) + config.empty_board


def _sets(config: Solver, solver: ConnectFourSolver, seed: int) -> Iterator[tuple[str, list[Scored]]]:
    def score_of(boards: Boards) -> int:
        return int(solver.solve_bitboards(*_arrays([boards])).scores[0])

    if config.files:
        yield from ((path, read_positions(Path(path))) for path in config.files)
    else:
        yield from generated_sets(score_of, config.positions, seed)
    if config.empty_board:
        yield EMPTY_BOARD, [Scored(boards_of(Position("ConnectFour")), FIRST_SCORE)]


def _solving(solver: ConnectFourSolver, positions: Sequence[Scored], table_mib: int) -> Solving:
    """Returns the work on a set, which begins with an empty table."""
    boards = [position.boards for position in positions]
    seconds, solved = _timed(solver, boards)
    nodes, probes = int(solved.nodes.sum()), solver.probes
    largest = _timed(solver, [boards[int(solved.nodes.argmax())]])[0] if len(boards) > 1 else seconds
    return Solving(
        positions=len(positions),
        mean_seconds=seconds / len(positions),
        largest_seconds=largest,
        nodes=nodes / len(positions),
        probes=probes / len(positions),
        nodes_per_second=nodes / seconds,
        wrong=sum(score != position.score for score, position in zip(solved.scores.tolist(), positions, strict=True)),
        table_mib=table_mib,
    )


def _timed(solver: ConnectFourSolver, boards: Sequence[Boards]) -> tuple[float, Solved]:
    """Solves positions from an empty table and returns the processor time with the answers."""
    arrays = _arrays(boards)
    solver.clear()
    start = time.process_time()
    solved = solver.solve_bitboards(*arrays)
    return time.process_time() - start, solved


def _arrays(boards: Sequence[Boards]) -> tuple[Integers, Integers]:
    return np.array([each.own for each in boards], np.int64), np.array([each.filled for each in boards], np.int64)
