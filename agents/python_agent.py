"""An agent that somebody has written in Python, by the name of its module."""

from __future__ import annotations

import copy
import functools
import importlib
import inspect
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..envs.position import Position
from ..envs.rules.errors import AgentError, shown
from .agent import Analysis, check_running, parameter


@dataclass
class PythonAgent:
    """Plays what an object of a module says, found on the import path or in the current folder.

    Of an object that is no function and no class, each agent plays with a copy of its own. Chance that is to be reproducible begins with
    the seed of `reset(seed)`; a function has none.
    """

    target: str = parameter(
        "", "module:attribute of a function that takes a Position and returns a move, of an agent, or of a class of agents"
    )
    name: str = field(default="python", init=False)

    def __post_init__(self) -> None:
        self._take(_own(load(self.target)))

    @classmethod
    def of(cls, function: Any) -> PythonAgent:
        """Returns the agent that a function from a Position to a move is."""
        made = object.__new__(cls)
        made.target, made.name = "", getattr(function, "__name__", type(function).__name__)
        made._take(function)
        return made

    def _take(self, found: Any) -> None:
        self._found = found
        if not isinstance(found, type):
            _check(found)

    @functools.cached_property
    def _agent(self) -> Any:
        """The agent; of a class, one that is made when it is first asked: then it is a game that it loses by failing."""
        return _check(self._found()) if isinstance(self._found, type) else self._found

    @property
    def called(self) -> str:
        """What the agent is called by whoever wrote it, for people."""
        return str(getattr(self._agent, "name", getattr(self._found, "__name__", self.target.rpartition(":")[2])))

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


def _check(agent: Any) -> Any:
    if not callable(agent) and not callable(getattr(agent, "act", None)):
        raise AgentError(f"agent 'python': target: expected a function or an object with act(position), got {shown(agent)}")
    if not hasattr(agent, "act"):
        _check_function(agent)
    return agent


def _check_function(function: Any) -> None:
    """Raises AgentError if a function cannot be called with a Position alone; of some functions Python does not know."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(None)
    except TypeError:
        name = getattr(function, "__name__", type(function).__name__)
        raise AgentError(f"agent {name!r}: expected a function of one Position, got one of {signature}") from None


def _own(found: Any) -> Any:
    """Returns a copy of an object; functions and classes are their own copies."""
    try:
        return copy.deepcopy(found)
    except Exception as error:
        raise AgentError(
            f"agent 'python': target: expected an object that can be copied, or its class, got {shown(found)}: {error}"
        ) from error


def load(target: str) -> Any:
    """Returns what `module:attribute` names.

    The current folder stands at the end of the import path from then on, so that the module finds its neighbours whenever it imports them.

    Raises:
        AgentError: there is no such module or attribute, or the module cannot be imported.
    """
    module, sign, attribute = target.partition(":")
    if not sign or not module or not attribute:
        raise AgentError(f"agent 'python': target: expected module:attribute, got {shown(target)}")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)
    try:
        found = importlib.import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
    except (Exception, SystemExit) as error:  # whatever a module does when it is imported
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise AgentError(f"agent 'python': target: expected module:attribute, got {shown(target)}: {why}") from error
    return found
