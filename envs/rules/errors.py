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
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

BEGINNING = 3  # letters that two names share to be called alike


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
    return f"unknown {what} {name!r}; expected one of {', '.join(known)}{did_you_mean(name, known)}"


def did_you_mean(name: object, known: Sequence[str]) -> str:
    """Returns the end of a message about a name that is not in `known`: a question for the nearest known one, or nothing.

    >>> did_you_mean("connect_four", ["ConnectFour", "TicTacToe"])
    "; did you mean 'ConnectFour'?"
    >>> did_you_mean("environments", ["envs", "agents"])
    "; did you mean 'envs'?"

    Capitals and marks between words do not count; a name that is near to none may share its beginning with one.
    """
    spelled = {re.sub(r"\W|_", "", each).lower(): each for each in known}
    given = re.sub(r"\W|_", "", str(name)).lower()
    begun = [each for each in spelled if given[:BEGINNING] == each[:BEGINNING]]
    close = get_close_matches(given, spelled, n=1) or begun
    return f"; did you mean {spelled[close[0]]!r}?" if close else ""


@contextmanager
def extra(name: str, what: str) -> Iterator[None]:
    """Lets its block import what an extra of this package brings.

    >>> with extra("train", "BoardVecEnv"):
    ...     import nowhere
    Traceback (most recent call last):
    sparring.envs.rules.errors.MissingExtraError: BoardVecEnv needs nowhere; install it with: pip install 'sparring[train]'

    Args:
        name: of the extra.
        what: needs it.

    Raises:
        MissingExtraError: a package is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        raise MissingExtraError(f"{what} needs {package}; install it with: {installation(name)}") from error


def installation(name: str) -> str:
    """Returns the command that installs an extra of this package."""
    return f"pip install 'sparring[{name}]'"


def whole_number(value: Any) -> int | None:
    """Returns an integer of any kind (Python's, NumPy's, a tensor of one) as an int, and None for all else, also for True and False."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


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
