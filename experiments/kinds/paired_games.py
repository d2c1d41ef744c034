"""Paired games between many agents: who plays whom, in which order, and when a sequential test ends the games of two agents.

Games are numbered round by round: in each, every pairing plays one opening from both seats. So an unfinished run has about as many games of
each pairing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents import make
from ..config.parts import game_of, game_record
from ..games.log import GamesLog
from ..games.openings import Opening, draw_openings, judged_by, read_openings
from ..games.tally import Tally
from ..games.task import Conditions, GameTask, Player, pair_of_games
from ..statistics.sprt import Sprt, sprt
from ..terminal.progress import progress
from ..terminal.results import score_table
from ..workers.executors import executor_of
from ..workers.game_runner import GameRunner
from .played import Played, SprtLimits

MOST_OPENINGS = 1000  # drawn for a run, more only if two agents play more
Two = tuple[Player, Player]  # the first one has the first seat in a pair's first game


class PairedGames:
    """All games of a run.

    Attributes:
        pairings: who plays whom.
        tallies: the counts of each pairing's games so far.
        tests: the state of each pairing's sequential test; None without one.
    """

    def __init__(self, config: Played, pairings: Sequence[Two], games: int, limits: SprtLimits | None):
        """Takes a run's config, its pairings, the number of games of each, and the limits of a test that may end them earlier."""
        self.pairings = pairings
        self._config, self._rounds, self._limits = config, games // 2, limits
        self._conditions = Conditions(config.move_seconds, config.game_seconds, config.adjudicate)
        self._begin()

    def _begin(self) -> None:
        self.tallies = [Tally([player.name for player in two]) for two in self.pairings]
        self.tests: list[Sprt | None] = [None] * len(self.pairings)
        self._evidence = [Evidence() for _ in self.pairings]  # for the tests
        self._ends = [self._rounds] * len(self.pairings)  # rounds that each pairing plays

    def play(self, log: GamesLog) -> None:
        """Plays the games that the log lacks, and leaves only those that count in it."""
        with progress(f"{self._config.name}: openings", self._openings_needed()) as show:
            openings = openings_of(self._config, self._openings_needed(), show)
        log.hold_all(lambda number: self._task(openings, number))
        self._count_all(log)
        total = 2 * self._rounds * len(self.pairings)
        with executor_of(self._config.executor) as executor, progress(self._config.name, total, lambda: score_table(self.tallies)) as show:
            for entry in GameRunner(log, executor, show).play(self._tasks(openings)):
                self._count(entry)
        if self._limits:  # the number of workers decides how many games were played after a test's end
            log.keep(lambda game: self._round(game) < self._ends[self._pairing_index(game)])
        self._count_all(log)  # in the order of ids, as rounding depends on it

    def _openings_needed(self) -> int:
        return min(self._rounds * len(self.pairings), max(MOST_OPENINGS, self._rounds))

    def _tasks(self, openings: Sequence[Opening]) -> Iterator[GameTask]:
        """Yields all games except those of pairings whose test has ended."""
        for round in range(self._rounds):
            for index in range(len(self.pairings)):
                if round < self._ends[index]:
                    yield from self._pair(openings, round, index)

    def _task(self, openings: Sequence[Opening], id: int) -> GameTask | None:
        """Returns the task of an id, None if there is none."""
        in_run = 0 <= id < 2 * self._rounds * len(self.pairings)
        return self._pair(openings, self._round(id), self._pairing_index(id))[id % 2] if in_run else None

    def _pair(self, openings: Sequence[Opening], round: int, pairing_index: int) -> list[GameTask]:
        """Returns the two games of a pairing in a round."""
        opening = openings[(pairing_index * self._rounds + round) % len(openings)]
        number, game = round * len(self.pairings) + pairing_index, game_record(self._config.game)
        return pair_of_games(game, self.pairings[pairing_index], opening, number, self._config.seed, self._conditions)

    def _pairing_index(self, id: int) -> int:
        return id // 2 % len(self.pairings)

    def _round(self, id: int) -> int:
        return id // 2 // len(self.pairings)

    def _count_all(self, log: GamesLog) -> None:
        self._begin()
        for id in sorted(log):
            self._count(log[id])

    def _count(self, entry: dict[str, Any]) -> None:
        """Adds a game to its tally; a test may end the games of its pairing."""
        index = self._pairing_index(entry["id"])
        self.tallies[index].add(entry)
        if self._limits:
            self._test(index, self._limits)

    def _test(self, index: int, limits: SprtLimits) -> None:
        """Ends a pairing after the first round at which its test has a verdict."""
        tally, evidence = self.tallies[index], self._evidence[index]
        while self._ends[index] > evidence.pairs and tally.has_pair(number := evidence.pairs * len(self.pairings) + index):
            evidence.add(*tally.pair(number))
            state = self.tests[index] = sprt(evidence.weights(), limits.elo0, limits.elo1, limits.alpha, limits.beta)
            if state.verdict is not None:
                self._ends[index] = evidence.pairs


class Evidence:
    """The pairs of a pairing that a sequential test has counted, in the order of their rounds, without a gap.

    Attributes:
        pairs: their number.
    """

    def __init__(self) -> None:
        self.pairs = 0
        self._counts = np.zeros(5)  # by points: 0, 1/2, 1, 3/2, 2
        self._distinct: set[int] = set()

    def add(self, points: float, played: int) -> None:
        """Counts a pair by its points and the hash of its moves."""
        self.pairs += 1
        self._counts[round(2 * points)] += 1
        self._distinct.add(played)

    def weights(self) -> NDArray[np.float64]:
        """Returns the pairs by points, float64[5], weighted so that all together count as the distinct ones."""
        return self._counts * (len(self._distinct) / self.pairs)


def openings_of(config: Played, count: int, show: Callable[[int], None]) -> list[Opening]:
    """Returns the openings of a run, from its file or random; they repeat when they are used up."""
    game = game_of(config.game)
    if config.opening_file is not None:
        openings = read_openings(Path(config.opening_file), game)
        return [openings[number % len(openings)] for number in range(count)]
    judge = judged_by(make(config.opening_judge, game)) if config.opening_judge else None
    return draw_openings(game, config.opening_plies, count, config.seed, judge, show)
