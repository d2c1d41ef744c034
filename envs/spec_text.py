"""A name with parameters as one text, for games and agents: `Gomoku:size=9`, `alphabeta:depth=4,weights.theirs=2`."""

from __future__ import annotations

from typing import Any

from .rules.errors import SparringError, shown

CONSTANTS = {"true": True, "false": False, "none": None, "null": None}


def read_parameters(text: str) -> tuple[str, dict[str, Any]]:
    """Returns the name and the parameters of "name:key=value,key=value"; values are numbers, true, false, none, or text.

    A key "outer.inner" names an entry of a dict.

    Raises:
        SparringError: a key without a value, or with two.
    """
    name, _, rest = text.strip().partition(":")
    parameters: dict[str, Any] = {}
    for token in rest.split(",") if rest else []:
        key, sign, value = token.partition("=")
        outer, dot, inner = key.strip().partition(".")
        if not sign or not outer or (dot and not inner):
            raise SparringError(f"{shown(text)}: expected key=value after the name, got {shown(token)}")
        target, key = (parameters.setdefault(outer, {}), inner) if dot else (parameters, outer)
        if not isinstance(target, dict) or key in target:
            raise SparringError(f"{shown(text)}: {outer}: expected one value, got another with {shown(token)}")
        target[key] = read_value(value.strip())
    return name, parameters


def read_value(text: str) -> Any:
    """Returns the number or the constant that a text spells, or the text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return CONSTANTS.get(text.lower(), text)
