"""What every agent is, and what it tells of its thinking."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Protocol, runtime_checkable

from ..envs.position import Position
from ..envs.rules.errors import IllegalMoveError

MOST_NODES = 10**15  # of a search, weeks on any machine
MOST_SECONDS = 10**6  # for a move, eleven days
MOST_MIB = 65_536  # of a table or tree; the machine's memory may hold it to less
MOST_WEIGHT = 10**6  # of an evaluation: with this many times what is on a board sums stay apart from the scores of won games


@dataclasses.dataclass(frozen=True)
class Analysis:
    """What an agent thinks of a position.

    Attributes:
        move: the move it would play.
        score: from the side to move's view, in the agent's own units; None if it has none.
        depth: plies searched to the end.
        nodes: positions entered.
        evaluations: leaves given to the static evaluation.
        table_hits: nodes that the transposition table ended.
        seconds: time that the caller waited, preparations included.
        pv: the moves it expects, beginning with `move`.
        is_final: whether thinking longer would change nothing: the game is decided, or every line was searched to its end.
        is_bound: whether the plies to the end in a decisive score are an upper bound: that the game is won is proven, but reductions, a
            null move or quiescence can have overlooked a quicker win. False where they are exact.
        scores: of all legal moves that it has looked at one by one, in the units of `score`; None if it does not score each.
    """

    move: int
    score: int | None = None
    depth: int = 0
    nodes: int = 0
    evaluations: int = 0
    table_hits: int = 0
    seconds: float = 0.0
    pv: tuple[int, ...] = ()
    is_final: bool = False
    is_bound: bool = False
    scores: dict[int, int] | None = None


@runtime_checkable
class Agent(Protocol):
    """The protocol of agents. An object with `act` alone is enough to be an opponent."""

    name: str

    def act(self, position: Position) -> int:
        """Returns a legal move of a position whose game goes on; the position is left as it was."""
        ...

    def analyse(self, position: Position) -> Analysis:
        """Returns the move that `act` would play, with the thinking behind it."""
        ...

    def reset(self, seed: int | None = None) -> None:
        """Prepares for a new game: forgets the last one and seeds whatever chance the agent uses."""
        ...


def check_running(position: Position) -> None:
    """Raises IllegalMoveError unless the game of a position goes on."""
    if position.is_over:
        raise IllegalMoveError(f"expected a position whose game goes on, got one that is over ({position.termination}: {position.text})")


def machine_mib() -> int:
    """Returns the memory of this machine in MiB, MOST_MIB where the system does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    except (AttributeError, OSError, ValueError):
        return MOST_MIB


def parameter(
    default: Any, doc: str, *, low: float | None = None, high: float | None = None, choices: tuple[Any, ...] | None = None
) -> Any:
    """Returns the field of a parameter that users may set, with what the registry needs to check and describe it.

    Args:
        default: used when the parameter is not given.
        doc: one line for lists and docs.
        low, high: the least and the greatest value allowed.
        choices: the values allowed, if they can be listed.
    """
    return dataclasses.field(default=default, metadata={"doc": doc, "low": low, "high": high, "choices": choices})
