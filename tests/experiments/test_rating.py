"""Ratings: intervals that cover the truth, agreement with statsmodels, and finite answers where nothing finite is most likely."""

import numpy as np
import pytest
from scipy.special import ndtr
from sparring.experiments.statistics import rating
from sparring.experiments.statistics.game_results import Results, results_of_counts, results_of_games
from sparring.experiments.statistics.rating import ELO, fit

MODELS = list(rating.MODELS)


def probabilities(lead, draw, model):
    """Returns the chances of first wins, draw and second wins by the models' own formulas: strengths as Bradley and Terry write them."""
    first, second = 10 ** (lead / 800), 10 ** (-lead / 800)
    if model == "davidson":
        weights = np.array([first, np.full_like(lead, np.exp(draw)), second])
        return weights / weights.sum(axis=0)
    theta = np.exp(np.exp(draw))
    win, loss = first / (first + theta * second), second / (second + theta * first)
    return np.array([win, 1 - win - loss, loss])


def simulated(random, elo, advantage, draw, pairings, pairs, model="davidson", openings=0.0, styles=0.0, luck=0.0):
    """Returns the results of pairs of games.

    Openings favour the first seat, or one player in both seats, by normal Elo of widths `openings` and `styles`. The luck of a pair's first
    seats correlates by `luck`, which leaves the chances of each game as they are.
    """
    one, other = np.array(pairings).T
    gap = (elo[one] - elo[other])[:, None]
    seat, style = random.normal(0, 1, (2, len(pairings), pairs)) * [[[openings]], [[styles]]]
    results = [np.repeat(np.arange(len(pairings)), pairs)]
    one_luck, other_luck = random.normal(0, 1, (2, len(pairings), pairs))
    lucks = one_luck, luck * one_luck + (1 - luck**2) ** 0.5 * other_luck
    for lead, chance in zip((gap + style, -gap - style), ndtr(lucks), strict=True):
        win, drawn, _ = probabilities(lead + advantage + seat, draw, model)
        results.append(((chance > win).astype(int) + (chance > win + drawn)).ravel())
    counts = np.zeros((len(pairings), 4, 4))
    np.add.at(counts, tuple(results), 1)
    return Results(tuple("abcdefgh"[: len(elo)]), np.array(pairings), counts)


def round_robin(players):
    return [(one, other) for one in range(players) for other in range(one)]


def neighbours(players, reach):
    return [(one, other) for one, other in round_robin(players) if one - other <= reach]


def gauntlet(players):
    return [(0, other) for other in range(1, players)]


def spread(elo, players):
    return np.linspace(-elo / 2, elo / 2, players)


DESIGNS = {
    "equal players": (spread(0, 6), 35, -1, round_robin(6), 20, {}),
    "1500 Elo": (spread(1500, 6), 60, -1, round_robin(6), 25, {}),
    "gauntlet": (np.array([0.0, -300, -150, 0, 150, 300]), 50, -1, gauntlet(6), 30, {}),
    "few games": (spread(400, 5), 50, -1, round_robin(5), 2, {}),
    "many draws": (spread(400, 6), 50, 2, round_robin(6), 20, {}),
    "no draws": (spread(400, 6), 50, -20, round_robin(6), 20, {}),
    "first seat far ahead": (spread(400, 6), 400, -1, round_robin(6), 20, {}),
    "Rao and Kupper": (spread(800, 6), 60, -0.7, round_robin(6), 20, {"model": "rao-kupper"}),
    "openings for one seat": (spread(0, 6), 0, -1, round_robin(6), 20, {"openings": 400}),
    "openings for one player": (spread(0, 6), 0, -1, round_robin(6), 20, {"styles": 400}),
    "openings that decide even games": (np.cumsum([0.0, 50, 400, 50, 400, 50, 400, 50]), 50, -1, neighbours(8, 2), 20, {"luck": 0.8}),
}


