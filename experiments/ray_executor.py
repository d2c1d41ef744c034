"""Games on a Ray cluster: one that is running, or one of this machine's own for the time of a run.

A Ray task plays one game by the same watched process as the local executor, one a Ray worker, so that hanging and dying agents are dealt
with alike; what a killed worker or node had not finished, Ray gives to another.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any

from ..envs.rules.errors import ConfigError, MissingExtraError
from .executors import AHEAD, Entry, Local, cores
from .playing import GameTask

LOOPBACK = "127.0.0.1"


class OnRay:
    """Plays on a Ray cluster."""

    def __init__(self, workers: int | None, address: str | None):
        """Takes the number of an own cluster's workers, by default one a core, or the address of a running cluster.

        Raises:
            MissingExtraError: without the extra `ray`.
        """
        try:
            import ray
        except ImportError:
            raise MissingExtraError("executor: ray needs ray; install it with: pip install 'sparring[ray]'") from None
        self._ray: Any = ray
        self._workers, self._address = workers or cores(), address

    def __enter__(self) -> OnRay:
        words: dict[str, Any] = {"address": self._address} if self._address else {"address": "local", "num_cpus": self._workers}
        if not self._address:
            words |= {"include_dashboard": False, "_node_ip_address": LOOPBACK}
        try:
            self._ray.init(**words, log_to_driver=False, configure_logging=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise ConfigError(f"executor: address: expected that of a Ray cluster, got {self._address!r}: {error}") from None
        return self

    def __exit__(self, *error: object) -> None:
        self._ray.shutdown()

    def run(self, tasks: Iterable[GameTask]) -> Iterator[Entry]:
        """Yields the entry of each game as soon as it is finished."""
        play = self._ray.remote(max_retries=-1, num_cpus=1)(play_watched)
        waiting, pending = iter(tasks), {}
        while True:
            most = AHEAD * max(1, int(self._ray.cluster_resources().get("CPU", 1)))
            for task in waiting:
                pending[play.remote(task)] = task.id
                if len(pending) >= most:
                    break
            if not pending:
                return
            done, _ = self._ray.wait(list(pending), num_returns=1)
            for reference in done:
                del pending[reference]
                yield self._ray.get(reference)


def play_watched(task: GameTask) -> Entry:
    """Plays a game in the watched process of this Ray worker."""
    return next(_own_process().run([task]))


@functools.cache
def _own_process() -> Local:
    return Local(1)
