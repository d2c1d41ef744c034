"""A series: runs carried out one after the other, each in a folder of its own inside the series' folder."""

from __future__ import annotations

from typing import Any

from ..config import Series
from ..run import run
from ..run_folder import RunFolder


def run_series(config: Series, folder: RunFolder) -> dict[str, Any]:
    """Carries out the runs that the folder lacks and returns the names of all their folders."""
    names = [f"{number}-{inner.name}" for number, inner in enumerate(config.runs, start=1)]
    for name, inner in zip(names, config.runs, strict=True):
        run(inner, folder.path / name)
    return {"kind": "series", "runs": names}
