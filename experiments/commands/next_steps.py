"""Commands that a person may want after a run."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator

from ..kinds import results_of
from ..kinds.series import SeriesResults
from ..results import GameResults
from ..run_folder import RunFolder
from ..terminal.phrases import game_argument


def next_steps(folder: RunFolder) -> Iterator[str]:
    """Yields commands that show a finished run's page, play against its network, and show how it learned.

    For a series the latter are for its first run with a network or a learning log.
    """
    if sys.platform != "win32":
        yield f"{'open' if sys.platform == 'darwin' else 'xdg-open'} {shlex.quote(str(folder.report))}"
    for run in _runs_of(folder):
        results = results_of(run)
        if isinstance(results, GameResults) and run.model.exists():
            yield shlex.join(["sparring", "play", game_argument(results.game.as_game), f"policy:path={run.model}"])
        if run.tensorboard.exists():
            yield shlex.join(["tensorboard", "--logdir", str(run.tensorboard)])
        if run.model.exists() or run.tensorboard.exists():
            return


def _runs_of(folder: RunFolder) -> Iterator[RunFolder]:
    """Yields a run, or those of a series."""
    results = results_of(folder)
    if isinstance(results, SeriesResults):
        for name in results.runs:
            yield from _runs_of(RunFolder(folder.path / name))
    else:
        yield folder
