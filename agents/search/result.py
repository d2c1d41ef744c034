"""What a search found."""

from __future__ import annotations

from typing import NamedTuple


class SearchResult(NamedTuple):
    """The answer of the last depth that was searched to its end.

    Attributes:
        move: the best move.
        score: from the side to move's view; see `scores`.
        depth: plies searched to the end.
        pv: the principal variation, beginning with `move`; its last position evaluates to the score. Shorter than `depth` only where the
            game ends or a limit left no room to look for the rest.
        nodes, evaluations, table_hits: counts over all depths, the unfinished one included.
        seconds: wall-clock time.
        is_final: the score is decisive, or every line was searched to the end of the game.
        is_bound: the winner needs at most as many plies as the decisive score says, as a quicker win can have been overlooked.
        scores: of the root's moves that were searched one by one; None if only the best has one.
    """

    move: int
    score: int
    depth: int
    pv: tuple[int, ...]
    nodes: int
    evaluations: int
    table_hits: int
    seconds: float
    is_final: bool = False
    is_bound: bool = False
    scores: dict[int, int] | None = None
