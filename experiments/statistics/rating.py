"""Ratings of a tournament's players in Elo, with the first move's advantage, draws, and the covariance of everything.

A game depends on the difference of its players' strengths, plus the advantage of the first move, and on a draw parameter, by one of
the models of `draw_models`. Strengths, advantage and draw parameter maximise the likelihood times a weak prior: each is normal with mean 0
and the width PRIOR_ELO in the units of a strength. The prior is worth a fraction of a game: it moves a player that won and lost by far
less than its interval, but gives finite ratings to players that won everything and to groups that never met, and finite parameters to a
tournament without draws, of nothing but draws, or without a win of the second seat. Such intervals are as wide as the prior.

Evidence: the two games of a pair share an opening, so their residuals correlate, the more the more open the games are. How much is
estimated, once for all pairs, and enters the covariance. A pair that repeats another move by move (deterministic agents, the same opening)
is no new evidence: each pair of a pairing weighs the pairing's share of distinct ones. Pairings should have openings of their own; where
they share them, the interval of the advantage is too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from .draw_models import MODELS, Floats, Model
from .estimate import Estimate, Placement
from .game_results import UNPLAYED, Results
from .score import Z95

ELO = 400 / math.log(10)  # points of Elo in one unit of natural log odds
PRIOR_ELO = 1000.0  # ten times the odds for every 400: strengths within two widths of the mean span random play to perfect play
ROUNDS = 10_000  # most steps to the maximum; ten are usual, Rao and Kupper's model took a thousand on results that fit no ratings


def score_of_elo(elo: float) -> float:
    """Returns the expected score, from 0 to 1, of a lead in Elo without draws."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Ratings:
    """The ratings of a tournament's players.

    Attributes:
        players: their names.
        elo: float64[players].
        advantage_elo: the worth of the first seat.
        draw: the draw parameter t, in natural log units.
        covariance: float64[players + 2, players + 2], of `elo`, `advantage_elo` and `draw` in this order.
        correlation: of the residuals of a pair's two games, each from its first seat's view; the mean of all pairs.
        model: name of the model.
    """

    players: tuple[str, ...]
    elo: Floats
    advantage_elo: float
    draw: float
    covariance: Floats
    correlation: float
    model: str

    @property
    def advantage(self) -> Estimate:
        """The worth of the first seat in Elo."""
        return _estimate(self.advantage_elo, self.covariance[-2, -2])

    def interval(self, player: str) -> Estimate:
        """Returns a player's rating; with an anchor, the interval is that of the difference to the anchor."""
        index = self.players.index(player)
        return _estimate(self.elo[index], self.covariance[index, index])

    def difference(self, player: str, other: str) -> Estimate:
        """Returns a player's lead over another in Elo."""
        a, b = self.players.index(player), self.players.index(other)
        variance = self.covariance[a, a] + self.covariance[b, b] - 2 * self.covariance[a, b]
        return _estimate(self.elo[a] - self.elo[b], variance)

    def superiority(self, player: str, other: str) -> float:
        """Returns the probability that a player is stronger than another, by the normal approximation of their difference."""
        value, low, _ = self.difference(player, other)
        return 0.5 if value == low else 0.5 + math.erf(value / (value - low) * Z95 / math.sqrt(2)) / 2  # a player against itself

    def probabilities(self, player: str, other: str, seat: str | None = None) -> Floats:
        """Returns the probabilities that a player wins, draws and loses against another.

        Args:
            player, other: names.
            seat: of the player, "first" or "second"; None leaves the advantage out.
        """
        advantage = {"first": self.advantage_elo, "second": -self.advantage_elo, None: 0.0}[seat]
        lead = self.elo[self.players.index(player)] - self.elo[self.players.index(other)] + advantage
        return np.exp(MODELS[self.model](np.array([lead / ELO]), self.draw)[0][:, 0])

    def expected(self, player: str, other: str, seat: str | None = None) -> float:
        """Returns the expected score, from 0 to 1, of a player against another; arguments as in `probabilities`."""
        win, draw, _ = self.probabilities(player, other, seat)
        return float(win + draw / 2)


def _estimate(value: float, variance: float) -> Estimate:
    reach = Z95 * math.sqrt(max(0.0, variance))
    return Estimate(float(value), float(value - reach), float(value + reach))


