"""The infos of a batch: arrays of N, each with a mask of the games that have it, as Gymnasium's vector environments return them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .template import StepOutputs

OUTCOMES = np.array([None, "win", "draw", "loss"], object)


def infos_of(outputs: StepOutputs, mask: NDArray[np.bool_]) -> dict[str, Any]:
    """Returns the infos of some running games, bool[N], as new arrays, 0 for the others."""
    values = {
        "action_mask": outputs.masks,
        "seat": outputs.seats,
        "opponent": outputs.opponents,
        "ply": outputs.plies,
        "opponent_move": outputs.opponent_moves,
        "illegal_actions": outputs.illegal,
    }
    if mask.all():
        return with_masks({name: value.copy() for name, value in values.items()}, mask)
    chosen = {name: np.zeros_like(value) for name, value in values.items()}
    for name, value in values.items():
        chosen[name][mask] = value[mask]
    return with_masks(chosen, mask)


def end_infos(
    outputs: StepOutputs, illegal: NDArray[np.int64], terminated: NDArray[np.bool_], endings: NDArray[np.object_]
) -> dict[str, Any]:
    """Returns the outcome and the termination of terminated games as arrays of text, None for the others; empty without such games.

    Args:
        outputs: of the last step.
        illegal: int64[N], the illegal actions of each game before it started anew.
        terminated: bool[N].
        endings: the names of the game's endings by their numbers.
    """
    index = np.flatnonzero(terminated)
    if len(index) == 0:
        return {}
    outcomes, terminations = np.full((2, len(terminated)), None, object)
    outcomes[index], terminations[index] = OUTCOMES[outputs.outcomes[index]], endings[outputs.endings[index]]
    terminations[index[illegal[index] != 0]] = "illegal"
    return with_masks({"outcome": outcomes, "termination": terminations}, terminated)


def with_masks(values: dict[str, NDArray[Any]], mask: NDArray[np.bool_]) -> dict[str, Any]:
    """Returns infos, each followed by a copy of the mask."""
    return {name: entry for key, value in values.items() for name, entry in ((key, value), (f"_{key}", mask.copy()))}
