"""What a person at a terminal sees of a run: progress with the time left, and a small table at its end.

Where the output is no terminal, there is one line a finished run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

WIDE = 140  # characters, where there is no terminal to tell
OUT = Console(width=None if sys.stdout.isatty() else WIDE)
ERR = Console(stderr=True)


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """Shows a bar on a terminal while its block runs; yields a function that takes how much has been done so far."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.update(task, completed=done)


def show_results(name: str, results: dict[str, Any]) -> None:
    """Prints the results of a finished match or training."""
    matches = {"match": [results], "train": results.get("final", [])}.get(results["kind"], [])
    if OUT.is_terminal and matches:
        OUT.print(results_table(name, matches))
    else:
        for match in matches:
            print(f"{name}: {' - '.join(match['agents'])}: {score_text(match)}, {match['games']} games, {match['distinct_games']} distinct")
    for warning in [*results.get("warnings", []), *(warning for match in matches for warning in match["warnings"])]:
        print(f"{name}: {warning}")


def score_text(match: dict[str, Any]) -> str:
    """Returns a match's score with its interval, such as "0.625 (95 %: 0.510-0.724)"."""
    return f"{match['score']:.3f} (95 %: {match['low']:.3f}-{match['high']:.3f})"


def results_table(name: str, matches: list[dict[str, Any]]) -> Table:
    """Returns a table of matches: outcomes by seat, score with interval, distinct games."""
    table = Table(title=name, title_justify="left")
    for heading in ("agent", "against", "games", "distinct", "as first\nwin draw loss", "as second\nwin draw loss", "score\n95 % interval"):
        table.add_column(heading, justify="left" if heading in {"agent", "against"} else "right")
    for match in matches:
        seats = [" ".join(f"{count:4d}" for count in match["outcomes"][seat].values()) for seat in ("first", "second")]
        interval = f"{match['score']:.3f}\n{match['low']:.3f}-{match['high']:.3f}"
        table.add_row(*match["agents"], str(match["games"]), str(match["distinct_games"]), *seats, interval)
    return table
