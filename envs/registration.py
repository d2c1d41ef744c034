"""Every Gymnasium id in one table, and what stands behind it.

Environments and rules are named by strings and imported when they are first used.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import gymnasium


class Registration(NamedTuple):
    """One game: its id, its rules, and its environment."""

    id: str  # the Gymnasium id
    kind: str  # name of the rules module in envs.rules
    entry_point: str  # the environment class
    preset: dict[str, Any]  # parameters of the rules that the id fixes
    summary: str

    @property
    def vector_entry_point(self) -> str:
        """The class of many games in a batch."""
        return f"sparring.envs.vector:{self.entry_point.rpartition(':')[2].removesuffix('Env')}VectorEnv"


_REGISTRATIONS = (
    Registration(
        "sparring/ConnectFour-v0",
        "connect_k",
        "sparring.envs.connect_k:ConnectFourEnv",
        {"width": 7, "height": 6, "k": 4, "gravity": True},
        "four in a row on 7x6 with gravity",
    ),
    Registration("sparring/ConnectK-v0", "connect_k", "sparring.envs.connect_k:ConnectKEnv", {}, "k in a row on any board up to 20x20"),
    Registration(
        "sparring/TicTacToe-v0",
        "connect_k",
        "sparring.envs.connect_k:TicTacToeEnv",
        {"width": 3, "height": 3, "k": 3, "gravity": False},
        "three in a row on 3x3",
    ),
    Registration(
        "sparring/Gomoku-v0", "gomoku", "sparring.envs.gomoku:GomokuEnv", {}, "five in a row on a square board; rule: freestyle, standard"
    ),
    Registration(
        "sparring/Isola-v0",
        "isola",
        "sparring.envs.isola:IsolaEnv",
        {},
        "two pieces, and squares that disappear; rules: queen, classic, sevens, nines, knight, knight_wide",
    ),
)
GAMES = {registration.id: registration for registration in _REGISTRATIONS}


def register_environments() -> None:
    """Registers every id with Gymnasium; registering again changes nothing."""
    for registration in GAMES.values():
        if registration.id not in gymnasium.registry:
            gymnasium.register(registration.id, entry_point=registration.entry_point, vector_entry_point=registration.vector_entry_point)
