"""What a person at a terminal sees of a run: progress with the time left, and a small table at its end.

Where the output is no terminal, there is one line a finished run.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from .peers import MISSING

WIDE = 140  # characters, where there is no terminal to tell
UNITS = {"searches": "nodes", "environments": "plies", "learners": "steps"}  # of a benchmark's speeds
OUT = Console(width=None if sys.stdout.isatty() else WIDE)
ERR = Console(stderr=True)


@contextmanager
def progress(title: str, total: int, below: Callable[[], Table] | None = None) -> Iterator[Callable[[int], None]]:
    """Shows a bar on a terminal while its block runs; yields a function that takes how much has been done so far.

    Args:
        title: in front of the bar.
        total: how much there is to do.
        below: returns a table to show below the bar, asked for anew again and again.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with _Bar(*columns, below=below, console=ERR, transient=True, disable=not ERR.is_terminal) as bar:
        task, start, first = bar.add_task(title, total=total, speed=""), time.monotonic(), None

        def show(done: int) -> None:
            nonlocal first
            first = done if first is None else first  # what was there before is no speed of this run
            seconds = time.monotonic() - start
            bar.update(task, completed=done, speed=f"{(done - first) / seconds:.3g}/s" if done > first and seconds > 1 else "")

        yield show


class _Bar(Progress):
    """A progress bar with a table below it."""

    def __init__(self, *columns: ProgressColumn, below: Callable[[], Table] | None, **words: Any):
        self._below = below
        super().__init__(*columns, **words)

    def get_renderables(self) -> Iterable[RenderableType]:
        yield from super().get_renderables()
        if self._below:
            yield self._below()


def show_results(name: str, results: dict[str, Any]) -> None:
    """Prints the results of a finished run."""
    for line in _tune_lines(results) if results["kind"] == "tune" else _search_lines(results):
        print(f"{name}: {line}")
    matches = {"match": [results], "train": results.get("final", [])}.get(results["kind"], [])
    if OUT.is_terminal and matches:
        OUT.print(results_table(name, matches))
    else:
        for match in matches:
            print(f"{name}: {' - '.join(match['agents'])}: {score_text(match)}, {match['games']} games, {match['distinct_games']} distinct")
    for warning in [*results.get("warnings", []), *(warning for match in matches for warning in match["warnings"])]:
        print(f"{name}: {warning}")


def _tune_lines(results: dict[str, Any]) -> list[str]:
    """Returns the weights that a tuning led to, and how they did against those it started from."""
    weights = " ".join(f"{weight}={value}" for weight, value in results["weights"].items())
    lines = [f"weights {weights}", f"{len(results['kept'])} of {results['challenges']} changes kept"]
    return lines + [f"against the start: {score_text(match)}, {match['games']} games" for match in results["final"]]


def _search_lines(results: dict[str, Any]) -> list[str]:
    """Returns what a finished ablation or benchmark found, a line for each configuration, claim or search."""
    if results["kind"] == "bench":
        groups = ((results.get(group, {}), unit) for group, unit in UNITS.items())
        return [f"{name}: {_speed_text(row, unit)}" for rows, unit in groups for name, row in rows.items()]
    if results["kind"] != "ablation":
        return []
    rows = results["configurations"].items()
    depths = [f"{name}: depth {row['depth']['value']:.2f}" if row["depth"] else f"{name}: no search was cut off" for name, row in rows]
    return depths + [f"{claim['verdict']}: {claim['text']}: {_difference_text(claim['found'])}" for claim in results["claims"]]


def _speed_text(row: dict[str, Any], unit: str) -> str:
    """Returns a speed, such as "11.2 million nodes a second"."""
    return MISSING if row["best"] is None else f"{row['best'] / 1e6:.3g} million {unit} a second"


def _difference_text(found: dict[str, Any] | None) -> str:
    """Returns the difference found for a claim, such as "+2.76 plies (95 %: +2.05 to +3.47)"."""
    if found is None or found["low"] is None:
        return "too few games to tell"
    return f"{found['value']:+.2f} plies (95 %: {found['low']:+.2f} to {found['high']:+.2f})"


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
