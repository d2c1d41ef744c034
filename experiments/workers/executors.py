"""Where games are played: in this process, in processes of this machine, or on a Ray cluster. The entries are the same from all of them.

Workers of this machine are watched. One that is killed from outside is replaced, and what it had not finished is played again. A game in
which an agent ends its process or does not answer in time is forfeited by that agent.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from multiprocessing.connection import Pipe, wait
from types import MappingProxyType
from typing import Any, Protocol

from ...envs.rules.errors import ConfigError, SparringError
from ..config.parts import Executor
from ..games.play import CRASH, Forfeit, forfeited, play_game, timeout
from ..games.task import GameTask
from ..games.waiting import NOBODY, NOWHERE, Asked, Watch, new_file

AHEAD = 2  # tasks that a worker has at a time, so that it never waits for the next
GRACE = 1.0  # seconds after a deadline in which an answer still comes by itself, to be told from none
LONGEST_WAIT = 0.5  # seconds between two looks at the workers
FROM_OUTSIDE = [getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGHUP") if hasattr(signal, name)]  # by no agent's own fault
CAN_WATCH = hasattr(os, "killpg")  # groups of processes and descriptors that they inherit, which Windows lacks
MOST_DEATHS = 10  # of workers from outside in one game, after which it is its agent's doing: too much memory, say

Entry = dict[str, Any]


class WorkerError(SparringError):
    """A worker that fails by no player's doing."""


class Games(Protocol):
    """Plays games; a context manager that has its workers as long as it is open."""

    def run(self, tasks: Iterable[GameTask]) -> Iterator[Entry]:
        """Yields the entry of each task's game as soon as it is finished, in any order."""
        ...

    def __enter__(self) -> Games: ...

    def __exit__(self, *error: object) -> None: ...


def executor_of(settings: Executor) -> Games:
    """Returns what a config's `executor` asks for.

    Raises:
        MissingExtraError: Ray without the extra `ray`.
        ConfigError: workers where there can be none.
    """
    if settings.name == "ray":
        from .ray_executor import OnRay

        return OnRay(settings.workers, settings.address)
    if not CAN_WATCH and settings.workers is None:
        print(
            "executor: this system cannot watch workers, so this process plays: an agent that hangs takes it along",
            file=sys.stderr,
        )
        return InProcess()
    workers = cores() if settings.workers is None else settings.workers
    return Local(workers) if workers else InProcess()


def cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class InProcess:
    """Plays in this process, one game after the other: an agent that hangs or ends the process takes it along."""

    def __init__(self, agents: Mapping[str, Any] = MappingProxyType({})):
        """Takes agents that play in the place of some players, by the names of these: objects that no spec can make."""
        self._agents = agents

    def run(self, tasks: Iterable[GameTask]) -> Iterator[Entry]:
        """Yields the entries in the order of the tasks."""
        for task in tasks:
            yield play_game(task, [self._agents.get(player.name) for player in (task.first, task.second)])

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *error: object) -> None:
        pass


