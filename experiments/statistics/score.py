"""The score of an agent: the mean of win 1, draw 1/2, loss 0, with a 95 % interval.

The two games of a pair share an opening, so they are not independent: a pair is one observation, worth 0 to 1. A pair that repeats another
move by move (deterministic agents, the same opening) is no new evidence. The interval is Agresti and Coull's "add two successes and two
failures", carried over from yes/no outcomes to means of values in [0, 1]: z²/2 invented pairs of score 0 and as many of score 1 join the n
distinct pairs, and the interval is the mean ± z standard errors of them all. For pairs of 0 and 1 only it is theirs; draws and split
pairs make it narrower, as they should; it never has width zero.

    A. Agresti and B. A. Coull, "Approximate is better than 'exact' for interval estimation of binomial proportions",
    The American Statistician 52 (1998), 119-126.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

Z95 = 1.959964  # half of a normal distribution's central 95 %, in standard deviations
POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}


class Score(NamedTuple):
    """A mean score and its 95 % interval, each from 0 to 1."""

    value: float
    low: float
    high: float


def score_interval(pair_scores: Sequence[float], distinct: int | None = None) -> Score:
    """Returns the mean of some pairs' scores with its 95 % interval.

    Args:
        pair_scores: mean score of each pair, from 0 to 1; at least one.
        distinct: number of pairs that do not repeat another; all by default.
    """
    count = len(pair_scores)
    weight = count if distinct is None else distinct
    invented = Z95**2 / 2
    total = weight + 2 * invented
    mean = sum(pair_scores) / count
    centre = (weight * mean + invented) / total
    squares = weight * sum((score - centre) ** 2 for score in pair_scores) / count + invented * (centre**2 + (1 - centre) ** 2)
    reach = Z95 * math.sqrt(squares) / total
    return Score(mean, max(0.0, centre - reach), min(1.0, centre + reach))


def seat_of(game: dict[str, Any], agent: str) -> str:
    """Returns the seat an agent had in a game, "first" or "second"."""
    return "first" if game["first"] == agent else "second"


def outcome_of(game: dict[str, Any], agent: str) -> str:
    """Returns the outcome of a game for an agent: "win", "draw" or "loss"."""
    if game["result"] == "draw":
        return "draw"
    return "win" if game["result"] == seat_of(game, agent) else "loss"
