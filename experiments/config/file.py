"""Reads and checks config files; every mistake is one line that names file, line and key, or the override."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_origin

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ...agents import read_spec
from ...agents.foreign import expectation
from ...envs.rules.errors import ConfigError, SparringError, did_you_mean, shown, unknown
from .parts import Experiment, Mistake, Settings
from .yaml_source import KeyPath, YamlSource


class Models(NamedTuple):
    """The models of all kinds.

    Attributes:
        names: of the kinds.
        of: returns the model of a kind's configs; raises ConfigError for an unknown name.
    """

    names: Sequence[str]
    of: Callable[[str], type[Experiment]]


MOST_ENTRIES = 1000  # of a list or mapping
MOST_MISTAKES = 20  # in one message


def load(path: Path, overrides: Iterable[str], models: Models) -> Experiment:
    """Returns the config of a file, every default filled in.

    Args:
        path: of a YAML file.
        overrides: texts such as `seed=3` or `agents.0.depth=2`, applied in turn.
        models: of all kinds.

    Raises:
        ConfigError: the config cannot be run; a line for every mistake.
    """
    source = YamlSource(path)
    before = source.values
    for text in overrides:
        source.override(text, _unfold)
    config, mistakes = check(source.values, models)
    if config is None:
        of_the_file = check(before, models)[1] if source.overrides else mistakes
        lines = [f"{_origin(source, mistake in of_the_file, mistake[0])}: {_dotted(mistake[0])}{mistake[1]}" for mistake in mistakes]
        raise ConfigError(*lines)
    return config.resolved(re.sub(r"[^\w.-]", "_", path.stem).strip(".-")[:80] or config.kind)


def check(values: Any, models: Models) -> tuple[Experiment | None, list[Mistake]]:
    """Returns the config of some values, or None and the mistakes in them, up to MOST_MISTAKES."""
    if not isinstance(values, dict):
        return None, [((), f"expected a mapping with a kind, got {shown(values)}")]
    if mistakes := list(islice(_too_long(values), MOST_MISTAKES)):
        return None, mistakes
    kind = values.get("kind")
    if not isinstance(kind, str):
        missing = f"missing; expected one of {', '.join(models.names)}"
        return None, [(("kind",), missing if kind is None else unknown("kind", kind, models.names))]
    try:
        model = models.of(kind)
    except ConfigError as error:
        return None, [(("kind",), str(error))]
    try:
        config = model.model_validate(values)
    except ValidationError as error:
        return None, [_mistake(details, values, model, models) for details in error.errors(include_url=False)[:MOST_MISTAKES]]
    mistakes = list(islice(config.mistakes(), MOST_MISTAKES))
    return (None, mistakes) if mistakes else (config, [])


def _too_long(value: Any, key_path: KeyPath = ()) -> Iterator[Mistake]:
    """Yields the lists and mappings that are longer than any experiment needs."""
    if isinstance(value, dict | list) and len(value) > MOST_ENTRIES:
        yield key_path, f"expected at most {MOST_ENTRIES:,} entries, got {len(value):,}"
    else:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
            yield from _too_long(inner, (*key_path, key))


def checked(values: dict[str, Any], models: Models) -> Any:
    """Returns the config of values from Python, tuples among them; arguments and errors as in `load`."""
    config, mistakes = check(_with_lists(values), models)
    if config is None:
        raise ConfigError(*(f"{_dotted(key_path)}{message}" for key_path, message in mistakes))
    return config


def _with_lists(value: Any) -> Any:
    """Returns a value with lists in place of tuples."""
    if isinstance(value, dict):
        return {key: _with_lists(inner) for key, inner in value.items()}
    return [_with_lists(inner) for inner in value] if isinstance(value, list | tuple) else value


def dump(config: Experiment) -> str:
    """Returns a config as YAML, from which `load` reads an equal one."""
    return yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False, allow_unicode=True)


def _unfold(key: str | int, text: str) -> dict[str, Any] | None:
    """Returns the mapping of a spec such as `alphabeta:depth=4`, so that an override can set a part of it."""
    if key not in {"game", "agent", "agents", "opponent", "opponents", "player"}:
        return None
    try:
        spec = read_spec(text)
    except SparringError:
        return None
    return {"id": spec.pop("name"), **spec} if key == "game" else spec


def _origin(source: YamlSource, is_of_the_file: bool, key_path: KeyPath) -> str:
    """Returns the overrides that caused a mistake, or its file and line."""
    if is_of_the_file:
        return f"{source.path}:{source.line(key_path)}"
    guilty = source.overrides_of(key_path) or [text for text, _ in source.overrides]
    return "override " + " ".join(map(shown, guilty))


def _dotted(key_path: KeyPath) -> str:
    return ".".join(str(step) for step in key_path) + ": " if key_path else ""


def _mistake(details: ErrorDetails, values: dict[str, Any], model: type[Settings], models: Models) -> Mistake:
    """Returns the key path and the message of an error of pydantic."""
    key_path = tuple(_without_tags(details["loc"], values))
    got, context = details["input"], details.get("ctx", {})
    match details["type"]:
        case "extra_forbidden":
            return key_path, unknown("key", key_path[-1], _known_keys(details["loc"][:-1], model, models))
        case "missing":
            return key_path, "missing"
        case "union_tag_not_found":
            return (*key_path, "kind"), f"missing; expected one of {', '.join(models.names)}"
        case "union_tag_invalid":
            return (*key_path, "kind"), unknown("kind", context["tag"], context["expected_tags"].replace("'", "").split(", "))
        case "value_error":
            return _narrowed(key_path, got, str(context["error"]))
        case _:
            pass
    hint = did_you_mean(got, re.findall(r"'([^']+)'", context["expected"])) if details["type"] == "literal_error" else ""
    return key_path, f"{expectation(details)}{hint}"


def _without_tags(key_path: KeyPath, values: Any) -> Iterator[str | int]:
    """Yields the steps of pydantic's key path without the kinds that it puts in."""
    for step in key_path:
        if isinstance(values, dict) and step not in values and step == values.get("kind"):
            continue
        yield step
        if isinstance(values, dict):
            values = values.get(step)
        elif isinstance(values, list) and isinstance(step, int):
            values = values[step]


def _known_keys(key_path: KeyPath, model: type[Settings], models: Models) -> list[str]:
    """Returns the keys of the model at a key path of pydantic in another model."""
    for step in key_path:
        if step in model.model_fields:
            annotation = model.model_fields[str(step)].annotation
            classes = [part for part in (annotation, *get_args(annotation)) if get_origin(part) is None and isinstance(part, type)]
            parts = [part for part in classes if issubclass(part, Settings)]
            model = parts[0] if parts else model
        elif step in models.names:
            model = models.of(str(step))
    return list(model.model_fields)


def _narrowed(key_path: KeyPath, got: Any, message: str) -> Mistake:
    """Returns a mistake at the first key of a mapping that the message names, or else at the mapping."""
    names = [str(name) for name in got] if isinstance(got, dict) else []
    quoted = {name: message.find(repr(name)) for name in names}
    plain = {name: match.start() for name in names if (match := re.search(rf"\b{re.escape(name)}[:=]", message))}
    named = {name: start for name, start in quoted.items() if start >= 0} or plain
    return (*key_path, *sorted(named, key=named.__getitem__)[:1]), message
