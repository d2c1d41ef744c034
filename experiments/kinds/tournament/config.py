"""A tournament: paired games between many agents."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from ...config.parts import AgentChoice, Count, Executor, Experiment, Mistake, OpeningPlies, PairedGames, agent_errors
from ...terminal.phrases import choice_text, counted
from ..played import OPENING_JUDGE, Played, SprtLimits, with_games

Elo = Annotated[float, Field(ge=-10_000, le=10_000)]


class TournamentConfig(Played, frozen=True):
    """Paired games between many agents, and their ratings.

    Attributes:
        agents: the agents that play.
        pairings: who plays whom: round_robin, every two; gauntlet, the first against each other; neighbours, those close to each other
            in the list.
        reach: the largest distance of neighbours in the list.
        games: games of each two agents, an even number.
        sprt: a sequential test that ends the games of two agents early.
        anchor: index in the list, from 0, of the agent whose rating is fixed; without one the mean of all ratings is 0.
        anchor_elo: the anchor's rating.
        ties: the model of draws.
    """

    kind: Literal["tournament"] = "tournament"
    agents: Annotated[list[AgentChoice], Field(min_length=2)]
    pairings: Literal["round_robin", "gauntlet", "neighbours"] = "round_robin"
    reach: Count = 3
    games: PairedGames = 40
    opening_plies: OpeningPlies = 4
    opening_judge: AgentChoice | None = OPENING_JUDGE
    sprt: SprtLimits | None = None
    anchor: Annotated[int, Field(ge=0)] | None = None
    anchor_elo: Elo = 0.0
    ties: Literal["davidson", "rao-kupper"] = "davidson"

    def mistakes(self) -> Iterator[Mistake]:
        """Yields agents that cannot play the game, an anchor outside the list, and an anchor's rating without an anchor."""
        yield from super().mistakes()
        for index, agent in enumerate(self.agents):
            yield from agent_errors(("agents", index), agent, self.game)
        if self.anchor is not None and self.anchor >= len(self.agents):
            yield ("anchor",), f"expected an index of the list of agents, 0 to {len(self.agents) - 1}, got {self.anchor}"
        if self.anchor is None and self.anchor_elo != 0:
            yield ("anchor_elo",), f"expected an anchor for this rating, got {self.anchor_elo:g} without one"

    def inheriting(self, seed: int, games: int | None, executor: Executor | None) -> Experiment:
        """Returns the config with the seed, executor and number of games of its series."""
        return with_games(self, super().inheriting(seed, games, executor), games)

    def plan(self) -> str:
        """Returns a line with the number of agents and games."""
        agents = counted(len(self.agents), "agent")
        return f"{self.kind} of {agents} at {choice_text(self.game)}, {self.games} games of each two that meet"
