"""Forfeits: losses of a game by other means than its rules."""

from __future__ import annotations

from typing import NamedTuple

from ...envs.rules.errors import shortened
from .task import Conditions

ILLEGAL, TIMEOUT, CRASH = "illegal", "timeout", "crash"  # how a game ends by one
LONGEST_REASON = 200  # characters


class Forfeit(NamedTuple):
    """The loss of a game by other means than the rules.

    Attributes:
        seat: 0 or 1.
        termination: ILLEGAL, TIMEOUT or CRASH.
        reason: a line of text.
    """

    seat: int
    termination: str
    reason: str


def timeout(seat: int, most: float, before: float, conditions: Conditions) -> Forfeit:
    """Returns the forfeit of a seat that took longer than it had.

    Args:
        seat: of the agent.
        most: seconds that it had for the move.
        before: seconds that it had spent on earlier moves.
        conditions: of the game.
    """
    game = conditions.game_seconds
    if game is not None and most == game - before:
        return Forfeit(seat, TIMEOUT, f"used up its {game:g} s for the game")
    return Forfeit(seat, TIMEOUT, f"took more than {most:g} s")


def on_one_line(text: str) -> str:
    """Returns a text as one short line without control characters."""
    return shortened(" ".join(text.split()), LONGEST_REASON)
