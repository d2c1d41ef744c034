"""Games written for other programs: tables for pandas and polars, SGF-like records, and Gomocup's position files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...envs.position import Position
from ...envs.rules.errors import ConfigError, extra
from ..files import replace_atomically, write_text
from ..games.log import read_games, replayed
from ..games.task import SEATS, game_from
from ..run_folder import RunFolder

MOST_NAMED = 12  # runs of a series, in a message
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
    """Writes a run's Connect-K and Gomoku games as one collection of SGF-like records and returns its path.

    x is black and o is white in every game; points are column and row from the upper left, as in SGF.
    """
    path = folder / "games.sgf"
    records = []
    for game in games_of(folder):
        with replayed(RunFolder(folder).games, game):
            records.append(f"{sgf_of(game)}\n")
    write_text(path, "".join(records))
    return path


def export_psq(folder: Path) -> Path:
    """Writes each of a run's Gomoku games as a Gomocup .psq file into a folder, and returns the folder's path."""
    path = folder / "psq"
    for game in games_of(folder):
        with replayed(RunFolder(folder).games, game):
            text = psq_of(game)
        path.mkdir(exist_ok=True)
        write_text(path / f"{game['id']:06d}.psq", text)
    return path


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


def points_of(game: dict[str, Any]) -> Iterator[tuple[int, int]]:
    """Yields the stones of a game in order, each as its column from the left and its row from the top, from 0 on.

    Raises:
        ConfigError: its moves do not place stones.
    """
    position = Position(game_from(game["game"]))
    if "line" not in position.game.kind.endings:
        raise ConfigError(f"export: expected games in which stones are placed, got {position.game.name}")
    width, height = position.game.width, position.game.height
    for token in position.game.rules.split_moves(position.state, game["moves"]):
        before = list(position.state.cells)
        position.push(token)
        [cell] = [cell for cell, (old, new) in enumerate(zip(before, position.state.cells, strict=True)) if old != new]
        yield cell % width, height - 1 - cell // width


def sgf_of(game: dict[str, Any]) -> str:
    """Returns a game as an SGF-like record."""
    rules = game_from(game["game"])
    result = {"draw": "Draw", "first": "B+", "second": "W+"}[game["result"]]
    result += {"timeout": "Time", "illegal": "Forfeit", "crash": "Forfeit"}.get(game["termination"], "") if result != "Draw" else ""
    size = f"{rules.width}" if rules.width == rules.height else f"{rules.width}:{rules.height}"
    head = {
        "FF": "4",
        "GM": "4",  # Gomoku, the nearest game that the format has
        "SZ": size,
        "GN": rules.name,
        "PB": game["first"],
        "PW": game["second"],
    }
    fields = "".join(f"{name}[{_escaped(value)}]" for name, value in {**head, "RE": result}.items())
    stones = "".join(f";{'BW'[number % 2]}[{_letter(column)}{_letter(row)}]" for number, (column, row) in enumerate(points_of(game)))
    return f"(;{fields}{stones})"


def psq_of(game: dict[str, Any]) -> str:
    """Returns a Gomoku game as a .psq file's text: board size, `column,row,milliseconds` for each stone, players, -1, winner and rule."""
    rules = game_from(game["game"])
    if rules.kind.name != "gomoku":
        raise ConfigError(f"export: expected games of Gomoku for .psq files, got {rules.name}")
    stones = [f"{column + 1},{row + 1},0" for column, row in points_of(game)]
    winner = {"first": 1, "second": 2, "draw": 0}[game["result"]]
    end = [game["first"], game["second"], "-1", f"{winner},{rules.parameters['rule']}"]
    return "\n".join([f"Piskvorky {rules.width}x{rules.height}, 11:11, 0", *stones, *end]) + "\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _letter(number: int) -> str:
    return chr(ord("a") + number)
