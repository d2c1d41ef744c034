"""A training: its learner, its opponents, and how it is measured."""

import math
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Annotated, Literal

from pydantic import Field

from ....agents.agent import machine_mib
from ....envs.observation import observation_shape
from ....envs.rules.errors import AgentError, shown
from ...config.parts import (
    TRAINING_EXTRA,
    TRAINING_PACKAGES,
    AgentChoice,
    Batch,
    Count,
    Executor,
    Experiment,
    GameChoice,
    Mistake,
    OpeningPlies,
    PairedGames,
    PoolChoice,
    Seat,
    Settings,
    Share,
    Steps,
    Threads,
    agent_errors,
    game_of,
)
from ...terminal.phrases import choice_text

Rate = Annotated[float, Field(gt=0, le=10)]


class MaskablePPO(Settings, frozen=True):
    """Settings of sb3-contrib's MaskablePPO that are worth tuning on these games; the others keep its defaults.

    Attributes:
        name: the algorithm.
        learning_rate: step size of the optimiser at the start.
        n_steps: moves of each game between two updates.
        batch_size: positions in a minibatch; divides n_steps * environments.
        n_epochs: passes over the positions at each update.
        gamma: discount of a reward for each of the learner's moves.
        gae_lambda: weight of later rewards in the estimate of advantages.
        ent_coef: weight of the entropy in the loss at the start.
        clip_range: how far the ratio of new to old probabilities may go from 1.
        final_learning_rate: learning rate at the end, reached in equal steps from one evaluation to the next; none keeps the first.
        final_ent_coef: entropy weight at the end, reached in the same way; none keeps the first.
        net_arch: sizes of the fully connected layers.
        channels: channels of the convolutions before them (see `agents.network.Network`); 0 for no convolutions.
        window: cells on a side of the windows of the first convolution.
        blocks: residual blocks after it.
        head_channels: channels of a last convolution of single cells over the whole board; 0 for none.
    """

    name: Literal["MaskablePPO"] = "MaskablePPO"
    learning_rate: Rate = 1e-3
    n_steps: Batch = 32
    batch_size: Annotated[int, Field(ge=2, le=2**24)] = 512
    n_epochs: Count = 4
    gamma: Share = 0.99
    gae_lambda: Share = 0.95
    ent_coef: Annotated[float, Field(ge=0, le=100)] = 0.01
    clip_range: Rate = 0.2
    final_learning_rate: Rate | None = None
    final_ent_coef: Annotated[float, Field(ge=0, le=100)] | None = None
    net_arch: Annotated[list[Annotated[int, Field(ge=1, le=4096)]], Field(max_length=8)] = [128, 128]
    channels: Annotated[int, Field(ge=0, le=512)] = 0
    window: Annotated[int, Field(ge=1, le=64)] = 4
    blocks: Annotated[int, Field(ge=0, le=64)] = 0
    head_channels: Annotated[int, Field(ge=0, le=512)] = 0


class Evaluations(Settings, frozen=True):
    """How a training is measured: paired games against each of some fixed opponents.

    Attributes:
        opponents: the agents that the learner is measured against.
        every: time steps between two evaluations, each of which also saves a checkpoint.
        games: games against each opponent at each evaluation, an even number.
        final_games: games against each opponent at the end, an even number.
        opening_plies: random legal plies at the start of these games.
    """

    opponents: Annotated[list[AgentChoice], Field(min_length=1)] = [{"name": "random"}]
    every: Steps = 20_000
    games: PairedGames = 40
    final_games: PairedGames = 100
    opening_plies: OpeningPlies = 2


class Schedule(Settings, frozen=True):
    """Opponents in order: the next one comes when the learner's score against the present one is high enough.

    Attributes:
        rungs: the opponents, from the weakest on.
        promote: the score at an evaluation that leads to the next rung.
        rehearse: the share of games against passed rungs, so that they are not forgotten.
    """

    rungs: Annotated[list[AgentChoice], Field(min_length=1)]
    promote: Share = 0.75
    rehearse: Share = 0.25


class SelfPlay(Settings, frozen=True):
    """Games against earlier states of the learner, drawn with the other opponents.

    Attributes:
        share: share of the games that is played against earlier states, as soon as there is one.
        keep: number of the latest states that play; each evaluation adds one.
    """

    share: Share = 0.5
    keep: Count = 8


