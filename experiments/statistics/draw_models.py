"""How a game's result depends on the lead of its first seat: models of paired comparisons with draws.

The lead d is the difference of the players' strengths plus the advantage of the first move, the draw parameter is t:

    Davidson     win : draw : loss = exp(d / 2) : exp(t) : exp(-d / 2)
    Rao, Kupper  a win has probability 1 / (1 + exp(k - d)), a loss 1 / (1 + exp(k + d)), a draw what is left; k = exp(t)

    R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison experiments",
    Journal of the American Statistical Association 65 (1970), 317-328.
    P. V. Rao and L. L. Kupper, "Ties in paired-comparison experiments: a generalization of the Bradley-Terry model",
    Journal of the American Statistical Association 62 (1967), 194-204.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def davidson(lead: Floats, draw: float) -> tuple[Floats, Floats, Floats]:
    """Returns log probabilities by Davidson's model and their derivatives by lead and by draw parameter, each float64[3, rows]."""
    halves = np.array([[0.5], [0.0], [-0.5]])
    draws = np.array([[0.0], [1.0], [0.0]])
    scores = halves * lead + draws * draw
    logs = scores - np.logaddexp.reduce(scores, axis=0)
    shares = np.exp(logs)
    return logs, halves - (halves * shares).sum(axis=0), draws - shares[1]


def rao_kupper(lead: Floats, draw: float) -> tuple[Floats, Floats, Floats]:
    """Returns the same by Rao and Kupper's model."""
    k = math.exp(draw)
    win, loss = -np.logaddexp(0, k - lead), -np.logaddexp(0, k + lead)
    logs = np.array([win, 2 * k + math.log(-math.expm1(-2 * k)) + win + loss, loss])
    not_win, not_loss = -np.expm1(win), -np.expm1(loss)
    by_lead = np.array([not_win, not_win - not_loss, -not_loss])
    by_draw = k * np.array([-not_win, -2 / math.expm1(-2 * k) - not_win - not_loss, -not_loss])
    return logs, by_lead, by_draw


Model = Callable[[Floats, float], tuple[Floats, Floats, Floats]]
MODELS: dict[str, Model] = {"davidson": davidson, "rao-kupper": rao_kupper}
