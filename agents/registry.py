"""Every agent that has a name, in one table; names with parameters, written as strings or dicts.

    "alphabeta:depth=4,nodes=20000"    {"name": "alphabeta", "depth": 4, "nodes": 20000}
    "mobility:weights.theirs=2"        {"name": "mobility", "weights": {"theirs": 2}}

An agent is a dataclass. Its fields declared with `agent.parameter` are what users may set; `make` checks them before the agent is built.
Several names can stand for one class, each with defaults of its own.
"""

from __future__ import annotations

import dataclasses
import importlib
import math
import types
import typing
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from ..envs.game import Game
from ..envs.rules.errors import LONGEST_VALUE, AgentError, SparringError, as_written, did_you_mean, shortened, shown, unknown
from ..envs.spec_text import read_parameters
from .agent import MOST_WEIGHT, machine_mib


class Entry(NamedTuple):
    """One agent of the table."""

    entry_point: str  # "module:Class" in this package
    kinds: tuple[str, ...] | None  # the names of the kinds of game it plays; None for all
    summary: str
    defaults: Mapping[str, Any] = types.MappingProxyType({})  # where they differ from the class's own

    def plays(self, kind: str) -> bool:
        """Tells whether it plays games of a kind."""
        return self.kinds is None or kind in self.kinds


ALL_KINDS = None
MODELS = (".zip", ".safetensors")  # how the names of files of networks end
SEARCH = "search_agent:SearchAgent"
UNORDERED = {"killers": False, "history": False, "promise": False}  # the systems' own ordering is what memory gives
WAYS_TO_WIN = {"evaluation": "ways_to_win", "method": "alphabeta", "cutoffs": False, **UNORDERED}
PATTERN_TABLE = {"evaluation": "pattern_table", "method": "alphabeta", "table_mib": 0, **UNORDERED}
MOBILITY = {"evaluation": "mobility", **UNORDERED}
BY_DEPTH = {"method": "alphabeta", "depth": 4, "deepening": False, "table_mib": 0}
FOUR_PATTERNS = {"evaluation": "four_patterns", **BY_DEPTH, **UNORDERED, "promise": True}  # ordered by the successors' evaluation
BEST = {"quiescence": True, "reductions": True, "table_mib": 16}
AGENTS: dict[str, Entry] = {
    "random": Entry("random_agent:RandomAgent", ALL_KINDS, "a random legal move"),
    "greedy": Entry("greedy_agent:GreedyAgent", ALL_KINDS, "wins if it can, blocks if it must, else a random move"),
    "alphabeta": Entry(SEARCH, ALL_KINDS, "alpha-beta search with iterative deepening and a transposition table"),
    "best": Entry(SEARCH, ALL_KINDS, "the strongest search of each game: its default evaluation, quiescence, late move reductions", BEST),
    "mcts": Entry("mcts_agent:MctsAgent", ALL_KINDS, "Monte Carlo tree search with random rollouts and proven values"),
    "window_scan": Entry("window_scan_agent:WindowScanAgent", ("connect_k",), "system A: alpha-beta on a tree that is kept, and pondering"),
    "ways_to_win": Entry(SEARCH, ("connect_k",), "system B: deepening alpha-beta that remembers best moves", WAYS_TO_WIN),
    "pattern_table": Entry(SEARCH, ("gomoku",), "system C: the change in score that each placement makes", PATTERN_TABLE),
    "mobility": Entry(SEARCH, ("isola",), "system D: deepening NegaScout with a table", MOBILITY),
    "four_patterns": Entry(SEARCH, ("connect_k",), "system E: alpha-beta, successors ordered by evaluation", FOUR_PATTERNS),
    "poor": Entry("random_agent:RandomAgent", ALL_KINDS, "the courses' weakest opponent: random"),
    "average": Entry("greedy_agent:GreedyAgent", ALL_KINDS, "the courses' middle opponent: greedy"),
    "good": Entry(SEARCH, ALL_KINDS, "the courses' strongest opponent: a short fixed-depth alpha-beta", {"depth": 3}),
    "policy": Entry("policy_agent:PolicyAgent", ALL_KINDS, "a trained network, always given its mask"),
    "ladder": Entry("ladder:LadderAgent", ALL_KINDS, "a rung of the game's ladder; ladder:3 for the fourth"),
    "python": Entry("python_agent:PythonAgent", ALL_KINDS, "an agent written in Python, by module and attribute"),
}


