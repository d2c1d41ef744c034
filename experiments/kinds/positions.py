"""Graded positions: random ones of a game with the exact score of every move, written down as a set to measure agents on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules.errors import ConfigError
from ..config.parts import Count, Experiment, GameChoice, Mistake, Steps, agent_errors, game_of
from ..files import write_text
from ..games.exact_scores import ExactScorer, is_choice
from ..games.position_set import Graded, line_of, read_position_set
from ..games.stages import STAGES, is_open, random_positions
from ..results import Count as Number
from ..results import GameRecord, GameResults
from ..run_folder import RunFolder
from ..terminal.phrases import choice_text, game_argument
from ..terminal.progress import progress
from .kind import Kind

if TYPE_CHECKING:
    from ..report.run import Run
    from ..report.sections import RunView

FILE = "positions.txt"
MOST_DRAWS = 20_000  # random positions without a new one after which a stage counts as used up


class PositionsConfig(Experiment, frozen=True):
    """A set of graded positions: random ones, the exact score of every move, only such where the moves differ in win, draw or loss.

    Attributes:
        game: one that `perfect` plays.
        positions: how many, as many of each stage of the game: up to a third, up to two thirds and more of the board's cells played.
        version: of the set.
    """

    kind: Literal["positions"] = "positions"
    game: GameChoice
    positions: Count = 600
    version: Steps = 1

    def mistakes(self) -> Iterator[Mistake]:
        """Yields a game that is never solved."""
        yield from agent_errors(("game",), {"name": "perfect"}, self.game)

    def plan(self) -> str:
        """Returns a line with the number of positions."""
        return f"{self.positions} graded positions of {choice_text(self.game)}"


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
    scorer, seen = ExactScorer(game), {Position(game, line.rpartition(" ")[0]).text for line in lines}
    with progress(config.name, config.positions) as show:
        for index in range(len(lines), config.positions):
            lines.append(line_of(_drawn(game, scorer, f"{config.seed} {index}", STAGES[index % len(STAGES)], seen)))
            write_text(path, _text(config, game, lines))
            show(len(lines))
    found = read_position_set(path)
    record = GameRecord.of(game)
    return PositionsResults(kind=config.kind, game=record, positions=len(lines), version=found.version, hash=found.hash)


def _text(config: PositionsConfig, game: Game, lines: list[str]) -> str:
    origin = f"# Made by kind: positions with seed {config.seed}. Moves, and the exact scores of the legal moves in their order."
    return "\n".join([origin, f"game {game_argument(game)}", f"version {config.version}", *lines, ""])


def _kept_lines(text: str) -> list[str]:
    return text.splitlines()[3:]


def _drawn(game: Game, scorer: ExactScorer, seed: str, stage: str, seen: set[str]) -> Graded:
    """Returns a random position of a stage that was not seen yet, with the score of each move.

    Raises:
        ConfigError: there seems to be none.
    """
    for position in islice(random_positions(game, stage, seed), MOST_DRAWS):
        if position.text not in seen and is_open(position) and is_choice(scores := scorer.move_scores(position)):
            seen.add(position.text)
            return Graded(position.notation, scores)
    raise ConfigError(
        f"positions: found no new position in the stage {stage!r}, as all of {MOST_DRAWS:,} random ones lack a choice or are there"
    )


def positions_section(run: Run[Any], section_id: str) -> RunView:
    """Returns the section of such a run."""
    from ..report.sections import played_section

    verdict = run.results.lines()[0] if run.results else "The set is not finished yet"
    return played_section(run, section_id, verdict, has_games=False)


KIND = Kind(PositionsConfig, PositionsResults, f"{__name__}:run_positions", f"{__name__}:positions_section")
