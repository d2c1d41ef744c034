"""Games from outside the package: one call registers a game, and refuses an incomplete record with one line."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import gymnasium

from .game import Game
from .registration import GAMES, OTHER_ENDINGS, GameKind, Registration, find, register_environment
from .rules import interface
from .rules.errors import RulesError, SparringError, shown

ID = re.compile(r"[\w-]+/[\w-]+-v\d+")
STYLES = ("drop", "grid", "stones", "tiles")
FIELDS = ("key", "side", "ply", "status", "width", "height", "cells")
ON_BITBOARDS = ("fits", "record_of", "STATE")
RENAMED = {"survey": "set_up", "promise": "order_score", "forcing": "forced_moves", "ON_WORDS": "ON_BITBOARDS"}  # of evaluations


def register_game(
    id: str, kind: GameKind, entry_point: str, *, module: str, preset: Mapping[str, Any] | None = None, summary: str = ""
) -> None:
    """Registers a game from outside the package for environments, batches, agents and experiments.

    Other processes find the game by importing the module that makes this call: `gymnasium.make("toys:toys/Nim-v0")` and
    `Game.of("toys:toys/Nim-v0")` import `toys` first. Registering a game again from the same module replaces it.

    Args:
        id: for Gymnasium, with a namespace of its own and a version: "toys/Nim-v0".
        kind: the record of the game; several ids may share one.
        entry_point: "module:Class" of the environment, a subclass of `envs.board_env.BoardEnv` with a docstring.
        module: the module to import, its own `__name__`.
        preset: parameters of the rules that the id fixes; if there are any, the id takes no others.
        summary: a few words for lists of games.

    Raises:
        RulesError: something is missing or of a wrong type, or another game has this id or a kind of this name.
    """
    registration = Registration(f"{module}:{id}", kind, entry_point, dict(preset or {}), summary)
    try:
        _check_names(id, module, kind)
        _check_kind(kind)
        _check_entry_point(entry_point)
    except SparringError as error:
        raise RulesError(f"game {shown(id)}: {error}") from error
    before = GAMES.get(registration.id)
    GAMES[registration.id] = registration
    try:
        _check_start(Game(registration.id), kind)
        for board in kind.warm_boards:
            _check_board(board, kind)
    except Exception as error:  # whatever incomplete rules raise
        GAMES.pop(registration.id)
        if before is not None:
            GAMES[registration.id] = before
        raise RulesError(f"game {shown(id)}: {error if isinstance(error, SparringError) else _said(error)}") from error
    if before is not None:
        gymnasium.registry.pop(id, None)
    register_environment(registration)


def _check_names(id: Any, module: Any, kind: Any) -> None:
    """Raises RulesError unless the names are free and well formed."""
    if not isinstance(id, str) or not ID.fullmatch(id):
        raise RulesError("id: expected a namespace, a name and a version as in 'toys/Nim-v0'")
    if not isinstance(module, str) or module == "__main__" or not module:
        raise RulesError(f"module: expected the name of a module that other processes can import, got {shown(module)}")
    other = find(id)
    if other is not None and other.id != f"{module}:{id}":
        raise RulesError(f"id: taken by {other.id}; choose another one")
    if other is None and id in gymnasium.registry:
        raise RulesError("id: taken by another environment; choose another one")
    built_in = [registration.name.lower() for registration in GAMES.values() if registration.id.startswith("sparring/")]
    name = id.partition("/")[2].rpartition("-")[0]
    if name.lower() in built_in:
        raise RulesError(f"id: name {name!r} is taken by a game of the package; choose another one")
    if not isinstance(kind, GameKind):
        raise RulesError(f"kind: expected a GameKind, got {shown(kind)}")
    for registration in GAMES.values():
        if registration.kind.name == kind.name and registration.kind is not kind and registration.id.rpartition(":")[0] != module:
            raise RulesError(f"kind.name: {kind.name!r} is taken by the kind of {registration.id}; choose another one")


def _check_kind(kind: GameKind) -> None:
    """Raises RulesError unless every field of a record has its type and every module has its functions."""
    if not isinstance(kind.name, str) or not kind.name.isidentifier():
        raise RulesError(f"kind.name: expected an identifier, got {shown(kind.name)}")
    rules = _module("kind.rules", kind.rules)
    needed = [
        name
        for name, function in vars(interface).items()
        if callable(function) and not name.startswith("_") and function not in interface.OPTIONAL
    ]
    _check_holds("kind.rules", rules, ["STATE", *needed])
    _check_texts("kind.evaluations", kind.evaluations)
    for name in kind.evaluations:
        evaluation = _module("kind.evaluations", name)
        _check_holds("kind.evaluations", evaluation, ["evaluate"])
        for before, now in RENAMED.items():  # else the search would take the default instead
            if hasattr(evaluation, before) and not hasattr(evaluation, now):
                raise RulesError(f"kind.evaluations: {name}: {before} is now called {now}")
    _check_endings(kind.endings)
    if not isinstance(kind.system, str):
        raise RulesError(f"kind.system: expected the name of an agent, got {shown(kind.system)}")
    _check_texts("kind.warm_boards", kind.warm_boards)
    if not isinstance(kind.planes, int) or not 2 <= kind.planes <= 255:
        raise RulesError(f"kind.planes: expected a whole number from 2 to 255, got {shown(kind.planes)}")
    if not callable(kind.style):
        raise RulesError(f"kind.style: expected a function of a state, got {shown(kind.style)}")
    if kind.bitboards is not None:
        _check_holds("kind.bitboards", _module("kind.bitboards", kind.bitboards), ON_BITBOARDS)


def _check_endings(endings: Any) -> None:
    """Raises RulesError unless the endings are names, each with its part of a sentence."""
    is_valid = isinstance(endings, Mapping) and endings and all(isinstance(text, str) and text for pair in endings.items() for text in pair)
    if not is_valid:
        raise RulesError(f"kind.endings: expected a dict such as {{'line': 'by a line'}}, got {shown(endings)}")
    if reserved := [name for name in OTHER_ENDINGS if name in endings]:
        raise RulesError(f"kind.endings: expected other names than {', '.join(OTHER_ENDINGS)}, got {reserved[0]!r}")


def _check_texts(field: str, texts: Any) -> None:
    if not isinstance(texts, tuple) or not all(isinstance(text, str) for text in texts):
        raise RulesError(f"{field}: expected a tuple of texts, got {shown(texts)}")


def _check_holds(field: str, module: ModuleType, names: Any) -> None:
    if missing := [name for name in names if not hasattr(module, name)]:
        raise RulesError(f"{field}: {module.__name__}: missing {', '.join(missing)}")


def _check_entry_point(entry_point: Any) -> None:
    """Raises RulesError unless an entry point names an environment with a docstring."""
    from .board_env import BoardEnv

    module, sign, name = entry_point.partition(":") if isinstance(entry_point, str) else ("", "", "")
    if not sign:
        raise RulesError(f"entry_point: expected module:Class, got {shown(entry_point)}")
    env_class = getattr(_module("entry_point", module), name, None)
    if not isinstance(env_class, type) or not issubclass(env_class, BoardEnv):
        raise RulesError(f"entry_point: expected a subclass of BoardEnv defined above this call, got {shown(entry_point)}")
    if not env_class.__dict__.get("__doc__"):
        raise RulesError(f"entry_point: {entry_point}: expected a docstring")


def _check_start(game: Game, kind: GameKind) -> None:
    """Raises RulesError unless the start of a game has the fields that every state needs."""
    state = game.initial()
    if missing := [name for name in FIELDS if not hasattr(state, name)]:
        raise RulesError(f"kind.rules: {kind.rules}: STATE: missing {', '.join(missing)}")
    if not 0 <= state.width * state.height <= len(state.cells):
        raise RulesError(f"kind.rules: {kind.rules}: STATE: expected a cell for each of {state.width} x {state.height}")
    if (style := kind.style(state)) not in STYLES:
        raise RulesError(f"kind.style: expected one of {', '.join(STYLES)}, got {shown(style)}")


def _check_board(board: str, kind: GameKind) -> None:
    """Raises RulesError unless a board to warm up is of this kind."""
    if Game.of(board).kind is not kind:
        raise RulesError(f"kind.warm_boards: expected a game of this kind, got {board!r}")


def _module(field: str, name: Any) -> ModuleType:
    """Returns a module of a record, imported."""
    if not isinstance(name, str) or not name:
        raise RulesError(f"{field}: expected the name of a module, got {shown(name)}")
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise RulesError(f"{field}: expected a module that can be imported, got {shown(name)}: {error}") from error


def _said(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
