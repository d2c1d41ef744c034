"""A benchmark: searches, environments and learners to be timed."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, PositiveFloat

from ....agents.agent import MOST_MIB
from ....envs.game import Game
from ....envs.position import Position
from ....envs.rules.errors import ConfigError, SparringError
from ...config.parts import (
    TRAINING_EXTRA,
    TRAINING_PACKAGES,
    AgentChoice,
    Batch,
    Count,
    Experiment,
    GameChoice,
    Mistake,
    PoolChoice,
    Settings,
    agent_errors,
    game_of,
)
from ...games.connect_four_sets import read_positions
from .peers import PEERS

RANDOM: list[dict[str, Any]] = [{"opponent": {"name": "random"}, "weight": 1}]


class Search(Settings, frozen=True):
    """One search of a benchmark.

    Attributes:
        game: the game with its parameters.
        agent: the search, with a budget of nodes or depth.
        position: moves from the start, or a board; empty for the start.
        claim: the goal in million nodes a second.
    """

    game: GameChoice
    agent: AgentChoice
    position: str = ""
    claim: PositiveFloat | None = None


class Environments(Settings, frozen=True):
    """Games of a benchmark, played by random actions, or learned from.

    Attributes:
        game: the game with its parameters.
        opponent: the opponent, or a pool of them.
        games: number of games at once.
        single: uses that many single environments, one after the other, instead of a batch.
        claim: the goal in million plies of random play, or million steps of learning, a second.
    """

    game: GameChoice
    opponent: PoolChoice = RANDOM
    games: Batch = 256
    single: bool = False
    claim: PositiveFloat | None = None


class RandomPlay(Environments, frozen=True):
    """Games of a benchmark, played by random actions.

    Attributes:
        peer: another package that plays the games instead, both sides at random; if it is not installed, it is left out.
    """

    peer: Literal["openspiel", "pettingzoo", "pgx"] | None = None

    def mistakes(self) -> Iterator[Mistake]:
        """Yields settings that the peer does not have."""
        if self.peer is None:
            return
        peer = PEERS[self.peer]
        if not peer.has(game_of(self.game)):
            names = ", ".join(Game.of(id).name for id in peer.names)
            yield ("game",), f"expected a game of {peer.title} with its usual parameters: {names}"
        if self.opponent != RANDOM or self.single:
            yield ("peer",), "expected neither an opponent nor single environments with a peer"
        if self.games > 1 and not peer.has_batches:
            yield ("games",), f"expected 1, as {peer.title} plays one game at a time, got {self.games}"


class Solver(Settings, frozen=True):
    """The exact solver of Connect Four on sets of positions.

    Attributes:
        files: text files of positions to solve, a line of moves and score for each: `2252576253462244111563365343671351441 -1`. The moves
            are columns from 1 to 7; the score is the number of stones that the winner has not placed when the game ends, plus one;
            negative if the side to move loses, 0 for a draw. Without files, random positions are solved, in six sets by the stage of the
            game and by the moves that are left under best play.
        positions: of each set of random positions; of the hardest a tenth.
        empty_board: also solves the empty board, which takes minutes.
        table_mib: size of the table of bounds in MiB.
    """

    files: list[str] = []
    positions: Count = 50
    empty_board: bool = False
    table_mib: Annotated[int, Field(ge=1, le=MOST_MIB)] = 64


class BenchConfig(Experiment, frozen=True):
    """Speeds by processor time, each measured in turn with the others.

    Attributes:
        searches: by name, searches whose nodes a second are measured.
        environments: by name, games of random play whose plies a second are measured, both sides counted.
        learners: by name, games that MaskablePPO learns from; steps a second are measured, learning included.
        solver: the exact solver, whose time and nodes for a position are measured, in one round.
        repeats: rounds over all others; the best round counts, as other processes only slow it down.
    """

    kind: Literal["bench"] = "bench"
    searches: dict[str, Search] = {}
    environments: dict[str, RandomPlay] = {}
    learners: dict[str, Environments] = {}
    solver: Solver | None = None
    repeats: Count = 5

    def mistakes(self) -> Iterator[Mistake]:
        """Yields agents and peers that cannot play their game, invalid positions, also in files, and an empty benchmark."""
        if not self.searches and not self.environments and not self.learners and self.solver is None:
            yield ("kind",), "expected something to time under searches, environments, learners or solver"
        for index, path in enumerate(self.solver.files if self.solver else ()):
            try:
                read_positions(Path(path))
            except ConfigError as error:
                yield ("solver", "files", index), str(error)
        for name, search in self.searches.items():
            yield from agent_errors(("searches", name, "agent"), search.agent, search.game)
            try:
                Position(game_of(search.game), search.position)
            except SparringError as error:
                yield ("searches", name, "position"), str(error)
        for key, group in (("environments", self.environments), ("learners", self.learners)):
            for name, games in group.items():
                for index, member in enumerate(games.opponent):
                    yield from agent_errors((key, name, "opponent", index), member["opponent"], games.game)
        for name, games in self.environments.items():
            yield from ((("environments", name, *key_path), message) for key_path, message in games.mistakes())
        if self.learners and any(find_spec(package) is None for package in TRAINING_PACKAGES):
            yield ("learners",), f"learners need {TRAINING_EXTRA}"

    def plan(self) -> str:
        """Returns a line on what is timed."""
        return "timing of searches, environments, learners and solvers"
