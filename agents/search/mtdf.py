"""MTD(f): null-window searches around a guess, until the bounds on the score meet.

Source: A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "Best-first fixed-depth minimax algorithms" (1996).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .scores import INFINITY


class Answer(NamedTuple):
    """What a search of one window returned: a score that is exact, or a bound, with its move and line."""

    score: int
    move: int
    line: tuple[int, ...]


def converge(search: Callable[[int, int], Answer | None], guess: int) -> Answer | None:
    """Returns the exact score with the move and line that reach it, or None if a search was cut short.

    Args:
        search: searches one window (alpha, beta), fail-soft; None at a limit.
        guess: of the score; a good one needs few searches.
    """
    low, high, found = -INFINITY, INFINITY, None
    while low < high:
        beta = max(guess, low + 1)
        answer = search(beta - 1, beta)
        if answer is None:
            return None
        guess = answer.score
        if answer.score < beta:
            high = answer.score
        else:
            low, found = answer.score, answer
    return found
