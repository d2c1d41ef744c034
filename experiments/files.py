"""Files of runs: read within bounds, and written in one step so that they are never seen half written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..agents.foreign import loads, read_text
from ..envs.rules.errors import SparringError, printable

PART = ".{}.part"  # what a file is called while it is being written


class RunFolderError(SparringError):
    """A folder that cannot take or continue a run."""


def read_json(path: Path) -> Any:
    """Returns what a JSON file holds, control characters in its texts escaped.

    Raises:
        RunFolderError: it holds no JSON.
    """
    with naming(path):
        return loads(read_text(path))


def read_lines(path: Path) -> str:
    """Returns a text file with the control characters of its lines escaped.

    Raises:
        RunFolderError: it holds no UTF-8, or too much.
    """
    with naming(path):
        return "\n".join(map(printable, read_text(path).split("\n")))


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Names the file in what its block finds wrong with it."""
    try:
        yield
    except ValueError as error:
        raise RunFolderError(f"{path}: {error}") from None


def write_json(path: Path, value: Any) -> None:
    """Writes a JSON file in one step."""
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Writes a text file in one step."""
    replace_atomically(path, lambda part: part.write_text(text, encoding="utf-8"))


def replace_atomically(path: Path, write: Callable[[Path], Any]) -> None:
    """Has a file written beside its place and then moved there, so that it is never seen half written."""
    part = path.with_name(PART.format(path.name))
    write(part)
    part.replace(path)
