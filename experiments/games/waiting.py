"""A worker's record of the game that it plays and the agent that it waits for; its driver can read it after the worker hangs or dies."""

from __future__ import annotations

import math
import mmap
import os
import struct
import tempfile
from array import array
from collections.abc import Sequence
from typing import NamedTuple

MOST_PLIES = 1024  # more than any game has
NO_GAME = -1  # the game of a worker that has not begun one, or failed without an agent's fault
NO_SEAT = -1  # the seat while an adjudicator is asked
NO_NUMBER = -(2**63)  # stands for a missing score or depth
GAME = struct.Struct("=q")
HEAD = struct.Struct("=qqddddqq")  # the fields of Waiting up to the moves, then the numbers of moves and scores
MOVE, SCORE = struct.Struct("=h"), struct.Struct("=q")
COPY = struct.Struct("=qq")  # the game and the seat whose agent answered in a copy of the process; last in the record
RECORD = HEAD.size + MOST_PLIES * (MOVE.size + 2 * SCORE.size)
SIZE = RECORD + COPY.size


class Waiting(NamedTuple):
    """The agent that a game waits for.

    Attributes:
        game: id of the task, or NO_GAME.
        seat: of the agent, or NO_SEAT.
        since: seconds on the monotonic clock, which all processes of a machine share.
        most: seconds that the agent may take; infinite for no limit.
        seconds: spent by each seat before.
        moves: so far, with the opening.
        scores, depths: int64 for each move after the opening, its agent's own, or NO_NUMBER.
    """

    game: int
    seat: int
    since: float
    most: float
    seconds: tuple[float, float]
    moves: Sequence[int]
    scores: array[int]
    depths: array[int]


class Watch:
    """One record in shared memory: the worker writes it before it asks an agent, its driver reads it."""

    def __init__(self, file: int | None = None):
        """Maps the memory of a file from `new_file`, or takes memory that this process shares only with its forks."""
        self._memory = mmap.mmap(-1 if file is None else file, SIZE)
        COPY.pack_into(self._memory, RECORD, NO_GAME, NO_SEAT)

    def record_waiting(self, waiting: Waiting) -> None:
        """Records that the game waits for an agent."""
        encoded = array("h", waiting.moves).tobytes() + waiting.scores.tobytes() + waiting.depths.tobytes()
        head = HEAD.pack(*waiting[:4], *waiting.seconds, len(waiting.moves), len(waiting.scores))
        self.clear()  # a reader sees no game meanwhile, not half of one
        self._memory[GAME.size : HEAD.size] = head[GAME.size :]
        self._memory[HEAD.size : HEAD.size + len(encoded)] = encoded
        self._memory[: GAME.size] = head[: GAME.size]

    def clear(self) -> None:
        """Records that no game is played."""
        self._memory[: GAME.size] = GAME.pack(NO_GAME)

    def record_copy(self, game: int, seat: int) -> None:
        """Records, in a copy of the process that an agent has made, that the agent answered there, too."""
        COPY.pack_into(self._memory, RECORD, game, seat)

    def has_copy(self, game: int, seat: int) -> bool:
        """Tells whether an agent answered in a copy of the process in a game."""
        return COPY.unpack_from(self._memory, RECORD) == (game, seat)

    def read(self) -> Waiting:
        """Returns the last record."""
        game, seat, since, most, first, second, moves, scores = HEAD.unpack_from(self._memory, 0)
        middle = HEAD.size + moves * MOVE.size
        move_array = array("h", self._memory[HEAD.size : middle])
        numbers = array("q", self._memory[middle : middle + 2 * scores * SCORE.size])
        return Waiting(game, seat, since, most, (first, second), move_array, numbers[:scores], numbers[scores:])


def new_file() -> int:
    """Returns the descriptor of a new nameless file for a worker's watch."""
    with tempfile.TemporaryFile() as file:
        file.write(HEAD.pack(NO_GAME, NO_SEAT, 0.0, math.inf, 0.0, 0.0, 0, 0).ljust(SIZE, b"\0"))
        file.flush()
        return os.dup(file.fileno())
