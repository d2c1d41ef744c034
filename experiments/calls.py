"""Experiments as functions: a config's keys as keywords, its results as what they return."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .kinds import checked, kind_of, results_of
from .run import run
from .run_folder import opened

if TYPE_CHECKING:
    from .kinds.match import MatchResults
    from .kinds.tournament.results import TournamentResults
    from .kinds.train.results import TrainResults


def match(*, folder: str | Path | None = None, **keys: Any) -> MatchResults:
    """Plays a match and returns what it showed.

    >>> found = sparring.match(game="TicTacToe", agents=["greedy", "random"], games=40)  # doctest: +SKIP
    >>> found.score, found.low, found.high  # doctest: +SKIP

    The games are played in watched processes, one a core, as those of a config are; scripts and notebooks need no `__main__` guard.

    Args:
        folder: of the run, with its games and report; what is finished there is not played again. None keeps nothing.
        keys: those of a config of `kind: match`, such as `game`, `agents`, `games`, `seed` and `executor`.

    Raises:
        ConfigError: keys that are unknown, missing or have values that cannot be.
        RunFolderError: the folder cannot take the run.
    """
    return _results("match", folder, keys)


def tournament(*, folder: str | Path | None = None, **keys: Any) -> TournamentResults:
    """Plays a tournament and returns its standings, ratings and pairings; arguments and errors as in `match`, keys of its own kind.

    >>> found = sparring.tournament(game="Isola", agents=["random", "greedy", "alphabeta:depth=2"], games=10)  # doctest: +SKIP
    >>> [(row.agent, row.elo.value) for row in found.standings]  # doctest: +SKIP
    """
    return _results("tournament", folder, keys)


def train(*, folder: str | Path | None = None, **keys: Any) -> TrainResults:
    """Trains a network and returns how it did in its final games; arguments and errors as in `match`, keys of its own kind.

    >>> sparring.train(game="TicTacToe", opponent="greedy", timesteps=50_000, folder="runs/first")  # doctest: +SKIP

    The network is kept where a folder is named: `model.safetensors` there, to be played as `policy:path=FOLDER/model.safetensors`.
    """
    return _results("train", folder, keys)


def _results(kind: str, folder: str | Path | None, keys: dict[str, Any]) -> Any:
    config = checked({"kind": kind, **keys}).resolved(kind)
    if folder is not None:
        return results_of(run(config, Path(folder)))
    with tempfile.TemporaryDirectory() as path, opened(Path(path), config) as own:
        return kind_of(kind).carry_out(config, own)
