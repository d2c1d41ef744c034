"""A game: an id with the parameters of its rules, all filled in."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np

from . import chance, compiled
from .registration import GAMES, GameKind, find
from .rules import interface
from .rules.errors import RulesError, SparringError, UnknownGameError, as_written, shown, unknown
from .rules.state import State
from .spec_text import read_parameters


class Game:
    """One game with one board and one set of rules.

    >>> game = Game.of("ConnectK", width=5, height=4, k=4, gravity=True)
    >>> game
    Game('sparring/ConnectK-v0', width=5, height=4, k=4, gravity=True)
    >>> game.action_count
    5

    Attributes:
        id: the Gymnasium id; of a game from outside the package with the module that registers it ("toys:toys/Nim-v0"), so that any
            process can find it.
        kind: the record of games of this kind.
        parameters: of the rules, complete and fit for JSON, with those that the id fixes.
        rules: the module of the rules; that of its kind, or the one that this names for the parameters.
        width, height: of the board.
        action_count: size of the action space.
    """

    def __init__(self, id: str, /, **parameters: Any) -> None:
        """Fills in the parameters of the rules.

        Raises:
            UnknownGameError: no such id.
            RulesError: an unknown parameter, or a value out of its range.
        """
        registration = GAMES[full_id(id)]
        self.id: str = registration.id
        self.kind: GameKind = registration.kind
        self.rules: ModuleType = importlib.import_module(self.kind.rules)
        free = self.free_parameters(self.id)
        for name in parameters:
            if name not in free and registration.preset.get(name) != parameters[name]:
                known = unknown("parameter", name, list(free)) if free else f"it takes no parameters, got {name}={shown(parameters[name])}"
                raise RulesError(f"{self.name}: {known}")
        chosen = {name: _plain(value) for name, value in parameters.items() if value is not None}
        complete = {**free, **registration.preset, **chosen}
        self.parameters: dict[str, Any] = {name: value for name, value in complete.items() if value is not None}
        self._start: State = self.rules.initial(**self.parameters)
        self.rules = self.rule("module_for")(self._start) or self.rules
        self.width: int = self._start.width
        self.height: int = self._start.height
        self.action_count: int = self.rules.action_count(self._start)

    @staticmethod
    def of(game: str | Game, /, **parameters: Any) -> Game:
        """Returns the game of an id or a short name ("ConnectFour") with parameters; a Game is returned as it is.

        Parameters may be in the text: "ConnectK:width=5,height=5,k=4". An id with a module, as Gymnasium writes it, imports it, which
        registers the game: "toys:toys/Nim-v0" or "toys:toys/Nim-v0:cells=9".

        Raises:
            UnknownGameError: no such id.
            RulesError: an unknown parameter, a value out of its range, or parameters with a Game, which has its own.
        """
        if isinstance(game, Game):
            if parameters:
                raise RulesError(f"{shown(game)}: expected no parameters with a Game, got {', '.join(parameters)}")
            return game
        if isinstance(game, str) and game not in GAMES and ":" in game:
            game, from_text = _read_game(game)
            if twice := from_text.keys() & parameters.keys():
                raise RulesError(f"{game}: {', '.join(sorted(twice))}: expected one value, got two")
            parameters = {**from_text, **parameters}
        return Game(game, **parameters)

    @staticmethod
    def free_parameters(id: str) -> dict[str, Any]:
        """Returns the parameters that a game takes, with their defaults."""
        registration = GAMES[full_id(id)]
        if registration.preset:
            return {}
        rules = importlib.import_module(registration.kind.rules)
        return {name: parameter.default for name, parameter in inspect.signature(rules.initial).parameters.items()}

    @property
    def name(self) -> str:
        """The id without module, namespace and version, such as "ConnectFour"."""
        return GAMES[self.id].name

    @property
    def options(self) -> dict[str, Any]:
        """The keywords of `gymnasium.make` that make this game from its id."""
        return {name: value for name, value in self.parameters.items() if name in self.free_parameters(self.id)}

    def initial(self) -> State:
        """Returns a new state at the start of a game."""
        return self._start.copy()

    @functools.cached_property
    def endings(self) -> tuple[str, ...]:
        """The names of the ways in which a game can end, by the number that `ending` returns."""
        return tuple(self.kind.endings)

    def rule(self, name: str) -> Callable[..., Any]:
        """Returns a function of the rules by its name, or the default of `rules.interface`."""
        return getattr(self.rules, name, getattr(interface, name))

    @functools.cached_property
    def bitboards(self) -> ModuleType | None:
        """The module of the same rules on bitboards; None if there is none or the board does not fit."""
        if self.kind.bitboards is None:
            return None
        module = importlib.import_module(self.kind.bitboards)
        return module if module.fits(self._start) else None

    @functools.cached_property
    def chance(self) -> SimpleNamespace:
        """The functions of `envs.chance` with the rules of this game, in plain Python."""
        return compiled.bind_plain(chance, (interface, self.rules))

    @functools.cached_property
    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """The symmetries of the game: where each cell and each action goes; the first is the identity."""
        return self.rules.symmetries(self._start)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        arguments = [repr(self.id), *(f"{name}={value!r}" for name, value in self.parameters.items() if name not in GAMES[self.id].preset)]
        return f"Game({', '.join(arguments)})"

    @functools.cached_property
    def _key(self) -> tuple[str, bytes]:
        """The id with everything that the rules read at the start."""
        return self.id, self._start.record().tobytes()

    def __getstate__(self) -> dict[str, Any]:
        return {"id": self.id, "parameters": self.parameters}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        preset = GAMES[full_id(saved["id"])].preset  # which imports the module of a game from outside
        Game.__init__(self, saved["id"], **{name: value for name, value in saved["parameters"].items() if name not in preset})


def _plain(value: Any) -> Any:
    """Returns a parameter in a form for JSON: NumPy's scalars as Python's, a tuple as a list."""
    if isinstance(value, tuple):
        return list(cast("tuple[Any, ...]", value))
    return cast(Any, value).item() if isinstance(value, np.generic) else value


def _read_game(text: str) -> tuple[str, dict[str, Any]]:
    """Returns the name and the parameters of a text such as "Gomoku:size=9", or raises RulesError."""
    module, text = _split_module(text.strip())
    try:
        name, parameters = read_parameters(text)
    except SparringError as error:
        raise RulesError(f"game {error}") from None
    return f"{module}:{name}" if module else name, {name: as_written(value) for name, value in parameters.items()}


def full_id(name: object) -> str:
    """Returns the id of a game by its id, with or without a module, or by its short name in capital or small letters.

    A module before the id, other than the package itself, is imported, so that it registers the game.

    Raises:
        UnknownGameError: no such game or module, or several games with this short name.
    """
    if isinstance(name, str) and name in GAMES:
        return name
    module, id = _split_module(name) if isinstance(name, str) else ("", "")
    if module:
        _import(module, id)
    if registration := find(id):
        return registration.id
    ids = [registration.id for registration in GAMES.values() if registration.name.lower() == id.lower()]
    if len(ids) > 1:
        raise UnknownGameError(f"game {shown(name)}: expected the id of one game, got the name of {' and '.join(ids)}")
    if ids:
        return ids[0]
    names = [registration.id if "/" in id else registration.name for registration in GAMES.values()]
    raise UnknownGameError(unknown("game", name, names))


def _split_module(text: str) -> tuple[str, str]:
    """Returns the module before a game, as Gymnasium writes it, and the rest; no module for this package."""
    match = re.fullmatch(r"(?:sparring:|([\w.]+):(?=[\w-]+/))?(.*)", text, re.DOTALL)
    return (match[1] or "", match[2]) if match else ("", text)


def _import(module: str, id: str) -> None:
    """Imports the module that registers a game."""
    try:
        importlib.import_module(module)
    except (Exception, SystemExit) as error:  # whatever an import can raise
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise UnknownGameError(f"game '{module}:{id}': cannot import the module that registers it: {reason}") from error