class Local:
    """Plays in processes of this machine."""

    def __init__(self, workers: int):
        """Takes a number of workers, which start when there are games for them.

        Raises:
            ConfigError: this system has no process groups.
        """
        if not CAN_WATCH:
            raise ConfigError(f"executor: workers: expected 0, as this system cannot watch workers, got {workers}")
        self._most = workers
        self._workers: list[Worker] = []
        self._deaths: Counter[int] = Counter()  # of workers killed from outside, by game

    def run(self, tasks: Iterable[GameTask]) -> Iterator[Entry]:
        """Yields the entry of each game as soon as it is finished."""
        waiting, again = iter(tasks), deque[GameTask]()
        try:
            while True:
                self._hand_out(waiting, again)
                busy = [worker for worker in self._workers if worker.tasks]
                if not busy:
                    return
                speaking = wait([worker.pipe for worker in busy], LONGEST_WAIT)
                for worker in busy:
                    if worker.pipe in speaking or worker.process.poll() is not None:
                        yield from self._listen(worker, again)
                for worker in busy:
                    asked = worker.late()
                    if asked and not worker.pipe.poll():  # else its end of the pipe tells more
                        yield from self._bury(worker, again, asked, _silence(asked, worker.tasks[0]))
        finally:
            for worker in [worker for worker in self._workers if worker.tasks]:  # whoever asked wants no more
                self._end(worker)

    def _hand_out(self, waiting: Iterator[GameTask], again: deque[GameTask]) -> None:
        """Gives every worker its tasks, and starts workers as long as there are tasks for them."""
        for turn in range(AHEAD):
            for place in range(self._most):
                if place < len(self._workers) and len(self._workers[place].tasks) > turn:
                    continue
                task = again.popleft() if again else next(waiting, None)
                if task is None:
                    return
                if place == len(self._workers):
                    self._workers.append(Worker())
                self._workers[place].give(task)

    def _listen(self, worker: Worker, again: deque[GameTask]) -> Iterator[Entry]:
        """Yields what a worker has to say; its death, too, is told by its pipe, unless a child of its own still holds the other end."""
        try:
            if not worker.pipe.poll():
                raise EOFError
            entry = worker.pipe.recv()
        except (EOFError, OSError):
            asked = worker.watch.read()
            yield from self._bury(worker, again, asked, self._cause_of_death(worker, asked))
        else:
            worker.tasks.popleft()
            if isinstance(entry, SparringError):
                raise entry
            yield entry

    def _cause_of_death(self, worker: Worker, asked: Asked) -> Forfeit | None:
        """Returns the forfeit that a worker's end means, or None if its games are to be played again.

        Raises:
            WorkerError: it is no player's doing.
        """
        code, game = worker.exit_code(), worker.tasks[0].id
        if asked.game not in (NOWHERE, game):  # between two games
            return None
        is_from_outside = code is not None and -code in FROM_OUTSIDE
        self._deaths[game] += is_from_outside
        if is_from_outside and self._deaths[game] < MOST_DEATHS:
            return None
        how = _in_words(code)
        if asked.game == NOWHERE or asked.seat == NOBODY:
            raise WorkerError(f"a worker {how} while it asked no player; what it printed says why")
        return Forfeit(asked.seat, CRASH, f"its process {how}")

    def _bury(self, worker: Worker, again: deque[GameTask], asked: Asked, forfeit: Forfeit | None) -> Iterator[Entry]:
        """Ends a worker, has its tasks played again, and yields the entry of the game that was forfeited, if one was while it `asked`."""
        tasks = list(worker.tasks)
        self._end(worker)
        again.extend(tasks[1:] if forfeit else tasks)
        if forfeit:
            yield forfeited(tasks[0], asked, forfeit)

    def _end(self, worker: Worker) -> None:
        worker.end()
        self._workers.remove(worker)

    def __enter__(self) -> Local:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in list(self._workers):
            self._end(worker)


def _silence(asked: Asked, task: GameTask) -> Forfeit:
    """Returns the forfeit of a seat that does not answer in its task's game.

    Raises:
        WorkerError: no seat was asked, but the adjudicator.
    """
    if asked.seat == NOBODY:
        raise WorkerError(f"the adjudicator took more than {asked.most:g} s for a position of game {asked.game}")
    return timeout(asked.seat, asked.most, asked.seconds[asked.seat], task.conditions)


def _in_words(code: int | None) -> str:
    """Returns what has become of a process that ended with a code, of None if it goes on."""
    if code is None:
        return "closed the connection to the games"
    how = f"was killed {MOST_DEATHS} times" if -code in FROM_OUTSIDE else "ended"
    return f"{how} with exit code {code}" if code >= 0 else f"{how} by signal {signal.Signals(-code).name}"


class Worker:
    """A process that plays games.

    Attributes:
        process: the process.
        pipe: to it and from it.
        watch: what it is about.
        tasks: given to it and not yet answered, in order.
    """

    def __init__(self) -> None:
        """Starts the process with this one's import path. Not by `multiprocessing`, which would run the user's script anew in it."""
        self.pipe, theirs = Pipe()
        file = new_file()
        self.watch, self.tasks = Watch(file), deque[GameTask]()
        code = f"import sys; sys.path[:] = {sys.path!r}; from {__package__}.worker import main; main({theirs.fileno()}, {file})"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            pass_fds=(theirs.fileno(), file),
            start_new_session=True,
            env={"OMP_NUM_THREADS": "1", **os.environ},  # networks: there is a worker for each core
        )
        theirs.close()
        os.close(file)

    def give(self, task: GameTask) -> None:
        """Sends a task; if the process has died meanwhile, its end of the pipe will tell."""
        self.tasks.append(task)
        with suppress(OSError):
            self.pipe.send(task)

    def late(self) -> Asked | None:
        """Returns whom the game waits for, if it has not answered in its time. It may yet: then all is to be judged by what is returned."""
        if not self.tasks or self.process.poll() is not None:
            return None
        asked = self.watch.read()
        is_late = asked.game == self.tasks[0].id and time.monotonic() > asked.since + asked.most + GRACE
        return asked if is_late and asked == self.watch.read() else None

    def exit_code(self) -> int | None:
        """Returns how the process has ended, or None if it outlives its end of the pipe."""
        try:
            return self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return None

    def end(self) -> None:
        """Ends the process, which has nothing to lose, and those that its agents have started."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.pipe.close()
