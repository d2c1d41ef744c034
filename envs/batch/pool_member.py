"""One opponent of a pool as N games have it: its moves come from kernels or from Python, game by game or for all games at once."""

from __future__ import annotations

import copy
from typing import Any

from ..game import Game
from ..pool import close_programs, is_recipe, resolve_opponent
from ..rules.errors import AgentError
from . import batch_opponent, reply
from .batch_opponent import BatchOpponent

PYTHON_OPPONENT = BatchOpponent(reply, batch_opponent.room_for_moves)  # its kernel never answers, so its games wait for Python


class PoolMember:
    """One opponent of N games.

    Attributes:
        batch_opponent: its kernels; PYTHON_OPPONENT if it has none.
        together: the agent if it answers in all games at once, or None.
    """

    def __init__(self, spec: Any, game: Game, count: int) -> None:
        """Makes the opponent from a name, a dict, a class, an object, a model or a function.

        Raises:
            AgentError: it is unknown, does not play this game, or has a `reset` and cannot be copied for each game.
        """
        agent = resolve_opponent(spec, game)
        self.batch_opponent = batch_opponent_of(agent, game) or PYTHON_OPPONENT
        self.together = agent if self.answers_in_python and hasattr(agent, "act_together") else None
        self._spec, self._game = spec, game
        self._is_recipe = is_recipe(spec)
        is_single = self.together is None and not self._is_recipe
        self._is_copied = self.answers_in_python and is_single and count > 1 and hasattr(agent, "reset")
        self._agent = copy_of_agent(agent, count) if self._is_copied else agent
        self._agents: list[Any] = [agent if self._is_recipe else None, *[None] * (count - 1)]

    @property
    def answers_in_python(self) -> bool:
        """Whether its moves come from `act` or `act_together` instead of a kernel."""
        return self.batch_opponent is PYTHON_OPPONENT

    def agent(self, i: int) -> Any:
        """Returns the opponent of game i, made or copied at its first move; all games share an object without `reset`."""
        if self._agents[i] is None:
            self._agents[i] = self._new_agent()
        return self._agents[i]

    def close_programs(self) -> None:
        """Ends the programs that its agents run."""
        close_programs([self._agent, *self._agents])

    def _new_agent(self) -> Any:
        if self._is_recipe:
            return resolve_opponent(self._spec, self._game)
        return copy_of_agent(self._agent, len(self._agents)) if self._is_copied else self._agent


def copy_of_agent(agent: Any, count: int) -> Any:
    """Returns a copy of an agent for one of `count` games; its networks are shared, as they may be learning.

    Raises:
        AgentError: it cannot be copied.
    """
    networks = {id(value): value for value in getattr(agent, "__dict__", {}).values() if is_network(value)}
    try:
        return copy.deepcopy(agent, networks)
    except Exception as error:  # whatever its class raises
        class_name = type(agent).__name__
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        remedy = f'give its class, or "python:target=module:{class_name}"'
        name = getattr(agent, "name", class_name)
        raise AgentError(f"opponent {name!r}: one object cannot keep {count} games apart; {remedy} ({reason})") from error


def is_network(value: Any) -> bool:
    """Tells whether a value is a model of Stable-Baselines3 or a module of PyTorch."""
    return hasattr(value, "state_dict") or (hasattr(value, "policy") and hasattr(value, "observation_space"))


def batch_opponent_of(agent: Any, game: Game) -> BatchOpponent | None:
    """Returns the kernels of an agent, or None; they do not count if a subclass overrides `act` alone, as it then plays other moves."""
    definer = next((cls for cls in type(agent).__mro__ if vars(cls).keys() & {"act", "batch_opponent"}), object)
    return agent.batch_opponent(game) if "batch_opponent" in vars(definer) else None
