"""How much a kernel does between two looks at the clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

SLICE_SECONDS = 0.0005
LARGEST = 1 << 14


def never() -> bool:
    """Tells a search not to stop before its limits."""
    return False


class Pace:
    """Finds the amount of work, nodes or simulations, that takes about SLICE_SECONDS; results never depend on it."""

    def __init__(self, amount: int) -> None:
        """Begins with an amount."""
        self.amount = amount

    def budgets(self, spent: Callable[[], int], most: int | None, end: float | None, is_stopped: Callable[[], bool]) -> Iterator[int]:
        """Yields the budgets of one slice after the other until a limit is reached.

        Args:
            spent: returns what all slices have spent; called before each of them if there is a limit.
            most: to spend; None for no limit.
            end: by `time.perf_counter`; None for no limit.
            is_stopped: called before each slice; ends them like a limit.
        """
        now = time.perf_counter()
        while (end is None or now < end) and not is_stopped():
            budget = self.amount if most is None else min(self.amount, most - spent())
            if budget <= 0:
                return
            yield budget
            before, now = now, time.perf_counter()
            self.amount = min(2 * self.amount, LARGEST) if now - before < SLICE_SECONDS else max(self.amount // 2, 1)
