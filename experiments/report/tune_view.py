"""What the page shows of a tuning: the weights before and after, and the final match between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kinds.tune import FINAL
from .log_digest import Games
from .run_data import Run
from .sections import Cell, TableView, number
from .wording import percent

NAMES = ("tuned weights", "start weights")  # of the final match's agents on the page, as their texts list every weight


def with_plain_names(run: Run) -> Run:
    """Returns a finished tuning with short names for the agents of its final match, and with the games of that match alone."""
    assert run.results is not None
    if not run.results["final"]:  # no change was kept
        return run._replace(games=Games())
    [match] = run.results["final"]
    names = dict(zip(match["agents"], NAMES, strict=True))
    seconds = {names[agent]: seconds for agent, seconds in match["seconds_per_move"].items()}
    final = {**match, "agents": list(NAMES), "seconds_per_move": seconds}
    games = Games(run.games.path, FINAL, names)
    return run._replace(results={**run.results, "final": [final]}, games=games)


def weight_tables(results: Mapping[str, Any]) -> list[TableView]:
    """Returns the weights before and after a tuning, and the changes that led there."""
    start = results["start"]
    weights = [(Cell(name), number(start[name], ",d"), number(value, ",d")) for name, value in results["weights"].items()]
    kept = [
        (
            Cell(str(change["challenge"])),
            Cell(change["weight"]),
            number(change["from"], ",d"),
            number(change["to"], ",d"),
            Cell(percent(change["score"]), change["score"]),
        )
        for change in results["kept"]
    ]
    tables = [TableView("Weights", ("Weight", "Start", "Tuned"), weights)]
    if kept:
        tables.append(
            TableView("Changes that were kept, with their score in the challenge", ("Challenge", "Weight", "From", "To", "Score"), kept)
        )
    return tables
