"""Sets of graded positions: the exact score of every move, to measure how well agents play.

A file has the game and the version of the set on its first lines, and then a line for each position: its moves, and the exact scores of its
legal moves in their order, seen from the side to move (see `exact_scores`).

    game ConnectFour
    version 1
    44444752622 -5,-5,-6,2,-4,-6
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

from ...agents.foreign import read_text
from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules.errors import ConfigError, SparringError, shown

FOLDER = Path(__file__).parent.parent / "position_sets"
DIGITS = 12  # of the hash that results name


class Graded(NamedTuple):
    """A position by its moves, with the exact score of each legal move."""

    moves: str
    scores: dict[int, int]


class PositionSet(NamedTuple):
    """Graded positions of one game.

    Attributes:
        game: of the positions.
        version: of the set; a new one where positions change.
        hash: the first digits of the SHA-256 of the file's text.
        positions: in the order of the file.
    """

    game: Game
    version: int
    hash: str
    positions: list[Graded]


def shipped_set(game: Game) -> PositionSet:
    """Returns the set that the package has for a game.

    Raises:
        ConfigError: it has none.
    """
    names = {path: _name_in(path) for path in sorted(FOLDER.glob("*.txt"))}
    for path, name in names.items():
        if Game.of(name) == game:
            return read_position_set(path)
    raise ConfigError(
        f"no graded positions for {game!r}; there are some for {'; '.join(names.values())}; a file of your own is given as `positions`"
    )


def _name_in(path: Path) -> str:
    """Returns the name of the game of a shipped set."""
    with path.open(encoding="utf-8") as file:
        return next(line.split()[1] for line in file if line.startswith("game "))


def read_position_set(path: Path) -> PositionSet:
    """Returns the set in a file; `#` begins a comment.

    Raises:
        ConfigError: the file cannot be read, or a line is wrong; names file and line.
    """
    try:
        text = read_text(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    lines = [(number, line.partition("#")[0].split()) for number, line in enumerate(text.splitlines(), start=1)]
    lines = [(number, parts) for number, parts in lines if parts]
    if [parts[0] for _, parts in lines[:2]] != ["game", "version"] or any(len(parts) != 2 for _, parts in lines[:2]):
        raise ConfigError(f"{path}: expected 'game NAME' and 'version NUMBER' on the first lines, got {shown(text[:40])}")
    if len(lines) == 2:
        raise ConfigError(f"{path}: expected a line of moves and scores for each position, got none")
    (_, (_, name)), (at, (_, version)) = lines[:2]
    if not version.isdecimal():
        raise ConfigError(f"{path}:{at}: version: expected a whole number, got {shown(version)}")
    try:
        game = Game.of(name)
        positions = [_graded(game, parts, f"{path}:{number}") for number, parts in lines[2:]]
        return PositionSet(game, int(version), hashlib.sha256(text.encode()).hexdigest()[:DIGITS], positions)
    except ConfigError:
        raise
    except SparringError as error:
        raise ConfigError(f"{path}: {error}") from None


def _graded(game: Game, parts: list[str], where: str) -> Graded:
    """Returns the position of a line."""
    if len(parts) < 2:
        raise ConfigError(f"{where}: expected moves and the scores of the legal moves, got {shown(' '.join(parts))}")
    moves, scores = " ".join(parts[:-1]), parts[-1].split(",")
    try:
        legal = Position(game, moves).legal_moves
        numbers = [int(score) for score in scores]
    except SparringError as error:
        raise ConfigError(f"{where}: {error}") from None
    except ValueError:
        raise ConfigError(f"{where}: expected scores as whole numbers, got {shown(parts[-1])}") from None
    if len(numbers) != len(legal):
        raise ConfigError(f"{where}: expected {len(legal)} scores, one for each legal move, got {len(numbers)}")
    return Graded(moves, dict(zip(legal, numbers, strict=True)))


def line_of(graded: Graded) -> str:
    """Returns the line of a position."""
    return f"{graded.moves} {','.join(map(str, graded.scores.values()))}"
