"""The report of a run: one HTML page with results, charts and games to replay, without a network or other files; or its tables as Markdown.

Each kind writes the section of its runs; this module puts the sections on a page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .files import RunFolderError, read_lines, write_text
from .games.entries import SearchedGame
from .games.log import read_curve, read_games
from .kinds import kind_of, results_of
from .kinds.kind import Kind
from .report import plotting
from .report.log_digest import LogGames
from .report.run import COMPARISON, UNKNOWN, Run
from .report.sections import Comparison, PageView, RunView, played_section
from .run_folder import RunFolder, read_record


def write_report(folder: Path) -> Path:
    """Writes the report of a run into its folder and returns the page's path; an unfinished run gets a page that says so.

    Args:
        folder: a run's folder, see `experiments.run_folder`; of a series, the page covers all its runs.

    Raises:
        RunFolderError: the folder is not a run's, or a file in it is damaged.
    """
    return write_page([folder], RunFolder(folder).report)


def write_page(folders: Sequence[Path], path: Path) -> Path:
    """Writes the report of a run, or of several side by side, into a file and returns its path.

    A file that ends in `.md` gets the tables of each run as Markdown, any other a page.

    Raises:
        RunFolderError: a folder is not a run's, or a file in it is damaged.
    """
    plotting.load()
    from .report.markdown import markdown_of
    from .report.page import render

    if path.suffix == ".md":
        text = "\n".join(markdown_of(page_view(read_run(folder))) for folder in folders)
    else:
        text = render(page_view(read_run(folders[0]) if len(folders) == 1 else read_comparison(folders)))
    write_text(path, text)
    return path


def read_run(path: Path) -> Run[Any]:
    """Returns the run in a folder.

    Raises:
        RunFolderError: the folder is not a run's, or a file in it is damaged.
        GamesLogError: the games are damaged.
    """
    folder = RunFolder(path)
    if not folder.config.exists():
        raise RunFolderError(f"{path}: expected the folder of a run, got one without {folder.config.name}")
    record = read_record(folder.record) if folder.record.exists() else {}
    results = results_of(folder)
    kind = record.get("kind") or (results.kind if results else UNKNOWN)
    return Run(
        path=path,
        kind=kind,
        name=record.get("name") or path.name,
        record=record,
        config=read_lines(folder.config),
        results=results,
        games=LogGames(folder.games),
        searches=list(read_games(folder.searches, SearchedGame)) if folder.searches.exists() else [],
        curve=read_curve(folder.curve),
        is_many=kind != UNKNOWN and not kind_of(kind).section,
        children=[read_run(config.parent) for config in sorted(path.glob("*/config.yaml"), key=_order_in_series)],
    )


def read_comparison(paths: Sequence[Path]) -> Run[Any]:
    """Returns the runs in some folders as one; runs with the same name are named by their folders.

    Raises:
        RunFolderError, GamesLogError: as `read_run`.
    """
    runs = [read_run(path) for path in paths]
    names = Counter(run.name for run in runs)
    children = [run if names[run.name] == 1 else replace(run, name=str(run.path)) for run in runs]
    return Run(Path(), COMPARISON, f"{len(runs)} runs", is_many=True, children=children)


def _order_in_series(config: Path) -> tuple[int, str]:
    """Returns the sort key of a run in a series: the number at the start of its folder's name."""
    number, _, name = config.parent.name.partition("-")
    return (int(number) if number.isdecimal() else 0), name


def page_view(run: Run[Any]) -> PageView:
    """Returns the view of a run, or of runs on one page, with everything in it."""
    from .report.page import facts_of
    from .report.sweep import sweep_figures, sweep_tables

    views = [section_of(leaf, f"run-{number}") for number, leaf in enumerate(run.leaves(), start=1)]
    compared = [view.run for view in views] if run.is_many else []
    together = comparisons(compared)
    if run.kind == COMPARISON:
        views = [view._replace(origin=facts_of(view.run)) for view in views]
    return PageView(
        title=run.name,
        kind=run.kind,
        facts={} if run.kind == COMPARISON else facts_of(run),
        origin=run,
        config=run.config,
        is_many=run.is_many,
        is_finished=run.is_finished or run.kind == COMPARISON,
        views=views,
        notes=[note for comparison in together for note in comparison.notes],
        tables=[*sweep_tables(compared), *(table for comparison in together for table in comparison.tables)],
        figures=[*sweep_figures(compared), *(figure for comparison in together for figure in comparison.figures)],
    )


def section_of(run: Run[Any], section_id: str) -> RunView:
    """Returns the section of one run."""
    if run.kind == UNKNOWN:
        return played_section(run, section_id, "The kind of this run is unknown")
    return kind_of(run.kind).section_of(run, section_id)


def comparisons(runs: Sequence[Run[Any]]) -> list[Comparison]:
    """Returns the comparisons of some runs; kinds with the same comparison, such as tournaments and ladders, are compared together."""
    by_comparison: dict[str, tuple[Kind, list[Run[Any]]]] = {}
    for run in runs:
        if run.kind != UNKNOWN:
            kind = kind_of(run.kind)
            by_comparison.setdefault(kind.comparison, (kind, []))[1].append(run)
    return [kind.compare(same) for comparison, (kind, same) in by_comparison.items() if comparison]
