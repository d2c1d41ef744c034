"""Charts of an ablation: depth against time, nodes against depth, and depth by stage of the game, a line for each configuration."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter, MaxNLocator

from ..ablation import STAGES
from .charts import INK, SETTINGS, STYLES, legend_columns, new_chart, shortened, to_svg

TIMES = 24  # points on the time axis
Searches = Mapping[str, Sequence[Mapping[str, Any]]]  # by configuration, as the log has them


def time_chart(searches: Searches, name: str) -> str:
    """Returns the mean depth that was finished by each moment, over all searches; one that ended early keeps its depth."""
    last = max(row[2] for some in searches.values() for search in some for row in search["depths"])
    first = min(max(search["depths"][0][2] for some in searches.values() for search in some), last / 10)
    times = [first * (last / first) ** (step / (TIMES - 1)) for step in range(TIMES)]
    lines = {
        label: [(moment, statistics.fmean(_depth_at(search, moment) for search in some)) for moment in times]
        for label, some in searches.items()
    }
    return _chart(lines, name, ("time", "mean depth finished"), "Depth against time", logarithmic="x", seconds=True)


def nodes_chart(searches: Searches, name: str) -> str:
    """Returns the nodes that a depth took, the median over the searches, as far as half of them went."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for label, some in searches.items():
        by_depth: dict[int, list[float]] = {}
        for depth, nodes, *_ in (row for search in some for row in search["depths"]):
            by_depth.setdefault(depth, []).append(nodes)
        lines[label] = [(depth, statistics.median(nodes)) for depth, nodes in sorted(by_depth.items()) if 2 * len(nodes) >= len(some)]
    return _chart(lines, name, ("depth", "nodes"), "Nodes against depth", logarithmic="y")


def stage_chart(configurations: Mapping[str, Mapping[str, Any]], name: str) -> str:
    """Returns the mean depth reached in each third of the games, of the searches that the budget ended, with its interval."""
    lines = {
        label: [(place, found["value"]) for place, stage in enumerate(STAGES) if (found := row["stages"][stage])]
        for label, row in configurations.items()
    }
    return _chart(lines, name, ("third of the game", "mean depth reached"), "Depth by stage of the game", ticks=STAGES)


def _depth_at(search: Mapping[str, Any], moment: float) -> int:
    return max((row[0] for row in search["depths"] if row[2] <= moment), default=0)


def _chart(
    lines: Mapping[str, Sequence[tuple[float, float]]],
    name: str,
    titles: tuple[str, str],
    spoken: str,
    logarithmic: str = "",
    seconds: bool = False,
    ticks: Sequence[str] = (),
) -> str:
    with mpl.rc_context(SETTINGS):
        figure, axes = new_chart(3.3 + 0.2 * (len(lines) // 2))
        for index, (label, points) in enumerate(lines.items()):
            colour, marker, dashes = STYLES[index % len(STYLES)]
            axes.plot(
                [x for x, _ in points],
                [y for _, y in points],
                color=colour,
                linestyle=dashes,
                marker=marker,
                markersize=5,
                markevery=max(1, len(points) // 8),
                fillstyle="full" if index < len(STYLES) else "none",
                linewidth=1.8,
                label=shortened(label),
            )
        _set_scales(axes, logarithmic, seconds, ticks)
        axes.set_xlabel(titles[0])
        axes.set_ylabel(titles[1])
        axes.grid(color=INK, alpha=0.12, linewidth=0.8)
        figure.legend(loc="outside upper center", ncols=legend_columns(lines), columnspacing=1.2)
        ends = "; ".join(f"{label} {points[-1][1]:,.3g} at the end" for label, points in lines.items() if points)
        return to_svg(figure, name, f"{spoken}: {ends}")


def _set_scales(axes: Axes, logarithmic: str, seconds: bool, ticks: Sequence[str]) -> None:
    if logarithmic == "x":
        axes.set_xscale("log")
    elif logarithmic == "y":
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(EngFormatter(sep="\N{NO-BREAK SPACE}"))
    if logarithmic != "y":
        axes.yaxis.set_major_locator(MaxNLocator(8, integer=True))
    if seconds:
        axes.xaxis.set_major_formatter(EngFormatter("s", sep="\N{NO-BREAK SPACE}"))
    elif ticks:
        axes.set_xticks(range(len(ticks)), ticks)
        axes.set_xlim(-0.3, len(ticks) - 0.7)
    else:
        axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
