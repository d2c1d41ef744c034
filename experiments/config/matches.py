"""Configs of experiments that play games between agents."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from .parts import AgentChoice, Experiment, GameChoice, Mistake, OpeningPlies, PairedGames, unfit


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
            yield from unfit(("agents", index), agent, self.game)
