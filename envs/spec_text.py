"""A name with parameters as one text, for games and agents: `Gomoku:size=9`, `alphabeta:depth=4,weights.theirs=2`."""

from __future__ import annotations

import re
import shlex
from typing import Any

from .rules.errors import SparringError, shown

TOKEN = re.compile(r"""(?:^|,)((?:'[^']*'|"[^"]*"|[^,])*)""")  # up to a comma that is not in quotes
CONSTANTS = {"true": True, "false": False, "none": None, "null": None}


def read_parameters(text: str) -> tuple[str, dict[str, Any]]:
    """Returns the name and the parameters of "name:key=value,key=value"; values are numbers, true, false, none, or text.

    A key "outer.inner" names an entry of a dict. A comma in quotes belongs to the value, as the quotes do.

    Raises:
        SparringError: a key without a value, or with two.
    """
    name, _, rest = text.strip().partition(":")
    parameters: dict[str, Any] = {}
    for token in TOKEN.findall(rest) if rest else []:
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


def command_words(command: str | list[str]) -> list[str]:
    """Returns the words of a command, split as a shell does.

    Raises:
        SparringError: a quotation does not end, or a word of a list is no text.
    """
    if isinstance(command, str):
        try:
            return shlex.split(command)
        except ValueError as error:
            raise SparringError(f"expected a command with its quotes closed, got {shown(command)}: {str(error).lower()}") from None
    if not all(isinstance(word, str) for word in command):
        raise SparringError(f"expected a list of texts, got {shown(command)}")
    return command


def command_text(command: str | list[str]) -> str:
    """Returns a command as a text that a spec can hold, with quotes where a word needs them; errors as in `command_words`.

    >>> command_text(["bot.sh", "a b", "c,d"])
    "bot.sh 'a b' 'c,d'"
    """
    return " ".join(map(_quoted, command_words(command)))


def _quoted(word: str) -> str:
    return "'{}'".format(word.replace("'", "'\"'\"'")) if "," in word else shlex.quote(word)
