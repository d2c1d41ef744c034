"""A run's games written for other programs: tables for pandas and polars, SGF, and Piskvork's files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...envs.position import Position
from ...envs.rules.errors import ConfigError, extra
from ..files import replace_atomically, write_text
from ..games.formats import text_of
from ..games.formats.recorded import RecordedGame
from ..games.log import read_games, replayed
from ..games.task import SEATS, game_from
from ..run_folder import RunFolder, read_record

MOST_NAMED = 12  # runs of a series, in a message
DATE = len("2026-01-31")
FORFEITS = {"timeout": "Time", "illegal": "Forfeit", "crash": "Forfeit"}
FLAT = "id stage first second pair opening moves result termination reason plies seed scores depths".split()


def export_parquet(folder: Path) -> Path:
    """Writes a run's games as a Parquet table, a row a game, and returns its path.

    The columns are the entries' fields; `game` is the id, `game_parameters` its parameters as JSON, and `seconds` are two columns.

    Raises:
        MissingExtraError: without the extra `parquet`.
        ConfigError: the folder has no games.
    """
    with extra("parquet", "export: --parquet"):
        import polars as pl
    rows = [
        {
            **{name: game.get(name) for name in FLAT},
            "game": game["game"]["id"],
            "game_parameters": json.dumps(game["game"]["parameters"]),
            **{f"{seat}_seconds": game["seconds"][side] for side, seat in enumerate(SEATS)},
        }
        for game in games_of(folder)
    ]
    lists = {name: pl.List(pl.Int64) for name in ("scores", "depths")}
    texts = dict.fromkeys(("stage", "reason"), pl.String)
    table = pl.DataFrame(rows, schema_overrides={**lists, **texts}, infer_schema_length=None)
    path = folder / "games.parquet"
    replace_atomically(path, table.write_parquet)
    return path


def export_sgf(folder: Path) -> Path:
    """Writes a run's Connect-K and Gomoku games as one SGF file and returns its path; x is black and o is white."""
    path = folder / "games.sgf"
    write_text(path, "".join(text_of(path.suffix, record) for _, record in recorded_games(folder)))
    return path


def export_psq(folder: Path) -> Path:
    """Writes each of a run's Gomoku games as a .psq file into a folder, and returns the folder's path."""
    path = folder / "psq"
    for id, record in recorded_games(folder):
        text = text_of(".psq", record)
        path.mkdir(exist_ok=True)
        write_text(path / f"{id:06d}.psq", text)
    return path


def recorded_games(folder: Path) -> list[tuple[int, RecordedGame]]:
    """Returns the games of a run, with its name and date, each with its id and in the order of the ids.

    Raises:
        ConfigError: there are none.
        GamesLogError: an entry does not fit its model, or has an illegal move.
    """
    games_of(folder)
    files = RunFolder(folder)
    games = recorded_log(files.games)
    if not files.record.exists():
        return games
    run = read_record(files.record)
    return [(id, replace(record, event=run["name"], date=run["started"][:DATE])) for id, record in games]


def recorded_log(path: Path) -> list[tuple[int, RecordedGame]]:
    """Returns the games of a log, each with its id and in the order of the ids; errors as in `recorded_games`."""
    games: list[tuple[int, RecordedGame]] = []
    for entry in read_games(path):
        with replayed(path, entry):
            games.append((entry["id"], recorded_game(entry)))
    return sorted(games, key=lambda game: game[0])


def recorded_game(entry: dict[str, Any]) -> RecordedGame:
    """Returns the game of an entry of a games log."""
    position = Position(game_from(entry["game"]))
    for token in position.game.rules.split_moves(position.state, entry["moves"]):
        position.push(token)
    return RecordedGame(
        position.game,
        tuple(position.moves),
        first=entry["first"],
        second=entry["second"],
        result=entry["result"],
        forfeit="" if entry["result"] == "draw" else FORFEITS.get(entry["termination"], ""),
        notes=_notes(entry, len(position.moves)),
    )


def _notes(entry: dict[str, Any], plies: int) -> tuple[str, ...]:
    """Returns the score and the depth of each move that has them; nothing for a game without any."""
    keys = {"score": entry.get("scores"), "depth": entry.get("depths")}
    notes = [""] * plies
    for key, values in keys.items():
        for ply, value in enumerate(values or (), start=entry["opening"]):
            if value is not None and ply < plies:
                notes[ply] += f"{', ' if notes[ply] else ''}{key} {value}"
    return tuple(notes) if any(notes) else ()


def games_of(folder: Path) -> Iterator[dict[str, Any]]:
    """Yields the games of a run.

    Raises:
        ConfigError: there are none.
    """
    path = RunFolder(folder).games
    if not path.exists() or not path.stat().st_size:
        members = [str(log.parent) for log in sorted(folder.glob(f"*/{path.name}"))]
        more = f" and {len(members) - MOST_NAMED} more" if len(members) > MOST_NAMED else ""
        runs = f"of runs: {', '.join(members[:MOST_NAMED])}{more}"
        raise ConfigError(f"{folder}: expected the folder of a run with games, got one {runs if members else 'without'}")
    return read_games(path)
