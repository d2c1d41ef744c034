"""Files of runs: read up to a size, and written in one step so that nobody sees them half written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..agents.foreign import loads, read_text
from ..envs.rules.errors import SparringError, printable

PART = ".{}.part"  # the name of a file while it is being written


class RunFolderError(SparringError):
    """A folder that cannot take or continue a run."""


def read_json(path: Path) -> Any:
    """Returns the value of a JSON file, with control characters escaped.

    Raises:
        RunFolderError: the file is not JSON.
    """
    with naming(path):
        return loads(read_text(path))


def read_lines(path: Path) -> str:
    """Returns a text file with the control characters of its lines escaped.

    Raises:
        RunFolderError: the file is not UTF-8, or too large.
    """
    with naming(path):
        return "\n".join(map(printable, read_text(path).split("\n")))


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Puts the file's name before the errors of its block."""
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
    """Writes a temporary file beside the target and moves it there, so that nobody sees a half-written file."""
    part = path.with_name(PART.format(path.name))
    write(part)
    part.replace(path)
