"""Lets the API pages show the doctests of docstrings as code, and their sections of names as lists."""

from __future__ import annotations

import re
from typing import Any

import griffe

DOCTEST = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)  # up to an empty line
NAMES = re.compile(r"^(Info, .*|Args of .*):\n((?: {4}.*\n?)+)", re.MULTILINE)  # sections that Google's form does not know


class Docstrings(griffe.Extension):
    """Changes docstrings before they are read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Changes the docstring of an object that has one."""
        if obj.docstring:
            obj.docstring.value = NAMES.sub(_as_list, obj.docstring.value)
            obj.docstring.value = DOCTEST.sub(
                lambda found: f"```pycon\n{found[0].replace('  # doctest: +SKIP', '')}\n```", obj.docstring.value
            )


def _as_list(section: re.Match[str]) -> str:
    """Returns a section of names as a heading and a list."""
    entries = re.sub(r"^ {4}(\w+): ", r"- **`\1`**: ", section[2], flags=re.MULTILINE)
    return f"**{section[1]}:**\n\n{entries}"