class Parameter(NamedTuple):
    """One parameter of an agent, as lists and checks need it."""

    name: str
    type: Any
    default: Any
    doc: str
    low: float | None
    high: float | None
    choices: tuple[Any, ...] | None


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
    words = parse_spec(cast("str | dict[str, Any]", spec))
    name = words.pop("name")
    entry = AGENTS[name]
    if not entry.plays(game.kind.name):
        raise AgentError(f"agent {name!r} does not play {game.name}; it plays {', '.join(entry.kinds or ())}")
    agent = agent_class(name)(**{**entry.defaults, **words})
    if hasattr(agent, "spec_for"):
        return build(agent.spec_for(game), game)
    agent.name = name
    if hasattr(agent, "check_game"):
        agent.check_game(game)
    return agent


def _adopted(found: Any, game: Game) -> Any:
    """Returns the agent that an object is: one with `act` itself, or that of a model of Stable-Baselines3 or of a function of a Position.

    A class stands for an object of its own, made without arguments.

    Raises:
        AgentError: it is none of these, or a model for another board.
    """
    if isinstance(found, type):
        found = _made(found)
    if callable(getattr(found, "act", None)):
        return found
    if hasattr(found, "policy") and hasattr(found, "observation_space"):
        return _agent_of_model(game, model=found)
    if not callable(found):
        expected = "a name, a dict, an object with act(position) or its class, a model, or a function of a Position"
        raise AgentError(f"agent: expected {expected}, got {shown(found)}")
    return agent_class("python").of(found)


def _made(cls: type) -> Any:
    """Returns an object of a class, or raises AgentError if it cannot be made without arguments."""
    try:
        return cls()
    except Exception as error:  # whatever the class does
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise AgentError(f"agent {cls.__name__!r}: expected a class that is made without arguments, got {why}") from error


def _agent_of_model(game: Game, **words: Any) -> Any:
    """Returns the agent of a model in memory, from {"model": …, "deterministic": …}."""
    for word in words.keys() - {"model", "deterministic"}:
        raise AgentError(f"agent: {unknown('parameter', word, ['model', 'deterministic'])}")
    agent = importlib.import_module(".policy_agent", __package__).ModelAgent(**words)
    agent.check_game(game)
    return agent


def parse_spec(spec: str | dict[str, Any]) -> dict[str, Any]:
    """Returns a spec as a dict with the key "name", all names and values checked.

    Raises:
        AgentError: an unknown name or parameter, or a value out of its range.
    """
    words = dict(spec) if isinstance(spec, dict) else read_spec(spec)
    if "name" not in words:
        raise AgentError(f"agent: expected its name under the key 'name', got {spec!r}")
    name = words.pop("name")
    if isinstance(name, str) and name.endswith(MODELS):
        raise AgentError(f"unknown agent {shown(name)}; a saved model is written {policy_text(name)}")
    if not isinstance(name, str) or name not in AGENTS:
        raise AgentError(unknown("agent", name, list(AGENTS)))
    parameters = {parameter.name: parameter for parameter in parameters_of(name)}
    for word, value in words.items():
        if word not in parameters:
            expected = unknown("parameter", word, list(parameters)) if parameters else f"it takes no parameters, got {shown(word)}"
            raise AgentError(f"agent {name!r}: {expected}")
        words[word] = _checked(name, parameters[word], value)
    return {"name": name, **words}


def spec_text(spec: Any) -> str:
    """Returns the string form of a spec, or the name of an agent object."""
    if not isinstance(spec, (str, dict)):
        cls = spec if isinstance(spec, type) else type(spec)
        return shortened(str(getattr(spec, "name", cls.__name__)), LONGEST_VALUE)
    words = parse_spec(cast("str | dict[str, Any]", spec))
    name = words.pop("name")
    words = {key: value for word, outer in words.items() for key, value in _flat(word, outer)}
    return f"{name}:{','.join(f'{word}={value}' for word, value in words.items())}" if words else name


def _flat(word: str, value: Any) -> list[tuple[str, Any]]:
    """Returns a parameter as the string form has it: a dict as one "word.key" for each key."""
    if not isinstance(value, dict):
        return [(word, value)]
    return [(f"{word}.{key}", inner) for key, inner in cast("dict[str, Any]", value).items()]


def parameters_of(name: str) -> list[Parameter]:
    """Returns the parameters that an agent of the table takes."""
    cls = agent_class(name)
    hints, defaults = typing.get_type_hints(cls), AGENTS[name].defaults
    return [
        Parameter(
            field.name,
            hints[field.name],
            defaults.get(field.name, field.default),
            *(field.metadata[key] for key in ("doc", "low", "high", "choices")),
        )
        for field in dataclasses.fields(cls)
        if "doc" in field.metadata
    ]


