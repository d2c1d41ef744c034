"""What a worker is about, written where its driver can read it even after the worker has hung or died."""

from __future__ import annotations

import math
import mmap
import os
import struct
import tempfile
import time
from array import array
from collections.abc import Sequence
from typing import NamedTuple

MOST_PLIES = 1024  # more than any game has
NOWHERE = -1  # the game of a worker that has not begun one, or failed in one by no agent's doing
NOBODY = -1  # the seat that is asked while an adjudicator is
GAME = struct.Struct("=q")
HEAD = struct.Struct("=qqddddq")  # the fields of Asked up to the number of moves
MOVES = "h"
SIZE = HEAD.size + MOST_PLIES * array(MOVES).itemsize


class Asked(NamedTuple):
    """Whom a game waits for.

    Attributes:
        game: id of the task, or NOWHERE.
        seat: that is asked, or NOBODY.
        since: seconds on the monotonic clock, which all processes of a machine share.
        most: seconds that it may take; infinite for any.
        seconds: spent by each seat before.
        moves: made before, those of the opening too.
    """

    game: int
    seat: int
    since: float
    most: float
    seconds: tuple[float, float]
    moves: list[int]


class Watch:
    """One record in memory: the worker writes it before it asks an agent, its driver reads it."""

    def __init__(self, file: int | None = None):
        """Maps the memory of a file from `new_file`, or takes memory of this process alone."""
        self._memory = bytearray(SIZE) if file is None else mmap.mmap(file, SIZE)

    def ask(self, game: int, seat: int, moves: Sequence[int], seconds: Sequence[float], most: float) -> None:
        """Notes that an agent is asked, which may take `most` seconds; the other arguments are as in Asked."""
        encoded, now = array(MOVES, moves).tobytes(), time.monotonic()
        head = HEAD.pack(game, seat, now, most, *seconds, len(moves))
        self.clear()  # whoever looks meanwhile sees no game, not half of one
        self._memory[GAME.size : HEAD.size] = head[GAME.size :]
        self._memory[HEAD.size : HEAD.size + len(encoded)] = encoded
        self._memory[: GAME.size] = head[: GAME.size]

    def clear(self) -> None:
        """Notes that no game is played."""
        self._memory[: GAME.size] = GAME.pack(NOWHERE)

    def read(self) -> Asked:
        """Returns what was noted last."""
        game, seat, since, most, first, second, count = HEAD.unpack_from(self._memory, 0)
        moves = array(MOVES, self._memory[HEAD.size : HEAD.size + count * array(MOVES).itemsize])
        return Asked(game, seat, since, most, (first, second), moves.tolist())


def new_file() -> int:
    """Returns the descriptor of a new nameless file for a worker's watch."""
    with tempfile.TemporaryFile() as file:
        file.write(HEAD.pack(NOWHERE, 0, 0.0, math.inf, 0.0, 0.0, 0).ljust(SIZE, b"\0"))
        file.flush()
        return os.dup(file.fileno())
