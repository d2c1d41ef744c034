"""A benchmark: searches, environments and learners to be timed."""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, Literal

from pydantic import PositiveFloat

from ....envs.game import Game
from ....envs.position import Position
from ....envs.rules.errors import SparringError
from ...config.parts import (
    TRAINING_EXTRA,
    TRAINING_PACKAGES,
    AgentChoice,
    Batch,
    Count,
    Experiment,
    GameChoice,
    Mistake,
    PoolChoice,
    Settings,
    game_of,
    unfit,
)
from .peers import PEERS

RANDOM: list[dict[str, Any]] = [{"opponent": {"name": "random"}, "weight": 1}]


class Search(Settings, frozen=True):
    """One search of a benchmark.

    Attributes:
        game: the game with its parameters.
        agent: the search, with a budget of nodes or depth.
        position: moves from the start, or a board; empty for the start.
        claim: million nodes a second that are to be reached.
    """

    game: GameChoice
    agent: AgentChoice
    position: str = ""
    claim: PositiveFloat | None = None


class Environments(Settings, frozen=True):
    """Games of a benchmark, played by random actions, or learned from.

    Attributes:
        game: the game with its parameters.
        opponent: the opponent, or a pool of them.
        games: how many games are played at once.
        single: plays in as many single environments, one after the other, instead of in a batch.
        claim: million plies of random play, or million steps of learning, a second that are to be reached.
    """

    game: GameChoice
    opponent: PoolChoice = RANDOM
    games: Batch = 256
    single: bool = False
    claim: PositiveFloat | None = None


class RandomPlay(Environments, frozen=True):
    """Games of a benchmark, played by random actions.

    Attributes:
        peer: another package that plays the games in our place, both sides at random; if it is not installed, the line is left out.
    """

    peer: Literal["openspiel", "pettingzoo", "pgx"] | None = None

    def mistakes(self) -> Iterator[Mistake]:
        """Yields what the peer does not play."""
        if self.peer is None:
            return
        peer = PEERS[self.peer]
        if not peer.has(game_of(self.game)):
            names = ", ".join(Game.of(id).name for id in peer.names)
            yield ("game",), f"expected a game of {peer.title} with its usual parameters: {names}"
        if self.opponent != RANDOM or self.single:
            yield ("peer",), "expected neither an opponent nor single environments beside a peer"
        if self.games > 1 and not peer.has_batches:
            yield ("games",), f"expected 1, as {peer.title} plays one game at a time, got {self.games}"


class BenchConfig(Experiment, frozen=True):
    """Speeds by processor time, each measured in turn with the others.

    Attributes:
        searches: by name, searches whose nodes a second are measured.
        environments: by name, games of random play whose plies a second are measured, both sides counted.
        learners: by name, games that MaskablePPO learns from; steps a second are measured, learning included.
        repeats: rounds over all of them; the best round counts, as everything else only takes time away.
    """

    kind: Literal["bench"] = "bench"
    searches: dict[str, Search] = {}
    environments: dict[str, RandomPlay] = {}
    learners: dict[str, Environments] = {}
    repeats: Count = 5

    def mistakes(self) -> Iterator[Mistake]:
        """Yields the agents and peers that cannot play their game, positions that are none, and a benchmark of nothing."""
        if not self.searches and not self.environments and not self.learners:
            yield ("kind",), "expected something to time under searches, environments or learners"
        for name, search in self.searches.items():
            yield from unfit(("searches", name, "agent"), search.agent, search.game)
            try:
                Position(game_of(search.game), search.position)
            except SparringError as error:
                yield ("searches", name, "position"), str(error)
        for key, group in (("environments", self.environments), ("learners", self.learners)):
            for name, one in group.items():
                for index, member in enumerate(one.opponent):
                    yield from unfit((key, name, "opponent", index), member["opponent"], one.game)
        for name, one in self.environments.items():
            yield from ((("environments", name, *place), message) for place, message in one.mistakes())
        if self.learners and any(find_spec(package) is None for package in TRAINING_PACKAGES):
            yield ("learners",), f"learners need {TRAINING_EXTRA}"

    def plan(self) -> str:
        """Returns what is timed."""
        return "timing of searches, environments and learners"
