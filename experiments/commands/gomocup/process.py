"""The engine as a process: bytes of a manager in, bytes out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout

from .protocol import GomocupProtocol

LONGEST_LINE = 4096  # bytes; the rest of a longer line is dropped
CHUNK = 1 << 16
STDIN, STDOUT = 0, 1


def converse(protocol: GomocupProtocol, read: Callable[[], bytes] | None = None, write: Callable[[bytes], object] | None = None) -> None:
    """Answers a manager until it says END, closes its pipe or is gone.

    What an agent prints goes to stderr, so that it is not taken for an answer.

    Args:
        protocol: answers the lines.
        read: returns what has come, at least a byte, or nothing at the end; by default from stdin.
        write: sends bytes at once; by default to stdout.
    """
    read = read or (lambda: os.read(STDIN, CHUNK))
    write = write or (lambda answer: os.write(STDOUT, answer))
    with redirect_stdout(sys.stderr):
        for line in lines(read):
            answers = protocol.answer(line)
            try:
                for answer in answers:
                    write(f"{answer}\n".encode("ascii", "replace"))
            except BrokenPipeError:
                return
            if protocol.has_ended:
                return


def lines(read: Callable[[], bytes]) -> Iterator[str]:
    """Yields the lines that end with CR, LF or both, and what is left at the end; without those that are empty."""
    rest = b""
    while chunk := read():
        *ended, rest = (rest + chunk).replace(b"\r", b"\n").split(b"\n")
        yield from (_text(line) for line in ended if line)
        rest = rest[:LONGEST_LINE]
    if rest:
        yield _text(rest)


def _text(line: bytes) -> str:
    return line[:LONGEST_LINE].decode("ascii", "replace")
