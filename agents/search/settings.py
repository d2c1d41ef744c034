"""The switches of the search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

METHODS = ("pvs", "alphabeta", "mtdf", "minimax")
SWITCHES = np.dtype([(name, np.int64) for name in ("pruning", "scouting", "table", "killers", "history", "promise", "reductions")])


class Settings(NamedTuple):
    """How a search goes about its work. All but `reductions` leave the score of a depth as it is.

    Attributes:
        method: "pvs" (alpha-beta, all but the first move scouted with a null window), "alphabeta", "mtdf" (null windows only, around
            a guess that converges on the score), or "minimax" (no pruning at all).
        deepening: depth 1, 2, 3, … up to the limit, each ordering the next; without it straight to the limit.
        table_mib: size of the transposition table in MiB, rounded down to a power of two of entries; 0 for none.
        killers, history, promise: sources of move ordering: refutations at the same level, refutations anywhere, the evaluation's own.
        aspiration: half the width of the window around the last depth's score; 0 for an open window. For pvs and alphabeta.
        reductions: late moves are searched a ply less deep, and again in full if they turn out better. Inexact.
    """

    method: str = "pvs"
    deepening: bool = True
    table_mib: int = 4
    killers: bool = True
    history: bool = True
    promise: bool = True
    aspiration: int = 0
    reductions: bool = False

    @property
    def switches(self) -> tuple[int, ...]:
        """The values of SWITCHES, as the kernel reads them."""
        pruning, scouting = self.method != "minimax", self.method == "pvs"
        return tuple(
            map(int, (pruning, scouting, self.table_mib > 0, self.killers, self.history, self.promise, self.reductions and pruning))
        )
