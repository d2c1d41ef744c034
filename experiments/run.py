"""Carries a config out in its folder, whatever its kind."""

from __future__ import annotations

import importlib
from pathlib import Path

from .config import Experiment
from .run_folder import RunFolder, opened, results_of_others
from .terminal.plan import plan_of
from .terminal.screen import show_results


def run(config: Experiment, path: Path, is_fresh: bool = False) -> RunFolder:
    """Runs a config, or what is left of it, and returns its folder with results and report.

    Args:
        config: a checked config with all defaults filled in.
        path: of the run's folder; one that holds a finished run of this config is left as it is.
        is_fresh: moves what is in the folder aside and starts over.

    Raises:
        SparringError: the folder cannot take the run, or the run cannot go on.
    """
    from .report import plotting, write_report

    plotting.load()  # before Stable-Baselines3 does
    with opened(path, config, is_fresh) as folder:
        for line in folder.history():
            print(f"{config.name}: {line}")
        if not folder.is_finished:
            module, _, function = config.runner.partition(":")
            print(f"{config.name}: {plan_of(config)}; in {folder.path}", flush=True)
            folder.report.unlink(missing_ok=True)  # what it says is about to be out of date
            carry_out = getattr(importlib.import_module(f".kinds.{module}", __package__), function)
            with folder.timed():
                folder.finish(carry_out(config, folder))
        if not folder.report.exists():
            write_report(folder.path)
        with results_of_others([folder]):
            show_results(config.name, folder.read_results() or {})
    return folder