class TrainConfig(Experiment, frozen=True):
    """A network trained by MaskablePPO against opponents, measured against fixed ones.

    Attributes:
        game: the game with its parameters.
        opponent: the opponent, or a pool: a list of which one is drawn for each game, with weights as {opponent: …, weight: …}.
        schedule: opponents in order, instead of `opponent`.
        self_play: games against earlier states of the learner, with either.
        start: a safetensors file, as of `kind: imitate`, whose network goes on learning; by default a new one begins.
        start_weight: weight of the divergence from the start's policy in the loss at first; it falls towards 0 by the end, in equal steps
            from one evaluation to the next.
        symmetry: shows each game turned or mirrored, drawn for each game.
        timesteps: moves of the learner in all.
        environments: games in the batch.
        threads: threads that share the games of the batch.
        device: where the network learns; auto takes a GPU for convolutions, where there is one. It rounds otherwise than the processor.
        seat: the learner's seat.
        opening_plies: random legal plies before each training game.
        opponent_epsilon: share of the opponents' moves that is drawn at random.
        algorithm: the learning algorithm with its settings.
        evaluate: how the learner is measured.
        executor: where evaluations of many games are played; small ones stay in the training's process.
    """

    kind: Literal["train"] = "train"
    game: GameChoice
    opponent: PoolChoice | None = None
    schedule: Schedule | None = None
    self_play: SelfPlay | None = None
    start: str | None = None
    start_weight: Annotated[float, Field(ge=0, le=100)] = 0.1
    symmetry: bool = False
    timesteps: Steps
    environments: Batch = 128
    threads: Threads = 1
    device: Literal["auto", "cpu"] = "auto"
    seat: Seat = "random"
    opening_plies: OpeningPlies = 0
    opponent_epsilon: Share = 0.0
    algorithm: MaskablePPO = MaskablePPO()
    evaluate: Evaluations = Evaluations()
    executor: Executor = Executor()

    def mistakes(self) -> Iterator[Mistake]:
        """Yields a missing extra, opponents that cannot play the game, and batches that do not divide a rollout."""
        if any(find_spec(package) is None for package in TRAINING_PACKAGES):
            yield ("kind",), f"a training needs {TRAINING_EXTRA}"
        elif self.start is not None:
            yield from start_errors(self, self.start)
        if (self.opponent is None) == (self.schedule is None):
            yield ("opponent",), "expected either an opponent or a schedule"
        for index, member in enumerate(self.opponent or []):
            yield from agent_errors(("opponent", index), member["opponent"], self.game)
        for index, rung in enumerate(self.schedule.rungs if self.schedule else []):
            yield from agent_errors(("schedule", "rungs", index), rung, self.game)
        for index, agent in enumerate(self.evaluate.opponents):
            yield from agent_errors(("evaluate", "opponents", index), agent, self.game)
        planes = observation_shape(game_of(self.game))
        needed = 4 * math.prod(planes) * self.algorithm.n_steps * self.environments >> 20
        if needed > machine_mib():
            memory = f"n_steps * environments need {needed} MiB"
            yield ("algorithm", "n_steps"), f"{memory}, this machine has {machine_mib()} MiB; lower either"
        rollout, batch = self.algorithm.n_steps * self.environments, self.algorithm.batch_size
        if rollout % batch:
            yield ("algorithm", "batch_size"), f"expected a divisor of n_steps * environments = {rollout}, got {batch}"

    def plan(self) -> str:
        """Returns a line with the length of the training."""
        every = f"with an evaluation every {self.evaluate.every:,}"
        return f"training at {choice_text(self.game)}, {self.timesteps:,} time steps {every}"

    def inheriting(self, seed: int, games: int | None, executor: Executor | None) -> Experiment:
        """Returns the config with the seed, executor and number of final games of its series."""
        run = super().inheriting(seed, games, executor)
        if executor is not None:
            run = run.model_copy(update={"executor": executor})
        if games is None or "final_games" in self.evaluate.model_fields_set:
            return run
        return run.model_copy(update={"evaluate": self.evaluate.model_copy(update={"final_games": games})})


def start_errors(config: TrainConfig, path: str) -> Iterator[Mistake]:
    """Yields the reason why a training cannot go on from the network in a file, if there is one."""
    from ....agents.network import described_network
    from .learner import network_of

    try:
        game, network = described_network(path)
    except AgentError as error:
        yield ("start",), str(error).removeprefix("agent 'policy': path: ")
        return
    if game != game_of(config.game):
        yield ("start",), f"expected a network for {shown(game_of(config.game))}, got one for {shown(game)}"
    if network != network_of(config):
        yield ("start",), f"expected the network of the algorithm, {network_of(config)}, got {network}"
