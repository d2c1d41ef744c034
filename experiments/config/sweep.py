"""Sweeps: overrides with several values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...envs.rules.errors import ConfigError, shown

RANGE = re.compile(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})")
STRUCTURED = set("[]{}:=\"'")  # characters of a single value with commas: a list, a mapping, an agent with parameters
LONGEST_NAME = 70
MOST_RUNS = 1000


def variants(override: str) -> list[str]:
    """Returns an override for each value of a list `a,b,c` or of a range `a..b`, or the override itself.

    >>> variants("seed=0..2")
    ['seed=0', 'seed=1', 'seed=2']
    >>> variants("agent=alphabeta:depth=2,nodes=100")
    ['agent=alphabeta:depth=2,nodes=100']

    Raises:
        ConfigError: a range that ends before it begins, or an empty value in a list.
    """
    key, sign, value = override.partition("=")
    if not sign or STRUCTURED & set(value):
        return [override]
    values = [number for part in value.split(",") for number in _numbers(part.strip(), override)]
    if len(values) > 1 and "" in values:
        raise ConfigError(f"override {shown(override)}: expected a value between any two commas")
    return [f"{key}={value}" for value in values]


def _numbers(text: str, override: str) -> list[str]:
    match = RANGE.fullmatch(text)
    if match is None:
        return [text]
    low, high = map(int, match.groups())
    if not low <= high < low + MOST_RUNS:
        raise ConfigError(f"override {shown(override)}: expected a range from a lower to a higher number, of up to {MOST_RUNS}, got {text}")
    return [str(number) for number in range(low, high + 1)]


def name_of(changed: Iterable[str], number: int) -> str:
    """Returns the name of a run: its changed values, each after the shortest end of its key that is unique."""
    values = {key: value for key, _, value in (text.partition("=") for text in changed)}
    parts = [f"{end_of(key, list(values))}-{value}" for key, value in values.items()]
    name = "_".join(re.sub(r"[^\w.-]+", "-", part) for part in parts).strip(".-")
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}_{number}"


def end_of(key: str, keys: Sequence[str]) -> str:
    """Returns the shortest end of a key, in whole steps and not only a number, that no other key has.

    >>> end_of("agents.0.depth", ["agents.0.depth", "seed"])
    'depth'
    >>> end_of("agents.0.depth", ["agents.0.depth", "agents.1.depth"])
    '0.depth'
    >>> end_of("agents.0", ["agents.0"])
    'agents.0'
    """
    steps = key.split(".")
    ends = [".".join(steps[start:]) for start in reversed(range(len(steps)))]
    others = [other for other in keys if other != key]
    return next((end for end in ends if not end.isdecimal() and not any(f".{other}".endswith(f".{end}") for other in others)), key)
