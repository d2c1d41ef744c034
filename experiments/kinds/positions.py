"""Graded positions: random ones of a game with the exact score of every move, written down as a set to measure agents on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from ...agents.solver.connect_four import ConnectFourSolver
from ...envs.game import Game
from ...envs.position import Position
from ..config.parts import Count, Experiment, GameChoice, Mistake, Steps, game_of
from ..files import write_text
from ..games.connect_four_sets import STAGES, random_boards
from ..games.position_set import Graded, is_choice, line_of, read_position_set
from ..results import Count as Number
from ..results import GameRecord, GameResults
from ..run_folder import RunFolder
from ..terminal.progress import progress
from .kind import Kind

if TYPE_CHECKING:
    from ..report.run import Run
    from ..report.sections import RunView

FILE = "positions.txt"


class PositionsConfig(Experiment, frozen=True):
    """A set of graded positions: random ones, the exact score of every move, only such where the moves differ in win, draw or loss.

    Attributes:
        game: Connect Four.
        positions: how many, as many of each stage of the game: up to 14, up to 28 and more moves played.
        version: of the set.
    """

    kind: Literal["positions"] = "positions"
    game: GameChoice
    positions: Count = 600
    version: Steps = 1

    def mistakes(self) -> Iterator[Mistake]:
        """Yields a game whose positions cannot be drawn."""
        if game_of(self.game) != Game.of("ConnectFour"):
            yield ("game",), f"expected ConnectFour, got {game_of(self.game)!r}"

    def plan(self) -> str:
        """Returns a line with the number of positions."""
        return f"{self.positions} graded positions of {game_of(self.game).name}"


class PositionsResults(GameResults):
    """The results of such a run.

    Attributes:
        positions: how many.
        version, hash: of the set.
    """

    positions: Number
    version: Number
    hash: str

    def lines(self) -> list[str]:
        """Returns a line on the set."""
        return [f"{self.positions:,} graded positions, version {self.version}, hash {self.hash}, in {FILE}"]


def run_positions(config: PositionsConfig, folder: RunFolder) -> PositionsResults:
    """Draws and grades the positions that the folder lacks, each by chance of its own, and writes the set."""
    path, game = folder.path / FILE, game_of(config.game)
    lines = _kept_lines(path.read_text(encoding="utf-8")) if path.exists() else []
    solver = ConnectFourSolver(game)
    with progress(config.name, config.positions) as show:
        for index in range(len(lines), config.positions):
            lines.append(line_of(_drawn(solver, f"{config.seed} {index}", index, {line.split()[0] for line in lines})))
            write_text(path, _text(config, game, lines))
            show(len(lines))
    found = read_position_set(path)
    record = GameRecord.of(game)
    return PositionsResults(kind=config.kind, game=record, positions=len(lines), version=found.version, hash=found.hash)


def _text(config: PositionsConfig, game: Game, lines: list[str]) -> str:
    origin = f"# Made by kind: positions with seed {config.seed}. Moves, and the exact scores of the legal moves in their order."
    return "\n".join([origin, f"game {game.name}", f"version {config.version}", *lines, ""])


def _kept_lines(text: str) -> list[str]:
    return text.splitlines()[3:]


def _drawn(solver: ConnectFourSolver, seed: str, index: int, seen: set[str]) -> Graded:
    """Returns a random position of a stage that is not there yet, with the score of each move."""
    stage = list(STAGES)[index % len(STAGES)]
    for boards in random_boards(stage, seed):
        if boards.moves not in seen and is_choice(scores := solver.move_scores(Position(solver.game, boards.moves))):
            return Graded(boards.moves, scores)
    raise AssertionError("random positions come without end")


def positions_section(run: Run[Any], section_id: str) -> RunView:
    """Returns the section of such a run."""
    from ..report.sections import played_section

    verdict = run.results.lines()[0] if run.results else "The set is not finished yet"
    return played_section(run, section_id, verdict, has_games=False)


KIND = Kind(PositionsConfig, PositionsResults, f"{__name__}:run_positions", f"{__name__}:positions_section")
