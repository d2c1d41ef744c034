"""One agent measured against a ladder, with rungs of about its strength, until its rating is precise enough.

Pairs of games are played in batches. After each batch the rating is estimated again; the rungs' ratings stay those of the ladder. The next
pairs go to the most informative rungs, whose results have the largest variance: of the best few, to the one that was played least.

The evaluation ends by the interval of the agent's own games, since they do not make the ladder's ratings more precise. That interval
compares agents of similar strength on the same ladder. A second one adds the ladder's own error, for the distance to its anchor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from ....agents import Ladder, parse_spec, spec_text
from ...config.parts import game_of, game_record
from ...games.log import GamesLog
from ...games.tally import tally_of
from ...games.task import Conditions, GameTask, Player, pair_of_games
from ...results import GameRecord
from ...run_folder import RunFolder
from ...statistics.estimate import Placement
from ...statistics.game_results import results_of_games
from ...statistics.rating import Ratings, place_on_scale
from ...statistics.score import outcome_of
from ...terminal.progress import progress
from ...workers.executors import executor_of
from ...workers.game_runner import GameRunner
from ..ladder.run import answers_of, ratings_of_ladder
from ..paired_games import openings_of
from ..tournament.results import OpeningsRecord
from ..tournament.run import openings_record
from .config import EvaluateConfig, ladder_for
from .results import EvaluateResults, LadderRecord, RungMatchup, RungRecord

BATCH = 8  # pairs between two estimates
OPPONENTS = 4  # rungs that are played in turn; with fewer the rating would depend on the weaknesses of one
PLIES = 4  # of random openings, for a ladder whose openings come from a file
OTHER_OPENINGS = "its openings differ from the ladder's, for which the ratings hold"
PATIENCE = 12  # batches over which the interval has to become narrower
LEAST_POWER = 0.02  # see `has_stalled`
ONE_SIDED = {  # warnings if all results are the same
    frozenset({"win"}): "it won all games: its rating is a lower bound, and the interval does not say how much higher it is",
    frozenset({"loss"}): "it lost all games: its rating is an upper bound, and the interval does not say how much lower it is",
}

Play = Callable[[list[GameTask]], Iterable[dict[str, Any]]]  # plays a batch


def run_evaluate(config: EvaluateConfig, folder: RunFolder) -> EvaluateResults:
    """Plays the games that the folder lacks and returns the results of all of them."""
    measurement = LadderMeasurement(config, ladder_for(config), config.agent)
    with GamesLog(folder.games) as log, executor_of(config.executor) as executor, progress(config.name, config.games) as show:
        log.hold_all(lambda number: measurement.task_of(number, log[number]))
        measurement.run(GameRunner(log, executor, show).entries)
        return measurement.results()


class LadderMeasurement:
    """The measurement of an agent by games against a ladder.

    Attributes:
        agent: its name in the games.
        entries: of the games so far.
    """

    def __init__(self, config: EvaluateConfig, ladder: Ladder, spec: Any):
        """Takes a config, the ladder, and the agent or its spec; draws the openings, one for each pair."""
        self._config, self._ladder = with_openings_of(ladder, config), ladder
        with progress(f"{config.name}: openings", config.games // 2) as show:
            self._openings = openings_of(self._config, config.games // 2, show)
        self._player, self._rungs = players_of(spec, ladder)
        self.agent = self._player.name
        self.entries: list[dict[str, Any]] = []
        self._played: Counter[str] = Counter()  # pairs against each rung
        self._warnings = [OTHER_OPENINGS] if is_other(openings_record(self._config), ladder.openings) else []

    def run(self, play: Play) -> None:
        """Plays until the interval is narrow enough, or stalls, or the games are used up."""
        widths: list[float] = []
        while 2 * self._played.total() < self._config.games:
            self.entries += sorted(
                play(self._next_batch()), key=lambda entry: entry["id"]
            )  # in the order of ids, as rounding depends on it
            self._rated = self.rating()
            widths.append(self._rated[1].high - self._rated[1].low)
            if widths[-1] <= self._config.width:
                return
            if has_stalled(widths):
                self._warnings.append("more games would hardly narrow the interval, as games repeat or nearly all end alike")
                return
        self._warnings.append(f"the interval is wider than {self._config.width:g} after all {self._config.games} games")

    def _next_batch(self) -> list[GameTask]:
        """Returns the games of the next pairs."""
        pairs, room = self._played.total(), self._config.games // 2 - self._played.total()
        opponents = list(islice(self._first_opponents() if not self.entries else self._informative_opponents(), room))
        return [task for number, rung in enumerate(opponents, start=pairs) for task in self._pair(rung, number)]

    def task_of(self, id: int, entry: dict[str, Any]) -> GameTask | None:
        """Returns the task of a logged game, against the rung that its entry names; None for an unknown id."""
        if not 0 <= id < self._config.games:
            return None
        named = entry.get("second" if id % 2 == 0 else "first")
        rung = next((rung for rung in self._rungs if rung.name == named), self._rungs[0])
        return self._pair(rung, id // 2)[id % 2]

    def _pair(self, rung: Player, number: int) -> list[GameTask]:
        """Returns the two games of a pair against a rung."""
        conditions = Conditions(self._config.move_seconds, self._config.game_seconds, self._config.adjudicate)
        opening, game = self._openings[number % len(self._openings)], game_record(self._config.game)
        return pair_of_games(game, (self._player, rung), opening, number, self._config.seed, conditions)

    def _first_opponents(self) -> Iterator[Player]:
        """Yields the opponents of the first batch, spread over the ladder."""
        for number in range(BATCH):
            yield self._count_pair(self._rungs[(len(self._rungs) - 1) * number // (BATCH - 1)])

    def _informative_opponents(self) -> Iterator[Player]:
        """Yields the opponents of the next batch: the least played of the most informative rungs."""
        ratings, _ = self._rated

        def variance(rung: Player) -> float:
            win, draw, _ = ratings.probabilities(self.agent, rung.name)
            return win + draw / 4 - (win + draw / 2) ** 2

        informative = sorted(self._rungs, key=variance, reverse=True)[:OPPONENTS]
        for _ in range(BATCH):
            yield self._count_pair(min(informative, key=lambda rung: self._played[rung.name]))

    def _count_pair(self, rung: Player) -> Player:
        self._played[rung.name] += 1
        return rung

    def rating(self) -> tuple[Ratings, Placement]:
        """Returns the ratings of the agent and all rungs, and the agent's with its intervals."""
        known = replace(ratings_of_ladder(self._ladder), players=tuple(rung.name for rung in self._rungs))
        return place_on_scale(results_of_games(self.entries, known.players), self.agent, known)

    def results(self) -> EvaluateResults:
        """Returns the results of the games."""
        _, rating = self.rating()
        tallies = [tally_of(self._games_against(rung), (self.agent, rung.name)) for rung in self._rungs]
        losses = Counter(entry["termination"] for entry in self.entries if outcome_of(entry, self.agent) == "loss")
        alike = ONE_SIDED.get(frozenset(outcome_of(entry, self.agent) for entry in self.entries))
        rungs = [
            RungRecord(name=player.name, elo=rung.elo, low=rung.low, high=rung.high)
            for player, rung in zip(self._rungs, self._ladder.rungs, strict=True)
        ]
        return EvaluateResults(
            kind=self._config.kind,
            game=GameRecord.of(game_of(self._config.game)),
            agent=self.agent,
            openings=openings_record(self._config),
            elo=rating,
            games=len(self.entries),
            ladder=LadderRecord(version=self._ladder.version, package_version=self._ladder.package_version, rungs=rungs),
            rungs=[
                RungMatchup(rung=number, elo=rungs[number].elo, **dict(tally.results()))
                for number, tally in enumerate(tallies)
                if tally.games
            ],
            losses=dict(losses),
            warnings=self._warnings + self._older_rungs() + ([alike] if alike else []) + tally_of(self.entries, (self.agent,)).warnings(),
        )

    def _older_rungs(self) -> list[str]:
        """Returns a warning if rungs that the agent met play otherwise now than when they were rated."""
        game = self._ladder.as_game
        met = [rung for rung, player in zip(self._ladder.rungs, self._rungs, strict=True) if self._played[player.name]]
        older = [rung.name for rung in met if not rung.floating and answers_of(rung.spec, game) != rung.answers]
        return [f"rungs of an older version, that play otherwise now than when they were rated: {', '.join(older)}"] if older else []

    def _games_against(self, rung: Player) -> Iterator[dict[str, Any]]:
        return (entry for entry in self.entries if rung.name in (entry["first"], entry["second"]))


