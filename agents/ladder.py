"""Ladders: agents of a game from random play to the strongest, rated by a tournament of their own, as package data.

A ladder file is written by `kind: ladder` (see `experiments.kinds.ladder`). Its ratings hold for the openings that it names; its agents
have fixed depths, nodes or simulations, so that they play the same everywhere.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..envs.game import Game
from ..envs.rules.errors import AgentError, SparringError, shown
from .agent import parameter

FOLDER = "ladders"
MOST_ELO = 10_000
ELSEWHERE = ("policy", "python", "ladder")  # agents whose play depends on files
PROGRAM = "engine"  # the agent that starts a program


class Rung(NamedTuple):
    """One agent of a ladder.

    Attributes:
        name: the spec as text.
        spec: the agent as a dict.
        elo: its rating; `low` and `high` bound the 95 % interval of its lead over the anchor.
        games: that it played.
        first, second: its score in each seat, over all its games.
        floating: what of its play can differ between machines, such as floating-point arithmetic; empty for none.
        answers: its moves, as text, in a few fixed positions: by them a later version of the code can tell whether the rung still plays as
            it did when it was rated.
    """

    name: str
    spec: dict[str, Any]
    elo: float
    low: float
    high: float
    games: int
    first: float
    second: float
    floating: str
    answers: list[str]


class Ladder(NamedTuple):
    """The rungs of a game, the weakest first.

    Attributes:
        game: id and parameters.
        version: counts up when rungs or their ratings change.
        package_version: of the code that played it.
        rungs: all of them.
        anchor: name of the rung whose rating is fixed.
        openings: of the games that it was made from.
        model: of draws, see `experiments.statistics.rating`.
        advantage: Elo that the first seat is worth.
        draw: the model's draw parameter.
        covariance: of the ratings, the advantage and the draw parameter, in this order.
    """

    game: dict[str, Any]
    version: int
    package_version: str
    rungs: tuple[Rung, ...]
    anchor: str
    openings: dict[str, Any]
    model: str
    advantage: float
    draw: float
    covariance: list[list[float]]

    @property
    def as_game(self) -> Game:
        """The game."""
        return Game.of(self.game["id"], **self.game["parameters"])

    def __str__(self) -> str:
        rows = [f"{number:3} {rung.name:30} {rung.elo:6.0f} ({rung.low:.0f} to {rung.high:.0f})" for number, rung in enumerate(self.rungs)]
        return "\n".join([f"{self.game['id']}, version {self.version}: rung, agent, Elo with 95 % interval", *rows])


@dataclass
class LadderAgent:
    """Stands for a rung until the game is known; `ladder:3` is short for `ladder:rung=3`."""

    rung: int = parameter(0, "number on the game's ladder, 0 for the weakest", low=0)
    name: str = field(default="ladder", init=False)

    def spec_for(self, game: Game) -> dict[str, Any]:
        """Returns the spec of the rung's agent.

        Raises:
            AgentError: the game has no ladder, or one with fewer rungs.
        """
        rungs = ladder(game).rungs
        if self.rung >= len(rungs):
            raise AgentError(f"agent 'ladder': rung: expected 0 to {len(rungs) - 1} for {game.name}, got {self.rung}")
        return dict(rungs[self.rung].spec)


def ladder(game: str | Game, **parameters: Any) -> Ladder:
    """Returns the ladder that the package has for a game.

    >>> ladder("TicTacToe").rungs[0].name
    'random'

    Raises:
        AgentError: it has none.
    """
    game = Game.of(game, **parameters)
    file = files(__name__.rpartition(".")[0]) / FOLDER / ladder_file(game)
    if file.is_file():
        return ladder_of(json.loads(file.read_text(encoding="utf-8")))
    found = [ladder for ladder in ladders() if ladder.as_game == game]  # its parameters may be written in several ways
    if not found:
        known = ", ".join(str(ladder.as_game) for ladder in ladders())
        raise AgentError(
            f"no ladder for {game!r}; an evaluation's `ladder` can be a file that `kind: ladder` has made; there are some for {known}"
        )
    return found[0]


def ladders() -> list[Ladder]:
    """Returns all ladders that the package has."""
    files_there = sorted((files(__name__.rpartition(".")[0]) / FOLDER).iterdir(), key=lambda file: file.name)
    return [ladder_of(json.loads(file.read_text(encoding="utf-8"))) for file in files_there]


def read_ladder(path: Path, trust: bool = False) -> Ladder:
    """Returns the ladder in a file.

    Args:
        path: of the file.
        trust: whether its rungs may be programs, which its games would start.

    Raises:
        AgentError: no such file, or no ladder in it; names the file and the key.
    """
    from .foreign import conform, loads, read_text  # here, as what it needs takes its time and the package's own ladders do not need it

    try:
        data = loads(read_text(path))
        conform(data, Ladder)
        found = ladder_of(data, trust)
        _check_foreign(found)
    except (OSError, ValueError, TypeError) as error:
        raise AgentError(f"expected the file of a ladder, got {shown(str(path))}: {error}") from None
    return found


def _check_foreign(found: Ladder) -> None:
    """Raises ValueError unless numbers and names are such that games can be rated by them."""
    if not {"id", "parameters"} <= found.game.keys():
        raise ValueError(f"game: expected id and parameters, got {shown(found.game)}")
    try:
        _ = found.as_game
    except (SparringError, TypeError) as error:
        raise ValueError(f"game: {error}") from None
    names = [rung.name for rung in found.rungs]
    if len(set(names)) < len(names) or found.anchor not in names:
        raise ValueError("anchor: expected one of the rungs, each of another name")
    for index, rung in enumerate(found.rungs):
        if max(map(abs, (rung.elo, rung.low, rung.high))) > MOST_ELO or not isinstance(rung.spec.get("name"), str):
            raise ValueError(f"rungs.{index}: expected an agent's name and ratings up to {MOST_ELO}, got {shown(rung.spec)}, {rung.elo:g}")
        if rung.spec["name"] in ELSEWHERE:
            raise ValueError(f"rungs.{index}.spec: expected an agent that plays the same everywhere, got {shown(rung.spec)}")
    if max(abs(found.advantage), abs(found.draw)) > MOST_ELO:
        raise ValueError(f"draw: expected an advantage and a draw parameter up to {MOST_ELO}, got {found.advantage:g} and {found.draw:g}")
    covariance = np.array(found.covariance)
    if np.abs(covariance).max() > MOST_ELO**2 or covariance.diagonal().min() < 0:
        raise ValueError(f"covariance: expected variances from 0 to {MOST_ELO**2:,}, got others")
    plies, judge = found.openings.get("plies", 0), found.openings.get("judge")
    if type(plies) is not int or not 0 <= plies <= 20 or not isinstance(judge, str | None):
        raise ValueError(f"openings: expected up to 20 plies and an agent as judge, got {shown(found.openings)}")
    if judge and judge.strip().partition(":")[0] in (*ELSEWHERE, PROGRAM):
        raise ValueError(f"openings.judge: expected an agent that plays the same everywhere, got {shown(judge)}")


def ladder_of(data: dict[str, Any], trust: bool = False) -> Ladder:
    """Returns a ladder from its plain data.

    Raises:
        KeyError, TypeError, ValueError: there is none in it, or a rung is a program and is not trusted.
    """
    fields: dict[str, Any] = {**data, "rungs": tuple(Rung(**rung) for rung in data["rungs"])}
    read = Ladder(**fields)
    for index, rung in enumerate(read.rungs):
        if rung.spec.get("name") == PROGRAM and not trust:
            program = f"{shown(rung.spec.get('cmd'))} is a program; if you trust the file, set trust to true"
            raise ValueError(f"rungs.{index}.spec: expected an agent of this package, got {shown(rung.spec['name'])}: {program}")
    numbers = [number for rung in read.rungs for number in (rung.elo, rung.low, rung.high)] + [read.advantage, read.draw]
    size = len(read.rungs) + 2
    if not read.rungs or not all(math.isfinite(number) for number in numbers):
        raise ValueError("expected rungs with numbers as ratings")
    if [len(row) for row in read.covariance] != [size] * size:
        raise ValueError(f"expected a covariance of {size} rows and columns, for the rungs, the advantage and the draw parameter")
    return read


def ladder_file(game: Game) -> str:
    """Returns the name of a game's ladder file, such as `ConnectK-width=9-height=7-k=5-gravity=True.json`."""
    return f"{'-'.join([game.name, *(f'{name}={value}' for name, value in game.options.items())])}.json"
