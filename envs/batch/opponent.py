"""An opponent as a batch of games has it: it answers inside the compiled call, or is asked outside, game by game or all at once."""

from __future__ import annotations

import copy
from typing import Any

from ..game import Game
from ..options import is_recipe, resolve_opponent
from ..rules.errors import AgentError
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
        """Makes the opponent that a name, a dict, a class, an object, a model or a function stands for.

        Raises:
            AgentError: it is unknown, does not play this game, or has a game to keep track of and cannot be copied for each.
        """
        agent = resolve_opponent(spec, game)
        self.inside = offer_of(agent, game) or OUTSIDE
        self.together = agent if self.is_asked and hasattr(agent, "act_together") else None
        self._spec, self._game = spec, game
        self._is_recipe = is_recipe(spec)
        self._is_copied = self.is_asked and self.together is None and not self._is_recipe and count > 1 and hasattr(agent, "reset")
        self._agent = own_copy(agent, count) if self._is_copied else agent
        self._agents: list[Any] = [agent if self._is_recipe else None, *[None] * (count - 1)]

    @property
    def is_asked(self) -> bool:
        """Whether its answers come from outside."""
        return self.inside is OUTSIDE

    def agent(self, i: int) -> Any:
        """Returns the opponent of a game, made or copied when it is first asked; all games share an object without `reset`."""
        if self._agents[i] is None:
            self._agents[i] = self._another()
        return self._agents[i]

    def _another(self) -> Any:
        if self._is_recipe:
            return resolve_opponent(self._spec, self._game)
        return own_copy(self._agent, len(self._agents)) if self._is_copied else self._agent


def own_copy(agent: Any, count: int) -> Any:
    """Returns a copy of an agent for one of many games; the networks that it holds are not copied, as they may be learning.

    Raises:
        AgentError: it cannot be copied.
    """
    networks = {id(value): value for value in getattr(agent, "__dict__", {}).values() if is_network(value)}
    try:
        return copy.deepcopy(agent, networks)
    except Exception as error:  # whatever its class does
        name, called = getattr(agent, "name", type(agent).__name__), type(agent).__name__
        why = " ".join(f"{type(error).__name__}: {error}".split())
        remedy = f'give its class, or "python:target=module:{called}"'
        raise AgentError(f"opponent {name!r}: one object cannot keep {count} games apart; {remedy} ({why})") from error


def is_network(value: Any) -> bool:
    """Tells whether a value is a model of Stable-Baselines3 or a module of PyTorch."""
    return hasattr(value, "state_dict") or (hasattr(value, "policy") and hasattr(value, "observation_space"))


def offer_of(agent: Any, game: Game) -> Inside | None:
    """Returns how an agent answers inside, or None: also if a class of its own replaces the `act` that this would stand for."""
    first = next((cls for cls in type(agent).__mro__ if vars(cls).keys() & {"act", "inside"}), object)
    return agent.inside(game) if "inside" in vars(first) else None
