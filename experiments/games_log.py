"""games.jsonl: one line a finished game, written so that a killed run loses none and repeats none.

One writer, one `write` a game. A line that a crash tore off at the end is cut when the log is opened; any other damage is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from ..envs.rules.errors import SparringError


class GamesLogError(SparringError):
    """A games log that cannot be read or written."""


class GamesLog:
    """The finished games of a run by id, read from the file when they are asked for: of any number, only their places are in memory.

    Attributes:
        path: of the file.
    """

    def __init__(self, path: Path):
        """Opens a log for reading and appending; the caller holds the run folder's lock.

        Raises:
            GamesLogError: a line other than a torn last one is damaged, or an id stands twice.
        """
        self.path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
        self._places: dict[int, tuple[int, int]] = {}  # of each game: where its line begins, and its length
        self._end = 0
        try:
            for line, game in _lines(path):
                self._note(game["id"], len(line))
            os.ftruncate(self._file, self._end)
        except BaseException:
            self.close()
            raise

    def _note(self, id: int, length: int) -> None:
        self._places[id] = (self._end, length)
        self._end += length

    def append(self, game: dict[str, Any]) -> None:
        """Writes a finished game.

        Raises:
            GamesLogError: the game is in the log already, or the disk took only a part of it.
        """
        if game["id"] in self:
            raise GamesLogError(f"{self.path}: game {game['id']} is in the log already")
        line = json.dumps(game, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        if os.write(self._file, line) != len(line):
            raise GamesLogError(f"{self.path}: the disk took only a part of game {game['id']}")
        self._note(game["id"], len(line))

    def keep(self, is_kept: Callable[[int], bool]) -> None:
        """Rewrites the file with those games alone whose id is kept, in the order of their ids."""
        lengths = {id: length for id, (_, length) in sorted(self._places.items()) if is_kept(id)}
        part = self.path.with_name(f".{self.path.name}.part")
        with part.open("wb") as file:
            file.writelines(map(self._line, lengths))
        os.close(self._file)  # Windows replaces no open file
        try:
            part.replace(self.path)
        finally:
            self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
        self._places, self._end = {}, 0
        for id, length in lengths.items():
            self._note(id, length)

    def _line(self, id: int) -> bytes:
        start, length = self._places[id]
        os.lseek(self._file, start, os.SEEK_SET)  # appending goes to the end all the same
        return os.read(self._file, length)

    def __getitem__(self, id: int) -> dict[str, Any]:
        """Returns a game."""
        return json.loads(self._line(id))

    def __contains__(self, id: object) -> bool:
        return id in self._places

    def __iter__(self) -> Iterator[int]:
        """Yields the ids in the order of the file."""
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def close(self) -> None:
        """Closes the file."""
        os.close(self._file)

    def __enter__(self) -> GamesLog:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()


def read_games(path: Path) -> Iterator[dict[str, Any]]:
    """Yields the games of a log, without a torn last line; the file stays as it is.

    Raises:
        GamesLogError: a line is damaged, or an id stands twice; names file and line.
    """
    return (game for _, game in _lines(path))


def _lines(path: Path) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """Yields the lines of a log, each with its end and with its game."""
    seen: dict[int, int] = {}
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return
            game = _parse(line)
            if game is None:
                raise GamesLogError(f"{path}:{number}: expected a game as JSON with an id, got {line[:60].rstrip()!r}")
            if game["id"] in seen:
                raise GamesLogError(f"{path}:{number}: game {game['id']} stands on line {seen[game['id']]} already")
            seen[game["id"]] = number
            yield line, game


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        game = json.loads(line)
    except ValueError:
        return None
    return game if isinstance(game, dict) and isinstance(game.get("id"), int) else None
