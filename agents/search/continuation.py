"""How a position follows from an earlier one, for searches that keep what they found."""

from __future__ import annotations

from ...envs.position import Position


def moves_between(earlier: Position, later: Position) -> list[int] | None:
    """Returns the moves that lead from one position to another, or None if their records of moves do not tell that it follows."""
    played = len(earlier.moves)
    if later.moves[:played] != earlier.moves:
        return None
    moves, taken_back = later.moves[played:], later.copy()
    for _ in moves:
        taken_back.pop()
    return moves if taken_back == earlier else None
