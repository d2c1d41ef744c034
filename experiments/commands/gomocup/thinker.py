"""An agent that is told its time before each move, and how much memory it may use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ....agents import Analysis, make, parameters_of
from ....agents.agent import MOST_SECONDS
from ....agents.search.limits import MOST_TABLE_MIB
from ....envs.game import Game
from ....envs.position import Position

MEMORY = ("table_mib", "tree_mib")  # parameters of agents


class Thinker:
    """Makes an agent from its spec for each move, as its time differs; one without a limit of time is made once for a game.

    A time of its own in the spec holds, too, where it is shorter.

    Attributes:
        name: of the agent.
        idle_mib: what the process used when it was last ready for a game; 0 where the system does not tell.
    """

    def __init__(self, spec: dict[str, Any]) -> None:
        """Takes the spec of an agent, read and checked."""
        self.name: str = spec["name"]
        self.idle_mib = 0.0
        self._spec = spec
        self._sizes: dict[str, int] = {}  # of tables and trees in MiB, by parameter
        self._parameters = {parameter.name: parameter for parameter in parameters_of(self.name)}
        self._kept: tuple[Game, Any] | None = None

    def get_ready(self, game: Game) -> None:
        """Compiles what the agent needs for a game, or loads it compiled, and plays a first move.

        Raises:
            AgentError: the agent does not play this game.
        """
        self._kept = None
        self.analyse(Position(game), 0.0)
        self.idle_mib = process_mib()

    def limit_memory(self, mib: float) -> bool:
        """Makes tables and trees small enough for the process to stay below some memory; returns False if it uses more without them."""
        room = mib - self.idle_mib
        for name in MEMORY:
            if parameter := self._parameters.get(name):
                own = self._spec.get(name, parameter.default)
                most = MOST_TABLE_MIB if own is None else own
                self._sizes[name] = int(max(parameter.low or 0, min(most, room)))
        self._kept = None
        return room >= 0

    def analyse(self, position: Position, seconds: float) -> Analysis:
        """Returns the agent's move in a position, found within some seconds, with the thinking behind it."""
        return self._agent(position.game, seconds).analyse(position)

    def _agent(self, game: Game, seconds: float) -> Any:
        spec = {**self._spec, **self._sizes}
        if "seconds" in self._parameters:
            own = self._spec.get("seconds")
            return make({**spec, "seconds": min(seconds, MOST_SECONDS if own is None else own)}, game)
        if self._kept is None or self._kept[0] != game:
            self._kept = game, make(spec, game)
            self._kept[1].reset(None)
        return self._kept[1]


def process_mib() -> float:
    """Returns the memory of this process in MiB, 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, AttributeError, ValueError):
        return 0.0
