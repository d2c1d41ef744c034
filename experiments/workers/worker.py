"""The process that plays games for a driver: it receives tasks and sends entries by a pipe, until the driver closes it or dies."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from multiprocessing.connection import Connection
from typing import Any

from ...envs.compiled import messages
from ...envs.rules.errors import SparringError, printable
from ..games.play import play_game
from ..games.task import GameTask
from ..games.waiting import Watch

GONE = (EOFError, BrokenPipeError, ConnectionResetError)  # the errors of a pipe whose other end is closed


def main(connection: int, file: int) -> None:
    """Plays the games of the tasks that come.

    Args:
        connection: descriptor of the pipe's end.
        file: descriptor of the watch's file.
    """
    messages.PATIENCE = threading.TIMEOUT_MAX  # the driver has the terminal and says itself what a long wait is for
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the driver, which ends its workers
    threading.Thread(target=_end_with_driver, daemon=True).start()
    try:
        _play_all(Connection(connection), Watch(file))
    except BaseException:
        try:
            print("\n".join(map(printable, traceback.format_exc().splitlines())), file=sys.stderr, flush=True)
        finally:
            os._exit(1)  # at once: the driver waits only a moment for the exit code


def _play_all(pipe: Connection, watch: Watch) -> None:
    while True:
        try:
            task = pipe.recv()
        except GONE:
            return
        entry = _play(task, watch)
        try:
            pipe.send(entry)
        except GONE:
            return


def _play(task: GameTask, watch: Watch) -> dict[str, Any] | SparringError:
    """Returns the game's entry, or a SparringError for the driver to raise.

    On any other error it clears the watch, so that no agent is blamed, and re-raises.
    """
    try:
        return play_game(task, watch=watch)
    except SparringError as error:
        return error
    except Exception:  # not an agent's error, which loses its game
        watch.clear()
        raise


def _end_with_driver() -> None:
    """Kills this process, and those that its agents have started, when the driver is gone.

    The standard input closes when the driver ends. It is read without `sys.stdin`, whose lock would keep Python from ending.
    """
    os.read(0, 1)
    os.killpg(0, signal.SIGKILL)
