"""The time for a move, from the limits that a manager of games sets. Knows no game."""

from __future__ import annotations

FIRST_SECONDS = 5.0  # for a move, until a limit is set
MARGIN = 0.03  # seconds of each move for the pipe and for a busy machine
SHARE = 20  # a move gets one part in so many of the time that is left for the game


class Clock:
    """Limits of the time for a move and for a whole game, and the time that this game has used. All in seconds.

    Attributes:
        turn: the most for a move; 0 asks for a move at once.
        match: the most for all moves of this side; None for no limit.
    """

    def __init__(self) -> None:
        """Begins with FIRST_SECONDS for each move."""
        self.turn = FIRST_SECONDS
        self.match: float | None = None
        self._told_left: float | None = None  # for the rest of the game, when it was told
        self._used = self._used_when_told = 0.0

    def restart(self) -> None:
        """Begins a new game with the same limits."""
        self._told_left, self._used, self._used_when_told = None, 0.0, 0.0

    def limit_match(self, seconds: float) -> None:
        """Sets the limit of the whole game; 0 or less for none."""
        self.match = seconds if seconds > 0 else None

    def tell_left(self, seconds: float) -> None:
        """Sets what is left for the rest of the game, which may be negative; without a limit of the game it counts nothing."""
        self._told_left, self._used_when_told = seconds, self._used

    def spend(self, seconds: float) -> None:
        """Counts time that this side has used."""
        self._used += seconds

    @property
    def left(self) -> float | None:
        """What is left for the rest of the game; None for no limit."""
        if self.match is None:
            return None
        if self._told_left is None:
            return self.match - self._used
        return self._told_left - (self._used - self._used_when_told)

    @property
    def move_seconds(self) -> float:
        """The time to think about a move that begins now; 0 if it must be played at once."""
        limit = self.turn if self.left is None else min(self.turn, self.left / SHARE)
        return max(limit - MARGIN, limit / 2, 0.0)
