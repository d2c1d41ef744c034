"""A mean of measurements, with Student's interval."""

import math
from collections.abc import Sequence
from typing import NamedTuple


class Mean(NamedTuple):
    """A mean and its 95 % interval; the interval is None for a single measurement."""

    value: float
    low: float | None
    high: float | None
    measurements: int


def mean_interval(values: Sequence[float]) -> Mean:
    """Returns the mean of independent measurements, at least one, with Student's 95 % interval."""
    from scipy.stats import t

    count = len(values)
    mean = sum(values) / count
    if count == 1:
        return Mean(mean, None, None, 1)
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    reach = float(t.ppf(0.975, count - 1)) * math.sqrt(variance / count)
    return Mean(mean, mean - reach, mean + reach, count)
