"""Charts of an ablation: depth by configuration, by stage of the game and against time, and nodes."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from ...report.charts import interval_chart
from ...report.line_chart import line_chart
from ...statistics.score import Score
from .results import ConfigurationResults
from .run import STAGES, searches_by_position

TIMES = 24  # points on the time axis
DECADES = 2  # of time shown
Searches = Mapping[str, Sequence[Mapping[str, Any]]]  # by configuration, as the log has them


def open_searches(entries: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Searches:
    """Returns the searches of positions that no configuration solved to the end of the game, so that all lines show the same positions.

    Args:
        entries: of the log of searches.
        names: of the configurations, in order.
    """
    by_name = {name: dict(searches_by_position([entry for entry in entries if entry["configuration"] == name])) for name in names}
    settled = {key for searches in by_name.values() for key, search in searches.items() if search["settled"]}
    return {name: [search for key, search in searches.items() if key not in settled] for name, searches in by_name.items()}


def depth_chart(configurations: Mapping[str, ConfigurationResults], name: str) -> str:
    """Returns the mean depth of each configuration with its interval, of the searches that the budget ended."""
    rows = {}
    for label, row in configurations.items():
        if depth := row.depth:
            low, high = (depth.value if bound is None else bound for bound in (depth.low, depth.high))
            rows[label] = Score(depth.value, low, high)
    return interval_chart(rows, "mean depth in plies with 95 % interval", "Depth reached", name)


def time_chart(searches: Searches, name: str) -> str:
    """Returns the mean depth that was finished by each moment, over all searches; one that ended early keeps its depth."""
    last = max(row[2] for group in searches.values() for search in group for row in search["depths"])
    times = [last * 10 ** (DECADES * (step / (TIMES - 1) - 1)) for step in range(TIMES)]
    lines = {
        label: [(moment, statistics.fmean(_depth_at(search, moment) for search in group)) for moment in times]
        for label, group in searches.items()
    }
    return line_chart(lines, name, ("time", "mean depth finished in plies"), "Depth against time", logarithmic="x", seconds=True)


def nodes_chart(searches: Searches, name: str) -> str:
    """Returns the nodes of each depth, the median over all searches, up to the depth that half of them finished.

    A search that did not finish a depth counts as one with more nodes, else only the easy positions would count.
    """
    lines: dict[str, list[tuple[float, float]]] = {}
    for label, group in searches.items():
        nodes = [{row[0]: row[1] for row in search["depths"]} for search in group]
        deepest = max(max(by_depth) for by_depth in nodes)
        medians = [(depth, statistics.median_high(by_depth.get(depth, math.inf) for by_depth in nodes)) for depth in range(1, deepest + 1)]
        lines[label] = [point for point in medians if point[1] < math.inf]
    return line_chart(lines, name, ("depth in plies", "nodes"), "Nodes against depth", logarithmic="y")


def stage_chart(configurations: Mapping[str, ConfigurationResults], name: str) -> str:
    """Returns the mean depth reached in each third of the games, of the searches that the budget ended."""
    lines = {
        label: [(index, depth.value) for index, stage in enumerate(STAGES) if (depth := row.stages[stage])]
        for label, row in configurations.items()
    }
    return line_chart(lines, name, ("third of the game", "mean depth in plies"), "Depth by stage of the game", ticks=STAGES)


def _depth_at(search: Mapping[str, Any], moment: float) -> int:
    return max((row[0] for row in search["depths"] if row[2] <= moment), default=0)
