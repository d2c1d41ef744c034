"""The kernels of a batch, bound to a game and its opponents, and compiled or loaded."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import compiled
from ..game import Game
from ..rules import interface as rules_interface
from ..rules.state import State
from . import reply, template
from .batch_opponent import BatchOpponent
from .pool_member import PYTHON_OPPONENT, PoolMember
from .template import Batch

FIRST = np.uint64(0)  # games are numbered unsigned: a signed index costs a test whether it counts from the end


class Kernels(NamedTuple):
    """What plays the games.

    Attributes:
        workspaces: by thread and opponent.
        advance: by opponent.
        draw_actions, write_waiting_masks: for all opponents.
    """

    workspaces: list[list[Any]]
    advance: list[Any]
    draw_actions: Any
    write_waiting_masks: Any


def ready_kernels(
    game: Game,
    opponents: Sequence[PoolMember],
    batch: Batch,
    scratch: NDArray[np.int64],
    streams: NDArray[np.int64],
    threads: int,
) -> Kernels:
    """Binds the kernels to some opponents, and compiles or loads them for these arrays."""
    bitboards = shared_bitboards(game, opponents)
    workspaces = [[opponent.batch_opponent.workspace(game, bitboards) for opponent in opponents] for _ in range(threads)]
    shared = bound_template(game, bitboards, PYTHON_OPPONENT)  # the same for all opponents
    advance = [
        compiled.ready(bound_template(game, bitboards, opponent.batch_opponent).advance, batch, scratch, workspace, 0, 0, FIRST, FIRST)
        for opponent, workspace in zip(opponents, workspaces[0], strict=True)
    ]
    return Kernels(
        workspaces,
        advance,
        compiled.ready(shared.draw_actions, batch, scratch, streams, FIRST, FIRST),
        compiled.ready(shared.write_waiting_masks, batch, scratch, batch.outputs.masks, 0, FIRST, FIRST),
    )


def bound_template(game: Game, bitboards: ModuleType | None, opponent: BatchOpponent) -> Any:
    """Returns the batch template bound to a game and an opponent."""
    if bitboards is None:
        rules = ((rules_interface, game.rules),)
    else:
        rules = ((rules_interface, bitboards), *(opponent.bitboard_parts or ()))
    return compiled.bind(template, *rules, (reply, opponent.kernels), *opponent.parts)


def shared_bitboards(game: Game, opponents: Sequence[PoolMember]) -> ModuleType | None:
    """Returns the game's rules on bitboards, or None if it has none or an opponent cannot play on them."""
    return game.bitboards if all(opponent.batch_opponent.bitboard_parts is not None for opponent in opponents) else None


def record_of(bitboards: ModuleType | None, state: State) -> NDArray[Any]:
    """Returns the record of a state for the kernels, on bitboards if they play there."""
    return bitboards.record_of(state) if bitboards else State.record(state)
