"""How far something has come: a bar on a terminal, and elsewhere a line a minute."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

MINUTE = 60.0  # seconds between two lines
PATIENCE = 3.0  # seconds without a result after which the bar says what may be the reason
WAITING = "nothing yet; the first time, code compiles (5 to 20 s)"
ERR = Console(stderr=True, markup=False)


class Show(Protocol):
    """Takes how much has been done so far, and how many seconds the rest takes if the caller knows better than the past tells."""

    def __call__(self, done: int, left: float | None = None) -> None:
        """Takes them."""


@contextmanager
def progress(title: str, total: int, below: Callable[[], Table] | None = None) -> Iterator[Show]:
    """Shows how far its block has come while it runs; yields a function that takes that.

    Args:
        title: in front of the bar, or of each line.
        total: how much there is to do.
        below: returns a table to show below the bar, asked for anew again and again.
    """
    with _bar(title, total, below) if ERR.is_terminal else _lines(title, total) as show:
        yield show


@contextmanager
def _bar(title: str, total: int, below: Callable[[], Table] | None) -> Iterator[Show]:
    """Shows a bar on the terminal."""
    title_column = TextColumn("{task.description}", markup=False)
    columns = (title_column, BarColumn(), MofNCompleteColumn(), _Speed(), TimeElapsedColumn(), _TimeLeft())
    # what the block prints goes above the bar, unless it goes to a file
    with _Bar(*columns, below=below, console=ERR, transient=True, redirect_stdout=sys.stdout.isatty()) as bar:
        task, first = bar.add_task(title, total=total, speed="", end=None), None

        def show(done: int, left: float | None = None) -> None:
            nonlocal first
            first = done if first is None else first  # what was there before is no speed of this run
            seconds = bar.tasks[0].elapsed or 0.0
            speed = f"{(done - first) / seconds:.3g}/s" if done > first and seconds > 1 else ""
            bar.update(task, completed=done, speed=speed, end=None if left is None else time.monotonic() + left)

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


class _Speed(ProgressColumn):
    """How much is done in a second; before that is known, what may take so long."""

    def render(self, task: Task) -> Text:
        is_late = not task.completed and (task.elapsed or 0.0) > PATIENCE
        return Text(WAITING if is_late else task.fields["speed"], style="italic" if is_late else "")


class _TimeLeft(TimeRemainingColumn):
    """How long the rest takes, as the caller says or the past tells."""

    def render(self, task: Task) -> Text:
        end = task.fields["end"]
        known = super().render(task) if end is None else Text(_clock(max(0.0, end - time.monotonic())), style="progress.remaining")
        return Text("left ") + known if task.completed else Text()


@contextmanager
def _lines(title: str, total: int) -> Iterator[Show]:
    """Prints a line a minute to the standard error."""
    start, so_far, rest, is_over = time.monotonic(), 0, "", threading.Event()

    def show(done: int, left: float | None = None) -> None:
        nonlocal so_far, rest
        so_far, rest = done, "" if left is None else f", about {_clock(left)} left"

    def tell() -> None:
        while not is_over.wait(MINUTE):
            print(f"{title}: {so_far:,} of {total:,} after {_clock(time.monotonic() - start)}{rest}", file=sys.stderr, flush=True)

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield show
    finally:
        is_over.set()
        thread.join()


def _clock(seconds: float) -> str:
    """Returns a time as hours, minutes and seconds: "0:03:20"."""
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
