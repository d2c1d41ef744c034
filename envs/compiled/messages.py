"""What a person at a terminal or a notebook reads while kernels are compiled."""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
from collections.abc import Iterator
from typing import Any

PACKAGE_NAME = __name__.partition(".")[0]
PATIENCE = 2.0  # seconds of compiling before the message
NOTEBOOK = "ipykernel"  # a module that is loaded in notebooks
USUAL = "usually 5 to 20 s"  # for most bindings; measured for those of `agents.warming`


@contextlib.contextmanager
def announced(functions: list[Any]) -> Iterator[None]:
    """Says at a terminal or a notebook why nothing happens if compiling some functions takes long.

    Pipes and files get no message: a program may read them.
    """
    if sys.stderr is None or not (sys.stderr.isatty() or NOTEBOOK in sys.modules):
        yield
        return
    timer = threading.Timer(PATIENCE, announce_compiling, [functions[0].py_func.__qualname__.partition(".")[0]])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@functools.cache
def announce_compiling(binding: str) -> None:
    """Prints the message once for a template and the modules bound to it."""
    say(f"compiling {binding}: {USUAL}; later processes load it")


def say(line: str) -> None:
    """Prints a line to stderr, if there is one."""
    if sys.stderr is not None:
        print(f"{PACKAGE_NAME}: {line}", file=sys.stderr, flush=True)
