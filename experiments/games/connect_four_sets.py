"""Random Connect Four positions, sorted by stage of the game and by how many moves are left under best play: sets to measure solvers on.

No side has won, and the side to move has no win at once.

A file of positions has a line for each: its moves, the columns from 1 to 7 in one word, and its exact score (see `ConnectFourSolver`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ...agents.foreign import read_text
from ...agents.solver.connect_four import plies_left
from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules.connect_k_bitboards import record_of
from ...envs.rules.errors import ConfigError, SparringError, shown
from . import stages

GAME = Game.of("ConnectFour")
CELLS = stages.cells_of(GAME)
SETS = {"end": ("easy",), "middle": ("easy", "medium"), "begin": ("easy", "medium", "hard")}  # levels by stage
HARD_SHARE = 0.1  # as large is the hard set, beside the others


class Boards(NamedTuple):
    """A position as the solver takes it: bits of the stones of the side to move and of all stones, and the moves that led to it."""

    own: int
    filled: int
    moves: str


class Scored(NamedTuple):
    """A position with its exact score."""

    boards: Boards
    score: int


def level_of(ply: int, score: int) -> str:
    """Returns the name of the level of a position."""
    return stages.level_of(GAME, plies_left(CELLS - ply, score))


def random_boards(stage: str, seed: int | str) -> Iterator[Boards]:
    """Yields positions of a stage without end."""
    return map(boards_of, filter(stages.is_open, stages.random_positions(GAME, stage, seed)))


def generated_sets(score_of: Callable[[Boards], int], size: int, seed: int) -> Iterator[tuple[str, list[Scored]]]:
    """Yields sets of random positions by name, such as "begin/easy".

    Args:
        score_of: returns the exact score of a position.
        size: of a set; the hard one has a tenth of it.
        seed: decides the positions.
    """
    for stage, levels in SETS.items():
        sizes = {level: math.ceil(size * (HARD_SHARE if level == "hard" else 1)) for level in levels}
        sets: dict[str, list[Scored]] = {level: [] for level in levels}
        for boards in random_boards(stage, seed):
            score = score_of(boards)
            level = level_of(len(boards.moves), score)
            if len(sets.get(level, ())) < sizes.get(level, 0):
                sets[level].append(Scored(boards, score))
            if all(len(sets[level]) == sizes[level] for level in levels):
                break
        yield from ((f"{stage}/{level}", positions) for level, positions in sets.items())


def read_positions(path: Path) -> list[Scored]:
    """Returns the positions of a text file: moves and score a line; `#` begins a comment.

    Raises:
        ConfigError: the file cannot be read or has no position, or a line is not moves after which the game goes on, and a score.
    """
    try:
        lines = read_text(path).removeprefix("\ufeff").splitlines()
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    positions = [_scored(line, f"{path}:{number}") for number, line in enumerate(lines, start=1) if line.partition("#")[0].strip()]
    if not positions:
        raise ConfigError(f"{path}: expected a line of moves and score for each position, got none")
    return positions


def _scored(line: str, where: str) -> Scored:
    """Returns the position of a line."""
    parts = line.partition("#")[0].split()
    if len(parts) != 2:
        raise ConfigError(f"{where}: expected moves and a score, got {shown(line.strip())}")
    moves, score = parts
    if not score.removeprefix("-").isdecimal() or abs(int(score)) > CELLS // 2:
        raise ConfigError(f"{where}: expected a score from {-CELLS // 2} to {CELLS // 2}, got {shown(score)}")
    try:
        position = Position("ConnectFour", moves)
    except SparringError as error:
        raise ConfigError(f"{where}: {error}") from None
    if position.is_over:
        raise ConfigError(f"{where}: expected moves after which the game goes on, got {shown(moves)}")
    return Scored(boards_of(position), int(score))


def boards_of(position: Position) -> Boards:
    """Returns the boards of a position of Connect Four."""
    record = record_of(position.state)[0]
    return Boards(int(record["own"]), int(record["filled"]), position.notation)
