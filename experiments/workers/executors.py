"""Where games are played: in this process, in processes of this machine, or on a Ray cluster. The entries are the same from all of them.

Workers of this machine are watched. A worker that is killed from outside is replaced, and its unfinished games are played again. An agent
that ends its process or does not answer in time forfeits its game.
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
from ..games.forfeit import CRASH, Forfeit, timeout
from ..games.play import forfeited, play_game
from ..games.task import GameTask
from ..games.waiting import NO_GAME, NO_SEAT, Waiting, Watch, new_file

AHEAD = 2  # tasks that a worker has at a time, so that it never waits for the next
GRACE = 1.0  # seconds after a deadline in which a late answer is still received
LONGEST_WAIT = 0.5  # seconds between two checks of the workers
FROM_OUTSIDE = [
    getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]  # signals that are not an agent's fault
CAN_WATCH = hasattr(os, "killpg")  # process groups and inherited descriptors, which Windows lacks
MOST_DEATHS = 10  # workers killed from outside in one game before its agent is blamed, say for too much memory

Entry = dict[str, Any]


class WorkerError(SparringError):
    """A worker that fails without a player's fault."""


class GameExecutor(Protocol):
    """Plays games; a context manager that has workers while it is open."""

    def run(self, tasks: Iterable[GameTask]) -> Iterator[Entry]:
        """Yields the entry of each game as soon as it is finished, in any order."""
        ...

    def __enter__(self) -> GameExecutor: ...

    def __exit__(self, *error: object) -> None: ...


def executor_of(settings: Executor) -> GameExecutor:
    """Returns the executor of a config's `executor`.

    Raises:
        MissingExtraError: Ray without the extra `ray`.
        ConfigError: workers on a system that cannot watch them.
    """
    if settings.name == "ray":
        from .ray_executor import OnRay

        return OnRay(settings.workers, settings.address)
    if not CAN_WATCH and settings.workers is None:
        print(
            "executor: this system cannot watch workers, so all games are played in this process, which an agent that hangs would stop",
            file=sys.stderr,
        )
        return InProcess()
    workers = cores() if settings.workers is None else settings.workers
    return Local(workers) if workers else InProcess()


def cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class InProcess:
    """Plays in this process, one game after the other; an agent that hangs or exits stops the run."""

    def __init__(self, agents: Mapping[str, Any] = MappingProxyType({})):
        """Takes agents by the names of their players, for objects that no spec can make."""
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
        """Takes the number of workers, which start when there are games for them.

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
                self._dispatch(waiting, again)
                busy = [worker for worker in self._workers if worker.tasks]
                if not busy:
                    return
                readable = wait([worker.pipe for worker in busy], LONGEST_WAIT)
                for worker in busy:
                    if worker.pipe in readable or worker.process.poll() is not None:
                        yield from self._receive(worker, again)
                for worker in busy:
                    waiting_for = worker.overdue()
                    if waiting_for and not worker.pipe.poll():  # else the pipe has an answer, or its end
                        yield from self._retire(worker, again, waiting_for, _timeout_forfeit(waiting_for, worker.tasks[0]))
        finally:
            for worker in [worker for worker in self._workers if worker.tasks]:  # the caller needs no more entries
                self._end(worker)

    def _dispatch(self, waiting: Iterator[GameTask], again: deque[GameTask]) -> None:
        """Gives every worker its tasks, and starts workers as long as there are tasks for them."""
        for turn in range(AHEAD):
            for index in range(self._most):
                if index < len(self._workers) and len(self._workers[index].tasks) > turn:
                    continue
                task = again.popleft() if again else next(waiting, None)
                if task is None:
                    return
                if index == len(self._workers):
                    self._workers.append(Worker())
                self._workers[index].give(task)

    def _receive(self, worker: Worker, again: deque[GameTask]) -> Iterator[Entry]:
        """Yields the entry that a worker has sent; its death closes the pipe, unless a child of the worker still holds the other end."""
        try:
            if not worker.pipe.poll():
                raise EOFError
            entry = worker.pipe.recv()
        except (EOFError, OSError):
            waiting_for = worker.watch.read()
            yield from self._retire(worker, again, waiting_for, self._cause_of_death(worker, waiting_for))
        else:
            worker.tasks.popleft()
            if isinstance(entry, SparringError):
                raise entry
            yield entry

    def _cause_of_death(self, worker: Worker, waiting_for: Waiting) -> Forfeit | None:
        """Returns the forfeit of the agent that ended a worker, or None if its games are played again.

        Raises:
            WorkerError: it ended without a player's fault.
        """
        code, game = worker.exit_code(), worker.tasks[0].id
        if waiting_for.game not in (NO_GAME, game):  # between two games
            return None
        is_from_outside = code is not None and -code in FROM_OUTSIDE
        self._deaths[game] += is_from_outside
        if is_from_outside and self._deaths[game] < MOST_DEATHS:
            return None
        end = _end_text(code)
        if waiting_for.game == NO_GAME or waiting_for.seat == NO_SEAT:
            raise WorkerError(f"a worker {end} while no player was to move; see its output for the reason")
        return Forfeit(waiting_for.seat, CRASH, f"its process {end}")

    def _retire(self, worker: Worker, again: deque[GameTask], waiting_for: Waiting, forfeit: Forfeit | None) -> Iterator[Entry]:
        """Ends a worker, queues its tasks again, and yields the entry of its game if that was forfeited."""
        tasks = list(worker.tasks)
        self._end(worker)
        again.extend(tasks[1:] if forfeit else tasks)
        if forfeit:
            yield forfeited(tasks[0], waiting_for, forfeit)

    def _end(self, worker: Worker) -> None:
        worker.end()
        self._workers.remove(worker)

    def __enter__(self) -> Local:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in list(self._workers):
            self._end(worker)


def _timeout_forfeit(waiting_for: Waiting, task: GameTask) -> Forfeit:
    """Returns the forfeit of a seat that does not answer in time.

    Raises:
        WorkerError: the adjudicator or teacher does not answer.
    """
    if waiting_for.seat == NO_SEAT:
        judge = "teacher" if task.teacher else "adjudicator"
        raise WorkerError(f"the {judge} took more than {waiting_for.most:g} s for a position of game {waiting_for.game}")
    return timeout(waiting_for.seat, waiting_for.most, waiting_for.seconds[waiting_for.seat], task.conditions)


def _end_text(code: int | None) -> str:
    """Returns how a process ended, from its exit code; None if it is still running."""
    if code is None:
        return "closed the connection to the games"
    end = f"was killed {MOST_DEATHS} times" if -code in FROM_OUTSIDE else "ended"
    return f"{end} with exit code {code}" if code >= 0 else f"{end} by signal {signal.Signals(-code).name}"


class Worker:
    """A process that plays games.

    Attributes:
        process: the process.
        pipe: to the process and back.
        watch: the record of the agent that it waits for.
        tasks: sent and not yet answered, in order.
    """

    def __init__(self) -> None:
        """Starts the process with this one's import path; not by `multiprocessing`, which would run the user's script again."""
        self.pipe, worker_end = Pipe()
        file = new_file()
        self.watch, self.tasks = Watch(file), deque[GameTask]()
        code = f"import sys; sys.path[:] = {sys.path!r}; from {__package__}.worker import main; main({worker_end.fileno()}, {file})"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            pass_fds=(worker_end.fileno(), file),
            start_new_session=True,
            env={"OMP_NUM_THREADS": "1", **os.environ},  # for networks, as there is a worker for each core
        )
        worker_end.close()
        os.close(file)

    def give(self, task: GameTask) -> None:
        """Sends a task; if the process has died, the closed pipe is noticed later."""
        self.tasks.append(task)
        with suppress(OSError):
            self.pipe.send(task)

    def overdue(self) -> Waiting | None:
        """Returns the record of an agent that is late, else None. It may still answer, so the caller judges by this record only."""
        if not self.tasks or self.process.poll() is not None:
            return None
        waiting_for = self.watch.read()
        is_late = waiting_for.game == self.tasks[0].id and time.monotonic() > waiting_for.since + waiting_for.most + GRACE
        return waiting_for if is_late and waiting_for == self.watch.read() else None

    def exit_code(self) -> int | None:
        """Returns the exit code, or None if the process still runs after closing the pipe."""
        try:
            return self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return None

    def end(self) -> None:
        """Kills the process and those that its agents have started."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.pipe.close()
