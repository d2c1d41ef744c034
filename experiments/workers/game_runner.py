"""Plays the games of a run: checks the entries of its log against their tasks, and plays the other games by the config's executor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..games.log import GamesLog, MemoryLog
from ..games.task import GameTask
from .executors import GameExecutor

Entry = dict[str, Any]
Progress = Callable[[int], None]  # called with the number of finished games


class GameRunner:
    """Plays games for a run."""

    def __init__(self, log: GamesLog | MemoryLog, executor: GameExecutor, on_progress: Progress):
        """Takes the log of the run, its executor, and a function that is called with the number of finished games after each."""
        self._log, self._executor, self._on_progress = log, executor, on_progress

    def play(self, tasks: Iterable[GameTask]) -> Iterator[Entry]:
        """Yields the entry of each task that the log lacks as soon as it is played and written, in any order.

        Tasks are taken when they are needed, so earlier games may decide later tasks.
        """
        for entry in self._executor.run(task for task in tasks if task.id not in self._log):
            self._log.append(entry)
            self._on_progress(len(self._log))
            yield entry

    def entries(self, tasks: Iterable[GameTask]) -> list[Entry]:
        """Returns the entry of each task, in order.

        Raises:
            GamesLogError: an entry in the log does not fit its task; names file, line and key.
        """
        tasks = list(tasks)
        for task in tasks:
            if task.id in self._log:
                self._log.hold(task.id, task)
        for _ in self.play(tasks):
            pass
        self._on_progress(len(self._log))
        return [self._log[task.id] for task in tasks]
