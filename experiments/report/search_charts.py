"""Charts of an ablation and of a benchmark: depth by configuration, by stage of the game and against time, nodes, and speeds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter, LogLocator, MaxNLocator, NullLocator

from ..kinds.ablation import STAGES, searches_by_place
from ..statistics.score import Score
from .charts import BLUE, GREEN, INK, SETTINGS, STYLES, VERMILLION, add_legend, interval_chart, new_chart, to_svg
from .labels import told_apart

TIMES = 24  # points on the time axis
DECADES = 2  # of time shown
MANY = 200  # times the least speed, from which on only powers of ten are marked
Searches = Mapping[str, Sequence[Mapping[str, Any]]]  # by configuration, as the log has them


def open_searches(entries: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Searches:
    """Returns the searches of the positions that no configuration saw to the end of the game, so that all lines show the same positions.

    Args:
        entries: of the log of searches.
        names: of the configurations, in order.
    """
    by_name = {name: dict(searches_by_place([entry for entry in entries if entry["configuration"] == name])) for name in names}
    settled = {place for searches in by_name.values() for place, search in searches.items() if search["settled"]}
    return {name: [search for place, search in searches.items() if place not in settled] for name, searches in by_name.items()}


def depth_chart(configurations: Mapping[str, Mapping[str, Any]], name: str) -> str:
    """Returns the mean depth of each configuration with its interval, of the searches that the budget ended."""
    rows = {}
    for label, row in configurations.items():
        if found := row["depth"]:
            low, high = (found["value"] if found[bound] is None else found[bound] for bound in ("low", "high"))
            rows[label] = Score(found["value"], low, high)
    return interval_chart(rows, "mean depth in plies with 95 % interval", "Depth reached", name)


def speed_chart(speeds: Mapping[str, Mapping[str, Any]], title: str, name: str) -> str:
    """Returns the speeds of a benchmark on a logarithmic axis: the best of the rounds, a line from the worst, and goals as strokes.

    Those of other packages are diamonds.
    """
    with mpl.rc_context(SETTINGS):
        figure, axes = new_chart(0.8 + 0.26 * len(speeds))
        for place, row in enumerate(speeds.values()):
            colour, marker = (GREEN, "D") if row.get("peer") else (BLUE, "o")
            axes.plot([row["worst"] / 1e6, row["best"] / 1e6], [place, place], color=colour, linewidth=2)
            axes.plot([row["best"] / 1e6], [place], color=colour, marker=marker, markersize=6)
            if row["claim"]:
                axes.plot([row["claim"] / 1e6] * 2, [place - 0.3, place + 0.3], color=VERMILLION, linewidth=2)
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
        spoken = "; ".join(f"{label} {row['best'] / 1e6:.3g}" for label, row in speeds.items())
        return to_svg(figure, name, f"{title}: {spoken}")


def size_chart(lines: Mapping[str, Sequence[tuple[float, float]]], spoken: str, name: str) -> str:
    """Returns plies a second by the number of games at once, both logarithmic, a line for each package."""
    return _chart(lines, name, ("games at once", "plies a second"), spoken, logarithmic="xy")


def time_chart(searches: Searches, name: str) -> str:
    """Returns the mean depth that was finished by each moment, over all searches; one that ended early keeps its depth."""
    last = max(row[2] for some in searches.values() for search in some for row in search["depths"])
    times = [last * 10 ** (DECADES * (step / (TIMES - 1) - 1)) for step in range(TIMES)]
    lines = {
        label: [(moment, statistics.fmean(_depth_at(search, moment) for search in some)) for moment in times]
        for label, some in searches.items()
    }
    return _chart(lines, name, ("time", "mean depth finished in plies"), "Depth against time", logarithmic="x", seconds=True)


def nodes_chart(searches: Searches, name: str) -> str:
    """Returns the nodes that a depth took, the median over all searches, as far as half of them went.

    A search that did not finish a depth counts as one that would have taken more nodes, else the easy positions alone would tell.
    """
    lines: dict[str, list[tuple[float, float]]] = {}
    for label, some in searches.items():
        nodes = [{row[0]: row[1] for row in search["depths"]} for search in some]
        deepest = max(max(by_depth) for by_depth in nodes)
        medians = [(depth, statistics.median_high(by_depth.get(depth, math.inf) for by_depth in nodes)) for depth in range(1, deepest + 1)]
        lines[label] = [point for point in medians if point[1] < math.inf]
    return _chart(lines, name, ("depth in plies", "nodes"), "Nodes against depth", logarithmic="y")


def stage_chart(configurations: Mapping[str, Mapping[str, Any]], name: str) -> str:
    """Returns the mean depth reached in each third of the games, of the searches that the budget ended."""
    lines = {
        label: [(place, found["value"]) for place, stage in enumerate(STAGES) if (found := row["stages"][stage])]
        for label, row in configurations.items()
    }
    return _chart(lines, name, ("third of the game", "mean depth in plies"), "Depth by stage of the game", ticks=STAGES)


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
