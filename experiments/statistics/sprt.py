"""A match that stops as soon as it decides between two leads: the sequential probability ratio test over pairs of games.

Two hypotheses say that a player is `elo0` or `elo1` ahead. After every pair the log of their likelihoods' ratio is compared with Wald's
two bounds. The games of a pair share an opening, so a pair is one observation: it scores 0, 1/2, 1, 3/2 or 2 points, and the probabilities
of these five are unknown except for their mean. Each hypothesis gets the most likely probabilities with its mean, as in the generalised
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

PAIR_POINTS = np.arange(5) / 2  # possible points of a pair of games
INVENTED = 1e-3  # pairs of each score, so that every hypothesis stays possible


class Sprt(NamedTuple):
    """The state of a sequential test.

    Attributes:
        llr: log likelihood ratio of the second hypothesis to the first.
        lower, upper: the bounds at which the first or the second one is accepted.
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
    """Returns the state of a sequential test.

    The caller stops at the first verdict, with pairs in the order of their numbers: in the order they end, short games would count first.

    Args:
        pairs: the numbers of pairs with 0, 1/2, 1, 3/2 and 2 points. Pairs that repeat others move by move, as with deterministic agents,
            are no new evidence: all together should weigh as much as the distinct ones. Leaving the repeats out instead would count a
            frequent result like a rare one.
        elo0, elo1: leads of the two hypotheses, `elo0 < elo1`, as mean scores of players that have both seats equally often.
        alpha: probability to accept `elo1` where `elo0` holds.
        beta: probability to accept `elo0` where `elo1` holds.
    """
    counts = np.asarray(pairs, np.float64) + INVENTED
    llr = _log_likelihood(counts, 2 * score_of_elo(elo1)) - _log_likelihood(counts, 2 * score_of_elo(elo0))
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    return Sprt(llr, lower, upper, "accepted" if llr >= upper else "rejected" if llr <= lower else None, elo0, elo1)


def verdict_text(test: Sprt) -> str:
    """Returns the state of a sequential test as text."""
    elo0, elo1 = f"{test.elo0:g}", f"{test.elo1:g}"
    verdicts = {
        "accepted": f"a lead of {elo1} Elo is accepted over one of {elo0}",
        "rejected": f"a lead of {elo0} Elo is accepted over one of {elo1}",
        None: f"a lead of {elo0} or of {elo1} Elo, not decided yet",
    }
    verdict = verdicts[test.verdict]
    bounds = f"log likelihood ratio {test.llr:.2f}, bounds {test.lower:.2f} and {test.upper:.2f}"
    return f"sequential test: {verdict} ({bounds})"


def _log_likelihood(counts: NDArray[np.floating], mean: float) -> float:
    """Returns the greatest log likelihood of counts by score for a given mean, up to a constant.

    By Lagrange's multipliers, its probabilities are in proportion to counts / (1 + w * (points - mean)); w is where their mean is right.
    """
    from scipy.optimize import root_scalar

    excess = PAIR_POINTS - mean
    shares = counts / counts.sum()
    margin = 1e-12
    low, high = (margin - 1) / excess[-1], (margin - 1) / excess[0]
    w = root_scalar(lambda w: (shares * excess / (1 + w * excess)).sum(), bracket=(low, high), method="brentq").root
    return float(-counts @ np.log1p(w * excess))
