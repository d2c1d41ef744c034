"""Progress: a bar on a terminal, elsewhere a line each minute."""

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
PATIENCE = 3.0  # seconds without a result before the bar says why
WAITING = "nothing yet; the first time, code compiles (5 to 20 s)"
ERR = Console(stderr=True, markup=False)


class Show(Protocol):
    """Is called with the amount done so far, and the seconds left if the caller knows them."""

    def __call__(self, done: int, left: float | None = None) -> None:
        """Shows the progress."""


@contextmanager
def progress(title: str, total: int, below: Callable[[], Table] | None = None) -> Iterator[Show]:
    """Shows the progress of its block; yields the function that the block calls.

    Args:
        title: before the bar, or before each line.
        total: the amount to do.
        below: returns a table to show below the bar; called again and again.
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
            first = done if first is None else first  # what was done before does not count for this run's speed
            seconds = bar.tasks[0].elapsed or 0.0
            speed = f"{(done - first) / seconds:.3g}/s" if done > first and seconds > 1 else ""
            bar.update(task, completed=done, speed=speed, end=None if left is None else time.monotonic() + left)

        yield show


class _Bar(Progress):
    """A progress bar with a table below it."""

    def __init__(self, *columns: ProgressColumn, below: Callable[[], Table] | None, **options: Any):
        self._below = below
        super().__init__(*columns, **options)

    def get_renderables(self) -> Iterable[RenderableType]:
        yield from super().get_renderables()
        if self._below:
            yield self._below()


class _Speed(ProgressColumn):
    """The amount done in a second; before that is known, why it may take long."""

    def render(self, task: Task) -> Text:
        is_late = not task.completed and (task.elapsed or 0.0) > PATIENCE
        return Text(WAITING if is_late else task.fields["speed"], style="italic" if is_late else "")


class _TimeLeft(TimeRemainingColumn):
    """The time left, from the caller or from the speed so far."""

    def render(self, task: Task) -> Text:
        end = task.fields["end"]
        known = super().render(task) if end is None else Text(_clock(max(0.0, end - time.monotonic())), style="progress.remaining")
        return Text("left ") + known if task.completed else Text()


@contextmanager
def _lines(title: str, total: int) -> Iterator[Show]:
    """Prints a line each minute to the standard error."""
    start, count, rest, is_over = time.monotonic(), 0, "", threading.Event()

    def show(done: int, left: float | None = None) -> None:
        nonlocal count, rest
        count, rest = done, "" if left is None else f", about {_clock(left)} left"

    def print_lines() -> None:
        while not is_over.wait(MINUTE):
            print(f"{title}: {count:,} of {total:,} after {_clock(time.monotonic() - start)}{rest}", file=sys.stderr, flush=True)

    thread = threading.Thread(target=print_lines, daemon=True)
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
