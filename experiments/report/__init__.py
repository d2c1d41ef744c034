"""The report of a run: one HTML page with results, charts and every kind of game to replay; it needs no network and no other file.

Or its tables alone, as Markdown.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def write_report(folder: Path) -> Path:
    """Writes the report of a run into its folder and returns the page's path; an unfinished run gets a page that says so.

    Args:
        folder: a run's folder, see `experiments.run_folder`; of a series, the page covers all its runs.

    Raises:
        RunFolderError: the folder is none of a run, or a file in it is damaged.
    """
    from ..run_folder import RunFolder

    return write_page([folder], RunFolder(folder).report)


def write_page(folders: Sequence[Path], path: Path) -> Path:
    """Writes the report of a run, or of several side by side, into a file and returns its path.

    A file that ends in `.md` gets the tables of each run as Markdown, any other a page.

    Raises:
        RunFolderError: a folder is none of a run, or a file in it is damaged.
    """
    from . import plotting

    plotting.load()
    from ..run_folder import RunFolder, results_of_others, write_text
    from .markdown import markdown_of
    from .page import render
    from .run_data import read_comparison, read_run

    with results_of_others([RunFolder(folder) for folder in folders]):
        if path.suffix == ".md":
            text = "\n".join(markdown_of(read_run(folder)) for folder in folders)
        else:
            text = render(read_run(folders[0]) if len(folders) == 1 else read_comparison(folders))
    write_text(path, text)
    return path