def coverage(elo, advantage, draw, pairings, pairs, chances, repetitions=500, seed=2):
    """Returns how often intervals cover the truth: of ratings (a share each), of differences (a share each), of the advantage."""
    random = np.random.default_rng(seed)
    players = "abcdefgh"[: len(elo)]
    covered = []
    for _ in range(repetitions):
        ratings = fit(simulated(random, elo, advantage, draw, pairings, pairs, **chances), model=chances.get("model", "davidson"))
        estimates = [(ratings.interval(player), value) for player, value in zip(players, elo - elo.mean(), strict=True)]
        estimates += [(ratings.difference(players[one], players[other]), elo[one] - elo[other]) for one, other in round_robin(len(elo))]
        estimates.append((ratings.advantage, advantage))
        covered.append([estimate.low <= value <= estimate.high for estimate, value in estimates])
    shares = np.mean(covered, axis=0)
    return shares[: len(elo)], shares[len(elo) : -1], shares[-1]


@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_cover_the_truth(design):
    """Each kind's mean share lies within 93 to 97 %; the worst of fifteen single ones may be off by some more standard errors of 1 %."""
    ratings, differences, advantage = coverage(*DESIGNS[design])
    assert 0.93 <= ratings.mean() <= 0.97
    assert 0.93 <= differences.mean() <= 0.97
    assert 0.93 <= advantage <= 0.97
    assert all(0.9 <= share <= 0.99 for share in (*ratings, *differences))


def games_of(results):
    """Returns first player, second player and counts of first wins, draws and second wins of every ordered pairing."""
    one, other = results.pairings.T
    counts = np.concatenate([results.pairs.sum(axis=2)[:, :3], results.pairs.sum(axis=1)[:, :3]])
    return np.concatenate([one, other]), np.concatenate([other, one]), counts


def design_of(first, second, players):
    """Returns the columns of all players but the first, and of the advantage."""
    return np.column_stack([np.eye(players)[first] - np.eye(players)[second], np.ones(len(first))])[:, 1:]


def assert_same(ratings, values, errors):
    """Asserts that leads over player a, advantage and their standard errors, all in natural log units, are the ratings'."""
    estimates = [ratings.difference(player, "a") for player in ratings.players[1:]] + [ratings.advantage]
    np.testing.assert_allclose([estimate.value for estimate in estimates], values * ELO, atol=1)
    np.testing.assert_allclose([(estimate.high - estimate.low) / 2 / rating.Z95 for estimate in estimates], errors * ELO, atol=0.5)


def independent(results):
    """Returns results whose pairs are torn apart, as statsmodels sees them."""
    first, second, counts = games_of(results)
    names = results.players
    return results_of_counts({(names[a], names[b]): count for a, b, count in zip(first, second, counts, strict=True)})


def test_without_draws_it_is_logistic_regression():
    sm = pytest.importorskip("statsmodels.api", reason="compares with statsmodels, of the extra `dev`")
    results = simulated(np.random.default_rng(5), spread(600, 6), 60, -30, round_robin(6), 100)
    first, second, counts = games_of(results)
    logit = sm.GLM(counts[:, [0, 2]], design_of(first, second, 6), family=sm.families.Binomial()).fit(tol=1e-12)
    assert_same(fit(independent(results)), logit.params, logit.bse)


def test_davidson_is_a_log_linear_model():
    """Counts that are Poisson with a free rate a row have the multinomial's estimates and errors."""
    sm = pytest.importorskip("statsmodels.api", reason="compares with statsmodels, of the extra `dev`")
    results = simulated(np.random.default_rng(6), spread(600, 6), 60, -0.5, round_robin(6), 100)
    first, second, counts = games_of(results)
    design = design_of(first, second, 6)
    rows = np.eye(len(first))
    columns = [np.column_stack([sign * design / 2, np.full(len(first), drawn), rows]) for sign, drawn in ((1, 0), (0, 1), (-1, 0))]
    model = sm.GLM(counts.T.ravel(), np.concatenate(columns), family=sm.families.Poisson()).fit(tol=1e-12)
    ratings = fit(independent(results))
    assert_same(ratings, model.params[:6], model.bse[:6])
    assert ratings.draw == pytest.approx(model.params[6], abs=0.01)
    assert ratings.covariance[-1, -1] ** 0.5 == pytest.approx(model.bse[6], rel=0.01)


