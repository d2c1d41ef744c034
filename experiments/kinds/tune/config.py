"""A tuning: an agent's weights, changed by games against itself."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from ....agents import spec_text
from ....agents.factory import build
from ....envs.rules.errors import SparringError, unknown
from ...config.parts import AgentChoice, Count, Executor, Experiment, GameChoice, Mistake, OpeningPlies, PairedGames, Share, game_of
from ...terminal.phrases import choice_text, counted


class TuneConfig(Experiment, frozen=True):
    """An agent's weights, tuned by games against itself.

    Attributes:
        game: the game with its parameters.
        agent: the search with its budget, and the weights to start from if they are not the evaluation's own.
        weights: names of the weights to change; all by default.
        challenges: number of changes to try.
        games: games of each challenge, an even number.
        opening_plies: random legal plies at the start of each pair of games.
        threshold: a change is kept if its score is at least this.
        step: the share by which a weight is changed.
        final_games: games of the agent with all kept changes against the agent at the start.
        executor: where the games are played.
    """

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
    executor: Executor = Executor()

    def mistakes(self) -> Iterator[Mistake]:
        """Yields an agent that cannot play the game or has no weights, and unknown weights."""
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

    def inheriting(self, seed: int, games: int | None, executor: Executor | None) -> Experiment:
        """Returns the config with the seed and the executor of its series."""
        run = super().inheriting(seed, games, executor)
        return run if executor is None else run.model_copy(update={"executor": executor})

    def plan(self) -> str:
        """Returns a line with the agent and the number of challenges."""
        return f"{counted(self.challenges, 'challenge')} of {spec_text(self.agent)} at {choice_text(self.game)}"
