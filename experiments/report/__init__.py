"""The report of a run: one HTML page with results, charts and every kind of game to replay; it needs no network and no other file."""

from pathlib import Path


def write_report(folder: Path) -> Path:
    """Writes the report of a run into its folder and returns the page's path; an unfinished run gets a page that says so.

    Args:
        folder: a run's folder, see `experiments.run_folder`; of a series, the page covers all its runs.

    Raises:
        RunFolderError: the folder is none of a run, or a file in it is damaged.
    """
    from ..run_folder import RunFolder, write_text
    from .page import render
    from .run_data import read_run

    page = RunFolder(folder).report
    write_text(page, render(read_run(folder)))
    return page
