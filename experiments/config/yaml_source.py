"""A YAML file with overrides: the values, and the line or override of each."""

import re
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from yaml.composer import ComposerError

from ...agents.foreign import read_text
from ...envs.rules.errors import ConfigError, printable, shown

KeyPath = tuple[str | int, ...]  # the keys and list indices that lead to a value
MOST_BYTES = 1_000_000  # of a file or an override
MOST_VALUES = 100_000  # of either, counting each repetition by an alias
MOST_DEPTH = 40  # levels of lists and mappings inside each other
LONGEST_NUMBER = 100  # characters
INDEX = re.compile(r"[0-9]{1,9}")  # of a list, in an override
TYPES = ("bool", "float", "int", "map", "null", "seq", "str")  # of values
SPACES = str.maketrans("", "", "\n\t")  # the control characters that a text may have


class Loader(yaml.SafeLoader):
    """Reads scalars as YAML 1.2 does: `3e-4` is a number, `no` and `12:30` are text. Refuses what exceeds the limits above.

    Attributes:
        depth: of the present node.
        values: number of values so far.
        sizes: number of values in each node so far.
    """

    yaml_implicit_resolvers = {}
    yaml_constructors = {
        tag: make for tag, make in yaml.SafeLoader.yaml_constructors.items() if tag is None or tag.rpartition(":")[2] in TYPES
    }

    def __init__(self, text: str):
        if len(text) > MOST_BYTES:
            raise yaml.YAMLError(f"expected at most {MOST_BYTES:,} characters, got {len(text):,}")
        super().__init__(text)
        self.depth, self.values = 0, 0
        self.sizes: dict[yaml.Node, int] = {}

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Returns the next node, within the limits."""
        event, before = self.peek_event(), self.values
        self.depth += 1
        self._refuse(self.depth > MOST_DEPTH, f"expected at most {MOST_DEPTH} levels of lists and mappings, got more", event)
        node = super().compose_node(parent, index)
        self.depth -= 1
        if isinstance(event, yaml.AliasEvent):
            self._refuse(node not in self.sizes, f"expected an alias of an earlier value, got *{event.anchor} inside itself", event)
        if node is not None:
            self.values += self.sizes.get(node, 1)
            self._refuse(self.values > MOST_VALUES, f"expected at most {MOST_VALUES:,} values, aliases written out, got more", event)
            self.sizes.setdefault(node, self.values - before)
        return node

    def construct_scalar(self, node: yaml.ScalarNode | yaml.MappingNode) -> Any:
        """Returns a scalar's text, without control characters that a terminal would obey."""
        text = super().construct_scalar(node)
        is_number = node.tag in ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
        self._refuse(is_number and len(text) > LONGEST_NUMBER, f"expected a number of up to {LONGEST_NUMBER} characters", node)
        if not text.translate(SPACES).isprintable():
            self._refuse(True, f"expected text without control characters, got '{printable(text)}'", node)
        return text

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Returns a mapping; merged keys are written into a copy of the node, which itself stays unchanged."""
        return super().construct_mapping(yaml.MappingNode(node.tag, list(node.value), node.start_mark, node.end_mark), deep)

    def value_of(self, node: yaml.Node | None) -> Any:
        """Returns the value of a node.

        Raises:
            yaml.YAMLError: a tag does not fit its text, such as `!!int x`.
        """
        try:
            return None if node is None else self.construct_document(node)
        except ValueError as error:
            raise yaml.YAMLError(str(error)) from None

    def _refuse(self, is_wrong: bool, problem: str, where: Any) -> None:
        if is_wrong:
            raise ComposerError(None, None, problem, where.start_mark)


def read(text: str) -> Any:
    """Returns the value of a YAML text.

    Raises:
        yaml.YAMLError: it is not YAML, or exceeds the limits.
    """
    loader = Loader(text)
    return loader.value_of(loader.get_single_node())


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
        values: of the file, with the overrides.
        overrides: their texts and the key paths that they set.
    """

    def __init__(self, path: Path):
        """Reads a file.

        Raises:
            ConfigError: the file is missing, empty, not YAML, or gives a key twice.
        """
        self.path = path
        self.overrides: list[tuple[str, KeyPath]] = []
        text = self._read()
        try:
            loader = Loader(text)
            self.root = loader.get_single_node()
            self._refuse_duplicates(self.root)
            self.values: Any = loader.value_of(self.root)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            raise ConfigError(f"{path}:{mark.line + 1 if mark else 1}: expected YAML: {error.problem}") from None
        except yaml.YAMLError as error:
            raise ConfigError(f"{path}: expected YAML: {' '.join(str(error).split())}") from None

    def _read(self) -> str:
        try:
            text = read_text(self.path, MOST_BYTES)
        except ValueError as error:
            raise ConfigError(f"{self.path}: {error}") from None
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
                if not isinstance(key, yaml.ScalarNode):
                    raise ConfigError(f"{self.path}:{line}: expected a text as key, got a list or mapping")
                if key.value in lines and key.value != "<<":
                    raise ConfigError(f"{self.path}:{line}: {key.value}: given twice, first on line {lines[key.value]}")
                lines[key.value] = line

    def override(self, text: str, unfold: Callable[[str | int, str], dict[str, Any] | None]) -> None:
        """Sets one value, such as `agents.0.depth=2`; the index after a list's last appends to it.

        Args:
            text: dotted key, `=`, and a YAML value.
            unfold: returns the dict of a spec at a key (`alphabeta:depth=4`), so that a part of it can be set, or None.

        Raises:
            ConfigError: the text is not an override, or its key does not exist.
        """
        name, sign, written = text.partition("=")
        key_path: KeyPath = tuple(int(step) if INDEX.fullmatch(step) else step for step in name.split("."))
        if not sign or "" in key_path:
            raise ConfigError(f"override {shown(text)}: expected key=value")
        if not name.isprintable():
            raise ConfigError(f"override {shown(text)}: expected a key without control characters")
        if len(key_path) > MOST_DEPTH:
            raise ConfigError(f"override {shown(text)}: expected a key of at most {MOST_DEPTH} steps, got {len(key_path):,}")
        try:
            value = read(written)
        except ComposerError as error:
            raise ConfigError(f"override {shown(text)}: {error.problem}") from None
        except yaml.YAMLError:
            raise ConfigError(f"override {shown(text)}: expected a YAML value after '=', got {shown(written)}") from None
        try:
            self.values = _with(self.values, key_path, value, unfold)
        except LookupError as error:
            raise ConfigError(f"override {shown(text)}: {error.args[0]}") from None
        self.overrides.append((text, key_path))

    def line(self, key_path: KeyPath) -> int:
        """Returns the line of a value, or of the nearest enclosing one; where the file has the last key, the key's line."""
        node = self.root
        line = 1
        for step in key_path:
            key, node = _child(node, step)
            if node is None:
                break
            line = (key or node).start_mark.line + 1
        return line

    def overrides_of(self, key_path: KeyPath) -> list[str]:
        """Returns the overrides that set a value, a part of it, or an enclosing value."""
        return [text for text, set_path in self.overrides if all(a == b for a, b in zip(set_path, key_path, strict=False))]


