"""What a run is about to do, in a line; and what a person may do once it is done, as commands."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from typing import Any

from ...agents import spec_text
from ..config import Ablation, Evaluate, Experiment, Match, Series, Tournament, Train, Tune
from ..games.task import game_from
from ..report.wording import joined
from ..run_folder import RunFolder, read_json

MOST_NAMES = 6  # of runs that are named one by one


def plan_of(config: Experiment) -> str:
    """Returns what a run does: "match of greedy and random at TicTacToe, 8 games"."""
    match config:
        case Series():
            names = [run.name for run in config.runs]
            return f"{counted(len(names), 'run')}{f': {joined(names)}' if len(names) <= MOST_NAMES else ''}"
        case Match():
            return f"match of {joined([spec_text(agent) for agent in config.agents])} at {game_name(config.game)}, {config.games} games"
        case Tournament():
            who = counted(len(config.agents), "agent")
            return f"{config.kind} of {who} at {game_name(config.game)}, {config.games} games of each two that meet"
        case Evaluate():
            return f"games of {spec_text(config.agent)} against the ladder of {game_name(config.game)}, up to {config.games}"
        case Train():
            every = f"with an evaluation every {config.evaluate.every:,}"
            return f"training at {game_name(config.game)}, {config.timesteps:,} time steps {every}"
        case Ablation():
            return f"searches of {counted(1 + len(config.configurations), 'configuration')} at {game_name(config.game)}"
        case Tune():
            return f"{counted(config.challenges, 'challenge')} of {spec_text(config.agent)} at {game_name(config.game)}"
        case _:
            return "timing of searches, environments and learners" if config.kind == "bench" else config.kind


def counted(number: int, noun: str) -> str:
    """Returns a number of things: "1 run", "3 runs"."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def game_name(choice: dict[str, Any]) -> str:
    """Returns a game as the command line and configs write it: "Gomoku:size=9,rule=freestyle"."""
    return _written(choice["id"], {name: value for name, value in choice.items() if name != "id"})


def _written(id: str, options: dict[str, Any]) -> str:
    words = [f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in options.items()]
    name = id if ":" in id else id.partition("/")[2].rpartition("-")[0]  # a game from outside is found by its module
    return f"{name}:{','.join(words)}" if words else name


def next_steps(folder: RunFolder) -> Iterator[str]:
    """Yields commands for what a finished run has left: to see its page, to play against its network, to see how it learned.

    Of a series these are for the first of its runs that has something.
    """
    if sys.platform != "win32":
        yield f"{'open' if sys.platform == 'darwin' else 'xdg-open'} {shlex.quote(str(folder.report))}"
    for run in _runs_of(folder):
        results = read_json(run.results)
        game = game_from(results["game"]) if "game" in results else None
        if game is not None and run.model.exists():
            yield shlex.join(["sparring", "play", _written(game.id, game.options), f"policy:path={run.model}"])
        if run.tensorboard.exists():
            yield shlex.join(["tensorboard", "--logdir", str(run.tensorboard)])
        if run.model.exists() or run.tensorboard.exists():
            return


def _runs_of(folder: RunFolder) -> Iterator[RunFolder]:
    """Yields a run, or those of a series."""
    results = read_json(folder.results)
    if results["kind"] != "series":
        yield folder
    for name in results.get("runs", []) if results["kind"] == "series" else []:
        yield from _runs_of(RunFolder(folder.path / name))
