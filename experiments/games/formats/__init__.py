"""Files of games that other programs read and write, by suffix. A new format is a module and a row of FORMATS."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ....envs.game import Game
from ....envs.rules.errors import ConfigError, shown
from . import move_lines, psq, sgf
from .recorded import RecordedGame, has_stones, is_gomoku, position_after


class Format(NamedTuple):
    """A format of game files.

    Attributes:
        read: returns the games of a file; raises ConfigError, which names file and line. It takes the game that is played, None if the
            file has to say it.
        text_of: returns a game as it stands in a file.
        holds_many: whether a file holds any number of games, one after the other.
        is_for: tells whether the format holds games of a kind.
    """

    read: Callable[[Path, Game | None], list[RecordedGame]]
    text_of: Callable[[RecordedGame], str]
    holds_many: bool
    is_for: Callable[[Game], bool]


FORMATS = {
    ".psq": Format(psq.read, psq.text_of, False, is_gomoku),
    ".sgf": Format(sgf.read, sgf.text_of, True, has_stones),
    ".txt": Format(move_lines.read, move_lines.text_of, True, lambda game: True),
}


def format_of(path: Path) -> Format:
    """Returns the format of a file by its suffix.

    Raises:
        ConfigError: there is none.
    """
    if path.suffix.lower() not in FORMATS:
        raise ConfigError(f"{path}: expected a file whose name ends in {', '.join(FORMATS)}, got {shown(path.name)}")
    return FORMATS[path.suffix.lower()]


def text_of(suffix: str, record: RecordedGame) -> str:
    """Returns a game as it stands in files with a suffix.

    Raises:
        ConfigError: these files do not hold games of its kind; names those that do.
    """
    if not FORMATS[suffix].is_for(record.game):
        fitting = " or ".join(suffix for suffix, format in FORMATS.items() if format.is_for(record.game))
        raise ConfigError(f"{record.game.name}: expected {fitting} for its games, got {suffix}")
    return FORMATS[suffix].text_of(record)


def moves_of(text: str, game: Game) -> str:
    """Returns the moves of the game in a file, if a text is the file's name, and else the text.

    Raises:
        ConfigError: the file cannot be read, is not of this game, or holds not exactly one.
    """
    path = Path(text)
    if path.suffix.lower() not in FORMATS:
        return text
    records = format_of(path).read(path, game)
    if len(records) != 1:
        raise ConfigError(f"{path}: expected one game, got {len(records) or 'none'}")
    return position_after(records[0]).notation
