"""How much a kernel does between two looks at the clock."""

from __future__ import annotations

import time

SLICE_SECONDS = 0.0005
LARGEST = 1 << 14


class Pace:
    """Finds the amount of work, nodes or simulations, that takes about SLICE_SECONDS; results never depend on it."""

    def __init__(self, amount: int) -> None:
        """Begins with an amount."""
        self.amount = amount
        self._last = 0.0

    def start(self) -> float:
        """Notes the time before the first slice, and returns it."""
        self._last = time.perf_counter()
        return self._last

    def measure(self) -> float:
        """Notes the time after a slice of `amount`, which it doubles or halves, and returns the time."""
        now = time.perf_counter()
        is_quick, self._last = now - self._last < SLICE_SECONDS, now
        self.amount = min(2 * self.amount, LARGEST) if is_quick else max(self.amount // 2, 1)
        return now
