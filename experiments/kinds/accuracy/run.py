"""Accuracy: every agent plays every graded position, and the worst moves are played out by exact play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from ....agents import make
from ....envs.position import Position
from ...config.parts import game_of, game_record
from ...games.log import GamesLog
from ...games.task import SEATS, name_players
from ...results import GameRecord
from ...run_folder import RunFolder
from ...terminal.progress import progress
from .config import AccuracyConfig, positions_for
from .grading import grade_of
from .results import PLAYED_OUT, AccuracyResults, Answer, Grade

REPLAYED = 3  # blunders of each agent


def run_accuracy(config: AccuracyConfig, folder: RunFolder) -> AccuracyResults:
    """Grades the agents; an interrupted run starts over."""
    game, positions, grades = game_of(config.game), positions_for(config), list[Grade]()
    size = len(positions.positions)
    with progress(config.name, size * len(config.agents)) as show:
        for number, player in enumerate(name_players(config.agents)):
            agent = make(player.spec, game)
            on_progress = lambda done: show(number * size + done)  # noqa: B023, E731 - called within this turn of the loop alone
            grades.append(grade_of(player.name, agent, positions, config.seed, on_progress))
    folder.games.unlink(missing_ok=True)
    with GamesLog(folder.games) as log:
        for entry in _replays(config, grades):
            log.append(entry)
    return AccuracyResults(kind=config.kind, game=GameRecord.of(game), grades=grades)


def _replays(config: AccuracyConfig, grades: list[Grade]) -> Iterator[dict[str, Any]]:
    """Yields the worst moves as games: the position as the opening, the blunder, and exact play to the end."""
    ids = count()
    for grade in grades:
        for answer in grade.worst[:REPLAYED]:
            yield _played_out(config, grade.agent, answer, next(ids))


def _played_out(config: AccuracyConfig, agent: str, answer: Answer, id: int) -> dict[str, Any]:
    position = Position(game_of(config.game), answer.moves)
    opening, seat, perfect = position.ply, position.side, make(PLAYED_OUT, position.game)
    position.push(answer.move)
    perfect.reset(0)
    while not position.is_over:
        position.push(perfect.act(position))
    names = [PLAYED_OUT, PLAYED_OUT]
    names[seat] = agent
    return {
        "id": id,
        "game": game_record(config.game),
        "first": names[0],
        "second": names[1],
        "pair": id // 2,
        "opening": opening,
        "moves": position.notation,
        "result": "draw" if position.winner is None else SEATS[position.winner],
        "termination": position.termination,
        "plies": position.ply,
        "seed": 0,
        "seconds": [0.0, 0.0],
    }
