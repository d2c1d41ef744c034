"""Sweeps: overrides that stand for several values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...envs.rules.errors import ConfigError, shown

RANGE = re.compile(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})")
STRUCTURED = set("[]{}:=\"'")  # in a value that is one, whatever commas it has: a list, a mapping, an agent with parameters
LONGEST_NAME = 70
MOST_RUNS = 1000


def variants(override: str) -> list[str]:
    """Returns the overrides that one stands for: itself, or one for each value of a list `a,b,c` or of a range `a..b`.

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
    values = [one for part in value.split(",") for one in _numbers(part.strip(), override)]
    if len(values) > 1 and "" in values:
        raise ConfigError(f"override {shown(override)}: expected a value between any two commas")
    return [f"{key}={one}" for one in values]


def _numbers(text: str, override: str) -> list[str]:
    match = RANGE.fullmatch(text)
    if match is None:
        return [text]
    low, high = map(int, match.groups())
    if not low <= high < low + MOST_RUNS:
        raise ConfigError(f"override {shown(override)}: expected a range from a lower to a higher number, of up to {MOST_RUNS}, got {text}")
    return [str(number) for number in range(low, high + 1)]


def name_of(changed: Iterable[str], number: int) -> str:
    """Returns the name of one run: what is changed in it, each key by no more of its end than tells it from the others."""
    values = {key: value for key, _, value in (text.partition("=") for text in changed)}
    words = [f"{end_of(key, list(values))}-{value}" for key, value in values.items()]
    name = "_".join(re.sub(r"[^\w.-]+", "-", word) for word in words).strip(".-")
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}_{number}"


def end_of(key: str, keys: Sequence[str]) -> str:
    """Returns the shortest end of a key, in whole steps and not in a number alone, that no other has.

    >>> end_of("agents.0.depth", ["agents.0.depth", "seed"])
    'depth'
    >>> end_of("agents.0.depth", ["agents.0.depth", "agents.1.depth"])
    '0.depth'
    >>> end_of("agents.0", ["agents.0"])
    'agents.0'
    """
    steps = key.split(".")
    ends = [".".join(steps[place:]) for place in reversed(range(len(steps)))]
    others = [other for other in keys if other != key]
    return next((end for end in ends if not end.isdecimal() and not any(f".{other}".endswith(f".{end}") for other in others)), key)
