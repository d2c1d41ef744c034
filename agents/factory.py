"""Making agents: from a spec, an object, a class, a function or a model."""

from __future__ import annotations

import importlib
from typing import Any, cast

from ..envs.game import Game
from ..envs.rules.errors import AgentError, shown, unknown
from .registry import AGENTS, agent_class
from .spec import parse_spec


def make(spec: Any, game: str | Game, **game_parameters: Any) -> Any:
    """Returns the agent that a spec stands for; one with a limit of time is ready for its first move.

    Args:
        spec: a name with parameters as a string; a dict with the key "name"; an object with `act`, which is returned as it is; a model of
            Stable-Baselines3 or sb3-contrib, which plays as it is whenever it is asked, or {"model": …, "deterministic": False}; or a
            function from a Position to a move. A class with `act` is made anew by every call.
        game: id, short name or Game that the agent is to play.
        game_parameters: of the game, if it is given by its id.

    Raises:
        AgentError: an unknown name or parameter, a value out of its range, or an agent that does not play the game.
    """
    game = Game.of(game, **game_parameters)
    agent = build(spec, game)
    if isinstance(spec, (str, dict)) and getattr(agent, "seconds", None) is not None:
        agent.get_ready(game)
    return agent


def build(spec: Any, game: Game) -> Any:
    """Returns the agent that a spec stands for, as `make` does, all checked but nothing compiled."""
    if not isinstance(spec, (str, dict)):
        return _adopted(spec, game)
    if isinstance(spec, dict) and "model" in spec:
        return _agent_of_model(game, **cast("dict[str, Any]", spec))
    parameters = parse_spec(cast("str | dict[str, Any]", spec))
    name = parameters.pop("name")
    entry = AGENTS[name]
    if not entry.plays(game.kind.name):
        raise AgentError(f"agent {name!r} does not play {game.name}; it plays {', '.join(entry.kinds or ())}")
    agent = agent_class(name)(**{**entry.defaults, **parameters})
    if hasattr(agent, "spec_for"):
        return build(agent.spec_for(game), game)
    agent.name = name
    if hasattr(agent, "check_game"):
        agent.check_game(game)
    return agent


def _adopted(given: Any, game: Game) -> Any:
    """Returns the agent that an object is: one with `act` itself, or that of a model of Stable-Baselines3 or of a function of a Position.

    A class stands for an object of its own, made without arguments.

    Raises:
        AgentError: it is none of these, or a model for another board.
    """
    if isinstance(given, type):
        given = _made(given)
    if callable(getattr(given, "act", None)):
        return given
    if hasattr(given, "policy") and hasattr(given, "observation_space"):
        return _agent_of_model(game, model=given)
    if not callable(given):
        expected = "a name, a dict, an object with act(position) or its class, a model, or a function of a Position"
        raise AgentError(f"agent: expected {expected}, got {shown(given)}")
    return agent_class("python").of(given)


def _made(cls: type) -> Any:
    """Returns an object of a class, or raises AgentError if it cannot be made without arguments."""
    try:
        return cls()
    except Exception as error:  # whatever the class does
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise AgentError(f"agent {cls.__name__!r}: expected a class that is made without arguments, got {why}") from error


def _agent_of_model(game: Game, **options: Any) -> Any:
    """Returns the agent of a model in memory, from {"model": …, "deterministic": …}."""
    for name in options.keys() - {"model", "deterministic"}:
        raise AgentError(f"agent: {unknown('parameter', name, ['model', 'deterministic'])}")
    if options.get("deterministic", True) not in (False, True):
        raise AgentError(f"agent: deterministic: expected true or false, got {shown(options['deterministic'])}")
    agent = importlib.import_module(".policy_agent", __package__).ModelAgent(**options)
    agent.check_game(game)
    return agent