def has_stalled(widths: Sequence[float]) -> bool:
    """Tells whether the interval has nearly stopped narrowing, given its width after each batch.

    The width usually goes with games ** -1/2, but hardly shrinks if games repeat or all end alike. It has stalled if over the last PATIENCE
    batches it shrank by less than games ** -LEAST_POWER.
    """
    if len(widths) <= PATIENCE:
        return False
    games_before = 1 - PATIENCE / len(widths)  # as a share of the games now
    return widths[-1] > widths[-1 - PATIENCE] * games_before**LEAST_POWER


def is_other(openings: OpeningsRecord, of_ladder: dict[str, Any]) -> bool:
    """Tells whether openings differ from a ladder's in more than the seed."""
    return openings.model_dump(exclude_unset=True) | {"seed": 0} != of_ladder | {"seed": 0}


def players_of(spec: Any, ladder: Ladder) -> tuple[Player, list[Player]]:
    """Returns an agent and the rungs of a ladder as players; a rung that is the agent itself gets its number into its name."""
    agent = Player(spec_text(spec), spec)
    names = [f"{rung.name} (rung {number})" if rung.name == agent.name else rung.name for number, rung in enumerate(ladder.rungs)]
    return agent, [Player(name, rung.spec) for name, rung in zip(names, ladder.rungs, strict=True)]


def with_openings_of(ladder: Ladder, config: EvaluateConfig) -> EvaluateConfig:
    """Returns a config with the openings of a ladder, unless it sets its own."""
    if config.opening_plies is not None:
        return config
    if "plies" not in ladder.openings:
        return config.model_copy(update={"opening_plies": PLIES})
    judge = ladder.openings.get("judge")
    return config.model_copy(update={"opening_plies": ladder.openings["plies"], "opening_judge": judge and parse_spec(judge)})
