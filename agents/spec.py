"""Names of agents with their parameters, written as strings or dicts.

"alphabeta:depth=4,nodes=20000"    {"name": "alphabeta", "depth": 4, "nodes": 20000}
"mobility:weights.theirs=2"        {"name": "mobility", "weights": {"theirs": 2}}
"engine:cmd=./bot 'a b'"           {"name": "engine", "cmd": ["./bot", "a b"]}
"""

from __future__ import annotations

import math
import types
import typing
from typing import Any, cast

from ..envs.rules.errors import LONGEST_VALUE, AgentError, SparringError, as_written, did_you_mean, shortened, shown, unknown
from ..envs.spec_text import command_text, read_parameters
from .agent import MOST_WEIGHT, machine_mib
from .registry import AGENTS, Parameter, parameters_of

RENAMED = {"promise": "order_score"}  # parameters by the names they had before
MODELS = (".zip", ".safetensors")  # how the names of files of networks end


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
        name, parameters = read_parameters(text)
    except SparringError as error:
        raise AgentError(f"agent {error}") from None
    if "name" in parameters:
        raise AgentError(f"agent {shown(text)}: name: expected one value, got another with {shown(parameters['name'])}")
    return {"name": name, **parameters}


def parse_spec(spec: str | dict[str, Any]) -> dict[str, Any]:
    """Returns a spec as a dict with the key "name", all names and values checked.

    Raises:
        AgentError: an unknown name or parameter, or a value out of its range.
    """
    given = dict(spec) if isinstance(spec, dict) else read_spec(spec)
    if "name" not in given:
        raise AgentError(f"agent: expected its name under the key 'name', got {spec!r}")
    name = given.pop("name")
    if isinstance(name, str) and name.endswith(MODELS):
        raise AgentError(f"unknown agent {shown(name)}; a saved model is written {policy_text(name)}")
    if not isinstance(name, str) or name not in AGENTS:
        raise AgentError(unknown("agent", name, list(AGENTS)))
    parameters = {parameter.name: parameter for parameter in parameters_of(name)}
    for key, value in given.items():
        if key in RENAMED and RENAMED[key] in parameters:
            raise AgentError(f"agent {name!r}: parameter {key!r} is now called {RENAMED[key]!r}")
        if key not in parameters:
            expected = unknown("parameter", key, list(parameters)) if parameters else f"it takes no parameters, got {shown(key)}"
            raise AgentError(f"agent {name!r}: {expected}")
        given[key] = _checked(name, parameters[key], value)
    return {"name": name, **given}


def spec_text(spec: Any) -> str:
    """Returns the string form of a spec, or the name of an agent object."""
    if not isinstance(spec, (str, dict)):
        cls = spec if isinstance(spec, type) else type(spec)
        return shortened(str(getattr(spec, "name", cls.__name__)), LONGEST_VALUE)
    parameters = parse_spec(cast("str | dict[str, Any]", spec))
    name = parameters.pop("name")
    pairs = [pair for key, value in parameters.items() for pair in _flat(key, value)]
    return f"{name}:{','.join(f'{key}={value}' for key, value in pairs)}" if pairs else name


def _flat(name: str, value: Any) -> list[tuple[str, Any]]:
    """Returns a parameter as the string form has it: a dict as one "name.key" for each key."""
    if not isinstance(value, dict):
        return [(name, value)]
    return [(f"{name}.{key}", inner) for key, inner in cast("dict[str, Any]", value).items()]


def identity_of(spec: str | dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns an agent's entry point and all its parameters, defaults filled in: equal for one agent under two names.

    >>> identity_of("poor") == identity_of("random")
    True

    Raises:
        AgentError: see `parse_spec`.
    """
    given = parse_spec(spec)
    name = given.pop("name")
    return AGENTS[name].entry_point, {parameter.name: parameter.default for parameter in parameters_of(name)} | given


def type_text(type_: Any) -> str:
    """Returns a parameter's type for people: "int or none"."""
    parts = typing.get_args(type_) or (type_,)
    return " or ".join("none" if part is type(None) else getattr(part, "__name__", str(part)) for part in parts)


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
    if list in accepted:
        return _checked_command(agent, parameter.name, cast("str | list[str]", value))
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


def _checked_command(agent: str, name: str, command: str | list[str]) -> str:
    """Returns a command, given as a text or a list of words, as a text, or raises AgentError."""
    try:
        return command_text(command)
    except SparringError as error:
        raise AgentError(f"agent {agent!r}: {name}: {error}") from None


def _checked_numbers(agent: str, name: str, numbers: dict[str, Any], is_accepted: bool) -> dict[str, int]:
    """Returns the whole numbers by name that a parameter is, or raises AgentError."""
    numbers = {key: as_written(number) for key, number in numbers.items()}
    if not is_accepted or any(type(number) is not int or abs(number) > MOST_WEIGHT for number in numbers.values()):
        expected = f"whole numbers up to {MOST_WEIGHT:,} by name" if is_accepted else "one value"
        raise AgentError(f"agent {agent!r}: {name}: expected {expected}, got {shown(numbers)}")
    return numbers
