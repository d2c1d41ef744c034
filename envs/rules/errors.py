"""The errors a user's input can raise.

    ValueError
    └─ SparringError
       ├─ RulesError           a board or rule set that cannot exist
       ├─ UnknownGameError     an id that names no game
       ├─ IllegalMoveError     a move that the rules forbid here
       ├─ NotationError        text that is no move, or a position that no game reaches
       ├─ AgentError           an unknown agent, parameter or value; an agent that broke the protocol
       ├─ ConfigError          a config that cannot be run
       └─ MissingExtraError    an optional dependency that is not installed (also an ImportError)

Messages are one line in lower case: what was expected, what came, where.
"""

from __future__ import annotations

import numbers
import operator
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any


class SparringError(ValueError):
    """Base of all errors that tell a user what to change."""


class RulesError(SparringError):
    """A board or rule set that cannot exist."""


class UnknownGameError(SparringError):
    """An id that names no game."""


class IllegalMoveError(SparringError):
    """A move that the rules forbid in the position at hand."""


class NotationError(SparringError):
    """Text that is no move or no position of the game."""


class AgentError(SparringError):
    """An unknown agent, parameter or value, or an agent that broke the protocol."""


class ConfigError(SparringError):
    """A config that cannot be run."""


class MissingExtraError(SparringError, ImportError):
    """An optional dependency that is not installed."""


def unknown(what: str, name: object, known: Sequence[str]) -> str:
    """Returns the message for a name that is not in `known`, with the nearest known one if there is one."""
    close = get_close_matches(str(name), known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"unknown {what} {name!r}; expected one of {', '.join(known)}{hint}"


def whole_number(value: Any) -> int | None:
    """Returns an integer of any kind (Python's, NumPy's, a tensor of one) as an int, and None for all else, also for True and False."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def as_written(value: Any) -> Any:
    """Returns a number such as 1e6 or 2.0, which texts and files write for a whole one, as an int, and all else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**63 else value


def check_whole(name: str, value: Any, low: int, high: int) -> int:
    """Returns `value` as an int, or raises RulesError unless it is a whole number in low..high."""
    number = whole_number(value)
    if number is None or not low <= number <= high:
        raise RulesError(f"{name}: expected a whole number from {low} to {high}, got {value!r}")
    return number


def check_share(name: str, value: Any) -> float:
    """Returns `value` as a float, or raises RulesError unless it is a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 <= float(value) <= 1:
        raise RulesError(f"{name}: expected a number from 0 to 1, got {value!r}")
    return float(value)


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> Any:
    """Returns `value`, or raises RulesError unless it is one of `choices`."""
    if not any(value is choice or (type(value) is type(choice) and value == choice) for choice in choices):
        raise RulesError(f"{name}: {unknown('value', value, [str(choice) for choice in choices])}")
    return value
