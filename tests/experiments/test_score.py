"""The score's interval: honest for independent, coupled and repeated games, also at the ends of the scale."""

import numpy as np
import pytest
from sparring.experiments.games.tally import score_of_games
from sparring.experiments.statistics.score import Z95, score_interval


def simulated_pairs(random, count, score, draws, coupling):
    """Returns scores of pairs; in a share `coupling` of them the second game repeats the first or, if it is negative, mirrors it."""
    wins = score - draws / 2

    def outcome(chance):
        return np.where(chance < wins, 1.0, np.where(chance < wins + draws, 0.5, 0.0))

    first, second, coupled = random.random((3, count))
    second = np.where(coupled < abs(coupling), first if coupling > 0 else 1 - first, second)
    return (outcome(first) + outcome(second)) / 2


@pytest.mark.parametrize("coupling", [-0.8, 0.0, 0.5, 1.0])
@pytest.mark.parametrize("draws", [0.0, 0.15])
@pytest.mark.parametrize("score", [0.5, 0.7, 0.9])
@pytest.mark.parametrize("count", [10, 50, 200])
def test_the_interval_covers_the_truth_at_least_as_often_as_it_says(count, score, draws, coupling):
    random = np.random.default_rng(7)
    trials = 400
    intervals = [score_interval(simulated_pairs(random, count, score, draws, coupling).tolist()) for _ in range(trials)]
    covered = sum(interval.low <= score <= interval.high for interval in intervals) / trials
    assert covered > 0.925


def test_the_interval_is_not_too_wide_for_independent_games():
    random = np.random.default_rng(7)
    pairs = [simulated_pairs(random, 200, 0.6, 0.0, 0.0).tolist() for _ in range(500)]
    covered = sum(interval.low <= 0.6 <= interval.high for interval in map(score_interval, pairs)) / 500
    assert covered < 0.98


def test_draws_make_it_narrower_and_coupled_games_wider():
    def width(draws, coupling):
        interval = score_interval(simulated_pairs(np.random.default_rng(3), 400, 0.5, draws, coupling).tolist())
        return interval.high - interval.low

    assert width(0.6, 0) < 0.8 * width(0, 0)
    assert width(0, 1) > 1.2 * width(0, 0)


@pytest.mark.parametrize("count", [1, 2, 50, 1000])
@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_equal_results_leave_doubt_and_stay_on_the_scale(count, value):
    score = score_interval([value] * count)
    assert score.value == value
    assert 0 <= score.low <= value <= score.high <= 1
    assert score.high - score.low > 0.5 / count


def test_on_wins_and_losses_it_is_agresti_and_coulls():
    wins, count = 14, 20
    share = (wins + Z95**2 / 2) / (count + Z95**2)
    reach = Z95 * (share * (1 - share) / (count + Z95**2)) ** 0.5
    score = score_interval([1.0] * wins + [0.0] * (count - wins))
    assert score == pytest.approx((0.7, share - reach, share + reach))


def test_repeated_pairs_are_no_new_evidence():
    once = score_interval([1.0, 1.0, 0.5, 0.0])
    often = score_interval([1.0, 1.0, 0.5, 0.0] * 100, distinct=4)
    assert often == pytest.approx(once)


def game(number, first_is_a, result, moves):
    players = ("a", "b") if first_is_a else ("b", "a")
    end = {"termination": "line", "plies": len(moves), "opening": 0, "seconds": [0.0, 0.0]}
    return {"id": number, "pair": number // 2, "first": players[0], "second": players[1], "result": result, "moves": moves, **end}


def test_games_are_scored_by_the_agents_seat():
    games = [game(0, True, "first", "12"), game(1, False, "draw", "13"), game(2, True, "second", "14"), game(3, False, "second", "15")]
    assert score_of_games(games, "a").value == pytest.approx((1 + 0.5 + 0 + 1) / 4)
    assert score_of_games(games, "b").value == pytest.approx((0 + 0.5 + 1 + 0) / 4)


def test_games_that_repeat_others_move_by_move_are_no_new_evidence():
    pair = [game(0, True, "first", "12"), game(1, False, "second", "13")]
    again = [{**entry, "id": entry["id"] + 2 * n, "pair": n} for n in range(50) for entry in pair]
    assert score_of_games(again, "a") == score_of_games(pair, "a")
    different = [{**entry, "moves": f"{entry['moves']}{entry['pair']}"} for entry in again]
    assert score_of_games(different, "a").low > score_of_games(pair, "a").low
