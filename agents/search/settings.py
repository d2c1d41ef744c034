"""The switches of the search."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

import numpy as np

from . import threats, without_threats

METHODS = ("pvs", "alphabeta", "mtdf", "minimax")
METHOD, ORDERING = "pruning scouting table cutoffs", "killers history order_score"
INEXACT = ("null_move", "reductions", "extensions", "late_pruning")
SWITCHES = np.dtype(
    [(name, np.int64) for name in (*f"{METHOD} {ORDERING} quiescence".split(), *INEXACT, *"unfinished ties fours threats".split())]
)


class Settings(NamedTuple):
    """How a search goes about its work. Those that are not called inexact leave the score of a depth as it is.

    Attributes:
        method: "pvs" (alpha-beta, all but the first move scouted with a null window), "alphabeta", "mtdf" (null windows only, around
            a guess that converges on the score), or "minimax" (no pruning at all).
        deepening: depth 1, 2, 3, … up to the limit, each ordering the next; without it straight to the limit.
        table_mib: size of the transposition table in MiB, rounded down to a power of two of entries; 0 for none.
        cutoffs: the table's scores end nodes; without it the table remembers best moves only.
        killers, history, order_score: sources of move ordering: refutations at the same level, refutations anywhere, the evaluation's own.
        aspiration: half the width of the window around the last depth's score; 0 for an open window. For pvs and alphabeta.
        quiescence: a leaf where a win at once is there to be taken or stopped is searched on with those moves alone.
        null_move: a node that holds beta even if its side passes is not searched further. Inexact.
        reductions: late moves are searched less deep, and again in full if they turn out better. Inexact.
        extensions: the reply to a move that leaves only one costs no depth. Inexact: deeper than asked.
        late_pruning: near the leaves late moves are left out, as many as the evaluation says. Inexact.
        fours: a leaf where the side to move wins by fours alone counts as won. For evaluations that know fours, as are threats.
        threats: before each depth a win by threes and fours is looked for at the root, and after it one against the move found.
        unfinished: a depth that a limit cuts short answers with the best of its moves so far, not with the move of the depth before.
        ties: all root moves with the best score are found, for a choice among them. Not for mtdf.
    """

    method: str = "pvs"
    deepening: bool = True
    table_mib: float = 4
    cutoffs: bool = True
    killers: bool = True
    history: bool = True
    order_score: bool = True
    aspiration: int = 0
    quiescence: bool = False
    null_move: bool = False
    reductions: bool = False
    extensions: bool = False
    late_pruning: bool = False
    unfinished: bool = False
    ties: bool = False
    fours: bool = False
    threats: bool = False

    @property
    def parts(self) -> tuple[tuple[ModuleType, ModuleType], ...]:
        """The modules that stand in for placeholders of the search, for `envs.compiled.bind`."""
        return ((without_threats, threats),) if self.fours or self.threats else ()

    @property
    def switches(self) -> tuple[int, ...]:
        """The values of SWITCHES, as the kernel reads them."""
        pruning = self.method != "minimax"
        ordering = self.killers, self.history, self.order_score
        inexact = (getattr(self, name) and pruning for name in INEXACT)
        sources = *ordering, self.quiescence, *inexact, self.unfinished, self.ties, self.fours, self.threats
        return tuple(map(int, (pruning, self.method == "pvs", self.table_mib > 0, self.cutoffs, *sources)))