def test_rao_and_kupper_is_an_ordered_logit():
    ordinal_model = pytest.importorskip("statsmodels.miscmodels.ordinal_model", reason="compares with statsmodels, of the extra `dev`")
    results = simulated(np.random.default_rng(7), spread(600, 4), 60, -0.5, round_robin(4), 50, model="rao-kupper")
    first, second, counts = games_of(results)
    repeats = counts.astype(int)
    outcome = np.concatenate([np.repeat([2, 1, 0], row) for row in repeats])
    design = np.repeat(design_of(first, second, 4)[:, :-1], repeats.sum(axis=1), axis=0)
    model = ordinal_model.OrderedModel(outcome, design, distr="logit")
    fitted = model.fit(method="bfgs", disp=False, gtol=1e-8)
    _, low, high, _ = model.transform_threshold_params(fitted.params[-2:])
    slope = np.array([1, np.exp(fitted.params[-1]) / 2])  # of (low + high) / 2 by the two parameters: low, and the log of high - low
    advantage_error = (slope @ fitted.cov_params()[-2:, -2:] @ slope) ** 0.5
    ratings = fit(independent(results), model="rao-kupper")
    assert_same(ratings, np.append(fitted.params[:3], -(low + high) / 2), np.append(fitted.bse[:3], advantage_error))
    assert np.exp(ratings.draw) == pytest.approx((high - low) / 2, abs=0.01)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("lead", "draw"), [(0.0, 0.0), (300.0, -1.0), (-900.0, 1.0), (50.0, -12.0)])
def test_the_slopes_are_the_probabilities_own(model, lead, draw):
    def logs(lead, draw):
        return np.log(probabilities(np.array([lead * ELO]), draw, model))

    small = 1e-5
    values, by_lead, by_draw = rating.MODELS[model](np.array([lead / ELO]), draw)
    np.testing.assert_allclose(values, logs(lead / ELO, draw), rtol=1e-4)
    np.testing.assert_allclose(by_lead, (logs(lead / ELO + small, draw) - logs(lead / ELO - small, draw)) / (2 * small), atol=1e-3)
    np.testing.assert_allclose(by_draw, (logs(lead / ELO, draw + small) - logs(lead / ELO, draw - small)) / (2 * small), atol=1e-3)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("games", [1, 1000, 100000])
