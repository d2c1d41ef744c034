"""What a process keeps from one game to the next: its agents, and how often it was forked."""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Literal

from ...agents import Agent, make
from ...agents.python_agent import PythonAgent
from ...envs.pool import close_programs
from ...envs.position import Position
from .task import game_from

MOST_AGENTS = 64  # that a process keeps


class Agents:
    """This process's agents by spec, game and role; `reset` prepares each for a new game."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Any, ...], Agent] = OrderedDict()

    def get(self, spec: dict[str, Any], game: dict[str, Any], role: Literal["player", "twin", "adjudicator", "teacher"]) -> Agent:
        """Returns the agent of a spec and game in a role; a twin plays against its equal.

        A new agent gets ready, or makes a first move to compile, except a Python agent, which plays only the moves of its games.
        """
        key = (json.dumps(spec), json.dumps(game, sort_keys=True), role)
        if key not in self._kept:
            rules = game_from(game)
            agent = make(spec, rules)
            if hasattr(agent, "get_ready"):
                agent.get_ready(rules)
            elif not isinstance(agent, PythonAgent):
                agent.act(Position(rules))
            self._kept[key] = agent
            if len(self._kept) > MOST_AGENTS:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def close_programs(self, playing: Sequence[Any]) -> None:
        """Ends the programs of all agents but those that play, so that none takes their time and memory."""
        close_programs(agent for agent in self._kept.values() if not any(agent is other for other in playing))

    def forget(self, broken: Any) -> None:
        """Forgets an agent, which may be broken after it has raised."""
        self._kept = OrderedDict((key, agent) for key, agent in self._kept.items() if agent is not broken)


AGENTS = Agents()


class Forks:
    """Counts how often this process was forked.

    Attributes:
        count: so far.
    """

    def __init__(self) -> None:
        self.count = 0
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_parent=self._count)

    def _count(self) -> None:
        self.count += 1


FORKS = Forks()
