"""A match that stops as soon as it has shown what it was played for: the sequential probability ratio test over pairs of games.

Two hypotheses say that a player is `elo0` or `elo1` ahead. After every pair the log of their likelihoods' ratio is compared with Wald's
two bounds. The games of a pair share an opening, so a pair is one observation: it scores 0, 1/2, 1, 3/2 or 2 points, and the probabilities
of these five are unknown but for their mean. Each hypothesis gets the most likely ones that have its mean, which makes it the generalised
test. Its error rates are exact in the limit of many pairs; simulated matches of ten to two hundred pairs kept to them.

    A. Wald, "Sequential tests of statistical hypotheses", The Annals of Mathematical Statistics 16 (1945), 117-186.
    X. Li, J. Liu and Z. Ying, "Generalized sequential probability ratio test for separate families of hypotheses",
    Sequential Analysis 33 (2014), 539-563.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .rating import score_of_elo

PAIR_POINTS = np.arange(5) / 2  # that a pair of games can make
INVENTED = 1e-3  # pairs of every score, so that a hypothesis stays possible whatever the scores


class Sprt(NamedTuple):
    """What a sequential test says.

    Attributes:
        llr: log likelihood ratio of the second hypothesis to the first.
        lower, upper: where the first or the second one is accepted.
        verdict: "accepted" for `elo1`, "rejected" for `elo0`, None to go on.
        elo0, elo1: leads of the two hypotheses.
    """

    llr: float
    lower: float
    upper: float
    verdict: str | None
    elo0: float
    elo1: float


def sprt(pairs: Sequence[float] | NDArray[np.floating], elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
    """Returns how a sequential test stands.

    The caller stops at the first verdict, with pairs in the order of their numbers: in the order they end, short games would count first.

    Args:
        pairs: how many pairs made 0, 1/2, 1, 3/2 and 2 points. Pairs that repeat others move by move, as those of deterministic agents
            do, are no new evidence: all together should weigh no more than the distinct ones. To leave the repeats out instead would
            count what happens often as seldom as what happens once.
        elo0, elo1: leads of the two hypotheses, `elo0 < elo1`, as mean scores of players that have both seats equally often.
        alpha: probability to accept `elo1` where `elo0` holds.
        beta: probability to accept `elo0` where `elo1` holds.
    """
    counts = np.asarray(pairs, np.float64) + INVENTED
    llr = _log_likelihood(counts, 2 * score_of_elo(elo1)) - _log_likelihood(counts, 2 * score_of_elo(elo0))
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    return Sprt(llr, lower, upper, "accepted" if llr >= upper else "rejected" if llr <= lower else None, elo0, elo1)


def verdict_text(test: Sprt) -> str:
    """Returns what a sequential test says, in words."""
    zero, one = f"{test.elo0:g}", f"{test.elo1:g}"
    accepted = {"accepted": (one, zero), "rejected": (zero, one)}.get(test.verdict or "")
    verdict = (
        "a lead of {} Elo is accepted over one of {}".format(*accepted)
        if accepted
        else f"a lead of {zero} or of {one} Elo, not decided yet"
    )
    bounds = f"log likelihood ratio {test.llr:.2f}, bounds {test.lower:.2f} and {test.upper:.2f}"
    return f"sequential test: {verdict} ({bounds})"


def _log_likelihood(counts: NDArray[np.floating], mean: float) -> float:
    """Returns the greatest log likelihood of counts by score that has a given mean, but for a constant.

    By Lagrange's multipliers, its probabilities are in proportion to counts / (1 + w * (points - mean)); w is where their mean is right.
    """
    from scipy.optimize import root_scalar

    excess = PAIR_POINTS - mean
    shares = counts / counts.sum()
    margin = 1e-12
    low, high = (margin - 1) / excess[-1], (margin - 1) / excess[0]
    w = root_scalar(lambda w: (shares * excess / (1 + w * excess)).sum(), bracket=(low, high), method="brentq").root
    return float(-counts @ np.log1p(w * excess))
