"""games.jsonl: one line for each finished game, written so that a killed run loses no game and repeats none.

One writer, one `write` a game. An unfinished line at the end, left by a crash, is cut when the log is opened; any other damage is refused.
Before a run goes on, each line is checked against its task (`hold`); where no task is known, as in a report, against its model (see
`entries`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from ...agents.foreign import loads
from ...envs.rules.errors import IllegalMoveError, NotationError, SparringError, shown
from .entries import Entry, Evaluated, PlayedGame, mistake_in, mistake_of_task

LONGEST_LINE = 2**22  # bytes

Compare = Callable[[dict[str, Any], Any], str | None]  # an entry, its task -> `key: expected …, got …`, or None


class GamesLogError(SparringError):
    """A games log that cannot be read or written."""


class GamesLog:
    """The finished games of a run by id. Games are read from the file when they are needed; only their offsets are in memory.

    Attributes:
        path: of the file.
    """

    def __init__(self, path: Path, model: type[Entry] = PlayedGame, compare: Compare = mistake_of_task):
        """Opens a log for reading and appending; the caller holds the run folder's lock.

        Args:
            path: of the file.
            model: of the entries, checked by `hold`.
            compare: returns the difference between an entry and its task, checked by `hold`.

        Raises:
            GamesLogError: a line other than an unfinished last one is damaged, or an id comes twice.
        """
        self.path, self._model, self._compare = path, model, compare
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
        self._offsets: dict[int, tuple[int, int, int]] = {}  # of each game: the line's number, offset and length
        self._end = 0
        try:
            for line, game in _lines(path):
                self._add(game["id"], len(line))
            os.ftruncate(self._file, self._end)
        except BaseException:
            self.close()
            raise

    def _add(self, id: int, length: int) -> None:
        self._offsets[id] = (len(self._offsets) + 1, self._end, length)
        self._end += length

    def append(self, game: dict[str, Any]) -> None:
        """Writes a finished game.

        Raises:
            GamesLogError: the game is in the log already, or the disk is full.
        """
        if game["id"] in self:
            raise GamesLogError(f"{self.path}: game {game['id']} is in the log already")
        line = json.dumps(game, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        if os.write(self._file, line) != len(line):
            raise GamesLogError(f"{self.path}: the disk wrote only a part of game {game['id']}")
        self._add(game["id"], len(line))

    def hold(self, id: int, task: Any) -> None:
        """Checks an entry against its task, None for an id that the run does not have.

        Raises:
            GamesLogError: it is not the entry of that task; names file, line and key.
        """
        entry = self[id]
        if task is None:
            mistake = f"id: expected that of a game of this run, got {id}"
        else:
            mistake = mistake_in(entry, self._model) or self._compare(entry, task)
        if mistake:
            raise GamesLogError(f"{self.path}:{self._offsets[id][0]}: {mistake}; --fresh starts over")

    def hold_all(self, task_of: Callable[[int], Any]) -> None:
        """Checks every entry against its task; `task_of` returns the task of an id, None for none; errors as in `hold`."""
        for id in self:
            self.hold(id, task_of(id))

    def keep(self, is_kept: Callable[[int], bool]) -> None:
        """Rewrites the file with only the games whose id is kept, in the order of their ids."""
        lengths = {id: length for id, (_, _, length) in sorted(self._offsets.items()) if is_kept(id)}
        part = self.path.with_name(f".{self.path.name}.part")
        with part.open("wb") as file:
            file.writelines(map(self._line, lengths))
        os.close(self._file)  # Windows does not replace open files
        try:
            part.replace(self.path)
        finally:
            self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
        self._offsets, self._end = {}, 0
        for id, length in lengths.items():
            self._add(id, length)

    def _line(self, id: int) -> bytes:
        _, start, length = self._offsets[id]
        os.lseek(self._file, start, os.SEEK_SET)  # appending still goes to the end
        return os.read(self._file, length)

    def __getitem__(self, id: int) -> dict[str, Any]:
        """Returns a game."""
        return loads(self._line(id).decode())

    def __contains__(self, id: object) -> bool:
        return id in self._offsets

    def __iter__(self) -> Iterator[int]:
        """Yields the ids in the order of the file."""
        return iter(self._offsets)

    def __len__(self) -> int:
        return len(self._offsets)

    def close(self) -> None:
        """Closes the file."""
        os.close(self._file)

    def __enter__(self) -> GamesLog:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()


class MemoryLog(dict[int, dict[str, Any]]):
    """A log in memory only: the entries by their ids."""

    def append(self, game: dict[str, Any]) -> None:
        """Adds a game."""
        self[game["id"]] = game

    def hold(self, id: int, task: Any) -> None:
        """Accepts a game, which has just been played here."""


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """Yields the entries of a log, checked only for their id, without an unfinished last line; the file is not changed.

    Raises:
        GamesLogError: a line is damaged, or an id comes twice; names file and line.
    """
    return (game for _, game in _lines(path))


def read_games(path: Path, model: type[Entry] = PlayedGame) -> Iterator[dict[str, Any]]:
    """Yields the entries of a log as `read_records` does, each checked against its model.

    Raises:
        GamesLogError: as `read_records`, or an entry does not fit its model; names file, line and key.
    """
    game = None
    for number, entry in enumerate(read_records(path), start=1):
        mistake = mistake_in(entry, model)
        if mistake is None and model is PlayedGame and entry["game"] != (game := game or entry["game"]):
            mistake = f"game: expected {shown(game)} as on the first line, got {shown(entry['game'])}"
        if mistake:
            raise GamesLogError(f"{path}:{number}: {mistake}")
        yield entry


@contextmanager
def replayed(path: Path, game: dict[str, Any]) -> Iterator[None]:
    """Names the log and the game if its block, which replays the game, finds an illegal move.

    Raises:
        GamesLogError: there is an illegal move.
    """
    try:
        yield
    except (IllegalMoveError, NotationError) as error:
        raise GamesLogError(f"{path}: game {game['id']}: {error}") from None


def read_curve(path: Path) -> list[dict[str, Any]]:
    """Returns the evaluations of a training so far, none without a file; an unfinished last line, left by a crash, is dropped.

    Raises:
        GamesLogError: a line is damaged; names file and line.
    """
    curve: list[dict[str, Any]] = []
    for number, line in enumerate(_raw_lines(path) if path.exists() else (), start=1):
        entry, mistake = _parse(line), "expected an evaluation as JSON"
        if entry is None or (mistake := mistake_in(entry, Evaluated)):
            raise GamesLogError(f"{path}:{number}: {mistake}")
        curve.append(entry)
    return curve


def _lines(path: Path) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """Yields the lines of a log, each with its end and with its game."""
    seen: dict[int, int] = {}
    for number, line in enumerate(_raw_lines(path), start=1):
        game = _parse(line)
        if game is None or type(game.get("id")) is not int:
            raise GamesLogError(f"{path}:{number}: expected a game as JSON with an id, got {line[:60].rstrip()!r}")
        if game["id"] in seen:
            raise GamesLogError(f"{path}:{number}: game {game['id']} is on line {seen[game['id']]} already")
        seen[game["id"]] = number
        yield line, game


def _raw_lines(path: Path) -> Iterator[bytes]:
    """Yields the lines of a file, each with its end, without an unfinished last one."""
    with path.open("rb") as file:
        number = 0
        while (line := file.readline(LONGEST_LINE)).endswith(b"\n"):
            number += 1
            yield line
        if len(line) == LONGEST_LINE:
            raise GamesLogError(f"{path}:{number + 1}: expected a line of less than {LONGEST_LINE:,} bytes, got more")


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        game = loads(line.decode())
    except ValueError:
        return None
    return game if isinstance(game, dict) else None
