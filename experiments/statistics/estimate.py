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
        low, high: for the error of its own games alone, the others' ratings taken as exact: what tells apart players of similar strength
            that were placed among the same others.
        outer_low, outer_high: for the errors of the others' ratings, too: what the distance to the others' anchor is known to.
    """

    value: float
    low: float
    high: float
    outer_low: float
    outer_high: float
