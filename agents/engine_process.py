"""A program as a child process: lines in, lines out, each in time; knows no protocol and no game.

The program has a process group of its own. The group is killed when the process is closed or collected, at the end of the interpreter, and,
however this process ends, by a watcher in the group that waits for a socket to close.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import time
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from ..envs.rules.errors import AgentError, shown

LAUNCHER = """
ulimit -v "$0"
exec 3<&2
{ read -r _ <&3; kill -9 0; } >/dev/null 2>&1 &
exec "$@" 3<&-
"""  # the standard error of the program is a socket, whose other end closes with this process
CHUNK = 1 << 16
MOST_CHUNKS = 64  # that are dropped at a time; a program may write without end
LONGEST_LINE = 4096  # bytes; the rest of a longer line is dropped
LAST_LINES = 3  # that are kept for messages
CHECK = 0.1  # seconds between two looks at whether the program still runs; its own children can hold its pipes open
FAREWELL = 0.5  # seconds for a program to end by itself


class EngineError(AgentError):
    """A program that has failed.

    Attributes:
        ending: how its game is lost: "crash", "timeout" or "illegal".
    """

    def __init__(self, message: str, ending: str = "crash") -> None:
        """Takes the message and the ending."""
        super().__init__(message)
        self.ending = ending


class EngineProcess:
    """A running program, used by the process that has started it.

    Attributes:
        has_ended: whether the program has ended, or closed its standard output.
        kill: kills the program and its children; called again it does nothing.
    """

    def __init__(self, words: Sequence[str], most_mib: int | None = None) -> None:
        """Starts the program.

        Args:
            words: its file and its arguments.
            most_mib: the most address space of each of its processes, where the system has such a limit.

        Raises:
            AgentError: this system has no process groups.
        """
        if not hasattr(os, "killpg"):
            raise AgentError(f"agent 'engine': expected a system with process groups to run {shown(words[0])}")
        self.has_ended = False
        self._lines, self._last = deque[str](), deque[str](maxlen=LAST_LINES)
        self._owner = os.getpid()
        errors, their_errors = socket.socketpair()
        with their_errors:
            limit = "unlimited" if most_mib is None else str(most_mib << 10)
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", LAUNCHER, limit, *words],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=their_errors.fileno(),
                start_new_session=True,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._rest = {self._output: b"", errors.fileno(): b""}  # of a line that has not ended
        self._poll = select.poll()
        for descriptor in self._rest:
            os.set_blocking(descriptor, False)
            self._poll.register(descriptor, select.POLLIN)
        os.set_blocking(self._input, False)
        self.kill = weakref.finalize(self, _kill, self._process, errors, self._owner)

    @property
    def is_own(self) -> bool:
        """Whether this process has started the program, and is no fork of the one that has."""
        return os.getpid() == self._owner

    @property
    def is_usable(self) -> bool:
        """Whether the program runs, and is this process's own."""
        return self.is_own and not self.has_ended and self._process.poll() is None

    def send(self, text: str) -> None:
        """Sends lines. One that does not read them is noticed by its silence."""
        with suppress(OSError):
            os.write(self._input, text.encode("ascii"))

    def read_line(self, deadline: float) -> str | None:
        """Returns the next line that is not empty; None when the program has ended.

        Args:
            deadline: seconds of the monotonic clock, at which it returns None, too.
        """
        while not self._lines and not self.has_ended:
            wait = min(deadline - time.monotonic(), CHECK)
            if not self._receive(max(wait, 0.0)) and self._process.poll() is not None:
                self.has_ended = True
            elif wait <= 0:
                break
        return self._lines.popleft() if self._lines else None

    def drop_lines(self) -> None:
        """Drops the lines that have come so far."""
        for _ in range(MOST_CHUNKS):
            if not self._receive(0.0):
                break
        self._lines.clear()

    def _receive(self, seconds: float) -> bool:
        """Takes what comes within some seconds; returns whether anything has come."""
        events = self._poll.poll(seconds * 1000)
        for descriptor, _ in events:
            chunk = _read(descriptor)
            if not chunk:
                self._poll.unregister(descriptor)
                self.has_ended |= descriptor == self._output
            *ended, rest = (self._rest[descriptor] + chunk).replace(b"\r", b"\n").split(b"\n")
            self._rest[descriptor] = rest[:LONGEST_LINE]
            lines = [line[:LONGEST_LINE].decode("ascii", "replace") for line in ended if line.strip()]
            self._last.extend(lines)
            if descriptor == self._output:
                self._lines.extend(lines)
        return bool(events)

    def end_text(self) -> str:
        """Returns how the program has ended, with the last lines that it wrote."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(CHECK)
        self._receive(0.0)
        code = self._process.returncode
        if code is None:
            return f"closed its output{self.last_lines}"
        end = f"was ended by signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"ended with exit code {code}"
        return f"{end}{self.last_lines}"

    @property
    def last_lines(self) -> str:
        """The last lines that it wrote, for the end of a message; empty if there are none."""
        return f"; last lines: {shown(' | '.join(self._last))}" if self._last else ""

    def end(self, farewell: str) -> None:
        """Sends a last line, and kills what is left of the program after a moment, with its children."""
        if self.is_usable:
            self.send(farewell)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(FAREWELL)
        self.kill()


def _read(descriptor: int) -> bytes:
    """Returns what a descriptor holds, nothing at its end."""
    try:
        return os.read(descriptor, CHUNK)
    except OSError:
        return b""


def _kill(process: subprocess.Popen[bytes], errors: socket.socket, owner: int) -> None:
    """Kills a process group and closes the pipes to it; a fork of the process that has started it only closes its pipes."""
    if os.getpid() == owner:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for end in (process.stdin, process.stdout, errors):
        if end is not None:
            end.close()