def _mappings(node: yaml.Node | None) -> list[yaml.MappingNode]:
    """Returns every mapping at or below a node."""
    mappings, todo, seen = [], deque([node]), set()
    while todo:
        node = todo.popleft()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            mappings.append(node)
            todo += [value for _, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            todo += node.value
    return mappings


def _child(node: yaml.Node | None, step: str | int) -> tuple[yaml.Node | None, yaml.Node | None]:
    """Returns the key's node (None in a list) and the value's node (None if there is no such child)."""
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == str(step)), (None, None))
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return None, node.value[step]
    return None, None


def _with(tree: Any, key_path: KeyPath, value: Any, unfold: Callable[[str | int, str], dict[str, Any] | None], key: str | int = "") -> Any:
    """Returns a copy of a tree with another value at a key path."""
    if not key_path:
        return value
    step, rest = key_path[0], key_path[1:]
    if isinstance(tree, str):
        tree = unfold(key, tree)
        if tree is None:
            raise LookupError(f"no {shown(step)} in {shown(key)}, which is a text")
    if tree is None:
        tree = {}
    if isinstance(tree, dict):
        return {**tree, str(step): _with(tree.get(str(step)), rest, value, unfold, str(step))}
    if not isinstance(tree, list):
        raise LookupError(f"no {shown(step)} in {shown(key)}, which is {shown(tree)}")
    if not isinstance(step, int) or step > len(tree):
        raise LookupError(f"expected an index from 0 to {len(tree)} in {shown(key)}, got {shown(step)}")
    old = tree[step] if step < len(tree) else None
    return [*tree[:step], _with(old, rest, value, unfold, key), *tree[step + 1 :]]
