"""Data sets: games are played until their different positions are enough."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count

from ....agents import spec_text
from ...config.parts import game_of, game_record
from ...games.log import GamesLog
from ...games.openings import random_opening
from ...games.task import GameTask, derived_seed, name_players
from ...results import GameRecord
from ...run_folder import RunFolder
from ...terminal.progress import progress
from ...workers.executors import executor_of
from ...workers.game_runner import GameRunner
from .config import DatasetConfig
from .results import DatasetResults
from .rows import Rows, scale_of
from .tables import MINARI, PARQUET, write_minari, write_parquet


def run_dataset(config: DatasetConfig, folder: RunFolder) -> DatasetResults:
    """Plays the games that the folder lacks and writes the rows."""
    game = game_of(config.game)
    rows = Rows(game, config.positions)
    with GamesLog(folder.games) as log, executor_of(config.executor) as executor, progress(config.name, config.positions) as show:
        log.hold_all(lambda number: task_of(config, number))
        for id in sorted(log):
            rows.add(log[id])
        show(len(rows.rows))
        runner = GameRunner(log, executor, lambda _: show(len(rows.rows)))
        for entry in runner.play(_tasks(config, rows)):
            rows.add(entry)
    found, teacher = rows.rows, spec_text(config.teacher)
    scale, path = scale_of(found), folder.path / PARQUET
    write_parquet(path, game, found, scale)
    if config.minari:
        write_minari(folder.path / MINARI, config.name, game, found, scale, teacher)
    missing = config.positions - len(found)
    return DatasetResults(
        kind=config.kind,
        game=GameRecord.of(game),
        warnings=[f"{missing:,} positions are missing, as the last games had no new ones"] if missing else [],
        teacher=teacher,
        positions=len(found),
        games=rows.games,
        repeats=rows.repeats,
        scale=scale,
        agreement=sum(row.played == row.move for row in found) / len(found),
        bytes=path.stat().st_size,
    )


def _tasks(config: DatasetConfig, rows: Rows) -> Iterator[GameTask]:
    """Yields the tasks of games as long as they are needed."""
    for id in count():
        if rows.is_complete:
            return
        yield task_of(config, id)


def task_of(config: DatasetConfig, id: int) -> GameTask:
    """Returns the task of a game: its players and its opening are drawn by a seed of its own."""
    chance = random.Random(f"{config.seed} {id}")
    players = name_players([member["opponent"] for member in config.agents])
    first, second = chance.choices(players, [member["weight"] for member in config.agents], k=2)
    return GameTask(
        id=id,
        game=game_record(config.game),
        first=first,
        second=second,
        pair=id // 2,
        opening=tuple(random_opening(game_of(config.game), config.opening_plies, chance).moves),
        seed=derived_seed(config.seed, id),
        random_moves=config.random_moves,
        teacher=config.teacher,
    )
