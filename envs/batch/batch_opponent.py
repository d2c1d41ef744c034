"""What an opponent gives to a compiled batch so that its moves are computed there."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ..game import Game

Part = tuple[ModuleType, ModuleType]


class BatchOpponent(NamedTuple):
    """The kernels of an opponent. An agent that has some returns them from a method `batch_opponent(game)`, or None where it has none.

    Attributes:
        kernels: a module with an `answer` that replaces the one of `reply`.
        workspace: called with the game and the module of its rules on bitboards, or None on cells; returns the `workspace` of `answer`, an
            array or a named tuple of arrays, for one thread.
        parts: further pairs of an interface module and the module that stands in for it.
        bitboard_parts: the pairs that are added where the game is played on bitboards; None if this opponent cannot play there.
    """

    kernels: ModuleType
    workspace: Callable[[Game, ModuleType | None], Any]
    parts: tuple[Part, ...] = ()
    bitboard_parts: tuple[Part, ...] | None = ()


def room_for_moves(game: Game, bitboards: ModuleType | None) -> np.ndarray[Any, Any]:
    """Returns int64[2 * actions]: room for two lists of moves."""
    return np.zeros(2 * game.action_count, np.int64)
