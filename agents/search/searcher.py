"""What every searcher is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ...envs.position import Position
from .limits import Limits
from .pace import never
from .result import SearchResult


class Searcher(Protocol):
    """Searches positions of one game, on memory made once; one search at a time.

    Chance, where a searcher takes any, is a keyword of its own.
    """

    def search(self, position: Position, limits: Limits, begin: float, is_stopped: Callable[[], bool] = never) -> SearchResult:
        """Returns the best move of a position whose game goes on.

        Args:
            position: left as it is.
            limits: the first one that is reached ends the search, once there is a move to answer with.
            begin: when the caller began to wait, by `time.perf_counter`.
            is_stopped: called every few nodes; ends the search like a limit.
        """
        ...
