"""An opponent as a batch of games has it: it answers inside the compiled call, or is asked outside, game by game or all at once."""

from __future__ import annotations

from typing import Any

from ..game import Game
from ..options import resolve_opponent
from . import offer, reply
from .offer import Inside

OUTSIDE = Inside(reply, offer.room_for_moves)  # an opponent that is asked


class BatchOpponent:
    """One opponent of N games.

    Attributes:
        inside: how it answers inside, OUTSIDE if it is asked.
        together: what answers in all games at once, or None.
    """

    def __init__(self, spec: Any, game: Game, count: int) -> None:
        """Makes the opponent that a name, a dict, an object, a model or a function stands for.

        Raises:
            AgentError: it is unknown, or does not play this game.
        """
        agent = resolve_opponent(spec, game)
        self.inside = offer_of(agent, game) or OUTSIDE
        self.together = agent if self.is_asked and hasattr(agent, "act_together") else None
        self._spec, self._game = spec, game
        self._agents: list[Any] = [agent, *([None if isinstance(spec, (str, dict)) else agent] * (count - 1))]

    @property
    def is_asked(self) -> bool:
        """Whether its answers come from outside."""
        return self.inside is OUTSIDE

    def agent(self, i: int) -> Any:
        """Returns the opponent of a game, made when it is first asked; all games share one that was given as an object."""
        if self._agents[i] is None:
            self._agents[i] = resolve_opponent(self._spec, self._game)
        return self._agents[i]


def offer_of(agent: Any, game: Game) -> Inside | None:
    """Returns how an agent answers inside, or None: also if a class of its own replaces the `act` that this would stand for."""
    first = next((cls for cls in type(agent).__mro__ if vars(cls).keys() & {"act", "inside"}), object)
    return agent.inside(game) if "inside" in vars(first) else None
