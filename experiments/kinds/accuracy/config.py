"""Accuracy: agents' moves in graded positions against exact play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from ....envs.rules.errors import ConfigError, shown
from ...config.parts import AgentChoice, Executor, Experiment, GameChoice, Mistake, agent_errors, game_of
from ...games.position_set import PositionSet, read_position_set, shipped_set
from ...terminal.phrases import choice_text


class AccuracyConfig(Experiment, frozen=True):
    """Agents' moves in graded positions against exact play.

    Attributes:
        game: the game with its parameters.
        agents: who is graded.
        positions: a file of graded positions; by default the package's set of the game.
        executor: where the agents move.
    """

    kind: Literal["accuracy"] = "accuracy"
    game: GameChoice
    agents: Annotated[list[AgentChoice], Field(min_length=1, max_length=100)]
    positions: str | None = None
    executor: Executor = Executor()

    def inheriting(self, seed: int, games: int | None, executor: Executor | None) -> Experiment:
        """Returns the config with the seed and the executor of its series."""
        run = super().inheriting(seed, games, executor)
        return run if executor is None else run.model_copy(update={"executor": executor})

    def mistakes(self) -> Iterator[Mistake]:
        """Yields agents that cannot play the game, and positions that cannot be read or are of another game."""
        for index, agent in enumerate(self.agents):
            yield from agent_errors(("agents", index), agent, self.game)
        try:
            positions_for(self)
        except ConfigError as error:
            yield ("positions",), str(error)

    def plan(self) -> str:
        """Returns a line with the number of agents and the game."""
        return f"grades of {len(self.agents)} agent{'' if len(self.agents) == 1 else 's'} at {choice_text(self.game)}"


def positions_for(config: AccuracyConfig) -> PositionSet:
    """Returns the positions of a config.

    Raises:
        ConfigError: there are none for the game, or the file is damaged or of another game.
    """
    game = game_of(config.game)
    if config.positions is None:
        return shipped_set(game)
    found = read_position_set(Path(config.positions))
    if found.game != game:
        raise ConfigError(f"{config.positions}: expected positions of {shown(game)}, got some of {shown(found.game)}")
    return found
