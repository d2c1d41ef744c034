"""Text files with a line of moves for each game or opening; `#` begins a comment.

A line is written in the game's notation, or as Gomocup's opening lists are: `8,-3, 6,-4, 5,-4`, for each stone its column and its row,
counted from the middle of the board to the right and down. The middle is the column and the row size // 2 from 0 on, on a board of even
size the lower right of the four cells. Only games in which a move is any empty cell have such lines.

Source of the lists: `initOpeningTab` and `playOpening` of Piskvork, without its random shifts and turns.
"""

from __future__ import annotations

import re
from pathlib import Path

from ....envs.game import Game
from ....envs.position import Position
from ....envs.rules.errors import ConfigError, NotationError, shown
from .recorded import RecordedGame, has_gravity, has_stones, naming_line, place_stone, position_after, read_file, result_on_board

OFFSETS = re.compile(r"[-+\d\s,]*,[-+\d\s,]*", re.ASCII)  # what no notation of ours looks like
NUMBER = re.compile(r"\s*([-+]?\d{1,4})\s*", re.ASCII)


def read(path: Path, game: Game | None) -> list[RecordedGame]:
    """Returns the games of a file.

    Raises:
        ConfigError: no game is given, the file cannot be read, or a line is not a sequence of legal moves; names file and line.
    """
    lines = [line.partition("#")[0].strip() for line in read_file(path).splitlines()]
    if game is None:
        raise ConfigError(f"{path}: expected --game, as lines of moves do not say it")
    records: list[RecordedGame] = []
    for number, line in enumerate(lines, start=1):
        if line:
            with naming_line(path, number):
                position = _position_after(game, line)
                records.append(RecordedGame(game, tuple(position.moves), result=result_on_board(position), line=number))
    return records


def text_of(record: RecordedGame) -> str:
    """Returns the line of a game; it has its moves alone."""
    return f"{position_after(record).notation}\n"


def _position_after(game: Game, line: str) -> Position:
    """Returns the position that a line of moves leads to."""
    position = Position(game)
    if not OFFSETS.fullmatch(line) or not has_stones(game) or has_gravity(position):
        position = Position(game, line)
        if not position.moves:
            raise NotationError(f"expected moves from the start, got a board: {shown(line)}")
        return position
    numbers = [_number(text) for text in line.removesuffix(",").split(",")]
    if len(numbers) % 2:
        raise NotationError(f"expected pairs of offsets from the middle such as 0,0, 1,-2, got {len(numbers)} numbers")
    for column, row in zip(numbers[::2], numbers[1::2], strict=True):
        place_stone(position, game.width // 2 + column, game.height // 2 + row)
    return position


def _number(text: str) -> int:
    match = NUMBER.fullmatch(text)
    if match is None:
        raise NotationError(f"expected an offset from the middle such as -3, got {shown(text.strip())}")
    return int(match[1])
