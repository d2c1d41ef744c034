"""games.jsonl: one line a finished game, written so that a killed run loses none and repeats none.

One writer, one `write` a game. A line that a crash tore off at the end is cut when the log is opened; any other damage is refused.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from ..envs.rules.errors import SparringError


class GamesLogError(SparringError):
    """A games log that cannot be read or written."""


class GamesLog:
    """The finished games of a run, by id.

    Attributes:
        path: of the file.
        games: every game in the file.
    """

    def __init__(self, path: Path):
        """Opens a log for reading and appending; the caller holds the run folder's lock.

        Raises:
            GamesLogError: a line other than a torn last one is damaged, or an id stands twice.
        """
        self.path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
        try:
            os.ftruncate(self._file, _whole_lines_length(path))
            self.games = {game["id"]: game for game in read_games(path)}
        except BaseException:
            self.close()
            raise

    def append(self, game: dict[str, Any]) -> None:
        """Writes a finished game.

        Raises:
            GamesLogError: the game is in the log already, or the disk took only a part of it.
        """
        if game["id"] in self.games:
            raise GamesLogError(f"{self.path}: game {game['id']} is in the log already")
        line = json.dumps(game, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        if os.write(self._file, line) != len(line):
            raise GamesLogError(f"{self.path}: the disk took only a part of game {game['id']}")
        self.games[game["id"]] = game

    def close(self) -> None:
        """Closes the file."""
        os.close(self._file)

    def __enter__(self) -> "GamesLog":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()


def read_games(path: Path) -> Iterator[dict[str, Any]]:
    """Yields the games of a log, without a torn last line; the file stays as it is.

    Raises:
        GamesLogError: a line is damaged, or an id stands twice; names file and line.
    """
    seen: dict[int, int] = {}
    for number, line in enumerate(path.read_bytes()[: _whole_lines_length(path)].split(b"\n")[:-1], start=1):
        game = _parse(line)
        if game is None:
            raise GamesLogError(f"{path}:{number}: expected a game as JSON with an id, got {line[:60]!r}")
        if game["id"] in seen:
            raise GamesLogError(f"{path}:{number}: game {game['id']} stands on line {seen[game['id']]} already")
        seen[game["id"]] = number
        yield game


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        game = json.loads(line)
    except ValueError:
        return None
    return game if isinstance(game, dict) and isinstance(game.get("id"), int) else None


def _whole_lines_length(path: Path) -> int:
    """Returns the number of bytes up to and with the last line end."""
    return path.read_bytes().rfind(b"\n") + 1
