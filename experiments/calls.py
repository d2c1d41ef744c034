"""Experiments as functions: they take a config's keys as keywords and return its results."""

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
    """Plays a match and returns its results.

    >>> results = sparring.match(game="TicTacToe", agents=["greedy", "random"], games=40)  # doctest: +SKIP
    >>> results.score, results.low, results.high  # doctest: +SKIP

    The games are played in watched processes, one a core, as with a config; scripts and notebooks need no `__main__` guard.

    Args:
        folder: the run's folder, for its games and report; games that it has are not played again. None keeps nothing.
        keys: the keys of a config of `kind: match`, such as `game`, `agents`, `games`, `seed` and `executor`.

    Raises:
        ConfigError: a key is unknown or missing, or its value is invalid.
        RunFolderError: the folder cannot take the run.
    """
    return _results("match", folder, keys)


def tournament(*, folder: str | Path | None = None, **keys: Any) -> TournamentResults:
    """Plays a tournament and returns its standings, ratings and pairings; arguments and errors as in `match`, keys of `kind: tournament`.

    >>> results = sparring.tournament(game="Isola", agents=["random", "greedy", "alphabeta:depth=2"], games=10)  # doctest: +SKIP
    >>> [(row.agent, row.elo.value) for row in results.standings]  # doctest: +SKIP
    """
    return _results("tournament", folder, keys)


def train(*, folder: str | Path | None = None, **keys: Any) -> TrainResults:
    """Trains a network and returns the results of its final games; arguments and errors as in `match`, keys of `kind: train`.

    >>> sparring.train(game="TicTacToe", opponent="greedy", timesteps=50_000, folder="runs/first")  # doctest: +SKIP

    With a folder the network is kept there as `model.safetensors`; `policy:path=FOLDER/model.safetensors` plays it.
    """
    return _results("train", folder, keys)


def _results(kind: str, folder: str | Path | None, keys: dict[str, Any]) -> Any:
    config = checked({"kind": kind, **keys}).resolved(kind)
    if folder is not None:
        return results_of(run(config, Path(folder)))
    with tempfile.TemporaryDirectory() as path, opened(Path(path), config) as run_folder:
        return kind_of(kind).carry_out(config, run_folder)
