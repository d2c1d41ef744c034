"""Runs a config of any kind in its folder."""

from __future__ import annotations

from pathlib import Path

from .config.parts import Experiment
from .kinds import kind_of, results_of
from .pages import write_report
from .report import plotting
from .run_folder import RunFolder, opened
from .terminal.results import show_results


def run(config: Experiment, path: Path, is_fresh: bool = False) -> RunFolder:
    """Runs a config, or the rest of it, and returns its folder with results and report.

    Args:
        config: a checked config with all defaults filled in.
        path: the run's folder; a finished run of this config there is left as it is.
        is_fresh: moves the folder's content aside and starts over.

    Raises:
        SparringError: the folder cannot take the run, or the run cannot go on.
    """
    plotting.load()  # before Stable-Baselines3 does
    with opened(path, config, is_fresh) as folder:
        for line in folder.history():
            print(f"{config.name}: {line}")
        if not folder.is_finished:
            print(f"{config.name}: {config.plan()}; in {folder.path}", flush=True)
            folder.report.unlink(missing_ok=True)  # it is about to be outdated
            with folder.timed():
                for name, member in config.members().items():
                    run(member, folder.path / name)
                folder.finish(kind_of(config.kind).carry_out(config, folder))
        if not folder.report.exists():
            write_report(folder.path)
        results = results_of(folder)
        if results is not None:
            show_results(config.name, results)
    return folder
