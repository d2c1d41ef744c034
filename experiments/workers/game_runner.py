"""The one way to play the games of a run: what its log has is held against the tasks, the rest is played wherever the config says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..games.log import GamesLog, MemoryLog
from ..games.task import GameTask
from .executors import Games

Entry = dict[str, Any]
Progress = Callable[[int], None]  # is told how many games there are


class GameRunner:
    """Plays games for a run."""

    def __init__(self, log: GamesLog | MemoryLog, games: Games, on_progress: Progress):
        """Takes the log of the run, what plays its games, and what is told how many of them there are after each."""
        self._log, self._games, self._on_progress = log, games, on_progress

    def play(self, tasks: Iterable[GameTask]) -> Iterator[Entry]:
        """Yields the entry of each task that the log lacks as soon as it is played and written, in any order.

        Tasks are taken as they are needed, so that what has been played may decide which come.
        """
        for entry in self._games.run(task for task in tasks if task.id not in self._log):
            self._log.append(entry)
            self._on_progress(len(self._log))
            yield entry

    def entries(self, tasks: Iterable[GameTask]) -> list[Entry]:
        """Returns the entry of each task, in order.

        Raises:
            GamesLogError: one in the log is of another task; names file, line and key.
        """
        tasks = list(tasks)
        for task in tasks:
            if task.id in self._log:
                self._log.hold(task.id, task)
        for _ in self.play(tasks):
            pass
        self._on_progress(len(self._log))
        return [self._log[task.id] for task in tasks]
