"""Accuracy: every agent plays every graded position, and the worst moves are played out by exact play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from ....agents import make
from ....envs.position import Position
from ....envs.rules.errors import SparringError, shown
from ...config.parts import game_of, game_record
from ...games.entries import Answered
from ...games.log import GamesLog
from ...games.task import SEATS, GameTask, game_from, name_players
from ...results import GameRecord
from ...run_folder import RunFolder
from ...terminal.progress import progress
from ...workers.executors import executor_of
from .config import AccuracyConfig, positions_for
from .grading import NOBODY, answered, grade_of, tasks_of
from .results import PLAYED_OUT, AccuracyResults, Answer, Grade

REPLAYED = 3  # blunders of each agent


def run_accuracy(config: AccuracyConfig, folder: RunFolder) -> AccuracyResults:
    """Asks for the moves that the folder lacks and returns the grades of the agents."""
    game, positions, players = game_of(config.game), positions_for(config), name_players(config.agents)
    size = len(positions.positions)
    tasks = [task for number, player in enumerate(players) for task in tasks_of(player, positions, config.seed, number * size)]
    with GamesLog(folder.answers, Answered, mistake_of_answer) as log:
        log.hold_all({task.id: task for task in tasks}.get)
        with executor_of(config.executor) as executor, progress(config.name, len(tasks)) as show:
            for entry in executor.run(task for task in tasks if task.id not in log):
                log.append(answered(entry, players[entry["id"] // size].name))
                show(len(log))
        grades = [
            grade_of(player.name, positions, [log[number * size + index] for index in range(size)]) for number, player in enumerate(players)
        ]
    folder.games.unlink(missing_ok=True)
    with GamesLog(folder.games) as log:
        for entry in _replays(config, grades):
            log.append(entry)
    return AccuracyResults(kind=config.kind, game=GameRecord.of(game), grades=grades)


def mistake_of_answer(entry: dict[str, Any], task: GameTask) -> str | None:
    """Returns the difference between an answer and its task, or None."""
    agent = (task.second if task.first == NOBODY else task.first).name
    if entry["agent"] != agent:
        return f"agent: expected {shown(agent)}, got {shown(entry['agent'])}"
    try:
        moves = Position(game_from(task.game), entry["moves"]).moves
    except SparringError as error:
        return f"moves: {error}"
    if tuple(moves[:-1]) != task.opening:
        return f"moves: expected those of position {task.pair} and one more, got {shown(entry['moves'])}"
    return None


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
