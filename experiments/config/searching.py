"""Configs of experiments about searches: what their parts are worth, how fast they are, and how their weights are tuned."""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Annotated, Any, Literal

from pydantic import Field, PositiveFloat

from ...agents.agent import MOST_SECONDS
from ...agents.registry import build
from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules.errors import SparringError, unknown
from ..kinds.peers import PEERS
from .parts import (
    TRAINING_EXTRA,
    TRAINING_PACKAGES,
    AgentChoice,
    Batch,
    Count,
    Experiment,
    GameChoice,
    Mistake,
    OpeningPlies,
    PairedGames,
    PoolChoice,
    Settings,
    Share,
    game_of,
    unfit,
)

RANDOM: list[dict[str, Any]] = [{"opponent": {"name": "random"}, "weight": 1}]
FULL = "full"  # the configuration of an ablation in which nothing is changed


class Sample(Settings, frozen=True):
    """Positions taken from games that an agent plays against itself.

    Attributes:
        games: how many games; of each, the positions of one side are taken, the first side's in every other game.
        player: the agent that plays them.
        opening_plies: random legal plies at the start of each game.
        every: every how many moves of that side a position is taken.
    """

    games: Annotated[int, Field(ge=2, le=10_000)] = 10
    player: AgentChoice = {"name": "alphabeta", "depth": 2}
    opening_plies: OpeningPlies = 4
    every: Count = 1


Stage = Literal["early", "middle", "late"]


class Claim(Settings, frozen=True):
    """A difference in the depth reached that is said to be found.

    Attributes:
        text: the claim in words.
        more: the configuration that is said to search deeper; full is the agent with nothing changed.
        less: the configuration that it is compared with.
        more_stage: third of the games that counts for `more`; by default whole games.
        less_stage: third of the games that counts for `less`; by default whole games.
        at_least: plies that `more` is deeper than `less`, at least.
        at_most: plies that `more` is deeper than `less`, at most.
    """

    text: str
    more: str = FULL
    less: str = FULL
    more_stage: Stage | None = None
    less_stage: Stage | None = None
    at_least: float | None = None
    at_most: float | None = None


class Ablation(Experiment, frozen=True):
    """One search with its parts switched on and off, on the same positions and with the same budget.

    Attributes:
        game: the game with its parameters.
        agent: the full search with its budget.
        configurations: by name, the parameters that each changes in the agent; one with a `name` is an agent of its own.
        positions: the positions that each configuration searches, game by game.
        pause: seconds between two positions of a game, in which an agent may ponder.
        claims: what is said to be found; the run tells whether it holds.
    """

    runner = "ablation:run_ablation"

    kind: Literal["ablation"] = "ablation"
    game: GameChoice
    agent: AgentChoice
    configurations: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    positions: Sample = Sample()
    pause: Annotated[float, Field(ge=0, le=MOST_SECONDS)] = 0.0
    claims: list[Claim] = []

    def specs(self) -> dict[str, dict[str, Any]]:
        """Returns the agent of each configuration, the full search first."""
        changed = {name: change if "name" in change else {**self.agent, **change} for name, change in self.configurations.items()}
        return {FULL: self.agent, **changed}

    def mistakes(self) -> Iterator[Mistake]:
        """Yields agents that cannot play the game or do not exist, and claims about what is not there or without a bound."""
        yield from unfit(("agent",), self.agent, self.game)
        yield from unfit(("positions", "player"), self.positions.player, self.game)
        if FULL in self.configurations:
            yield ("configurations", FULL), f"expected another name than {FULL!r}, which is the agent itself"
        for name in self.configurations:
            yield from unfit(("configurations", name), self.specs()[name], self.game)
        for index, claim in enumerate(self.claims):
            for key in ("more", "less"):
                if getattr(claim, key) not in self.specs():
                    yield ("claims", index, key), unknown("configuration", getattr(claim, key), list(self.specs()))
            if claim.at_least is None and claim.at_most is None:
                yield ("claims", index), "expected at_least, at_most or both"


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


class Bench(Experiment, frozen=True):
    """Speeds by processor time, each measured in turn with the others.

    Attributes:
        searches: by name, searches whose nodes a second are measured.
        environments: by name, games of random play whose plies a second are measured, both sides counted.
        learners: by name, games that MaskablePPO learns from; steps a second are measured, learning included.
        repeats: rounds over all of them; the best round counts, as everything else only takes time away.
    """

    runner = "bench:run_bench"

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


class Tune(Experiment, frozen=True):
    """An agent's weights, tuned by games against itself.

    Attributes:
        game: the game with its parameters.
        agent: the search with its budget, and the weights to start from if they are not the evaluation's own.
        weights: names of the weights to change; all by default.
        challenges: how many changes are tried.
        games: games of each challenge, an even number.
        opening_plies: random legal plies at the start of each pair of games.
        threshold: a change is kept if its score is at least this.
        step: the share by which a weight is changed.
        final_games: games of the agent with all changes that were kept against the one at the start.
    """

    runner = "tune:run_tune"

    kind: Literal["tune"] = "tune"
    game: GameChoice
    agent: AgentChoice
    weights: list[str] = []
    challenges: Count = 100
    games: PairedGames = 60
    opening_plies: OpeningPlies = 4
    threshold: Share = 0.55
    step: Annotated[float, Field(gt=0, le=10)] = 0.3
    final_games: PairedGames = 400

    def mistakes(self) -> Iterator[Mistake]:
        """Yields an agent that cannot play the game or has no weights, and weights that it does not have."""
        try:
            known = build(self.agent, game_of(self.game)).weights_for(game_of(self.game))
        except SparringError as error:
            yield ("agent",), str(error)
        except AttributeError:
            yield ("agent",), f"expected an agent with an evaluation, got {self.agent['name']!r}"
        else:
            if not known:
                yield ("agent",), "expected an agent whose evaluation has weights, got one without"
            for index, name in enumerate(self.weights):
                if name not in known:
                    yield ("weights", index), unknown("weight", name, list(known))
