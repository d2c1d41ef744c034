"""A YAML file with overrides: the values, and where each of them came from."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from ..envs.rules.errors import ConfigError

Place = tuple[str | int, ...]  # the keys and list indices that lead to a value


class Loader(yaml.SafeLoader):
    """Reads scalars as YAML 1.2 does: `3e-4` is a number, `no` and `12:30` are text."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 - the name and type are PyYAML's


for tag, pattern, first in [
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    (
        "float",
        r"[-+]?([0-9][0-9_]*\.[0-9_]*|\.[0-9]+)([eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|[-+]?\.(inf|Inf)|\.(nan|NaN)",
        "-+.0123456789",
    ),
    ("int", r"[-+]?(0|[1-9][0-9_]*|0x[0-9a-fA-F]+)", "-+0123456789"),
    ("merge", r"<<", "<"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
]:
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first))


class YamlSource:
    """The values of a YAML file, changed by overrides, that knows the line of each.

    Attributes:
        path: of the file.
        values: what the file says.
        overrides: the overrides' texts and the places they set.
    """

    def __init__(self, path: Path):
        """Reads a file.

        Raises:
            ConfigError: the file is missing, empty, no YAML or gives a key twice.
        """
        self.path = path
        self.overrides: list[tuple[str, Place]] = []
        text = self._read()
        try:
            self.root = yaml.compose(text, Loader)
            self._refuse_duplicates(self.root)
            self.values: Any = yaml.load(text, Loader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            raise ConfigError(f"{path}:{mark.line + 1 if mark else 1}: expected YAML: {error.problem}") from None
        except yaml.YAMLError as error:
            raise ConfigError(f"{path}: expected YAML: {' '.join(str(error).split())}") from None

    def _read(self) -> str:
        try:
            text = self.path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise ConfigError(f"{self.path}: expected UTF-8 text, got byte {error.object[error.start]:#04x} at {error.start}") from None
        except OSError as error:
            raise ConfigError(f"{self.path}: {(error.strerror or 'cannot be read').lower()}") from None
        if not text.strip():
            raise ConfigError(f"{self.path}: expected a config, got an empty file")
        return text

    def _refuse_duplicates(self, node: yaml.Node | None) -> None:
        for mapping in _mappings(node):
            lines: dict[str, int] = {}
            for key, _ in mapping.value:
                line = key.start_mark.line + 1
                if key.value in lines and key.value != "<<":
                    raise ConfigError(f"{self.path}:{line}: {key.value}: given twice, first on line {lines[key.value]}")
                lines[key.value] = line

    def override(self, text: str, unfold: Callable[[str | int, str], dict[str, Any] | None]) -> None:
        """Sets one value, such as `agents.0.depth=2`; the index after a list's last appends to it.

        Args:
            text: dotted key, `=`, and a YAML value.
            unfold: returns the dict that a text at a key stands for (`alphabeta:depth=4`), or None, so that a part of it can be set.

        Raises:
            ConfigError: the text is no override, or leads nowhere.
        """
        name, sign, written = text.partition("=")
        place: Place = tuple(int(step) if step.isdigit() else step for step in name.split("."))
        if not sign or "" in place:
            raise ConfigError(f"override {text!r}: expected key=value")
        try:
            value = yaml.load(written, Loader)
        except yaml.YAMLError:
            raise ConfigError(f"override {text!r}: expected a YAML value after '=', got {written!r}") from None
        try:
            self.values = _with(self.values, place, value, unfold)
        except LookupError as error:
            raise ConfigError(f"override {text!r}: {error.args[0]}") from None
        self.overrides.append((text, place))

    def line(self, place: Place) -> int:
        """Returns the line of a value, or of the nearest that encloses it; of a last key that the file has, the key's line."""
        node = self.root
        line = 1
        for step in place:
            key, node = _child(node, step)
            if node is None:
                break
            line = (key or node).start_mark.line + 1
        return line

    def overrides_of(self, place: Place) -> list[str]:
        """Returns the overrides that set a value, a part of it, or what encloses it."""
        return [text for text, set_place in self.overrides if all(a == b for a, b in zip(set_place, place, strict=False))]


def _mappings(node: yaml.Node | None) -> list[yaml.MappingNode]:
    """Returns every mapping at or below a node."""
    found, todo, seen = [], [node], set()
    while todo:
        node = todo.pop(0)
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            found.append(node)
            todo += [value for _, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            todo += node.value
    return found


def _child(node: yaml.Node | None, step: str | int) -> tuple[yaml.Node | None, yaml.Node | None]:
    """Returns the key's node (None in a list) and the value's node (None if there is no such child)."""
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == str(step)), (None, None))
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return None, node.value[step]
    return None, None


def _with(tree: Any, place: Place, value: Any, unfold: Callable[[str | int, str], dict[str, Any] | None], key: str | int = "") -> Any:
    """Returns a copy of a tree in which one place holds another value."""
    if not place:
        return value
    step, rest = place[0], place[1:]
    if isinstance(tree, str):
        tree = unfold(key, tree)
        if tree is None:
            raise LookupError(f"no {step!r} in {key!r}, which is a text")
    if tree is None:
        tree = {}
    if isinstance(tree, dict):
        return {**tree, str(step): _with(tree.get(str(step)), rest, value, unfold, str(step))}
    if not isinstance(tree, list):
        raise LookupError(f"no {step!r} in {key!r}, which is {tree!r}")
    if not isinstance(step, int) or step > len(tree):
        raise LookupError(f"expected an index from 0 to {len(tree)} in {key!r}, got {step!r}")
    old = tree[step] if step < len(tree) else None
    return [*tree[:step], _with(old, rest, value, unfold, key), *tree[step + 1 :]]
