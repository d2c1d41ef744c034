"""What a config may hold, in words: the keys of each kind, and of the parts inside it, for the terminal and the site."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf
from pydantic import BeforeValidator, PositiveFloat
from pydantic.fields import FieldInfo

from ..config.parts import Settings, read_agent, read_game, read_pool
from ..kinds import KINDS, kind_of

FREE: dict[Any, str] = {read_game: "a game", read_agent: "an agent", read_pool: "an agent or pool"}
WORDS: dict[Any, str] = {int: "whole number", float: "number", str: "text", bool: "true or false"}


class Key(NamedTuple):
    """A key of a config, in words; values of a config are in backticks, names of parts in double brackets."""

    name: str
    values: str
    default: str
    meaning: str


@functools.cache
def models() -> Mapping[str, type[Settings]]:
    """Returns the config of each kind by name, and behind them the parts that they hold, by the key that holds them."""
    kinds: dict[str, type[Settings]] = {name: kind_of(name).config for name in KINDS}
    found, todo = dict(kinds), list(kinds.values())
    while todo:
        cls = todo.pop(0)
        for key, hint in typing.get_type_hints(cls, include_extras=True).items():
            for part in _parts_in(hint):
                if part not in found.values() and key in cls.model_fields:
                    found[f"{cls.model_fields['kind'].default}.{key}" if key in kinds else key] = part
                    todo.append(part)
    return found


def _parts_in(hint: Any) -> Iterator[type[Settings]]:
    """Yields the parts of a config in a type hint."""
    if inspect.isclass(hint) and issubclass(hint, Settings):
        yield hint
    for argument in typing.get_args(hint):
        if typing.get_origin(hint) is not Literal:
            yield from _parts_in(argument)


def parts_of(name: str) -> list[str]:
    """Returns the names of the parts that a kind, or a part, holds."""
    hints = typing.get_type_hints(models()[name], include_extras=True).values()
    return [key for key, cls in models().items() if key not in KINDS and any(cls in _parts_in(hint) for hint in hints)]


def keys_of(name: str) -> list[Key]:
    """Returns the keys of a kind, or of a part."""
    cls = models()[name]
    hints, meaning = typing.get_type_hints(cls, include_extras=True), meanings(cls)
    return [Key(key, _values(hints[key]), _default(field), meaning[key]) for key, field in cls.model_fields.items()]


def summary_of(name: str) -> str:
    """Returns the first sentence on a kind, or on a part."""
    return (inspect.getdoc(models()[name]) or "").partition("\n\n")[0].replace("\n", " ")


# Docstrings


def meanings(cls: type) -> dict[str, str]:
    """Returns what the docstrings of a class and its bases say of each attribute."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        found |= entries(inspect.cleandoc(base.__dict__.get("__doc__") or ""), "Attributes")
    return found


def entries(doc: str, section: str) -> dict[str, str]:
    """Returns the entries of a section of a clean docstring by name; `a, b: text` stands for both."""
    block = re.search(rf"^{section}.*:\n((?: {{4}}.*\n?|\n)+)", doc, re.MULTILINE)
    found: dict[str, str] = {}
    for names, text in re.findall(r"^ {4}(\w[\w, ]*): ((?:.*\n?)(?: {8}.*\n?)*)", block[1] if block else "", re.MULTILINE):
        found |= dict.fromkeys(names.split(", "), sentence(text))
    return found


def sentence(text: str) -> str:
    """Returns a text on one line with a full stop, and with a capital unless it begins with a name from the code."""
    text = " ".join(text.split()).rstrip(".")
    return f"{text[0].upper()}{text[1:]}." if re.match(r"[a-z]+(['-][a-z]+)?[ ,]", text) else f"{text}."


# Values


def written(value: Any) -> str:
    """Returns a value as a config or a spec writes it."""
    if isinstance(value, dict) and "name" in value:
        rest = ",".join(f"{key}={inner}" for key, inner in value.items() if key != "name")
        return f"`{value['name']}{':' if rest else ''}{rest}`"
    if isinstance(value, list):
        return ", ".join(written(entry.get("opponent", entry) if isinstance(entry, dict) else entry) for entry in value) or "none"
    if value is None or value in ("", {}):
        return "none"
    if isinstance(value, float):
        return f"`{value:g}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _default(field: FieldInfo) -> str:
    """Returns the default of a key; parts of a config have defaults of their own."""
    if field.is_required():
        return "**required**"
    return "its defaults" if isinstance(field.default, Settings) else written(field.default)


def _values(hint: Any) -> str:
    """Returns the values that a type hint of a key allows."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is PositiveFloat:
        return "number above 0"
    if origin is typing.Annotated:
        return _annotated(arguments[0], list(_flat(arguments[1:])))
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in arguments)
    if origin in (types.UnionType, typing.Union):
        words = ["none" if part is type(None) else _values(part) for part in arguments]
        return (", or " if any("," in word for word in words) else " or ").join(words)
    if origin is list:
        return f"list: {_values(arguments[0])}"
    if origin is dict:
        inner = arguments[1]
        return f"by name: {'parameters' if typing.get_origin(inner) is dict else _values(inner)}"
    if inspect.isclass(hint) and issubclass(hint, Settings):
        return f"[[{next(name for name, cls in models().items() if cls is hint)}]]"
    return WORDS[hint]


def _flat(metadata: Any) -> Iterator[Any]:
    """Yields what stands beside a type, the bounds inside a Field one by one."""
    for entry in metadata:
        yield from entry.metadata if isinstance(entry, FieldInfo) else [entry]


def _annotated(inner: Any, metadata: list[Any]) -> str:
    """Returns the values that an annotated type allows."""
    for entry in metadata:
        if isinstance(entry, BeforeValidator) and entry.func in FREE:
            return FREE[entry.func]
    if typing.get_origin(inner) in (types.UnionType, typing.Union) and all(issubclass(part, Settings) for part in typing.get_args(inner)):
        return "a config of " + ", ".join(f"[[{name}]]" for name, cls in models().items() if cls in typing.get_args(inner))
    least = next((entry for entry in metadata if isinstance(entry, Ge | Gt | MinLen)), None)
    most = next((entry for entry in metadata if isinstance(entry, Le | Lt | MaxLen)), None)
    even = "even " if any(isinstance(entry, MultipleOf) for entry in metadata) else ""
    return f"{even}{_values(inner)}{_bounds(least, most)}"


def _bounds(least: Any, most: Any) -> str:
    """Returns the bounds of a number, or of a list's length."""
    low, high = (None if bound is None else dataclasses.astuple(bound)[0] for bound in (least, most))
    if isinstance(least, MinLen) or isinstance(most, MaxLen):
        return f", {low} of them" if low == high else f", at least {low}" if high is None else f", at most {high} of them"
    if isinstance(least, Gt):
        return f" above {low:,}, {'below' if isinstance(most, Lt) else 'at most'} {high:,}"
    if low is None:
        return ""
    return f", at least {low:,}" if high is None else f", {low:,} to {high - 1 if isinstance(most, Lt) else high:,}"
