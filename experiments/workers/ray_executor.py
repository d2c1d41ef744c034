"""Games on a Ray cluster: the one that this process uses, one that is running, or a new one on this machine for the time of a run.

Each Ray worker plays games in one watched process, as the local executor does, so hanging and dying agents are handled in the same way. Ray
runs the tasks of a killed worker or node again. A task costs about 5 ms, so it plays games for a moment: one, or several short ones.
"""

from __future__ import annotations

import functools
import signal
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from ...envs.rules.errors import ConfigError, extra
from ..games.task import GameTask
from .executors import AHEAD, Entry, Local, cores

LOOPBACK = "127.0.0.1"
MOMENT = 0.1  # seconds in which a Ray task begins games
MOST_GAMES = 16  # games of a Ray task


class OnRay:
    """Plays on a Ray cluster."""

    def __init__(self, workers: int | None, address: str | None):
        """Takes the number of workers of a new cluster, by default one a core, or the address of a running cluster.

        Raises:
            MissingExtraError: without the extra `ray`.
        """
        with extra("ray", "executor: name: ray"):
            import ray
        self._ray: Any = ray
        self._workers, self._address, self._is_own = workers, address, False

    def __enter__(self) -> OnRay:
        """Connects to Ray.

        Raises:
            ConfigError: no cluster is at the address, or this process uses Ray already with other settings.
        """
        if self._ray.is_initialized():
            self._join()
            return self
        settings: dict[str, Any] = (
            {"address": self._address} if self._address else {"address": "local", "num_cpus": self._workers or cores()}
        )
        if not self._address:
            settings |= {"include_dashboard": False, "_node_ip_address": LOOPBACK}
        terminate = signal.getsignal(signal.SIGTERM)
        try:
            self._ray.init(**settings, log_to_driver=False, configure_logging=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise ConfigError(f"executor: address: expected the address of a Ray cluster, got {self._address!r}: {error}") from None
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, terminate)  # Ray's own handler would leave no time to close files
        self._is_own = True
        return self

    def _join(self) -> None:
        """Uses the cluster that this process is connected to."""
        address = self._ray.get_runtime_context().gcs_address
        if self._address not in (None, address):
            raise ConfigError(
                f"executor: address: this process uses the Ray cluster {address}; expected that address or none, got {self._address!r}"
            )
        if self._workers is not None:
            raise ConfigError(
                f"executor: workers: this process uses the Ray cluster {address}, which has its own workers; got {self._workers}"
            )

    def __exit__(self, *error: object) -> None:
        if self._is_own:
            self._ray.shutdown()
            self._is_own = False

    def run(self, tasks: Iterable[GameTask]) -> Iterator[Entry]:
        """Yields the entry of each game as soon as its Ray task is finished."""
        play = self._ray.remote(max_retries=-1, num_cpus=1)(play_for_a_moment)
        waiting, again, pending, size = iter(tasks), deque[GameTask](), {}, 1
        while True:
            most = AHEAD * max(1, int(self._ray.cluster_resources().get("CPU", 1)))
            while len(pending) < most and (batch := _take(size, again, waiting)):
                pending[play.remote(batch)] = batch
            if not pending:
                return
            [done], _ = self._ray.wait(list(pending), num_returns=1)
            batch, entries = pending.pop(done), self._entries(done)
            again.extend(batch[len(entries) :])
            size = _games_in_a_moment(entries)
            yield from entries

    def _entries(self, done: Any) -> list[Entry]:
        """Returns the result of a Ray task, or raises its error as if it happened here."""
        try:
            return self._ray.get(done)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None


def _take(size: int, again: deque[GameTask], waiting: Iterator[GameTask]) -> list[GameTask]:
    """Returns the next tasks: unfinished ones first, then new ones."""
    unfinished = [again.popleft() for _ in range(min(size, len(again)))]
    return unfinished + list(islice(waiting, size - len(unfinished)))


def _games_in_a_moment(entries: list[Entry]) -> int:
    """Returns how many games of this length a Ray task should play."""
    thinking = sum(sum(entry["seconds"]) for entry in entries) / len(entries)
    return max(1, int(MOMENT / (thinking + MOMENT / MOST_GAMES)))


def play_for_a_moment(tasks: list[GameTask]) -> list[Entry]:
    """Plays the games that can begin within a moment in the watched process of this Ray worker, and returns their entries."""
    end, entries = time.monotonic() + MOMENT, list[Entry]()
    for task in tasks:
        entries += _local_executor().run([task])
        if time.monotonic() > end:
            break
    return entries


@functools.cache
def _local_executor() -> Local:
    return Local(1)
