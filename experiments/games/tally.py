"""Counts the games between two agents one entry at a time, so that a log of any length needs little memory."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from ..results import Lengths, Matchup, Outcomes
from ..statistics.score import POINTS, Score, outcome_of, score_interval, seat_of
from ..statistics.sprt import Sprt
from .task import SEATS

OUTCOMES = ("win", "draw", "loss")
FORFEITS = ("illegal", "timeout", "crash")


class Tally:
    """Counts of the games between two agents; outcomes and scores are the first one's.

    Attributes:
        agents: their names.
        games: number of games so far.
        outcomes: by seat and outcome.
        forfeits: by agent and ending.
    """

    def __init__(self, agents: Sequence[str]):
        """Takes the names of both agents, or only of the first for its score."""
        self.agents = agents
        self.games = 0
        self.outcomes: Counter[tuple[str, str]] = Counter()
        self.forfeits: Counter[tuple[str, str]] = Counter()
        self._reasons: dict[tuple[str, str], str] = {}  # of the first forfeit of each kind
        self._points: dict[int, float] = defaultdict(float)  # by pair
        self._played: dict[int, int] = defaultdict(int)  # sum of the hashes of the games of each pair
        self._counts: Counter[int] = Counter()  # games of each pair
        self._distinct: set[int] = set()  # hashes of games
        self._endings: Counter[str] = Counter()
        self._plies: Counter[int] = Counter()
        self._seconds: dict[str, float] = defaultdict(float)
        self._moves: Counter[str] = Counter()

    def add(self, game: dict[str, Any]) -> None:
        """Counts a game by its log entry."""
        seat, outcome, pair = seat_of(game, self.agents[0]), outcome_of(game, self.agents[0]), game["pair"]
        self.games += 1
        self.outcomes[seat, outcome] += 1
        self._points[pair] += POINTS[outcome]
        self._counts[pair] += 1
        self._played[pair] += hash((seat, game["moves"]))
        self._distinct.add(hash(game["moves"]))
        self._endings[game["termination"]] += 1
        self._plies[game["plies"]] += 1
        if game["termination"] in FORFEITS:
            forfeit = game["second" if game["result"] == "first" else "first"], game["termination"]
            self.forfeits[forfeit] += 1
            self._reasons.setdefault(forfeit, game["reason"])
        for index, name in enumerate((game["first"], game["second"])):
            self._seconds[name] += game["seconds"][index]
            self._moves[name] += sum(ply % 2 == index for ply in range(game["opening"], game["plies"]))

    @property
    def points(self) -> float:
        """Wins and half the draws."""
        return sum(self._points.values())

    def pair_means(self, agent: str) -> list[float]:
        """Returns the mean score of one of the two in each pair, in no particular order."""
        means = [points / self._counts[pair] for pair, points in self._points.items()]
        return means if agent == self.agents[0] else [1 - mean for mean in means]

    @property
    def distinct_pairs(self) -> int:
        """The number of pairs that do not repeat another move by move."""
        return len(set(self._played.values()))

    @property
    def distinct_games(self) -> int:
        """The number of games that do not repeat another move by move."""
        return len(self._distinct)

    def has_pair(self, pair: int) -> bool:
        """Tells whether both games of a pair have been added."""
        return self._counts[pair] == 2

    def pair(self, pair: int) -> tuple[float, int]:
        """Returns the points of a complete pair, 0 to 2, and the hash of its moves."""
        return self._points[pair], self._played[pair]

    def score(self) -> Score:
        """Returns the score with its interval; needs a game."""
        return score_interval(self.pair_means(self.agents[0]), self.distinct_pairs)

    def results(self, test: Sprt | None = None) -> Matchup:
        """Returns the results of the games, with their sequential test."""
        score, plies = self.score(), self._plies
        return Matchup(
            agents=list(self.agents),
            games=self.games,
            distinct_games=self.distinct_games,
            outcomes={seat: Outcomes(**{outcome: self.outcomes[seat, outcome] for outcome in OUTCOMES}) for seat in SEATS},
            score=score.value,
            low=score.low,
            high=score.high,
            terminations=dict(self._endings),
            plies=Lengths(mean=sum(count * games for count, games in plies.items()) / self.games, min=min(plies), max=max(plies)),
            seconds_per_move={agent: self._seconds[agent] / self._moves[agent] if self._moves[agent] else 0.0 for agent in self.agents},
            warnings=self.warnings(),
            sprt=test,
        )

    def warnings(self) -> list[str]:
        """Returns reasons to doubt the score: repeated games and forfeits."""
        if not repeats_much(self.games, self.distinct_games):
            return self.forfeit_warnings()
        games = f"games{self._against(self.agents[0])}"
        repeats = f"only {self.distinct_games} of {self.games} {games} {'is' if self.distinct_games == 1 else 'are'} distinct"
        return [f"{repeats}, so the interval counts only what differs; more opening_plies would help", *self.forfeit_warnings()]

    def forfeit_warnings(self) -> list[str]:
        """Returns a line for each agent and kind of forfeit, with the number and the reason of the first."""
        return [
            f"{agent} lost {count} game{'s' * (count > 1)}{self._against(agent)} by {FORFEIT_TEXTS[ending]}: {self._reasons[agent, ending]}"
            for (agent, ending), count in self.forfeits.items()
        ]

    def _against(self, agent: str) -> str:
        """Returns " against" and the opponent of one of two agents; empty for a single agent."""
        others = [other for other in self.agents if other != agent]
        return f" against {others[0]}" if len(self.agents) == 2 else ""


def repeats_much(games: int, distinct: int) -> bool:
    """Tells whether more than a twentieth of the games repeat others move by move."""
    return games - distinct > games / 20


FORFEIT_TEXTS = {"illegal": "an illegal move", "timeout": "exceeding its time", "crash": "an error or the end of its process"}


def tally_of(games: Iterable[dict[str, Any]], agents: Sequence[str]) -> Tally:
    """Returns the tally of games between two agents, or of the games of one."""
    tally = Tally(agents)
    for game in games:
        tally.add(game)
    return tally


def score_of_games(games: Iterable[dict[str, Any]], agent: str) -> Score:
    """Returns the score of an agent over the games of a log that it played, at least one."""
    return tally_of(games, (agent,)).score()


def matchup_of(games: Iterable[dict[str, Any]], agents: tuple[str, str]) -> Matchup:
    """Returns the results of games between two agents from their log entries; needs a game."""
    return tally_of(games, agents).results()
