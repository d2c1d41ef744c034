"""Loads Matplotlib also where MPLBACKEND names a backend that is missing: charts are written as SVG and ask for none."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def load() -> None:
    """Imports Matplotlib with the backend that the user has chosen, if it can be had; Matplotlib itself would fail to load if not."""
    if "matplotlib" in sys.modules:
        return
    backend = os.environ.pop("MPLBACKEND", None)
    try:
        import matplotlib as mpl
    finally:
        if backend is not None:
            os.environ["MPLBACKEND"] = backend
    if backend:
        with suppress(ValueError):
            mpl.rcParams["backend"] = backend
