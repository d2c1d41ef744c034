"""A data set: who plays its games, who labels its positions, and how many there are."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Annotated, Literal

from pydantic import Field

from ....agents import spec_text
from ....envs.rules.errors import installation
from ...config.parts import AgentChoice, Executor, Experiment, GameChoice, Mistake, OpeningPlies, PoolChoice, Share, agent_errors
from ...terminal.phrases import choice_text


class DatasetConfig(Experiment, frozen=True):
    """Positions of games, each with the move and the score of a teacher, as tables to learn from.

    Attributes:
        game: the game with its parameters.
        agents: who plays: an agent, or a pool of which one is drawn for each seat of each game.
        teacher: the agent whose move and score every position gets; where it plays as well, it is asked once.
        positions: how many different ones; positions that a symmetry maps onto each other count as one.
        opening_plies: random legal plies at the start of each game; their positions are labelled, too.
        random_moves: the share of the later moves that is drawn at random.
        minari: also writes a Minari data set, with the extra `minari`.
        executor: where the games are played.
    """

    kind: Literal["dataset"] = "dataset"
    game: GameChoice
    agents: PoolChoice
    teacher: AgentChoice
    positions: Annotated[int, Field(ge=1, le=10_000_000)] = 100_000  # all of them are in memory
    opening_plies: OpeningPlies = 0
    random_moves: Share = 0.2
    minari: bool = False
    executor: Executor = Executor()

    def inheriting(self, seed: int, games: int | None, executor: Executor | None) -> Experiment:
        """Returns the config with the seed and the executor of its series."""
        run = super().inheriting(seed, games, executor)
        return run if executor is None else run.model_copy(update={"executor": executor})

    def mistakes(self) -> Iterator[Mistake]:
        """Yields agents that cannot play the game, and missing extras."""
        for index, member in enumerate(self.agents):
            yield from agent_errors(("agents", index), member["opponent"], self.game)
        yield from agent_errors(("teacher",), self.teacher, self.game)
        if find_spec("polars") is None:
            yield ("kind",), f"a data set needs the extra 'parquet'; install it with: {installation('parquet')}"
        if self.minari and (find_spec("minari") is None or find_spec("h5py") is None):
            yield ("minari",), f"a Minari data set needs the extra 'minari'; install it with: {installation('minari')}"

    def plan(self) -> str:
        """Returns a line with the number of positions and the teacher."""
        return f"{self.positions:,} positions of {choice_text(self.game)}, labelled by {spec_text(self.teacher)}"