def fit(results: Results, anchor: tuple[str, float] | None = None, model: str = "davidson", before: Ratings | None = None) -> Ratings:
    """Returns the most probable ratings for some results.

    Args:
        results: of at least one game.
        anchor: a player and its fixed Elo; without an anchor the mean of all players is 0.
        model: a key of MODELS, "davidson" or "rao-kupper".
        before: ratings from other games, by the same model, as a prior with its covariance; the new ratings are on its scale, without
            an anchor.

    Raises:
        ValueError: the anchor did not play.
    """
    count = len(results.players)
    games = _Games.of(results)
    theta, inverse = _maximise(games, MODELS[model], _weak_prior(count) if before is None else _prior_of(before, results.players))
    correlation, shared = _dependence(games, MODELS[model], theta, inverse, results.pairs)
    covariance = inverse + inverse @ shared @ inverse

    if before is not None:
        scale = np.diag([ELO] * (count + 1) + [1.0])
        theta = scale @ theta
        return Ratings(results.players, theta[:count], theta[-2], theta[-1], scale @ covariance @ scale, correlation, model)
    player, elo = anchor or (None, 0.0)
    origin = np.full(count, 1 / count) if player is None else np.eye(count)[results.players.index(player)]
    scale = np.diag([ELO] * (count + 1) + [1.0])
    scale[:count, :count] -= ELO * origin
    theta = scale @ theta
    return Ratings(results.players, theta[:count] + elo, theta[-2], theta[-1], scale @ covariance @ scale.T, correlation, model)


def place_on_scale(results: Results, player: str, known: Ratings) -> tuple[Ratings, Placement]:
    """Returns the rating of one player on the scale of others, whose ratings do not change.

    The errors of the others' ratings pass on to the player, each by its share in the information of the games. Fitting all ratings together
    would move the others where the model suits them badly, and the scale with them.

    Args:
        results: of games in which the player met some of the others.
        player: the player to rate.
        known: the others' ratings, with their covariance.

    Returns:
        The ratings of all, the others' as they were, and the player's with its intervals.
    """
    fixed = known.covariance.copy()
    count = len(known.players)
    fixed[:count] = fixed[:, :count] = 0.0
    ratings = fit(results, model=known.model, before=replace(known, covariance=fixed))
    index, shares = ratings.players.index(player), np.zeros(count)
    for (first, second), pairs in zip(results.pairings, results.pairs, strict=True):
        opponent = ratings.players[second if first == index else first]
        win, draw, _ = ratings.probabilities(player, opponent)
        shares[known.players.index(opponent)] = pairs.sum() * (win + draw / 4 - (win + draw / 2) ** 2)
    shares /= shares.sum()
    variance, inherited = ratings.covariance[index, index], shares @ known.covariance[:count, :count] @ shares
    outer = _estimate(ratings.elo[index], variance + inherited)
    return ratings, Placement(*_estimate(ratings.elo[index], variance), outer.low, outer.high)


class _Prior(NamedTuple):
    """The prior of the parameters: a normal distribution.

    Attributes:
        mean: float64[players + 2], strengths, advantage and draw parameter in natural log units.
        precision: float64[players + 2, players + 2], the inverse of the covariance.
    """

    mean: Floats
    precision: Floats


def _weak_prior(count: int) -> _Prior:
    """Returns the prior of players that have not played."""
    return _Prior(np.zeros(count + 2), np.eye(count + 2) * (ELO / PRIOR_ELO) ** 2)


def _prior_of(before: Ratings, players: Sequence[str]) -> _Prior:
    """Returns the prior from other games; new players have the mean of the others, with the weak prior's width."""
    indices = [*(before.players.index(player) if player in before.players else None for player in players), -2, -1]
    known = np.array([index is not None for index in indices])
    chosen = [index for index in indices if index is not None]
    scale = np.array([ELO] * len(players) + [ELO, 1.0])
    mean, covariance = np.full(len(indices), before.elo.mean()), np.diag(np.full(len(indices), PRIOR_ELO**2))
    mean[known] = np.append(before.elo, [before.advantage_elo, before.draw])[chosen]
    covariance[np.ix_(known, known)] = before.covariance[np.ix_(chosen, chosen)]
    covariance[np.diag_indices(len(players))] += 1.0  # Elo², as an anchor has no variance
    return _Prior(mean / scale, np.linalg.inv(covariance / np.outer(scale, scale)).astype(np.float64))


