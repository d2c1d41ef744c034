"""Games on a Ray cluster: one that this process uses already or that is running, or one of this machine's own for the time of a run.

A Ray task plays games by the same watched process as the local executor, one a Ray worker, so that hanging and dying agents are dealt with
alike; what a killed worker or node had not returned, Ray gives to another. A task costs about 5 ms, so it plays as many games as fit into a
moment: one, or several short ones.
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
MOST_GAMES = 16  # that a Ray task is given


class OnRay:
    """Plays on a Ray cluster."""

    def __init__(self, workers: int | None, address: str | None):
        """Takes the number of an own cluster's workers, by default one a core, or the address of a running cluster.

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
            ConfigError: there is none at the address, or this process uses Ray already and other settings than that.
        """
        if self._ray.is_initialized():
            self._join()
            return self
        words: dict[str, Any] = {"address": self._address} if self._address else {"address": "local", "num_cpus": self._workers or cores()}
        if not self._address:
            words |= {"include_dashboard": False, "_node_ip_address": LOOPBACK}
        terminate = signal.getsignal(signal.SIGTERM)
        try:
            self._ray.init(**words, log_to_driver=False, configure_logging=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise ConfigError(f"executor: address: expected that of a Ray cluster, got {self._address!r}: {error}") from None
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, terminate)  # Ray's own handler would leave nobody time to close files
        self._is_own = True
        return self

    def _join(self) -> None:
        """Takes the cluster that this process is connected to."""
        here = self._ray.get_runtime_context().gcs_address
        if self._address not in (None, here):
            raise ConfigError(
                f"executor: address: this process uses the Ray cluster {here} already; expected that or none, got {self._address!r}"
            )
        if self._workers is not None:
            raise ConfigError(
                f"executor: workers: this process uses the Ray cluster {here} already, which has its own, got {self._workers}"
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
        """Returns what a Ray task has returned, or raises what it has raised as it would be raised here."""
        try:
            return self._ray.get(done)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None


def _take(size: int, again: deque[GameTask], waiting: Iterator[GameTask]) -> list[GameTask]:
    """Returns the next tasks: those that were given back, then new ones."""
    back = [again.popleft() for _ in range(min(size, len(again)))]
    return back + list(islice(waiting, size - len(back)))


def _games_in_a_moment(entries: list[Entry]) -> int:
    """Returns how many games such as these a Ray task is to be given."""
    thinking = sum(sum(entry["seconds"]) for entry in entries) / len(entries)
    return max(1, int(MOMENT / (thinking + MOMENT / MOST_GAMES)))


def play_for_a_moment(tasks: list[GameTask]) -> list[Entry]:
    """Returns the entries of the first games, those begun within a moment, played in the watched process of this Ray worker."""
    end, entries = time.monotonic() + MOMENT, list[Entry]()
    for task in tasks:
        entries += _own_process().run([task])
        if time.monotonic() > end:
            break
    return entries


@functools.cache
def _own_process() -> Local:
    return Local(1)
