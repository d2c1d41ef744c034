"""Charts of a benchmark: speeds, and speeds by the number of games at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib as mpl
from matplotlib.ticker import LogLocator, NullLocator

from ...report.charts import BLUE, GREEN, INK, SETTINGS, VERMILLION, new_chart, to_svg
from ...report.labels import told_apart
from ...report.line_chart import line_chart
from .results import Speed

MANY = 200  # largest over least speed from which on only powers of ten are marked
MILLION = 1e6


def speed_chart(speeds: Mapping[str, Speed], title: str, name: str) -> str:
    """Returns the speeds of a benchmark on a logarithmic axis: the best of the rounds, a line from the worst, and goals as strokes.

    Those of other packages are diamonds.
    """
    with mpl.rc_context(SETTINGS):
        figure, axes = new_chart(0.8 + 0.26 * len(speeds))
        for y, row in enumerate(speeds.values()):
            colour, marker = (GREEN, "D") if row.peer else (BLUE, "o")
            best, worst = (row.best or 0.0) / MILLION, (row.worst or 0.0) / MILLION
            axes.plot([worst, best], [y, y], color=colour, linewidth=2)
            axes.plot([best], [y], color=colour, marker=marker, markersize=6)
            if row.claim:
                axes.plot([row.claim / MILLION] * 2, [y - 0.3, y + 0.3], color=VERMILLION, linewidth=2)
        axes.set_xscale("log")
        axes.set_ylim(len(speeds) - 0.4, -0.6)
        axes.set_yticks(range(len(speeds)), told_apart(speeds))
        axes.tick_params(axis="y", length=0, pad=6)
        low, high = axes.get_xlim()
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < MANY * low else (1,)))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlabel(title[0].lower() + title[1:])
        axes.grid(axis="x", color=INK, alpha=0.12, linewidth=0.8)
        spoken = "; ".join(f"{label} {(row.best or 0.0) / MILLION:.3g}" for label, row in speeds.items())
        return to_svg(figure, name, f"{title}: {spoken}")


def size_chart(lines: Mapping[str, Sequence[tuple[float, float]]], spoken: str, name: str) -> str:
    """Returns plies a second by the number of games at once, both logarithmic, a line for each package."""
    return line_chart(lines, name, ("games at once", "plies a second"), spoken, logarithmic="xy")
