"""Ctrl-C and SIGTERM during a run, which can go on later."""

from __future__ import annotations

import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

INTERRUPTED, TERMINATED = 130, 143  # exit codes, those of shells for Ctrl-C and SIGTERM


class Terminated(KeyboardInterrupt):
    """SIGTERM, which ends a run as Ctrl-C does."""


class RunInterruptedError(Exception):
    """Ctrl-C or SIGTERM during a run that can go on; typer would drop the text of a KeyboardInterrupt.

    Attributes:
        code: the exit code of the process.
    """

    def __init__(self, interrupt: KeyboardInterrupt, path: Path) -> None:
        is_terminated = isinstance(interrupt, Terminated)
        super().__init__(f"{'terminated' if is_terminated else 'interrupted'}; go on with: sparring run {shlex.quote(str(path))}")
        self.code = TERMINATED if is_terminated else INTERRUPTED


@contextmanager
def termination_as_interrupt() -> Iterator[None]:
    """Lets SIGTERM raise an exception, so that open files are closed; a second SIGTERM ends the process at once."""

    def terminate(number: int, frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        raise Terminated

    previous = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)
