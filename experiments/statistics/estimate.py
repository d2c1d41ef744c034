"""Numbers with 95 % intervals: of ratings and of their differences."""

from __future__ import annotations

from typing import NamedTuple


class Estimate(NamedTuple):
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float


class Placement(NamedTuple):
    """A player's rating on the scale of others, with two 95 % intervals.

    Attributes:
        value: the rating.
        low, high: with the error of its own games only: to compare players of similar strength that met the same others.
        outer_low, outer_high: with the error of the others' ratings too: for the distance to their anchor.
    """

    value: float
    low: float
    high: float
    outer_low: float
    outer_high: float
