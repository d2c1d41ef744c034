"""A chart of lines over numbers, with logarithmic axes, seconds or named ticks where they are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter, MaxNLocator

from .charts import INK, SETTINGS, STYLES, add_legend, new_chart, to_svg
from .labels import told_apart


def line_chart(
    lines: Mapping[str, Sequence[tuple[float, float]]],
    name: str,
    titles: tuple[str, str],
    spoken: str,
    logarithmic: str = "",
    seconds: bool = False,
    ticks: Sequence[str] = (),
) -> str:
    """Returns a line for each row of points.

    Args:
        lines: by label, points (x, y).
        name: unique on the page.
        titles: of the two axes.
        spoken: what it shows, for those who do not see it.
        logarithmic: the axes that are, "x", "y" or "xy".
        seconds: whether x is a time.
        ticks: names for x = 0, 1, 2, …
    """
    with mpl.rc_context(SETTINGS):
        figure, axes = new_chart(3.05)
        for index, (label, points) in enumerate(zip(told_apart(lines), lines.values(), strict=True)):
            colour, marker, dashes = STYLES[index % len(STYLES)]
            axes.plot(
                [x for x, _ in points],
                [y for _, y in points],
                color=colour,
                linestyle=dashes if len(points) > 1 else "none",
                marker=marker,
                markersize=5,
                markevery=max(1, len(points) // 8),
                fillstyle="full" if index < len(STYLES) else "none",
                linewidth=1.8,
                label=label,
            )
        _set_scales(axes, logarithmic, seconds, ticks)
        axes.set_xlabel(titles[0])
        axes.set_ylabel(titles[1])
        axes.grid(color=INK, alpha=0.12, linewidth=0.8)
        add_legend(figure, columnspacing=1.2)
        ends = "; ".join(f"{label} {points[-1][1]:,.3g} at the end" for label, points in lines.items() if points)
        return to_svg(figure, name, f"{spoken}: {ends}")


def _set_scales(axes: Axes, logarithmic: str, seconds: bool, ticks: Sequence[str]) -> None:
    if "x" in logarithmic:
        axes.set_xscale("log")
    if "y" in logarithmic:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(EngFormatter(sep="\N{NO-BREAK SPACE}"))
    else:
        axes.yaxis.set_major_locator(MaxNLocator(8, integer=True))
    if seconds:
        axes.xaxis.set_major_formatter(EngFormatter("s", sep="\N{NO-BREAK SPACE}"))
    elif ticks:
        axes.set_xticks(range(len(ticks)), ticks)
        axes.set_xlim(-0.3, len(ticks) - 0.7)
    elif "x" in logarithmic:
        axes.xaxis.set_major_formatter("{x:,g}")
    else:
        axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
