"""The games of a run for its report, counted in one pass, so that a log of any length needs little memory."""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..games.log import read_games
from ..games.tally import Tally
from ..statistics.score import POINTS, Score, score_interval

MOST_GAMES = 60  # of one run in its report, more only where more agents met
Pairing = frozenset[str]


class Kind(NamedTuple):
    """The properties that games of one sort share: players by seat, result, ending and length."""

    first: str
    second: str
    result: str
    termination: str
    plies: int

    @property
    def pairing(self) -> Pairing:
        """Who played, in any seats."""
        return frozenset((self.first, self.second))

    def outcome(self, agent: str) -> str:
        """Returns what the games were for an agent: "win", "draw" or "loss"."""
        return "draw" if self.result == "draw" else "win" if getattr(self, self.result) == agent else "loss"


class LogGames:
    """The games of a log, read from the file at each iteration; none if there is no file.

    Attributes:
        path: of the log; None for no games.
    """

    def __init__(self, path: Path | None = None, stage: str | None = None, names: Mapping[str, str] | None = None):
        """Takes the path, the stage of the games to read (None for all), and other names for the agents."""
        self.path = path
        self._stage, self._names = stage, names

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for game in read_games(self.path) if self.path and self.path.exists() else ():
            if self._stage in (None, game.get("stage")):
                yield game if self._names is None else {**game, **{seat: self._names[game[seat]] for seat in ("first", "second")}}

    @functools.cached_property
    def digest(self) -> Digest:
        """The digest of all games."""
        return Digest(self)

    def tallies(self) -> list[Tally]:
        """Returns a tally for each two agents that met, with the one first that had the first seat in their first game."""
        tallies: dict[Pairing, Tally] = {}
        for game in self:
            agents = (game["first"], game["second"])
            tallies.setdefault(frozenset(agents), Tally(agents)).add(game)
        return list(tallies.values())


class Digest:
    """The counts of some games.

    Attributes:
        count: number of games.
        game: its id and parameters; None without games.
        kinds: number of games of each sort.
    """

    def __init__(self, games: Iterable[dict[str, Any]]):
        """Goes through the games once."""
        self.count = 0
        self.game: dict[str, Any] | None = None
        self.kinds: Counter[Kind] = Counter()
        self._moves: dict[tuple[str, str], set[int]] = defaultdict(set)  # hashes of the games of each first and second agent
        self._fresh: dict[Pairing, dict[Any, list[int]]] = defaultdict(lambda: defaultdict(list))  # ids by how the games ended
        self._repeats: dict[Pairing, list[int]] = defaultdict(list)  # ids of games that repeat an earlier one
        for game in games:
            self._add(game)

    def _add(self, game: dict[str, Any]) -> None:
        kind = Kind(*(game[name] for name in Kind._fields))
        self.count += 1
        self.game = self.game or game["game"]
        self.kinds[kind] += 1
        seen, moves = self._moves[kind.first, kind.second], hash(game["moves"])
        ids = self._repeats[kind.pairing] if moves in seen else self._fresh[kind.pairing][kind.first, kind.result, kind.termination]
        seen.add(moves)
        if len(ids) < MOST_GAMES:
            ids.append(game["id"])

    def score(self, agent: str, seat: str, opponent: str | None = None) -> Score | None:
        """Returns an agent's score in a seat, against one opponent or all; None without games."""
        other = "second" if seat == "first" else "first"
        kinds = [kind for kind in self.kinds if getattr(kind, seat) == agent and opponent in (None, getattr(kind, other))]
        points = [POINTS[kind.outcome(agent)] for kind in kinds for _ in range(self.kinds[kind])]
        distinct = sum(len(self._moves[seats]) for seats in {(kind.first, kind.second) for kind in kinds})
        return score_interval(points, distinct) if points else None

    def choice(self) -> list[int]:
        """Returns ids of games to show: one of each pairing in turn, of a pairing one of each kind of end in turn, repeats last."""
        fresh = (in_turn(by_ending.values()) for by_ending in self._fresh.values())
        return [*in_turn(fresh), *in_turn(self._repeats.values())][: max(MOST_GAMES, len(self._fresh))]


def in_turn(groups: Iterable[Iterable[Any]]) -> Iterator[Any]:
    """Yields the first of each group, then the second of each, and so on."""
    waiting = [iter(group) for group in groups]
    while waiting:
        left = []
        for group in waiting:
            for item in group:
                yield item
                left.append(group)
                break
        waiting = left
