"""A mean of measurements, with Student's interval."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from .score import Z95


class Mean(NamedTuple):
    """A mean and its 95 % interval; None for a single measurement, which tells nothing of the spread."""

    value: float
    low: float | None
    high: float | None
    measurements: int


def mean_interval(values: Sequence[float]) -> Mean:
    """Returns the mean of independent measurements, at least one, with Student's 95 % interval."""
    count = len(values)
    mean = sum(values) / count
    if count == 1:
        return Mean(mean, None, None, 1)
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    reach = student_95(count - 1) * math.sqrt(variance / count)
    return Mean(mean, mean - reach, mean + reach, count)


def student_95(freedom: int) -> float:
    """Returns half the central 95 % of Student's distribution, in standard errors.

    From three degrees of freedom on the expansion of M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 26.7.5,
    right to 0.004; below it is too coarse.
    """
    if freedom <= 2:
        return (12.7062, 4.3027)[freedom - 1]
    z, n = Z95, freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / n**power for power, term in enumerate(terms, start=1))
