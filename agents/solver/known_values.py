"""Values that were costly to find, kept on disk: a small file a game, named by a hash of its rules and parameters.

If the code of the rules changes, the name does. A file that cannot be read, or is of another game, counts as empty.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, cast

from ...envs import compiled
from ...envs.compiled.folders import named
from ...envs.compiled.messages import say
from ...envs.game import Game
from ...envs.rules import interface, perft

FOLDER = "values"  # beside the folders of compiled code
MOST_BYTES = 1 << 24  # of a file
Known = tuple[int, int | None]  # the value, and the plies if they are known


class KnownValues:
    """The values of one game by board text."""

    def __init__(self, game: Game) -> None:
        """Reads what was kept; nothing is kept in plain mode, or where there is no folder for it."""
        self.game = {"kind": game.kind.name, "parameters": game.parameters}
        self.path = self._path(game)
        self.values = self._read()

    def _path(self, game: Game) -> Path | None:
        if compiled.is_plain():
            return None
        base, rules = compiled.cache_folder(), compiled.bind(perft, (interface, game.rules)).perft.py_func.binder.digest
        return base.parent / FOLDER / f"{named(rules, json.dumps(self.game, sort_keys=True))}.json" if base and rules else None

    def keep(self, text: str, value: Known) -> None:
        """Keeps the value of a board text, beside what other processes have kept meanwhile."""
        if self.path is None:
            return
        self.values = {**self._read(), text: value}
        part = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            part.write_text(json.dumps({"game": self.game, "values": self.values}, indent=1) + "\n", encoding="utf-8")
            part.replace(self.path)
        except OSError as error:
            say(f"values cannot be kept ({error})")

    def _read(self) -> dict[str, Known]:
        if self.path is None or not self.path.is_file():
            return {}
        try:
            with self.path.open("rb") as file:
                data = json.loads(file.read(MOST_BYTES))
            if data["game"] != self.game:
                raise ValueError(f"expected values of {self.game}, got values of {data['game']}")
            return {text: _known(value) for text, value in data["values"].items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            say(f"{self.path}: ignored, as it holds no values ({reason})")
            return {}


def _known(data: Any) -> Known:
    """Returns a value from a file, or raises ValueError."""
    if isinstance(data, list) and len(cast("list[Any]", data)) == 2:
        value, plies = cast("list[Any]", data)
        if type(value) is int and abs(value) <= 1 and (plies is None or (type(plies) is int and plies > 0)):
            return value, plies
    raise ValueError(f"expected a value from -1 to 1 and a number of plies, got {data!r}")
