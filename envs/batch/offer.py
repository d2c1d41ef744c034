"""What an opponent offers that can answer inside a compiled batch."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ..game import Game

Part = tuple[ModuleType, ModuleType]


class Inside(NamedTuple):
    """How an opponent answers inside a batch; agents that can have a method `inside(game)` that returns one, or None if they cannot.

    Attributes:
        kernels: a module with `answer` in the place of that of `reply`.
        workspace: called with the game and its rules on machine words, or None for those on cells; returns an argument for `answer`, an
            array or a named tuple of arrays, for one thread.
        parts: further pairs of an interface module and the module that stands in for it.
        word_parts: the same, more of them where the game is played on machine words; None if this opponent cannot play there.
    """

    kernels: ModuleType
    workspace: Callable[[Game, ModuleType | None], Any]
    parts: tuple[Part, ...] = ()
    word_parts: tuple[Part, ...] | None = ()


def room_for_moves(game: Game, words: ModuleType | None) -> np.ndarray[Any, Any]:
    """Returns int64[2 * actions]: room for two lists of moves."""
    return np.zeros(2 * game.action_count, np.int64)
