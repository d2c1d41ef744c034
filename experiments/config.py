"""The kinds of experiment a config can describe, as strict models.

A new kind is one model here, which names its runner, and its place in `Config` (and in `Series.runs`, if a series may hold it).
`config_file` reads and checks them, `run` carries them out.
"""

import math
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from ..agents import make, parse_spec, read_spec
from ..envs.game import Game
from ..envs.position import Position
from ..envs.rules.errors import SparringError, unknown
from .peers import PEERS

Mistake: TypeAlias = tuple[tuple[str | int, ...], str]  # a place in the config, and what is wrong there


class Settings(BaseModel, extra="forbid", frozen=True, strict=True):
    """Base of all parts of a config: no unknown keys, no silent conversions, no changes afterwards."""


def read_game(value: Any) -> dict[str, Any]:
    """Returns a game's full id with all parameters that it takes, from `Gomoku:size=9` or `{id: Gomoku, size: 9}`.

    The game itself decides whether it can exist.
    """
    given = value
    if isinstance(value, str):
        words = read_spec(value)
        given = {"id": words.pop("name"), **words}
    if not isinstance(given, dict) or not isinstance(given.get("id"), str):
        raise ValueError(f"expected a game's id, or {{id: …, parameter: …}}, got {value!r}")
    parameters = {str(name): parameter for name, parameter in given.items() if name != "id"}
    game = Game.of(given["id"], **parameters)
    return {"id": game.id, **{name: game.parameters[name] for name in Game.free_parameters(game.id) if name in game.parameters}}


def read_agent(value: Any) -> dict[str, Any]:
    """Returns an agent's name and parameters, from `alphabeta:depth=4` or `{name: alphabeta, depth: 4}`."""
    if not isinstance(value, str | dict):
        raise ValueError(f"expected an agent, such as alphabeta:depth=4 or {{name: alphabeta, depth: 4}}, got {value!r}")
    if isinstance(value, dict) and not isinstance(value.get("name"), str):
        raise ValueError(f"expected an agent's name under the key 'name', got {value!r}")
    return parse_spec(value)


def read_pool(value: Any) -> list[dict[str, Any]]:
    """Returns a pool of opponents with their weights, from one agent or a list of agents and {opponent: agent, weight: number}."""
    members = value if isinstance(value, list) else [value]
    if not members:
        raise ValueError("expected at least one opponent, got []")
    return [_read_member(member) for member in members]