class _Games(NamedTuple):
    """Results as rows of games: for each pairing its first player in the first seat, then for each pairing its second player.

    Attributes:
        design: float64[rows, players + 1]; its product with strengths and advantage is the rows' lead d.
        counts: float64[3, rows], games by result.
    """

    design: Floats
    counts: Floats

    @classmethod
    def of(cls, results: Results) -> _Games:
        """Returns the games of some results."""
        first, second = np.concatenate([results.pairings, results.pairings[:, ::-1]]).T
        rows = np.arange(len(first))
        design = np.zeros((len(first), len(results.players) + 1))
        np.add.at(design, (rows, first), 1.0)
        np.add.at(design, (rows, second), -1.0)
        design[:, -1] = 1.0
        counts = np.concatenate([results.pairs.sum(axis=2)[:, :UNPLAYED], results.pairs.sum(axis=1)[:, :UNPLAYED]])
        return cls(design, counts.T)


def _maximise(games: _Games, model: Model, prior: _Prior) -> tuple[Floats, Floats]:
    """Returns the most probable parameters and the inverse of their information: strengths, advantage, draw parameter in natural log units.

    Newton's method, halving steps that lead down. The information is the expected one. Davidson's model is an exponential family, where
    this is the exact Hessian; Rao and Kupper's Hessian is not, and only the expected one is positive definite everywhere.
    """
    played = games.counts.sum(axis=0)

    def posterior(theta: Floats) -> tuple[float, Floats, Floats]:
        logs, by_lead, by_draw = model(games.design @ theta[:-1], theta[-1])
        off = theta - prior.mean
        value = (games.counts * logs).sum() - off @ prior.precision @ off / 2
        slope = np.append((games.counts * by_lead).sum(axis=0) @ games.design, (games.counts * by_draw).sum()) - prior.precision @ off
        weights = np.exp(logs) * played
        information = prior.precision.copy()
        information[:-1, :-1] += (games.design.T * (weights * by_lead**2).sum(axis=0)) @ games.design
        mixed = (weights * by_lead * by_draw).sum(axis=0) @ games.design
        information[:-1, -1] += mixed
        information[-1, :-1] += mixed
        information[-1, -1] += (weights * by_draw**2).sum()
        return value, slope, information

    theta = prior.mean
    value, slope, information = posterior(theta)
    for _ in range(ROUNDS):
        step = np.linalg.solve(information, slope)
        if slope @ step < 1e-9:  # its square root is the step's length in standard errors
            return theta, np.linalg.inv(information).astype(np.float64)
        while (better := posterior(theta + step))[0] < value - 1e-12 * abs(value):
            step /= 2
        theta = theta + step
        value, slope, information = better
    raise ArithmeticError(f"no maximum of the likelihood after {ROUNDS} steps")


def _dependence(games: _Games, model: Model, theta: Floats, inverse: Floats, pairs: Floats) -> tuple[float, Floats]:
    """Returns the mean correlation of the two games of a pair, and what it adds to the covariance of the likelihood's slope.

    The residuals are those of the lead, from the first seats' view. Openings that favour the first seat make their correlation positive,
    players that suit an opening in both seats make it negative. A small shift of both leads adds to the product of the residuals in
    proportion to the product of their variances, so unequal players, whose games hardly depend on the opening, have almost no correlation.
    The small coupling of residuals by the fit itself is subtracted. As in `score`, z² invented pairs are added, here of independent games,
    so that pairs that are all split or all double wins do not give certainty.
    """
    half = len(pairs)
    logs, by_lead, _ = model(games.design @ theta[:-1], theta[-1])
    variance = (np.exp(logs) * by_lead**2).sum(axis=0)
    first, second = games.design[:half], games.design[half:]  # the rows of a pair's two games
    both = pairs[:, :UNPLAYED, :UNPLAYED]
    weights = both.sum(axis=(1, 2))
    spread = np.sqrt(variance[:half] * variance[half:])
    scale = weights * spread**2
    products = np.einsum("pij,ip,jp->", both, by_lead[:, :half], by_lead[:, half:])
    fitted = scale @ ((first @ inverse[:-1, :-1]) * second).sum(axis=1)
    shift = correlation = 0.0
    if scale.any():
        most = 1 / spread[weights > 0].max()  # where the most even pairing's correlation is 1
        shift = np.clip((products + fitted) / scale.sum(), -most, most) / (1 + Z95**2 / weights.sum())
        correlation = float(shift * scale.sum() / (weights @ spread))
    shared = np.zeros((len(theta), len(theta)))
    shared[:-1, :-1] = shift * (first.T * scale) @ second
    return correlation, shared + shared.T
