"""Where a search stops."""

from __future__ import annotations

from typing import NamedTuple

from .alphabeta import MAX_DEPTH
from .table import ENTRY

MOST_TABLE_MIB, LEAST_TABLE_MIB = 4.0, 1 / 64
FULL_TABLE_DEPTH = 10  # from which depth on a search can fill the largest table
ENTRIES_A_NODE = 2


class Limits(NamedTuple):
    """The first limit that is reached ends a search; depth 1 is always searched to its end.

    Attributes:
        depth: plies, at most MAX_DEPTH.
        nodes: positions entered, or simulations made through the root; exact, so equal on every machine.
        seconds: of wall-clock time.
    """

    depth: int = MAX_DEPTH
    nodes: int | None = None
    seconds: float | None = None

    def end(self, begin: float) -> float | None:
        """Returns when the time is up for a search that began at some time, None if there is no limit of it."""
        return None if self.seconds is None else begin + self.seconds

    @property
    def table_mib(self) -> float:
        """The size of a transposition table that suits the limits in MiB, at most MOST_TABLE_MIB: a small one stays near the processor."""
        by_depth = 2.0 ** (self.depth - FULL_TABLE_DEPTH) * MOST_TABLE_MIB
        by_nodes = MOST_TABLE_MIB if self.nodes is None else ENTRIES_A_NODE * ENTRY.itemsize * self.nodes / 2**20
        return min(MOST_TABLE_MIB, max(LEAST_TABLE_MIB, min(by_depth, by_nodes)))


NO_LIMITS = Limits()
