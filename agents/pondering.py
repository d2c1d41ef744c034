"""Thinking on the opponent's time: work on a thread of its own, until it is told to stop."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable


class Pondering:
    """A thread that works from the moment it is made; nobody else may touch what it works on before `stop` has returned."""

    def __init__(self, work: Callable[[Callable[[], bool]], object]) -> None:
        """Starts working.

        Args:
            work: called with a function that tells whether to stop; asks it every few milliseconds. As long as it runs, it keeps alive
                what it refers to.
        """
        self._is_stopped = False
        self._thread = threading.Thread(target=work, args=(lambda: self._is_stopped,), name="pondering", daemon=True)
        _ALL.add(self)
        self._thread.start()

    def stop(self) -> None:
        """Stops working and waits for the thread to end; stopping again changes nothing."""
        self._is_stopped = True
        if self._thread is not threading.current_thread():  # whoever pondered may be collected as garbage on this very thread
            self._thread.join()


_ALL: weakref.WeakSet[Pondering] = weakref.WeakSet()


def stop_all() -> None:
    """Stops all pondering of this process."""
    for pondering in list(_ALL):
        pondering.stop()


if hasattr(os, "register_at_fork"):  # a fork copies memory but no threads: it must find every tree whole
    os.register_at_fork(before=stop_all)
