"""What a worker is about, written where its driver can read it even after the worker has hung or died."""

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
NOWHERE = -1  # the game of a worker that has not begun one, or failed in one by no agent's doing
NOBODY = -1  # the seat that is asked while an adjudicator is
NONE = -(2**63)  # stands for a score or depth that an agent does not have
GAME = struct.Struct("=q")
HEAD = struct.Struct("=qqddddqq")  # the fields of Asked up to the moves, and how many moves and scores there are
MOVE, SCORE = struct.Struct("=h"), struct.Struct("=q")
COPY = struct.Struct("=qq")  # the game and the seat whose agent answered in a copy of the process, after all else
RECORD = HEAD.size + MOST_PLIES * (MOVE.size + 2 * SCORE.size)
SIZE = RECORD + COPY.size


class Asked(NamedTuple):
    """Whom a game waits for.

    Attributes:
        game: id of the task, or NOWHERE.
        seat: that is asked, or NOBODY.
        since: seconds on the monotonic clock, which all processes of a machine share.
        most: seconds that it may take; infinite for any.
        seconds: spent by each seat before.
        moves: made before, those of the opening too.
        scores, depths: int64 of every move after the opening, as its agent saw them, or NONE.
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
    """One record in memory: the worker writes it before it asks an agent, its driver reads it."""

    def __init__(self, file: int | None = None):
        """Maps the memory of a file from `new_file`, or takes memory that this process shares with its copies alone."""
        self._memory = mmap.mmap(-1 if file is None else file, SIZE)  # which copies of the process share
        COPY.pack_into(self._memory, RECORD, NOWHERE, NOBODY)

    def ask(self, asked: Asked) -> None:
        """Notes that an agent is asked."""
        encoded = array("h", asked.moves).tobytes() + asked.scores.tobytes() + asked.depths.tobytes()
        head = HEAD.pack(*asked[:4], *asked.seconds, len(asked.moves), len(asked.scores))
        self.clear()  # whoever looks meanwhile sees no game, not half of one
        self._memory[GAME.size : HEAD.size] = head[GAME.size :]
        self._memory[HEAD.size : HEAD.size + len(encoded)] = encoded
        self._memory[: GAME.size] = head[: GAME.size]

    def clear(self) -> None:
        """Notes that no game is played."""
        self._memory[: GAME.size] = GAME.pack(NOWHERE)

    def note_copy(self, game: int, seat: int) -> None:
        """Notes, in a copy of the process that an agent has made, that the agent answered there, too."""
        COPY.pack_into(self._memory, RECORD, game, seat)

    def has_copy(self, game: int, seat: int) -> bool:
        """Tells whether an agent answered in a copy of the process in a game."""
        return COPY.unpack_from(self._memory, RECORD) == (game, seat)

    def read(self) -> Asked:
        """Returns what was noted last."""
        game, seat, since, most, first, second, moves, scores = HEAD.unpack_from(self._memory, 0)
        middle = HEAD.size + moves * MOVE.size
        made = array("h", self._memory[HEAD.size : middle])
        seen = array("q", self._memory[middle : middle + 2 * scores * SCORE.size])
        return Asked(game, seat, since, most, (first, second), made, seen[:scores], seen[scores:])


def new_file() -> int:
    """Returns the descriptor of a new nameless file for a worker's watch."""
    with tempfile.TemporaryFile() as file:
        file.write(HEAD.pack(NOWHERE, NOBODY, 0.0, math.inf, 0.0, 0.0, 0, 0).ljust(SIZE, b"\0"))
        file.flush()
        return os.dup(file.fileno())
