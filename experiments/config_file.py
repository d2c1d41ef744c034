"""A config file in, a checked config out; every mistake is one line that names file, line and key, or the override."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import yaml
from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from ..agents import read_spec
from ..envs.rules.errors import ConfigError, SparringError, unknown
from .config import Config, Experiment, Mistake, Settings
from .yaml_source import Place, YamlSource

CONFIG: TypeAdapter[Any] = TypeAdapter(Config)
KINDS: dict[str, type[Experiment]] = {model.model_fields["kind"].default: model for model in get_args(get_args(Config)[0])}

LONGEST_VALUE = 80  # characters of a value that a message shows
WORDS = {  # what was expected, by pydantic's type of error
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "finite_number": "a finite number",
    "float_type": "a number",
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "at least {ge:g}",
    "int_from_float": "a whole number",
    "int_type": "a whole number",
    "less_than": "less than {lt:g}",
    "less_than_equal": "at most {le:g}",
    "list_type": "a list",
    "literal_error": "{expected}",
    "model_attributes_type": "a mapping",
    "model_type": "a mapping",
    "multiple_of": "a multiple of {multiple_of}",
    "string_type": "text",
    "too_long": "at most {max_length} entries",
    "too_short": "at least {min_length} entries",
}


def load(path: Path, overrides: Iterable[str] = ()) -> Experiment:
    """Returns the config of a file, every default filled in.

    Args:
        path: of a YAML file.
        overrides: texts such as `seed=3` or `agents.0.depth=2`, applied in turn.

    Raises:
        ConfigError: the config cannot be run; a line for every mistake.
    """
    source = YamlSource(path)
    before = source.values
    for text in overrides:
        source.override(text, _unfold)
    config, mistakes = check(source.values)
    if config is None:
        of_the_file = check(before)[1] if source.overrides else mistakes
        lines = [f"{_origin(source, mistake in of_the_file, mistake[0])}: {_dotted(mistake[0])}{mistake[1]}" for mistake in mistakes]
        raise ConfigError("\n".join(lines))
    return config.resolved(re.sub(r"[^\w.-]", "_", path.stem).strip(".-")[:80] or config.kind)


def check(values: Any) -> tuple[Experiment | None, list[Mistake]]:
    """Returns the config that some values make, or None and all that is wrong with them."""
    if not isinstance(values, dict):
        return None, [((), f"expected a mapping with a kind, got {values!r}")]
    try:
        config = CONFIG.validate_python(values)
    except ValidationError as error:
        return None, [_mistake(details, values) for details in error.errors(include_url=False)]
    mistakes = list(config.mistakes())
    return (None, mistakes) if mistakes else (config, [])


def checked(values: dict[str, Any]) -> Any:
    """Returns the config that some values make.

    Raises:
        ConfigError: they make none; a line for every mistake.
    """
    config, mistakes = check(values)
    if config is None:
        raise ConfigError("\n".join(f"{_dotted(place)}{message}" for place, message in mistakes))
    return config


def dump(config: Experiment) -> str:
    """Returns a config as YAML; `load` makes an equal one of it."""
    return yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False, allow_unicode=True)


def _unfold(key: str | int, text: str) -> dict[str, Any] | None:
    """Returns the mapping that a text stands for, so that an override can set a part of it."""
    if key not in {"game", "agent", "agents", "opponent", "opponents", "player"}:
        return None
    try:
        words = read_spec(text)
    except SparringError:
        return None
    return {"id": words.pop("name"), **words} if key == "game" else words


def _origin(source: YamlSource, is_of_the_file: bool, place: Place) -> str:
    """Returns the overrides that caused a mistake, or the file and line where it stands."""
    if is_of_the_file:
        return f"{source.path}:{source.line(place)}"
    guilty = source.overrides_of(place) or [text for text, _ in source.overrides]
    return "override " + " ".join(repr(text) for text in guilty)


def _dotted(place: Place) -> str:
    return ".".join(str(step) for step in place) + ": " if place else ""


def _mistake(details: ErrorDetails, values: dict[str, Any]) -> Mistake:
    """Returns where and what is wrong, in our words."""
    place = tuple(_without_tags(details["loc"], values))
    got, context = details["input"], details.get("ctx", {})
    match details["type"]:
        case "extra_forbidden":
            return place, unknown("key", place[-1], _known_keys(details["loc"][:-1]))
        case "missing":
            return place, "missing"
        case "union_tag_not_found":
            return (*place, "kind"), f"missing; expected one of {', '.join(KINDS)}"
        case "union_tag_invalid":
            return (*place, "kind"), unknown("kind", context["tag"], context["expected_tags"].replace("'", "").split(", "))
        case "value_error":
            return _narrowed(place, got, str(context["error"]))
        case kind if kind in WORDS:
            return place, f"expected {WORDS[kind].format(**context)}, got {_short(got)}"
    return place, f"{details['msg']}, got {_short(got)}"


def _short(value: Any) -> str:
    """Returns a value as Python writes it, its middle left out if it is long."""
    text = repr(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE // 2]} … {text[-LONGEST_VALUE // 2 :]}"


def _without_tags(place: Place, values: Any) -> Iterator[str | int]:
    """Yields the steps of pydantic's place without the kinds that it writes into it."""
    for step in place:
        if isinstance(values, dict) and step not in values and step == values.get("kind"):
            continue
        yield step
        if isinstance(values, dict):
            values = values.get(step)
        elif isinstance(values, list) and isinstance(step, int):
            values = values[step]


def _known_keys(place: Place) -> list[str]:
    """Returns the keys of the model at pydantic's place."""
    model: type[Settings] = Settings
    for step in place:
        if step in model.model_fields:
            annotation = model.model_fields[str(step)].annotation
            classes = [part for part in (annotation, *get_args(annotation)) if get_origin(part) is None and isinstance(part, type)]
            parts = [part for part in classes if issubclass(part, Settings)]
            model = parts[0] if parts else model
        elif step in KINDS:
            model = KINDS[str(step)]
    return list(model.model_fields)


def _narrowed(place: Place, got: Any, message: str) -> Mistake:
    """Returns a mistake at the key of a mapping that the message names first, or else at the mapping."""
    names = [str(name) for name in got] if isinstance(got, dict) else []
    named = [name for name in names if repr(name) in message] or [name for name in names if re.search(rf"\b{re.escape(name)}[:=]", message)]
    return (*place, *sorted(named, key=message.index)[:1]), message
