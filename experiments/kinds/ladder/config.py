"""A ladder: a tournament whose ratings are kept."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from ....agents import identity_of, spec_text
from ....agents.ladder import ELSEWHERE, PROGRAM
from ...config.parts import Mistake, Steps
from ..tournament.config import TournamentConfig

REMEDY = "an agent that depends on files, your own code or the clock cannot be a rung: rate it with kind: tournament or kind: evaluate"


class LadderConfig(TournamentConfig, frozen=True):
    """A tournament whose ratings become the ladder of its game; agents are listed from the weakest to the strongest, as far as known.

    Attributes:
        version: number of the ladder, to be raised when its agents or games change.
        anchor: index in the list, from 0, of the agent whose rating is fixed.
    """

    kind: Literal["ladder"] = "ladder"  # pyright: ignore[reportIncompatibleVariableOverride] - each kind has its own name
    version: Steps = 1
    pairings: Literal["round_robin", "gauntlet", "neighbours"] = "neighbours"
    anchor: Annotated[int, Field(ge=0)] = 0  # pyright: ignore[reportIncompatibleVariableOverride] - a ladder has an anchor

    def mistakes(self) -> Iterator[Mistake]:
        """Yields agents whose play depends on the clock or on files, except programs, and agents that are listed twice, under any names."""
        yield from super().mistakes()
        identities = [identity_of(agent) for agent in self.agents]
        for index, (agent, identity) in enumerate(zip(self.agents, identities, strict=True)):
            if (first := identities.index(identity)) < index:
                yield ("agents", index), f"expected every agent once, got {spec_text(agent)}, the same as agents.{first}"
            _, parameters = identity
            by_clock = agent["name"] != PROGRAM and (parameters.get("seconds") is not None or parameters.get("ponder"))
            if agent["name"] in ELSEWHERE or by_clock:
                yield ("agents", index), f"expected an agent that plays the same everywhere, got {spec_text(agent)}; {REMEDY}"
