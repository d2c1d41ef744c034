"""Games as ratings see them: who played whom, and how each pair of games ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .draw_models import Floats

RESULTS = ("first", "draw", "second")  # of a game, in the order of every array here
UNPLAYED = 3  # a pair's game that is missing


class Results(NamedTuple):
    """The results of a tournament, counted.

    Attributes:
        players: their names.
        pairings: int64[pairings, 2], indices of two players.
        pairs: float64[pairings, 4, 4], how many pairs of games ended how: by the result of the game in which the pairing's first player has
            the first seat, and of the one in which its second player has it. Indices as in RESULTS, or UNPLAYED.
    """

    players: tuple[str, ...]
    pairings: NDArray[np.int64]
    pairs: Floats


def results_of_counts(counts: Mapping[tuple[str, str], Sequence[float]]) -> Results:
    """Returns the results of games that are all independent.

    Args:
        counts: by players, (first seat, second seat): how many games the first one won, drew, and the second one won.
    """
    players = tuple(sorted({player for pairing in counts for player in pairing}))
    pairs = np.zeros((len(counts), 4, 4))
    pairs[:, :UNPLAYED, UNPLAYED] = list(counts.values())
    return Results(players, _indices(players, counts), pairs)


def results_of_games(games: Iterable[dict[str, Any]], others: Iterable[str] = ()) -> Results:
    """Returns the results of the games of a log; of pairs that repeat others, all together weigh no more than the distinct ones.

    Args:
        games: entries of a games log.
        others: further players, who need not have played.
    """
    pairs: dict[tuple[str, str], dict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(lambda: [(UNPLAYED, 0)] * 2))
    for game in games:
        one, other = sorted((game["first"], game["second"]))
        pairs[one, other][game["pair"]][game["first"] != one] = (RESULTS.index(game["result"]), hash(game["moves"]))
    players = tuple(sorted({player for pairing in pairs for player in pairing} | set(others)))
    counts = np.zeros((len(pairs), 4, 4))
    for count, pairing in zip(counts, pairs.values(), strict=True):
        for (first, _), (second, _) in pairing.values():
            count[first, second] += 1
        count *= len({tuple(pair) for pair in pairing.values()}) / len(pairing)
    return Results(players, _indices(players, pairs), counts)


def _indices(players: Sequence[str], pairings: Iterable[tuple[str, str]]) -> NDArray[np.int64]:
    """Returns the pairings with players' indices in place of their names."""
    index = {player: number for number, player in enumerate(players)}
    return np.array([[index[player] for player in pairing] for pairing in pairings], np.int64).reshape(-1, 2)
