"""The files of a data set: a Parquet table, and a Minari data set."""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from ....envs.game import Game
from ....envs.rules.errors import extra
from ...files import replace_atomically
from .rows import Row, expected_of, observations_of

PARQUET, MINARI = "dataset.parquet", "minari"


def write_parquet(path: Path, game: Game, rows: list[Row], scale: float | None) -> None:
    """Writes a table with a row for each position.

    The columns are those of `rows.Row` but `cells`, and

    - `observation`: int8[planes, height, width], as environments show it to the side to move;
    - `mask`: int8[actions], 1 for legal moves;
    - `scores`: int64[actions], null for moves without a score, or null as a whole;
    - `expected`: the score as an expected result from -1 to 1; null without a score.

    Raises:
        MissingExtraError: without the extra `parquet`.
    """
    with extra("parquet", "a data set"):
        import polars as pl
    plain = {
        name: [getattr(row, name) for row in rows] for name in ("game", "ply", "seat", "position", "move", "played", "score", "result")
    }
    types = {"game": pl.Int64, "ply": pl.Int16, "seat": pl.Int8, "move": pl.Int32, "played": pl.Int32, "score": pl.Int64, "result": pl.Int8}
    scores = [[row.scores.get(move) for move in range(game.action_count)] if row.scores else None for row in rows]
    table = pl.DataFrame(plain, schema_overrides=types).with_columns(
        pl.Series("observation", observations_of(game, rows)),
        pl.Series("mask", np.array([row.mask for row in rows]).astype(np.int8)),
        pl.Series("scores", scores, pl.Array(pl.Int64, game.action_count)),
        pl.Series("is_proven", [row.is_proven for row in rows]),
        pl.Series("expected", expected_of(rows, scale), pl.Float32),
    )
    replace_atomically(path, table.write_parquet)


def write_minari(folder: Path, name: str, game: Game, rows: list[Row], scale: float | None, teacher: str) -> str:
    """Writes a Minari data set and returns its id. An episode has the rows of one game, its actions are the teacher's moves.

    It is made for imitation: the observations are those of the side to move, and positions that came before are left out. The reward of an
    episode's last step is the result of the game for the side to move there, all others are 0. What else is known of a step is in `infos`:
    `mask`, `seat`, `played`, `result`, `expected` (NaN without a score), and `scores` (NaN for moves without one) if there are any.

    Args:
        folder: of Minari data sets; what is there is replaced.
        name: of the data set; its id is `sparring/NAME-v0`.
        game: of the rows.
        rows: at least one.
        scale: as for the Parquet table.
        teacher: as text.

    Raises:
        MissingExtraError: without the extra `minari`.
    """
    with extra("minari", "minari"):
        import minari
    import gymnasium

    id = f"sparring/{name.replace('.', '_')}-v0"
    part = folder.with_name(f".{folder.name}.part")
    for old in (part, folder):
        shutil.rmtree(old, ignore_errors=True)
    environment = gymnasium.make(game.id, disable_env_checker=True, **game.options)
    with patch.dict(os.environ, {"MINARI_DATASETS_PATH": str(part.resolve())}), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it recommends to name an author
        minari.create_dataset_from_buffers(
            id,
            list(_episodes(minari, game, rows, scale)),
            env=environment,
            algorithm_name=teacher,
            description=f"Positions of {game.name}, each with the move and score of {teacher}.",
            data_format="hdf5",
            jpeg_encoding=False,
        )
    environment.close()
    part.replace(folder)
    return id


def _episodes(minari: Any, game: Game, rows: list[Row], scale: float | None) -> Iterator[Any]:
    """Yields an episode for each game with rows."""
    columns = {
        "mask": np.array([row.mask for row in rows]).astype(np.int8),
        "seat": np.array([row.seat for row in rows], np.int8),
        "played": np.array([row.played for row in rows]),
        "result": np.array([row.result for row in rows], np.int8),
        "expected": np.array(expected_of(rows, scale), np.float32),
    }
    if any(row.scores for row in rows):
        columns["scores"] = np.array([[row.scores.get(move, np.nan) for move in range(game.action_count)] for row in rows], np.float32)
    observations, actions = observations_of(game, rows), np.array([row.move for row in rows])
    end = 0
    for number, (_, members) in enumerate(groupby(rows, lambda row: row.game)):
        start, end = end, end + len(list(members))
        rewards = np.zeros(end - start)
        rewards[-1] = columns["result"][end - 1]
        yield minari.data_collector.EpisodeBuffer(
            id=number,
            observations=observations[[*range(start, end), end - 1]],  # of one more step, as episodes have it
            actions=actions[start:end],
            rewards=rewards,
            terminations=np.arange(start, end) == end - 1,
            truncations=np.zeros(end - start, bool),
            infos={key: column[start:end] for key, column in columns.items()},
        )
