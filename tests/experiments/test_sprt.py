"""The sequential test: it errs no more often than it was told to, stops early, and computes the likelihood ratio it says."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from sparring.experiments.statistics.rating import score_of_elo
from sparring.experiments.statistics.sprt import INVENTED, sprt


def pair_chances(elo, draws, coupled):
    """Returns the chances of the five pair scores; in a share `coupled` of pairs both games end alike or, if negative, split evenly."""
    score = score_of_elo(elo)
    game = np.array([1 - score - draws / 2, draws, score - draws / 2])
    alike, split = np.zeros((2, 5))
    alike[::2] = game
    split[[0, 2, 4]] = max(0, 1 - 2 * score), 1 - abs(2 * score - 1), max(0, 2 * score - 1)
    return (1 - abs(coupled)) * np.convolve(game, game) + max(0, coupled) * alike + max(0, -coupled) * split


def counted(scores):
    """Returns how many pairs made each score."""
    return np.bincount(np.rint(2 * np.array(scores, float)).astype(int), minlength=5)


def verdict_of(random, chances, **test):
    """Returns how a test of pairs with some chances ends, and after how many."""
    scores = random.choice(5, size=500, p=chances) / 2
    for count in range(1, 501):
        verdict = sprt(counted(scores[:count]), **test).verdict
        if verdict:
            return verdict, count
    return None, 500


@pytest.mark.parametrize(
    ("elo0", "elo1", "draws", "coupled"), [(0, 200, 0.1, 0), (0, 150, 0.5, 0), (0, 200, 0.1, 0.8), (0, 150, 0.1, -0.8), (-100, 50, 0.2, 0)]
)
def test_it_errs_no_more_than_it_was_told_to(elo0, elo1, draws, coupled):
    random = np.random.default_rng(4)
    test = {"elo0": elo0, "elo1": elo1, "alpha": 0.1, "beta": 0.05}
    trials = 200
    for elo, wrong, limit in ((elo0, "accepted", 0.1), (elo1, "rejected", 0.05)):
        ends = [verdict_of(random, pair_chances(elo, draws, coupled), **test) for _ in range(trials)]
        noise = 2 * (limit * (1 - limit) / trials) ** 0.5
        assert sum(verdict == wrong for verdict, _ in ends) / trials <= limit + noise
        assert all(verdict for verdict, _ in ends)
        assert np.mean([count for _, count in ends]) < 40


def test_bounds_are_walds():
    result = sprt(counted([1.0]), 0, 10, alpha=0.01, beta=0.2)
    assert (result.lower, result.upper) == pytest.approx((math.log(0.2 / 0.99), math.log(0.8 / 0.01)))
    assert result.verdict is None


def test_the_ratio_is_that_of_the_most_likely_distributions():
    """By a general optimiser over all distributions of the five scores that have the hypothesis' mean."""
    scores = [0, 0.5, 0.5, 1, 1, 1, 1, 1.5, 1.5, 2, 2, 2]
    counts = np.array([1, 2, 4, 2, 3]) + INVENTED
    logs = []
    for elo in (-100, 60):
        mean = 2 * score_of_elo(elo)
        best = minimize(
            lambda shares: -counts @ np.log(shares),
            np.full(5, 0.2),
            bounds=[(1e-9, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda shares: shares.sum() - 1},
                {"type": "eq", "fun": lambda shares, mean=mean: shares @ np.arange(5) / 2 - mean},
            ],
            method="SLSQP",
            options={"ftol": 1e-12, "maxiter": 500},
        )
        logs.append(-best.fun)
    assert sprt(counted(scores), -100, 60).llr == pytest.approx(logs[1] - logs[0], abs=1e-4)


def test_it_is_the_same_from_the_other_side():
    scores = [0, 0.5, 1, 1, 2, 2, 1.5]
    assert sprt(counted(scores), 0, 50).llr == pytest.approx(-sprt(counted(scores)[::-1], -50, 0).llr)


def test_nothing_played_shows_nothing():
    assert sprt(counted([]), 0, 50).llr == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize(("score", "verdict"), [(0, "rejected"), (1, "rejected"), (2, "accepted")])
def test_equal_pairs_decide_in_time(score, verdict):
    assert sprt(counted([score] * 3), 0, 50).verdict is None
    assert sprt(counted([score] * 500), 0, 50).verdict == verdict


@pytest.mark.parametrize(("score", "verdict"), [(0, "rejected"), (2, "accepted")])
def test_the_widest_hypotheses_of_a_config_are_still_computed(score, verdict):
    result = sprt(counted([score] * 500), -2000, 2000)
    assert math.isfinite(result.llr)
    assert result.verdict == verdict
