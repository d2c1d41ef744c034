"""An agent that somebody has written in Python, by the name of its module."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..envs.position import Position
from ..envs.rules.errors import AgentError
from .agent import Analysis, check_running, parameter


@dataclass
class PythonAgent:
    """Plays what an object of a module says, found on the import path or in the current folder."""

    target: str = parameter(
        "", "module:attribute of a function that takes a Position and returns a move, of an agent, or of a class of agents"
    )
    name: str = field(default="python", init=False)

    def __post_init__(self) -> None:
        self._take(load(self.target))

    @classmethod
    def of(cls, function: Any) -> PythonAgent:
        """Returns the agent that a function from a Position to a move is."""
        made = object.__new__(cls)
        made.target, made.name = "", getattr(function, "__name__", type(function).__name__)
        made._take(function)
        return made

    def _take(self, found: Any) -> None:
        self._agent = found() if isinstance(found, type) else found
        if not callable(self._agent) and not callable(getattr(self._agent, "act", None)):
            raise AgentError(f"agent 'python': target: expected a function or an object with act(position), got {found!r}")

    def reset(self, seed: int | None = None) -> None:
        """Prepares the agent for a new game, if it wants to know of one."""
        if hasattr(self._agent, "reset"):
            self._agent.reset(seed)

    def act(self, position: Position) -> Any:
        """Returns the agent's move, whatever it is."""
        check_running(position)
        return self._agent.act(position) if hasattr(self._agent, "act") else self._agent(position)

    def analyse(self, position: Position) -> Analysis:
        """Returns the agent's own analysis, or its move."""
        return self._agent.analyse(position) if hasattr(self._agent, "analyse") else Analysis(self.act(position))


def load(target: str) -> Any:
    """Returns what `module:attribute` names.

    Raises:
        AgentError: there is no such module or attribute.
    """
    module, sign, attribute = target.partition(":")
    if not sign or not module or not attribute:
        raise AgentError(f"agent 'python': target: expected module:attribute, got {target!r}")
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        found = importlib.import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
    except (ImportError, AttributeError) as error:
        raise AgentError(f"agent 'python': target: expected module:attribute, got {target!r}: {error}") from error
    finally:
        sys.path.remove(here)
    return found
