"""A game as a file holds it, and stones by column and row, which the formats of other programs share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ....agents.foreign import read_text
from ....envs.game import Game
from ....envs.position import Position
from ....envs.rules.errors import ConfigError, NotationError, SparringError
from ....envs.rules.notation import square_text

SEATS = ("first", "second")


@dataclass(frozen=True)
class RecordedGame:
    """A game as a file holds it. A text is empty where the file does not say.

    Attributes:
        game: what was played.
        moves: all of them, from the start.
        first, second: names of the players.
        result: the seat that won, or "draw"; None for a game without a result.
        forfeit: how the loser lost if not on the board: "Time", "Resign", "Forfeit".
        event: such as the name of a run.
        date: such as 2026-01-31.
        notes: one for each move, or none at all.
        line: on which the game begins in its file.
    """

    game: Game
    moves: tuple[int, ...]
    first: str = ""
    second: str = ""
    result: str | None = None
    forfeit: str = ""
    event: str = ""
    date: str = ""
    notes: tuple[str, ...] = ()
    line: int = field(default=1, compare=False)


def is_gomoku(game: Game) -> bool:
    """Tells whether a game is Gomoku."""
    return game.kind.name == "gomoku"


def has_stones(game: Game) -> bool:
    """Tells whether a move of a game places one stone."""
    return game.kind.name in ("gomoku", "connect_k")


def has_gravity(position: Position) -> bool:
    """Tells whether a move is a column, in which the stone falls."""
    return position.game.kind.style(position.state) == "drop"


def position_after(record: RecordedGame) -> Position:
    """Returns the last position of a game."""
    position = Position(record.game)
    for move in record.moves:
        position.push(move)
    return position


def stones_of(record: RecordedGame) -> Iterator[tuple[int, int]]:
    """Yields the stones of a game in order, each as its column from the left and its row from the top, from 0 on."""
    position = Position(record.game)
    width, height = record.game.width, record.game.height
    change = [0, 0]
    for move in record.moves:
        position.game.rules.changes(position.state, move, change)
        position.push(move)
        yield change[0] % width, height - 1 - change[0] // width


def place_stone(position: Position, column: int, row: int) -> None:
    """Plays the move that places a stone on a column from the left and a row from the top, from 0 on.

    Raises:
        NotationError: the board has no such cell, or the stone would float.
        IllegalMoveError: the move is not legal.
    """
    width, height = position.game.width, position.game.height
    if not (0 <= column < width and 0 <= row < height):
        raise NotationError(f"expected a stone on the {width}x{height} board, got column {column + 1} and row {row + 1} from the top left")
    cell = (height - 1 - row) * width + column
    if not has_gravity(position):
        position.push(square_text(cell, width))
        return
    floor = position.state.heights[column]
    if cell // width != floor and floor < height:
        raise NotationError(f"expected a stone on {square_text(floor * width + column, width)}, got one on {square_text(cell, width)}")
    position.push(column)


def result_on_board(position: Position) -> str | None:
    """Returns the result of a game that is over, or None."""
    if not position.is_over:
        return None
    return "draw" if position.winner is None else SEATS[position.winner]


def read_file(path: Path) -> str:
    """Returns a file's text without a byte order mark.

    Raises:
        ConfigError: the file cannot be read.
    """
    try:
        return read_text(path).removeprefix("\ufeff")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: {getattr(error, 'strerror', None) or error}") from None


@contextmanager
def naming_line(path: Path, line: int) -> Iterator[None]:
    """Puts file and line before the errors of its block.

    Raises:
        ConfigError: instead of any other error of a user.
    """
    try:
        yield
    except SparringError as error:
        raise ConfigError(f"{path}:{line}: {error}") from None


def check_board(game: Game, width: int, height: int) -> None:
    """Raises NotationError unless a file's board is that of a game."""
    if (width, height) != (game.width, game.height):
        raise NotationError(f"expected a board of {game.width}x{game.height}, as {game.name} has it, got {width}x{height}")