def _read_member(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or "opponent" not in value:
        return {"opponent": read_agent(value), "weight": 1}
    weight = value.get("weight", 1)
    is_number = isinstance(weight, int | float) and not isinstance(weight, bool)
    if set(value) - {"opponent", "weight"} or not is_number or not 0 < weight < math.inf:
        raise ValueError(f"expected {{opponent: agent, weight: a positive number}}, got {value!r}")
    return {"opponent": read_agent(value["opponent"]), "weight": weight}


def read_name(value: str) -> str:
    """Returns a name that can be a folder's."""
    if not value or value[0] in ".-" or not all(letter.isalnum() or letter in "._-" for letter in value) or len(value) > 80:
        raise ValueError(f"expected up to 80 letters, digits, '.', '_' and '-', starting with a letter or digit, got {value!r}")
    return value


TRAINING_PACKAGES = ("sb3_contrib", "safetensors", "tensorboard")
TRAINING_EXTRA = "the extra 'train'; install it with: pip install 'sparring[train]'"
RANDOM: list[dict[str, Any]] = [{"opponent": {"name": "random"}, "weight": 1}]
FULL = "full"  # the configuration of an ablation in which nothing is changed
Name = Annotated[str, AfterValidator(read_name)]
GameChoice = Annotated[dict[str, Any], BeforeValidator(read_game)]
AgentChoice = Annotated[dict[str, Any], BeforeValidator(read_agent)]
PoolChoice = Annotated[list[dict[str, Any]], BeforeValidator(read_pool)]
OpeningPlies = Annotated[int, Field(ge=0, le=20)]
PairedGames = Annotated[int, Field(ge=2, multiple_of=2)]
Seed = Annotated[int, Field(ge=0, lt=2**32)]
Share = Annotated[float, Field(ge=0, le=1)]
Seat = Literal["first", "second", "random", "alternate"]


class Experiment(Settings, frozen=True):
    """What every kind has.

    Attributes:
        runner: module and function of this package that carries a config of this kind out.
        name: of the run's folder; by default that of the config's file.
        seed: decides every random choice of the run.
    """

    runner: ClassVar[str]

    kind: str
    name: Name = ""
    seed: Seed = 0

    def mistakes(self) -> Iterator[Mistake]:
        """Yields what only several settings together show to be wrong."""
        yield from ()

    def resolved(self, name: str) -> "Experiment":
        """Returns the config with every default filled in, `name` for a missing name."""
        return self if self.name else self.model_copy(update={"name": name})


class Match(Experiment, frozen=True):
    """Paired games between two agents: every opening is played once from each seat."""

    runner = "match:run_match"

    kind: Literal["match"] = "match"
    game: GameChoice
    agents: Annotated[list[AgentChoice], Field(min_length=2, max_length=2)]
    games: PairedGames = 100
    opening_plies: OpeningPlies = 2

    def mistakes(self) -> Iterator[Mistake]:
        """Yields the agents that cannot play the game."""
        for index, agent in enumerate(self.agents):
            yield from _unfit(("agents", index), agent, self.game)


class MaskablePPO(Settings, frozen=True):
    """Settings of sb3-contrib's MaskablePPO that are worth tuning on these games; the others keep its defaults.

    Attributes:
        learning_rate, ent_coef: at the start.
        final_learning_rate, final_ent_coef: at the end, reached in equal steps from one evaluation to the next; None to stay.
        net_arch: sizes of the fully connected layers.
        channels, window, blocks: of the convolutions before them (see `agents.network.Network`); no channels, no convolutions.
    """

    name: Literal["MaskablePPO"] = "MaskablePPO"
    learning_rate: PositiveFloat = 1e-3
    n_steps: PositiveInt = 32
    batch_size: Annotated[int, Field(ge=2)] = 512
    n_epochs: PositiveInt = 4
    gamma: Share = 0.99
    gae_lambda: Share = 0.95
    ent_coef: NonNegativeFloat = 0.01
    clip_range: PositiveFloat = 0.2
    final_learning_rate: PositiveFloat | None = None
    final_ent_coef: NonNegativeFloat | None = None
    net_arch: list[PositiveInt] = [128, 128]
    channels: NonNegativeInt = 0
    window: PositiveInt = 4
    blocks: NonNegativeInt = 0


class Evaluation(Settings, frozen=True):
    """How a training is measured: paired games against each of some fixed opponents.

    Attributes:
        opponents: whom the learner is measured against.
        every: time steps between two evaluations, each of which also saves a checkpoint.
        games: against each opponent, during training.
        final_games: against each opponent, at the end.
        opening_plies: random legal plies at the start of these games.
    """

    opponents: Annotated[list[AgentChoice], Field(min_length=1)] = [{"name": "random"}]
    every: PositiveInt = 20_000
    games: PairedGames = 40
    final_games: PairedGames = 100
    opening_plies: OpeningPlies = 2


class Schedule(Settings, frozen=True):
    """Opponents that follow each other: the next one comes when the learner's score against the present one is high enough.

    Attributes:
        rungs: from the weakest on.
        promote: the score at an evaluation that leads to the next rung.
        rehearse: the share of games against the rungs that were passed, so that they are not forgotten.
    """

    rungs: Annotated[list[AgentChoice], Field(min_length=1)]
    promote: Share = 0.75
    rehearse: Share = 0.25


class SelfPlay(Settings, frozen=True):
    """Games against earlier states of the learner, drawn with the other opponents.

    Attributes:
        share: of the games, as soon as there is an earlier state.
        keep: how many of the latest states, one from each evaluation, play.
    """

    share: Share = 0.5
    keep: PositiveInt = 8


class Train(Experiment, frozen=True):
    """A network trained by MaskablePPO against opponents, measured against fixed ones.

    Attributes:
        opponent: one, or a pool: a list, of which one is drawn for each game, with weights as {opponent: …, weight: …}.
        schedule: opponents that follow each other, instead of `opponent`.
        self_play: games against earlier states of the learner, beside either.
        symmetry: show each game turned or mirrored, drawn anew for every game.
        environments: games in the batch.
        threads: that share them.
    """

    runner = "train:run_train"

    kind: Literal["train"] = "train"
    game: GameChoice
    opponent: PoolChoice | None = None
    schedule: Schedule | None = None
    self_play: SelfPlay | None = None
    symmetry: bool = False
    timesteps: PositiveInt
    environments: PositiveInt = 128
    threads: PositiveInt = 1
    seat: Seat = "random"
    opening_plies: OpeningPlies = 0
    opponent_epsilon: Share = 0.0
    algorithm: MaskablePPO = MaskablePPO()
    evaluate: Evaluation = Evaluation()

    def mistakes(self) -> Iterator[Mistake]:
        """Yields a missing extra, the opponents that cannot play the game, and batches that do not divide a rollout."""
        if any(find_spec(package) is None for package in TRAINING_PACKAGES):
            yield ("kind",), f"a training needs {TRAINING_EXTRA}"
        if (self.opponent is None) == (self.schedule is None):
            yield ("opponent",), "expected either an opponent or a schedule"
        for index, member in enumerate(self.opponent or []):
            yield from _unfit(("opponent", index), member["opponent"], self.game)
        for index, rung in enumerate(self.schedule.rungs if self.schedule else []):
            yield from _unfit(("schedule", "rungs", index), rung, self.game)
        for index, agent in enumerate(self.evaluate.opponents):
            yield from _unfit(("evaluate", "opponents", index), agent, self.game)
        rollout, batch = self.algorithm.n_steps * self.environments, self.algorithm.batch_size
        if rollout % batch:
            yield ("algorithm", "batch_size"), f"expected a divisor of n_steps * environments = {rollout}, got {batch}"


class Sample(Settings, frozen=True):
    """Positions taken from games that an agent plays against itself.

    Attributes:
        games: how many; positions are those in which one side is to move, the first in every other game.
        player: plays them.
        opening_plies: random legal plies at the start of each.
        every: how many of that side's moves lie from one position to the next.
    """

    games: Annotated[int, Field(ge=2)] = 10
    player: AgentChoice = {"name": "alphabeta", "depth": 2}
    opening_plies: OpeningPlies = 4
    every: PositiveInt = 1


Stage = Literal["early", "middle", "late"]


class Claim(Settings, frozen=True):
    """A difference in the depth reached that is said to be found.

    Attributes:
        text: the claim in words.
        more, less: the configurations whose mean depths are compared; a claim about one of them compares stages.
        more_stage, less_stage: thirds of the games; by default whole games.
        at_least, at_most: plies that `more` is deeper than `less`.
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
        agent: the full search with its budget.
        configurations: by name what each changes in it; one with a `name` is an agent of its own.
        positions: that each configuration searches, game by game.
        pause: seconds between two positions of a game, in which an agent may ponder.
        claims: to be held against what is found.
    """

    runner = "ablation:run_ablation"

    kind: Literal["ablation"] = "ablation"
    game: GameChoice
    agent: AgentChoice
    configurations: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    positions: Sample = Sample()
    pause: NonNegativeFloat = 0.0
    claims: list[Claim] = []

    def specs(self) -> dict[str, dict[str, Any]]:
        """Returns the agent of each configuration, the full search first."""
        changed = {name: change if "name" in change else {**self.agent, **change} for name, change in self.configurations.items()}
        return {FULL: self.agent, **changed}

    def mistakes(self) -> Iterator[Mistake]:
        """Yields agents that cannot play the game or do not exist, and claims about what is not there or without a bound."""
        yield from _unfit(("agent",), self.agent, self.game)
        yield from _unfit(("positions", "player"), self.positions.player, self.game)
        if FULL in self.configurations:
            yield ("configurations", FULL), f"expected another name than {FULL!r}, which is the agent itself"
        for name in self.configurations:
            yield from _unfit(("configurations", name), self.specs()[name], self.game)
        for index, claim in enumerate(self.claims):
            for key in ("more", "less"):
                if getattr(claim, key) not in self.specs():
                    yield ("claims", index, key), unknown("configuration", getattr(claim, key), list(self.specs()))
            if claim.at_least is None and claim.at_most is None:
                yield ("claims", index), "expected at_least, at_most or both"


class Search(Settings, frozen=True):
    """One search of a benchmark.

    Attributes:
        game: what is played.
        agent: with a budget of nodes or depth.
        position: moves from the start, or a board; empty for the start.
        claim: million nodes a second that are to be reached, if any.
    """

    game: GameChoice
    agent: AgentChoice
    position: str = ""
    claim: PositiveFloat | None = None


class Environments(Settings, frozen=True):
    """Games of a benchmark, played by random actions, or learned from.

    Attributes:
        game: what is played.
        opponent: one, or a pool.
        games: how many at once.
        single: in as many single environments, one after the other, instead of a batch.
        claim: million plies of random play, or steps of learning, a second that are to be reached, if any.
    """

    game: GameChoice
    opponent: PoolChoice = RANDOM
    games: PositiveInt = 256
    single: bool = False
    claim: PositiveFloat | None = None


class RandomPlay(Environments, frozen=True):
    """Games of a benchmark, played by random actions.

    Attributes:
        peer: another package that plays them in our place, both sides at random; that it is not installed is no mistake.
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
        searches: nodes a second, by name.
        environments: plies of both sides a second in random play, by name.
        learners: steps a second of MaskablePPO, its learning included, by name.
        repeats: rounds over all of them; the best round counts, as everything else only takes time away.
    """

    runner = "bench:run_bench"

    kind: Literal["bench"] = "bench"
    searches: dict[str, Search] = {}
    environments: dict[str, RandomPlay] = {}
    learners: dict[str, Environments] = {}
    repeats: PositiveInt = 5

    def mistakes(self) -> Iterator[Mistake]:
        """Yields the agents and peers that cannot play their game, positions that are none, and a benchmark of nothing."""
        if not self.searches and not self.environments and not self.learners:
            yield ("kind",), "expected something to time under searches, environments or learners"
        for name, search in self.searches.items():
            yield from _unfit(("searches", name, "agent"), search.agent, search.game)
            try:
                Position(game_of(search.game), search.position)
            except SparringError as error:
                yield ("searches", name, "position"), str(error)
        for key, group in (("environments", self.environments), ("learners", self.learners)):
            for name, one in group.items():
                for index, member in enumerate(one.opponent):
                    yield from _unfit((key, name, "opponent", index), member["opponent"], one.game)
        for name, one in self.environments.items():
            yield from ((("environments", name, *place), message) for place, message in one.mistakes())
        if self.learners and any(find_spec(package) is None for package in TRAINING_PACKAGES):
            yield ("learners",), f"learners need {TRAINING_EXTRA}"


class Tune(Experiment, frozen=True):
    """An agent's weights, tuned by games against itself.

    Attributes:
        agent: with a budget, and the weights to start from if they are not the evaluation's own.
        weights: those to change; all by default.
        challenges: changes to try.
        games: of each challenge.
        threshold: the score from which on a change is kept.
        step: the share by which a weight is changed.
        final_games: of the agent with all changes kept against the start.
    """

    runner = "tune:run_tune"

    kind: Literal["tune"] = "tune"
    game: GameChoice
    agent: AgentChoice
    weights: list[str] = []
    challenges: PositiveInt = 100
    games: PairedGames = 60
    opening_plies: OpeningPlies = 4
    threshold: Share = 0.55
    step: PositiveFloat = 0.3
    final_games: PairedGames = 400

    def mistakes(self) -> Iterator[Mistake]:
        """Yields an agent that cannot play the game or has no weights, and weights that it does not have."""
        try:
            known = make(self.agent, game_of(self.game)).weights_for(game_of(self.game))
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


class Series(Experiment, frozen=True):
    """Runs carried out one after the other; each takes over the series' seed and games unless it has its own.

    Attributes:
        games: of every match, and of every training's final evaluation against each opponent.
        runs: the configs.
    """

    runner = "series:run_series"

    kind: Literal["series"] = "series"
    games: PairedGames | None = None
    runs: Annotated[list[Annotated[Match | Train | Ablation | Tune, Field(discriminator="kind")]], Field(min_length=1)]

    def mistakes(self) -> Iterator[Mistake]:
        """Yields the mistakes of every run."""
        for index, run in enumerate(self.runs):
            yield from ((("runs", index, *place), message) for place, message in run.mistakes())

    def resolved(self, name: str) -> "Series":
        """Returns the series with what its runs take over written into them."""
        runs = [self._inherit(run).resolved(f"{run.game['id'].split('/')[-1].split('-')[0]}-{run.kind}") for run in self.runs]
        return self.model_copy(update={"name": self.name or name, "runs": runs})

    def _inherit(self, run: Match | Train | Ablation | Tune) -> Match | Train | Ablation | Tune:
        changes: dict[str, Any] = {} if "seed" in run.model_fields_set else {"seed": self.seed}
        if self.games is not None and isinstance(run, Match) and "games" not in run.model_fields_set:
            changes["games"] = self.games
        if self.games is not None and isinstance(run, Train) and "final_games" not in run.evaluate.model_fields_set:
            changes["evaluate"] = run.evaluate.model_copy(update={"final_games": self.games})
        return run.model_copy(update=changes)


Config: TypeAlias = Annotated[Match | Train | Ablation | Bench | Tune | Series, Field(discriminator="kind")]


def _unfit(place: tuple[str | int, ...], agent: dict[str, Any], game: dict[str, Any]) -> Iterator[Mistake]:
    """Yields why an agent cannot play a game, if it cannot."""
    try:
        make(agent, game_of(game))
    except SparringError as error:
        yield place, str(error)


def game_record(choice: dict[str, Any]) -> dict[str, Any]:
    """Returns the game that a config's `game` names as logs and results write it: id and all parameters of its rules."""
    game = game_of(choice)
    return {"id": game.id, "parameters": game.parameters}


def game_of(choice: dict[str, Any]) -> Game:
    """Returns the game that a config's `game` names."""
    return Game.of(choice["id"], **{name: value for name, value in choice.items() if name != "id"})
