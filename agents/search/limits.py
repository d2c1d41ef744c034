"""Where a search stops."""

from __future__ import annotations

from typing import NamedTuple

from .alphabeta import MAX_DEPTH


class Limits(NamedTuple):
    """The first limit that is reached ends a search; depth 1 is always searched to its end.

    Attributes:
        depth: plies, at most MAX_DEPTH.
        nodes: positions entered; exact, so equal on every machine.
        seconds: of wall-clock time.
    """

    depth: int = MAX_DEPTH
    nodes: int | None = None
    seconds: float | None = None