@pytest.mark.parametrize("row", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_a_single_kind_of_result_leaves_doubt(model, games, row):
    counts = [games * share for share in row]
    ratings = fit(results_of_counts({("a", "b"): counts, ("b", "a"): counts}), model=model)
    numbers = np.array([*ratings.elo, *ratings.advantage, *ratings.difference("a", "b"), ratings.draw])
    assert np.isfinite(numbers).all()
    assert (np.diag(ratings.covariance) > 0).all()
    assert ratings.elo == pytest.approx([0, 0], abs=1e-6)
    assert np.sign(round(ratings.advantage.value, 6)) == row[0] - row[2]
    assert ratings.expected("a", "b", "first") == pytest.approx(row[0] + row[1] / 2, abs=0.5 / games**0.8)


@pytest.mark.parametrize("model", MODELS)
def test_whoever_won_everything_is_ahead_but_by_nobody_knows_how_much(model):
    ratings = fit(results_of_counts({("a", "b"): (20, 0, 0), ("b", "a"): (0, 0, 20), ("b", "c"): (10, 2, 8)}), model=model)
    value, low, high = ratings.difference("a", "b")
    assert 300 < value < 1500
    assert 0 < low < 300
    assert high > 1200
    assert ratings.superiority("a", "b") > 0.97


def test_groups_that_never_met_are_not_compared():
    ratings = fit(results_of_counts({("a", "b"): (30, 5, 20), ("c", "d"): (30, 5, 20)}))
    assert ratings.difference("a", "c").high - ratings.difference("a", "c").low > 1000
    assert ratings.superiority("a", "c") == pytest.approx(0.5, abs=0.01)


def test_an_anchor_moves_the_ratings_and_nothing_else():
    results = simulated(np.random.default_rng(1), spread(400, 4), 50, -1, round_robin(4), 20)
    free, held = fit(results), fit(results, anchor=("c", 1000))
    assert held.interval("c") == (1000, 1000, 1000)
    assert held.difference("a", "b") == pytest.approx(free.difference("a", "b"))
    assert held.interval("a") == pytest.approx([1000 + value for value in free.difference("a", "c")])
    assert held.advantage == pytest.approx(free.advantage)
    assert free.elo.mean() == pytest.approx(0)
    with pytest.raises(ValueError, match="not in tuple"):
        fit(results, anchor=("nobody", 0))


@pytest.mark.parametrize("model", MODELS)
def test_what_is_expected_is_what_was_played(model):
    ratings = fit(results_of_counts({("a", "b"): (5000, 3000, 2000), ("b", "a"): (4000, 3000, 3000)}), model=model)
    assert ratings.expected("a", "b", "first") == pytest.approx(0.65, abs=0.005)
    assert ratings.expected("a", "b", "second") == pytest.approx(0.45, abs=0.005)
    assert ratings.expected("a", "b") == pytest.approx(0.55, abs=0.005)
    assert ratings.probabilities("a", "b", "first") == pytest.approx(
        probabilities(np.array([ratings.difference("a", "b").value + ratings.advantage.value]), ratings.draw, model)[:, 0]
    )
    assert ratings.superiority("a", "b") > 0.999
    assert ratings.superiority("b", "a") == pytest.approx(1 - ratings.superiority("a", "b"))
    assert ratings.superiority("a", "a") == 0.5


def game(pair, first, second, result, moves):
    return {"pair": pair, "first": first, "second": second, "result": result, "moves": moves}


def test_a_log_is_counted_by_pairs():
    games = [
        game(0, "b", "a", "first", "1"),
        game(0, "a", "b", "first", "2"),
        game(1, "a", "b", "draw", "3"),
        game(1, "b", "a", "second", "4"),
        game(2, "c", "a", "second", "5"),
    ]
    results = results_of_games(games)
    assert results.players == ("a", "b", "c")
    assert results.pairings.tolist() == [[0, 1], [0, 2]]
    expected = np.zeros((2, 4, 4))
    expected[0, 0, 0] = expected[0, 1, 2] = expected[1, rating.UNPLAYED, 2] = 1
    np.testing.assert_array_equal(results.pairs, expected)


def test_repeated_pairs_are_no_new_evidence():
    once = [
        game(0, "a", "b", "first", "1"),
        game(0, "b", "a", "draw", "2"),
        game(1, "a", "b", "second", "3"),
        game(1, "b", "a", "first", "4"),
    ]
    often = [{**entry, "pair": entry["pair"] + 2 * copy} for copy in range(50) for entry in once]
    assert fit(results_of_games(often)).difference("a", "b") == pytest.approx(fit(results_of_games(once)).difference("a", "b"))


def test_pairs_that_are_all_split_say_more_of_the_players_than_of_the_first_move():
    split = np.zeros((1, 4, 4))
    split[0, 0, 0] = split[0, 2, 2] = 25
    ratings = fit(Results(("a", "b"), np.array([[0, 1]]), split))
    torn = fit(independent(Results(("a", "b"), np.array([[0, 1]]), split)))
    lead, loose = ratings.difference("a", "b"), torn.difference("a", "b")
    assert 10 < lead.high - lead.low < 0.4 * (loose.high - loose.low)
    assert ratings.advantage.high > 1.3 * torn.advantage.high


def test_many_games_cost_what_few_cost():
    few = simulated(np.random.default_rng(1), spread(400, 4), 50, -1, round_robin(4), 20)
    many = few._replace(pairs=few.pairs * 1000)
    assert fit(many).elo == pytest.approx(fit(few).elo, abs=3)
    assert fit(many).interval("a").high - fit(many).elo[0] == pytest.approx(
        (fit(few).interval("a").high - fit(few).elo[0]) / 1000**0.5, rel=0.1
    )
