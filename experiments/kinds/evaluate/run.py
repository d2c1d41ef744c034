"""One agent measured against a ladder: rungs are chosen as its strength becomes known, until its rating is known well enough.

Games go in batches of pairs. After each the rating is estimated anew; the rungs' ratings stay as the ladder has them. The next pairs go to
the rungs whose games tell most about the agent, those of the widest spread of results: of the best few the one that has been played least.

The interval that ends it is that of the agent's own games, as no game of the agent makes the ladder's ratings any better. It tells apart
agents of similar strength on the same ladder. What the ladder's own error adds to the distance to its anchor is told beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from ....agents import Ladder, make, parse_spec, spec_text
from ....agents.factory import build
from ....envs.game import Game
from ....envs.rules.errors import ConfigError
from ...config.parts import choice_of, game_of, game_record
from ...games.log import GamesLog, MemoryLog
from ...games.tally import tally_of
from ...games.task import Conditions, GameTask, Player, pair_of_games
from ...results import GameRecord
from ...run_folder import RunFolder
from ...statistics.estimate import Placement
from ...statistics.game_results import results_of_games
from ...statistics.rating import Ratings, place
from ...statistics.score import outcome_of
from ...terminal.progress import progress
from ...workers.executors import InProcess, executor_of
from ...workers.game_runner import GameRunner
from .. import checked
from ..ladder.run import ratings_of_ladder
from ..paired_games import openings_of
from ..tournament.results import OpeningsRecord
from ..tournament.run import openings_record
from .config import EvaluateConfig, ladder_for
from .results import EvaluateResults, LadderRecord, RungMatchup, RungRecord

BATCH = 8  # pairs between two estimates
TELLING = 4  # rungs that are played in turn; fewer would rest the rating on the weaknesses of one
PLIES = 4  # of random openings for a ladder whose openings stand in a file
OTHER_OPENINGS = "its openings are not made like the ladder's, whose ratings hold for those"
PATIENCE = 12  # batches in which the interval has to become narrower
SLOWEST = 0.02  # the power of the games by which it does, at least; 1/2 is usual, and next to none if games repeat or all end alike
ONE_SIDED = {  # what results that are all alike say of the rating
    frozenset({"win"}): "it won all games: its rating is a lower bound, and the interval does not say how much higher it is",
    frozenset({"loss"}): "it lost all games: its rating is an upper bound, and the interval does not say how much lower it is",
}

Play = Callable[[list[GameTask]], Iterable[dict[str, Any]]]  # plays a batch


def run_evaluate(config: EvaluateConfig, folder: RunFolder) -> EvaluateResults:
    """Plays the games that the folder lacks and returns the results of all of them."""
    measuring = Measuring(config, ladder_for(config), config.agent)
    with GamesLog(folder.games) as log, executor_of(config.executor) as games, progress(config.name, config.games) as show:
        log.hold_all(lambda number: measuring.task_of(number, log[number]))
        measuring.run(GameRunner(log, games, show).entries)
        return measuring.results()


class Measuring:
    """The games of an agent against a ladder.

    Attributes:
        agent: its name in the games.
        entries: of the games so far.
    """

    def __init__(self, config: EvaluateConfig, ladder: Ladder, spec: Any):
        """Takes a config, the ladder, and the agent's spec or itself; draws the openings, which pairs take one after the other."""
        self._config, self._ladder = with_openings_of(ladder, config), ladder
        with progress(f"{config.name}: openings", config.games // 2) as show:
            self._openings = openings_of(self._config, config.games // 2, show)
        self._player, self._rungs = players_of(spec, ladder)
        self.agent = self._player.name
        self.entries: list[dict[str, Any]] = []
        self._played: Counter[str] = Counter()  # pairs against each rung
        self._warnings = [OTHER_OPENINGS] if is_other(openings_record(self._config), ladder.openings) else []

    def run(self, play: Play) -> None:
        """Plays until the rating is known well enough."""
        widths: list[float] = []
        while 2 * self._played.total() < self._config.games:
            self.entries += sorted(play(self._next_batch()), key=lambda entry: entry["id"])  # sums round by their order
            self._rated = self.rating()
            widths.append(self._rated[1].high - self._rated[1].low)
            if widths[-1] <= self._config.width:
                return
            if len(widths) > PATIENCE and widths[-1] > widths[-1 - PATIENCE] * (1 - PATIENCE / len(widths)) ** SLOWEST:
                self._warnings.append("more games would hardly narrow the interval: they repeat, or nearly all end alike")
                return
        self._warnings.append(f"the interval is wider than {self._config.width:g} after all {self._config.games} games")

    def _next_batch(self) -> list[GameTask]:
        """Returns the games of the next pairs."""
        pairs, room = self._played.total(), self._config.games // 2 - self._played.total()
        opponents = list(islice(self._spread() if not self.entries else self._telling(), room))
        return [task for number, rung in enumerate(opponents, start=pairs) for task in self._pair(rung, number)]

    def task_of(self, id: int, entry: dict[str, Any]) -> GameTask | None:
        """Returns the task that a game of a log has if it was played against the rung that it names; None for no such id."""
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

    def _spread(self) -> Iterator[Player]:
        """Yields the first opponents: from all over the ladder."""
        for number in range(BATCH):
            yield self._meet(self._rungs[(len(self._rungs) - 1) * number // (BATCH - 1)])

    def _telling(self) -> Iterator[Player]:
        """Yields the next opponents."""
        ratings, _ = self._rated

        def spread(rung: Player) -> float:
            win, draw, _ = ratings.probabilities(self.agent, rung.name)
            return win + draw / 4 - (win + draw / 2) ** 2

        telling = sorted(self._rungs, key=spread, reverse=True)[:TELLING]
        for _ in range(BATCH):
            yield self._meet(min(telling, key=lambda rung: self._played[rung.name]))

    def _meet(self, rung: Player) -> Player:
        self._played[rung.name] += 1
        return rung

    def rating(self) -> tuple[Ratings, Placement]:
        """Returns the ratings of the agent and all rungs, and the agent's with its intervals."""
        known = replace(ratings_of_ladder(self._ladder), players=tuple(rung.name for rung in self._rungs))
        return place(results_of_games(self.entries, known.players), self.agent, known)

    def results(self) -> EvaluateResults:
        """Returns what the games show."""
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
            warnings=self._warnings + ([alike] if alike else []) + tally_of(self.entries, (self.agent,)).warnings(),
        )

    def _games_against(self, rung: Player) -> Iterator[dict[str, Any]]:
        return (entry for entry in self.entries if rung.name in (entry["first"], entry["second"]))


def is_other(openings: OpeningsRecord, of_ladder: dict[str, Any]) -> bool:
    """Tells whether openings are made in another way than a ladder's, whatever their seed."""
    return openings.model_dump(exclude_unset=True) | {"seed": 0} != of_ladder | {"seed": 0}


def players_of(spec: Any, ladder: Ladder) -> tuple[Player, list[Player]]:
    """Returns an agent and the rungs of a ladder as players; a rung that is the agent itself is told apart by its place."""
    agent = Player(spec_text(spec), spec)
    names = [f"{rung.name} (rung {place})" if rung.name == agent.name else rung.name for place, rung in enumerate(ladder.rungs)]
    return agent, [Player(name, rung.spec) for name, rung in zip(names, ladder.rungs, strict=True)]


def with_openings_of(ladder: Ladder, config: EvaluateConfig) -> EvaluateConfig:
    """Returns a config that makes its openings as a ladder's were made, unless it says how itself."""
    if config.opening_plies is not None:
        return config
    if "plies" not in ladder.openings:
        return config.model_copy(update={"opening_plies": PLIES})
    judge = ladder.openings.get("judge")
    return config.model_copy(update={"opening_plies": ladder.openings["plies"], "opening_judge": judge and parse_spec(judge)})


LARGEST_BOARD = 20  # the side of it; no interval in Elo is as narrow
STAND_IN = "random"  # for an agent that is an object, which no config can name


def agent_of(agent: Any, game: Game) -> Any:
    """Returns an agent's spec as a dict, or the agent that an object, a model or a function is."""
    if isinstance(agent, str | dict):
        build(agent, game)
        return parse_spec(agent)
    return make(agent, game)


@dataclass(frozen=True)
class Evaluation:
    """What an evaluation shows.

    Attributes:
        elo: the agent's rating on the ladder.
        low, high: its 95 % interval by its own games; it tells apart agents of similar strength on the same ladder.
        outer_low, outer_high: the same with the ladder's own error, which the distance to its anchor, random play, has too.
        games: that were played.
        rungs: for each rung played its place, elo, name, games, score with interval, and outcomes by seat.
        losses: how many games were lost by each ending, such as "line", "blocked" or "illegal".
        warnings: what to know before trusting it.
    """

    elo: float
    low: float
    high: float
    outer_low: float
    outer_high: float
    games: int
    rungs: list[RungMatchup]
    losses: dict[str, int]
    warnings: list[str]

    @classmethod
    def of(cls, results: EvaluateResults) -> Evaluation:
        """Returns the evaluation in the results of a run."""
        return cls(*results.elo, results.games, results.rungs, results.losses, results.warnings)

    def __str__(self) -> str:
        outer = f"with the ladder's own error {self.outer_low:.0f} to {self.outer_high:.0f}"
        rating = f"Elo {self.elo:.0f} (95 %: {self.low:.0f} to {self.high:.0f}, {outer}), {self.games} games"
        return "\n".join([rating, *self.warnings])


def config_of(game: str | Game, **words: Any) -> EvaluateConfig:
    """Returns the config of an evaluation in this process; arguments and errors as in `evaluate`."""
    game = Game.of(game)
    _refuse_parameters(game, words)
    choice = choice_of(game)
    return checked({"kind": "evaluate", "game": choice, "agent": STAND_IN, "executor": {"workers": 0}, **words})


def _refuse_parameters(game: Game, words: dict[str, Any]) -> None:
    """Raises ConfigError if a word is meant for the game, as a `width` that is no more than that of a board surely is."""
    for word in Game.free_parameters(game.id).keys() & words.keys():
        value, expected = words[word], "no parameter of the game here"
        if word in EvaluateConfig.model_fields:
            if not isinstance(value, int | float) or value > LARGEST_BOARD:
                continue
            expected = f"that of an interval in Elo, more than {LARGEST_BOARD}"
        raise ConfigError(f"{word}: expected {expected}, got {value!r}; a board's is written with the game: '{game.name}:{word}={value}'")


def evaluate(agent: Any, game: str | Game, *, width: float = 60.0, games: int = 2000, seed: int = 0, **words: Any) -> Evaluation:
    """Returns the rating of an agent on the ladder of a game.

    All games are played in this process: an agent that hangs or ends it takes the script along. With `executor={"workers": 2}`, or in a
    config's `kind: evaluate`, an agent with a name plays in watched processes.

    >>> sparring.evaluate("alphabeta:depth=2", "sparring/ConnectFour-v0", width=150)  # doctest: +SKIP

    Args:
        agent: a name with parameters, a model of Stable-Baselines3, an object with `act`, a class of such objects, or a function from a
            Position to a move.
        game: an id, also with parameters ("Isola:width=6,height=6"), or a Game.
        width: of the 95 % interval in Elo (of a board it is a parameter of the game), by the agent's own games, at which it ends.
        games: after which it ends in any case, an even number.
        seed: decides openings and all chance.
        words: whatever else `kind: evaluate` knows, such as `ladder`, `opening_plies` or `executor`. Parameters of the game stand in it.

    Raises:
        AgentError: no such agent, or one that does not play the game; a game without a ladder.
        ConfigError: other words that cannot be.
    """
    config = config_of(game, width=width, games=games, seed=seed, **words)
    one = agent_of(agent, game_of(config.game))
    if not isinstance(one, dict) and "executor" in words:
        raise ConfigError("executor: expected none for an object, which plays in this process")
    measuring = Measuring(config, ladder_for(config), one)
    executor = executor_of(config.executor) if isinstance(one, dict) else InProcess({measuring.agent: one})
    with executor as playing, progress(measuring.agent, games) as show:
        measuring.run(GameRunner(MemoryLog(), playing, show).entries)
    return Evaluation.of(measuring.results())
