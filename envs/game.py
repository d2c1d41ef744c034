"""A game: an id with the parameters of its rules, all filled in."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np

from . import chance, compiled
from .registration import GAMES, GameKind
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
        id: the Gymnasium id.
        kind: all that belongs to games of this kind.
        parameters: of the rules, complete and fit for JSON; those that the id fixes are among them.
        rules: the module of the rules.
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
        given = {name: _plain(value) for name, value in parameters.items() if value is not None}
        filled = {**free, **registration.preset, **given}
        self.parameters: dict[str, Any] = {name: value for name, value in filled.items() if value is not None}
        self._start: State = self.rules.initial(**self.parameters)
        self.width: int = self._start.width
        self.height: int = self._start.height
        self.action_count: int = self.rules.action_count(self._start)

    @staticmethod
    def of(game: str | Game, /, **parameters: Any) -> Game:
        """Returns the game that an id or short name ("ConnectFour") and parameters stand for; a Game is returned as it is.

        Parameters may be part of the text, too: "ConnectK:width=5,height=5,k=4".

        Raises:
            UnknownGameError: no such id.
            RulesError: an unknown parameter, or a value out of its range; any parameter beside a Game, which has its own.
        """
        if isinstance(game, Game):
            if parameters:
                raise RulesError(f"{shown(game)}: expected no parameters beside a game, got {', '.join(parameters)}")
            return game
        if isinstance(game, str) and game not in GAMES and ":" in game:  # pyright: ignore[reportUnnecessaryIsInstance] - users pass anything
            game, written = _read_game(game)
            if both := written.keys() & parameters.keys():
                raise RulesError(f"{game}: {', '.join(sorted(both))}: expected one value, got two")
            parameters = {**written, **parameters}
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
        """The id without namespace and version, such as "ConnectFour"."""
        return self.id.partition("/")[2].rpartition("-")[0]

    @property
    def options(self) -> dict[str, Any]:
        """The parameters that `gymnasium.make` takes beside the id to make this game."""
        return {name: value for name, value in self.parameters.items() if name in self.free_parameters(self.id)}

    def initial(self) -> State:
        """Returns a new state at the start of a game."""
        return self._start.copy()

    @functools.cached_property
    def endings(self) -> tuple[str, ...]:
        """The rules' words for how a game can end, by the number that `ending` returns."""
        return tuple(self.kind.endings)

    def rule(self, name: str) -> Callable[..., Any]:
        """Returns a function of the rules by its name, or of `rules.interface` where they leave it to that."""
        return getattr(self.rules, name, getattr(interface, name))

    @functools.cached_property
    def words(self) -> ModuleType | None:
        """The module of the same rules on machine words, for searches; None if the board does not fit them."""
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
        words = [repr(self.id), *(f"{name}={value!r}" for name, value in self.parameters.items() if name not in GAMES[self.id].preset)]
        return f"Game({', '.join(words)})"

    @functools.cached_property
    def _key(self) -> tuple[str, bytes]:
        """The id with everything that the rules read at the start."""
        return self.id, self._start.record().tobytes()

    def __getstate__(self) -> dict[str, Any]:
        return {"id": self.id, "parameters": self.parameters}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        preset = GAMES[saved["id"]].preset
        Game.__init__(self, saved["id"], **{name: value for name, value in saved["parameters"].items() if name not in preset})


def _plain(value: Any) -> Any:
    """Returns a parameter as JSON has it: NumPy's scalars as Python's, a tuple as a list."""
    if isinstance(value, tuple):
        return list(cast("tuple[Any, ...]", value))
    return cast(Any, value).item() if isinstance(value, np.generic) else value


def _read_game(text: str) -> tuple[str, dict[str, Any]]:
    """Returns the name and the parameters of a text such as "Gomoku:size=9"; errors are those of a game."""
    try:
        name, parameters = read_parameters(text.removeprefix("sparring:"))  # the module that Gymnasium is to import
    except SparringError as error:
        raise RulesError(f"game {error}") from None
    return name, {word: as_written(value) for word, value in parameters.items()}


def full_id(name: object) -> str:
    """Returns the Gymnasium id of an id or short name; case does not matter in a short name.

    Raises:
        UnknownGameError: no such game.
    """
    if isinstance(name, str) and name in GAMES:
        return name
    short = {id.partition("/")[2].rpartition("-")[0]: id for id in GAMES}
    spelled = {word.lower(): id for word, id in short.items()}
    if isinstance(name, str) and name.lower() in spelled:
        return spelled[name.lower()]
    raise UnknownGameError(unknown("game", name, list(GAMES) if "/" in str(name) else list(short)))
