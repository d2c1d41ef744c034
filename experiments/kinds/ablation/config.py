"""An ablation: one search with its parts switched on and off."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from ....agents.agent import MOST_SECONDS
from ....envs.rules.errors import unknown
from ...config.parts import AgentChoice, Count, Experiment, GameChoice, Mistake, OpeningPlies, Settings, agent_errors
from ...terminal.phrases import choice_text, counted

FULL = "full"  # the configuration of an ablation in which nothing is changed
Stage = Literal["early", "middle", "late"]


class Sample(Settings, frozen=True):
    """Positions taken from games that an agent plays against itself.

    Attributes:
        games: number of games; from each the positions of one side are taken, the first side's in every other game.
        player: the agent that plays them.
        opening_plies: random legal plies at the start of each game.
        every: moves of that side between two positions.
    """

    games: Annotated[int, Field(ge=2, le=10_000)] = 10
    player: AgentChoice = {"name": "alphabeta", "depth": 2}
    opening_plies: OpeningPlies = 4
    every: Count = 1


class Claim(Settings, frozen=True):
    """A claimed difference in the depth reached.

    Attributes:
        text: the claim in words.
        more: the configuration that should search deeper; full is the unchanged agent.
        less: the configuration to compare with.
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


class AblationConfig(Experiment, frozen=True):
    """One search with its parts switched on and off, on the same positions and with the same budget.

    Attributes:
        game: the game with its parameters.
        agent: the full search with its budget.
        configurations: by name, the parameters that each changes in the agent; one with a `name` is an agent of its own.
        positions: the positions that each configuration searches, game by game.
        pause: seconds between two positions of a game, in which an agent may ponder.
        claims: claims that the run checks.
    """

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
        """Yields agents that cannot play the game or do not exist, and claims about unknown configurations or without a bound."""
        yield from agent_errors(("agent",), self.agent, self.game)
        yield from agent_errors(("positions", "player"), self.positions.player, self.game)
        if FULL in self.configurations:
            yield ("configurations", FULL), f"expected another name than {FULL!r}, which is the agent itself"
        for name in self.configurations:
            yield from agent_errors(("configurations", name), self.specs()[name], self.game)
        for index, claim in enumerate(self.claims):
            for key in ("more", "less"):
                if getattr(claim, key) not in self.specs():
                    yield ("claims", index, key), unknown("configuration", getattr(claim, key), list(self.specs()))
            if claim.at_least is None and claim.at_most is None:
                yield ("claims", index), "expected at_least, at_most or both"

    def plan(self) -> str:
        """Returns a line with the number of configurations."""
        return f"searches of {counted(1 + len(self.configurations), 'configuration')} at {choice_text(self.game)}"
