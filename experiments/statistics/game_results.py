"""The data for ratings: who played whom, and how each pair of games ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .draw_models import Floats

RESULTS = ("first", "draw", "second")  # of a game, in the order of every array here
UNPLAYED = 3  # the missing game of a pair


class Results(NamedTuple):
    """The results of a tournament, counted.

    Attributes:
        players: their names.
        pairings: int64[pairings, 2], indices of two players.
        pairs: float64[pairings, 4, 4], the number of pairs of games by the result of the game in which the pairing's first player has the
            first seat, and by that of the other game. Indices as in RESULTS, or UNPLAYED.
    """

    players: tuple[str, ...]
    pairings: NDArray[np.int64]
    pairs: Floats


def results_of_counts(counts: Mapping[tuple[str, str], Sequence[float]]) -> Results:
    """Returns the results of independent games.

    Args:
        counts: by players (first seat, second seat): games that the first one won, draws, and games that the second one won.
    """
    players = tuple(sorted({player for pairing in counts for player in pairing}))
    pairs = np.zeros((len(counts), 4, 4))
    pairs[:, :UNPLAYED, UNPLAYED] = list(counts.values())
    return Results(players, _indices(players, counts), pairs)


def results_of_games(games: Iterable[dict[str, Any]], others: Iterable[str] = ()) -> Results:
    """Returns the results of the games of a log; all pairs of a pairing together weigh as much as its distinct ones.

    Args:
        games: entries of a games log.
        others: further players, who need not have played.
    """
    pairs: dict[tuple[str, str], dict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(lambda: [(UNPLAYED, 0)] * 2))
    for game in games:
        player, other = sorted((game["first"], game["second"]))
        pairs[player, other][game["pair"]][game["first"] != player] = (RESULTS.index(game["result"]), hash(game["moves"]))
    players = tuple(sorted({player for pairing in pairs for player in pairing} | set(others)))
    counts = np.zeros((len(pairs), 4, 4))
    for count, pairing in zip(counts, pairs.values(), strict=True):
        for (first, _), (second, _) in pairing.values():
            count[first, second] += 1
        count *= len({tuple(pair) for pair in pairing.values()}) / len(pairing)
    return Results(players, _indices(players, pairs), counts)


def _indices(players: Sequence[str], pairings: Iterable[tuple[str, str]]) -> NDArray[np.int64]:
    """Returns the pairings as indices of players."""
    index = {player: number for number, player in enumerate(players)}
    return np.array([[index[player] for player in pairing] for pairing in pairings], np.int64).reshape(-1, 2)
