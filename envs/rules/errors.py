"""The errors a user's input can raise.

    ValueError
    └─ SparringError
       ├─ RulesError           a board or rule set that cannot exist
       ├─ UnknownGameError     an id that names no game
       ├─ IllegalMoveError     a move that the rules forbid here
       ├─ NotationError        text that is not a move or a position
       ├─ AgentError           an unknown agent, parameter or value; an agent that broke the protocol
       ├─ ConfigError          a config that cannot be run
       └─ MissingExtraError    an optional dependency that is not installed (also an ImportError)

Messages are one line in lower case: what was expected, what came, where. A line is printable and has at most LONGEST_LINE characters:
control characters are escaped, and the middle of a longer one is left out.
"""

from __future__ import annotations

import numbers
import operator
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

PREFIX = 3  # letters that a similar name shares at its beginning
ALIKE = 0.65  # least similarity, see `difflib`
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
HINTS = {"train": " (a CPU torch first saves gigabytes; see README)"}  # by extra
LONGEST_LINE = 600  # characters of a message
LONGEST_VALUE = 120  # characters of a value in it


def shortened(text: str, most: int = LONGEST_LINE) -> str:
    r"""Returns a text as one printable line: control characters escaped, and the middle of a long one replaced by its length.

    >>> shortened("a\x1b[31mb")
    'a\\x1b[31mb'
    >>> shortened("x" * 1000, 40)
    'xxxxxxxx … (1,000 characters) … xxxxxxxx'
    """
    if len(text) <= most:
        line = printable(text)
        if len(line) <= most:
            return line
    middle = f" … ({len(text):,} characters) … "
    room = most - len(middle)
    head, tail = printable(text[:room]), printable(text[-room:])
    return f"{head[: (room + 1) // 2]}{middle}{tail[len(tail) - room // 2 :]}"


def shown(value: Any) -> str:
    """Returns the repr of a value for a message, without its middle if it is long."""
    try:
        return shortened(repr(value), LONGEST_VALUE)
    except (ValueError, RecursionError):  # an integer of more digits than Python writes, or a list too deep
        return f"a value of type {type(value).__name__} that is too large to show"


def printable(text: str) -> str:
    """Returns a text with its control characters escaped, so that no terminal obeys them."""
    return text if text.isprintable() else "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class SparringError(ValueError):
    """Base of all errors that a user can correct."""

    def __init__(self, *lines: str) -> None:
        """Takes the message; each line is a mistake of its own."""
        super().__init__(*map(shortened, lines))

    def __str__(self) -> str:
        return "\n".join(self.args)


class RulesError(SparringError):
    """A board or rule set that cannot exist."""


class UnknownGameError(SparringError):
    """An id that names no game."""


class IllegalMoveError(SparringError):
    """A move that the rules forbid in the position at hand."""


class NotationError(SparringError):
    """Text that is not a move or a position of the game."""


class AgentError(SparringError):
    """An unknown agent, parameter or value, or an agent that broke the protocol."""


class ConfigError(SparringError):
    """A config that cannot be run."""


class MissingExtraError(SparringError, ImportError):
    """An optional dependency that is not installed."""


def unknown(what: str, name: object, known: Sequence[str]) -> str:
    """Returns the message for a name that is not in `known`, with the nearest known name if one is near."""
    return f"unknown {what} {shown(name)}; expected one of {', '.join(known)}{did_you_mean(name, known)}"


def did_you_mean(name: object, known: Sequence[str]) -> str:
    """Returns the end of a message about a name that is not in `known`: "did you mean" and the nearest known name, or nothing.

    >>> did_you_mean("connect_four", ["ConnectFour", "TicTacToe"])
    "; did you mean 'ConnectFour'?"
    >>> did_you_mean("environments", ["envs", "agents"])
    "; did you mean 'envs'?"

    >>> did_you_mean("connect4", ["ConnectK", "ConnectFour"])
    "; did you mean 'ConnectFour'?"

    Capitals and punctuation do not count, and digits are spelled out. If no name is similar, one with the same beginning is taken.
    """
    candidates = {_spelled(candidate): candidate for candidate in known}
    wanted = _spelled(str(name))
    same_prefix = [candidate for candidate in candidates if wanted[:PREFIX] == candidate[:PREFIX]]
    close = get_close_matches(wanted, candidates, n=1, cutoff=ALIKE) or same_prefix
    return f"; did you mean {candidates[close[0]]!r}?" if close else ""


def _spelled(name: str) -> str:
    """Returns a name in small letters and spelled digits, without the namespace and the version of an id."""
    letters = re.sub(r"^sparring/|-v\d+$|\W|_", "", name).lower()
    return re.sub(r"[0-9]", lambda digit: DIGITS[int(digit[0])], letters)


@contextmanager
def extra(name: str, what: str) -> Iterator[None]:
    """Lets its block import the packages of an extra.

    >>> with extra("render", "a window"):
    ...     import nowhere
    Traceback (most recent call last):
    sparring.envs.rules.errors.MissingExtraError: a window needs nowhere; install it with: pip install 'sparring[render]'

    Args:
        name: of the extra.
        what: the feature that needs it.

    Raises:
        MissingExtraError: a package is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        raise MissingExtraError(f"{what} needs {package}; install it with: {installation(name)}{HINTS.get(name, '')}") from error


def installation(name: str) -> str:
    """Returns the command that installs an extra of this package."""
    return f"pip install 'sparring[{name}]'"


def whole_number(value: Any) -> int | None:
    """Returns an integer of any kind (Python's, NumPy's, a tensor of one element) as an int; None for all else, also for True and False."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def as_written(value: Any) -> Any:
    """Returns a whole number that a text or a file writes as 1e6 or 2.0 as an int, and all else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**63 else value


def check_whole(name: str, value: Any, low: int, high: int) -> int:
    """Returns `value` as an int, or raises RulesError unless it is a whole number in low..high."""
    number = whole_number(value)
    if number is None or not low <= number <= high:
        raise RulesError(f"{name}: expected a whole number from {low} to {high}, got {shown(value)}")
    return number


def check_share(name: str, value: Any) -> float:
    """Returns `value` as a float, or raises RulesError unless it is a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 <= float(value) <= 1:
        raise RulesError(f"{name}: expected a number from 0 to 1, got {shown(value)}")
    return float(value)


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> Any:
    """Returns `value`, or raises RulesError unless it is one of `choices`."""
    if not any(value is choice or (type(value) is type(choice) and value == choice) for choice in choices):
        raise RulesError(f"{name}: {unknown('value', value, [str(choice) for choice in choices])}")
    return value
