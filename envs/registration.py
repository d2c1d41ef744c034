"""Every Gymnasium id, and one record for each kind of game with its modules, endings, drawing and defaults.

Modules and classes are named by strings and imported at their first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import gymnasium


class GameKind(NamedTuple):
    """The record of a kind of game: all that differs from other kinds.

    Attributes:
        name: "connect_k".
        rules: the module of the rules, with every function of `rules.interface`.
        evaluations: modules that evaluate its positions, the default first; the last part of the module is the evaluation's name.
        endings: the name of each way in which a game ends, and the same as part of a sentence ("by a line").
        system: the agent of `sparring play` by default.
        warm_boards: games as text ("ConnectK:width=8,height=8,k=4") that `sparring warmup` compiles, one for each set of kernels.
        planes: of an observation: one for each side, then one for each further content of a cell (3, 4, …).
        style: returns how a state is drawn: "drop", "grid", "stones" or "tiles".
        bitboards: the module of the same rules on bitboards; None if there is none.
    """

    name: str
    rules: str
    evaluations: tuple[str, ...]
    endings: Mapping[str, str]
    system: str = "alphabeta"
    warm_boards: tuple[str, ...] = ()
    planes: int = 2
    style: Callable[[Any], str] = lambda state: "grid"
    bitboards: str | None = None

    @property
    def evaluation_modules(self) -> dict[str, str]:
        """The evaluations' modules by their names, the default first."""
        return {module.rpartition(".")[2]: module for module in self.evaluations}


class Registration(NamedTuple):
    """One game: its id, what kind of game it is, and its environment."""

    id: str  # the Gymnasium id; of a game from outside the package with the module that registers it: "toys:toys/Nim-v0"
    kind: GameKind
    entry_point: str  # the environment class
    preset: Mapping[str, Any]  # parameters of the rules that the id fixes
    summary: str

    @property
    def gymnasium_id(self) -> str:
        """The id as Gymnasium's registry has it, without a module."""
        return self.id.rpartition(":")[2]

    @property
    def name(self) -> str:
        """The id without module, namespace and version, such as "ConnectFour"."""
        return self.gymnasium_id.partition("/")[2].rpartition("-")[0]


OTHER_ENDINGS = {  # those that the rules do not decide, in any game
    "adjudicated": "by adjudication",
    "illegal": "by an illegal move",
    "timeout": "on time",
    "crash": "by a crash",
}
CONNECT_K = GameKind(
    name="connect_k",
    rules="sparring.envs.rules.connect_k",
    evaluations=tuple(f"sparring.agents.evaluation.{name}" for name in ("threats", "ways_to_win", "window_scan", "four_patterns")),
    endings={"line": "by a line", "full": "with a full board"},
    system="ways_to_win",
    warm_boards=("ConnectFour", "ConnectK:width=8,height=8,k=4"),  # one on bitboards and one on cells; all evaluations suit k 4
    style=lambda state: "drop" if state.gravity else "grid",
    bitboards="sparring.envs.rules.connect_k_bitboards",
)
GOMOKU = GameKind(
    name="gomoku",
    rules="sparring.envs.rules.gomoku",
    evaluations=("sparring.agents.evaluation.line_shapes", "sparring.agents.evaluation.pattern_table"),
    endings={"line": "by a line", "full": "with a full board", "forbidden": "with forbidden moves only"},
    system="pattern_table",
    warm_boards=("Gomoku", "Gomoku:rule=renju"),
    style=lambda state: "stones",
)
ISOLA = GameKind(
    name="isola",
    rules="sparring.envs.rules.isola",
    evaluations=("sparring.agents.evaluation.territory", "sparring.agents.evaluation.mobility"),
    endings={"blocked": "by a blocked piece"},
    system="mobility",
    warm_boards=("Isola", "Isola:rules=nines"),  # one on bitboards and one on cells
    planes=3,
    style=lambda state: "tiles",
    bitboards="sparring.envs.rules.isola_bitboards",
)
_CONNECT_FOUR = {"width": 7, "height": 6, "k": 4, "gravity": True}
_TIC_TAC_TOE = {"width": 3, "height": 3, "k": 3, "gravity": False}
_ISOLA = "two pieces, and squares that disappear; rules: queen, classic, sevens, nines, knight, knight_wide"
_REGISTRATIONS = (
    Registration(
        "sparring/ConnectFour-v0", CONNECT_K, "sparring.envs.connect_k:ConnectFourEnv", _CONNECT_FOUR, "four in a row on 7x6 with gravity"
    ),
    Registration("sparring/ConnectK-v0", CONNECT_K, "sparring.envs.connect_k:ConnectKEnv", {}, "k in a row on any board up to 20x20"),
    Registration("sparring/TicTacToe-v0", CONNECT_K, "sparring.envs.connect_k:TicTacToeEnv", _TIC_TAC_TOE, "three in a row on 3x3"),
    Registration(
        "sparring/Gomoku-v0",
        GOMOKU,
        "sparring.envs.gomoku:GomokuEnv",
        {},
        "five in a row; rule: freestyle, standard, caro, renju",
    ),
    Registration("sparring/Isola-v0", ISOLA, "sparring.envs.isola:IsolaEnv", {}, _ISOLA),
)
GAMES = {registration.id: registration for registration in _REGISTRATIONS}


def register_environments() -> None:
    """Registers every id with Gymnasium; registering again changes nothing."""
    for registration in GAMES.values():
        register_environment(registration)


def register_environment(registration: Registration) -> None:
    """Registers an id with Gymnasium; registering it again changes nothing."""
    id = registration.gymnasium_id
    if id not in gymnasium.registry:
        batch = f"sparring.envs.vector:{id}"  # see that module's __getattr__
        gymnasium.register(id, entry_point=registration.entry_point, vector_entry_point=batch)


def find(id: str) -> Registration | None:
    """Returns the game of an id, with or without the module that registers it; None if none is registered."""
    return GAMES.get(id) or next((registration for registration in GAMES.values() if registration.gymnasium_id == id), None)