def identity_of(spec: str | dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns an agent's entry point and all its parameters, defaults filled in: equal for one agent under two names.

    >>> identity_of("poor") == identity_of("random")
    True

    Raises:
        AgentError: see `parse_spec`.
    """
    words = parse_spec(spec)
    name = words.pop("name")
    return AGENTS[name].entry_point, {parameter.name: parameter.default for parameter in parameters_of(name)} | words


def like(name: str) -> str | None:
    """Returns the name that stands first in the table for the class of a later name, or None for the first itself."""
    first = next(other for other, entry in AGENTS.items() if entry.entry_point == AGENTS[name].entry_point)
    return None if first == name else first


def agent_class(name: str) -> Any:
    """Returns the class behind a name of the table, imported when it is first asked for."""
    module, _, called = AGENTS[name].entry_point.partition(":")
    return getattr(importlib.import_module(f".{module}", __package__), called)


def type_text(type_: Any) -> str:
    """Returns a parameter's type for people: "int or none"."""
    parts = typing.get_args(type_) or (type_,)
    return " or ".join("none" if part is type(None) else getattr(part, "__name__", str(part)) for part in parts)


def read_spec(text: str) -> dict[str, Any]:
    """Returns "name:key=value,key=value" as a dict with the key "name"; values are numbers, true, false, none, or text.

    Raises:
        AgentError: a key without a value, or with two.
    """
    name, _, rest = text.strip().partition(":")
    if name == "ladder" and rest.removeprefix("-").isdecimal():
        return {"name": name, "rung": int(rest)}
    if name not in AGENTS and not name.endswith(MODELS) and all(each.isidentifier() for each in f"{name}.{rest}".split(".")):
        own = f"python:target={text.strip()}"
        raise AgentError(f"unknown agent {shown(text)}; your own code is written {own}{did_you_mean(name, list(AGENTS))}")
    try:
        name, words = read_parameters(text)
    except SparringError as error:
        raise AgentError(f"agent {error}") from None
    if "name" in words:
        raise AgentError(f"agent {shown(text)}: name: expected one value, got another with {shown(words['name'])}")
    return {"name": name, **words}


def policy_text(path: str) -> str:
    """Returns the spec of a network in a file: of a zip file, which may execute code, with `trust`."""
    return f"policy:path={path}{',trust=true' if path.endswith('.zip') else ''}"


def _checked(agent: str, parameter: Parameter, value: Any) -> Any:
    """Returns a parameter's value in its own type, or raises AgentError."""
    parts = typing.get_args(parameter.type) if isinstance(parameter.type, types.UnionType) else (parameter.type,)
    accepted = [typing.get_origin(part) or part for part in parts]
    if isinstance(value, dict):
        return _checked_numbers(agent, parameter.name, cast("dict[str, Any]", value), dict in accepted)
    given = value
    if float in accepted and isinstance(value, int) and not isinstance(value, bool):
        value = float(value) if abs(value) < 2**53 else math.inf
    if int in accepted and float not in accepted:
        value = as_written(value)
    if type(value) not in accepted:
        raise AgentError(f"agent {agent!r}: {parameter.name}: expected {type_text(parameter.type)}, got {shown(value)}")
    if parameter.choices is not None and value not in parameter.choices:
        choices = list(map(str, parameter.choices))
        expected = f"expected one of {', '.join(choices)}, got {shown(value)}{did_you_mean(value, choices)}"
        raise AgentError(f"agent {agent!r}: {parameter.name}: {expected}")
    if parameter.low is not None and value is not None and not value >= parameter.low:
        raise AgentError(f"agent {agent!r}: {parameter.name}: expected at least {parameter.low}, got {shown(given)}")
    if parameter.name.endswith("_mib") and value is not None and value > machine_mib():
        raise AgentError(f"agent {agent!r}: {parameter.name}: expected at most {machine_mib()}, this machine's memory, got {shown(given)}")
    if parameter.high is not None and value is not None and not value <= parameter.high:
        raise AgentError(f"agent {agent!r}: {parameter.name}: expected at most {parameter.high}, got {shown(given)}")
    return value


def _checked_numbers(agent: str, name: str, numbers: dict[str, Any], is_accepted: bool) -> dict[str, int]:
    """Returns the whole numbers by name that a parameter is, or raises AgentError."""
    numbers = {key: as_written(number) for key, number in numbers.items()}
    if not is_accepted or any(type(number) is not int or abs(number) > MOST_WEIGHT for number in numbers.values()):
        expected = f"whole numbers up to {MOST_WEIGHT:,} by name" if is_accepted else "one value"
        raise AgentError(f"agent {agent!r}: {name}: expected {expected}, got {shown(numbers)}")
    return numbers
