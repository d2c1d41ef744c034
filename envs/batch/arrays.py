"""The arrays of a batch before its first game starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import compiled
from ..chance import NO_MOVE
from ..game import Game
from ..observation import observation_shape, observe, plane_contents
from ..options import SEATS, EnvOptions
from ..position import Position
from ..rules.state import State
from .template import BATCH_OPTIONS, GAME, Batch, StepOutputs

MOST_PLIES = 2  # plies of a game for each cell of its board
ANY_STEPS = 2**62  # stands for no limit


def make_batch(
    game: Game,
    count: int,
    options: EnvOptions,
    bounds: Sequence[int],
    record_of: Callable[[State], NDArray[Any]],
    most_steps: int | None,
    same_step: bool,
) -> Batch:
    """Returns the arrays of N games; arguments as for `GameBatch`, and `record_of`, which returns the record of a state for the kernels."""
    planes, cells = observation_shape(game)[0], game.width * game.height
    starts, states = starts_of(game, count, record_of)
    shared = compiled.records(1, BATCH_OPTIONS)
    for name, value in (
        ("seat", SEATS.index(options.seat)),
        ("opening_plies", options.opening_plies),
        ("epsilon", options.epsilon),
        ("same_step", same_step),
        ("most_steps", ANY_STEPS if most_steps is None else most_steps),
        ("planes", planes),
        ("cells", cells),
    ):
        shared[name] = value
    planes_at_start = np.stack([observe(Position(game), seat).reshape(-1) for seat in range(2)])
    return Batch(
        options=shared,
        bounds=np.array(bounds, np.int64),
        starts=starts,
        start_planes=np.stack([planes_at_start, planes_at_start]),
        contents=np.array([plane_contents(planes, seat) for seat in range(2)], np.int64),
        games=compiled.records(count, GAME),
        states=states,
        trails=np.zeros((count, MOST_PLIES * cells + 8), np.int16),
        streams=np.zeros((count, 1), np.int64),
        opponent_streams=np.zeros((count, 1), np.int64),
        actions=np.zeros(count, np.int64),
        answers=np.full(count, NO_MOVE, np.int64),
        outputs=make_outputs(count, planes * cells, game.action_count),
        finals=make_outputs(count if same_step else 0, planes * cells, game.action_count),
    )


def starts_of(game: Game, count: int, record_of: Callable[[State], NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Returns Batch.starts and Batch.states at the start of the game."""
    start = record_of(game.initial())
    return compiled.readable(np.repeat(start, 2)), compiled.readable(np.repeat(start, count))


def make_outputs(count: int, squares: int, actions: int) -> StepOutputs:
    """Returns outputs of a step to be written to."""
    seats, opponents, plies, opponent_moves, illegal = np.zeros((5, count), np.int64)
    outcomes, truncated, endings = np.zeros((3, count), np.int8)
    planes, masks = np.zeros((count, squares), np.int8), np.ones((count, actions), np.int8)
    return StepOutputs(planes, masks, seats, opponents, plies, opponent_moves, illegal, np.zeros(count), outcomes, truncated, endings)
