"""The process that plays games for a driver: tasks come in by a pipe, entries go out by it, until the driver closes it or dies."""

from __future__ import annotations

import os
import signal
import sys
import threading
from multiprocessing.connection import Connection

from .playing import play_game
from .watch import Watch


def main(connection: int, file: int) -> None:
    """Plays what comes.

    Args:
        connection: descriptor of the pipe's end.
        file: descriptor of the watch's file.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the driver, which ends its workers
    threading.Thread(target=_end_with_driver, daemon=True).start()
    pipe, watch = Connection(connection), Watch(file)
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        pipe.send(play_game(task, watch=watch))


def _end_with_driver() -> None:
    """Ends this process, whatever it is thinking about, with those that its agents have started, when the driver is gone.

    The driver's end of the standard input then closes.
    """
    sys.stdin.buffer.read()
    os.killpg(0, signal.SIGKILL)
