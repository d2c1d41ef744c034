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
from .run import STAGES, searches_by_place

TIMES = 24  # points on the time axis
DECADES = 2  # of time shown
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


def depth_chart(configurations: Mapping[str, ConfigurationResults], name: str) -> str:
    """Returns the mean depth of each configuration with its interval, of the searches that the budget ended."""
    rows = {}
    for label, row in configurations.items():
        if found := row.depth:
            low, high = (found.value if bound is None else bound for bound in (found.low, found.high))
            rows[label] = Score(found.value, low, high)
    return interval_chart(rows, "mean depth in plies with 95 % interval", "Depth reached", name)


def time_chart(searches: Searches, name: str) -> str:
    """Returns the mean depth that was finished by each moment, over all searches; one that ended early keeps its depth."""
    last = max(row[2] for some in searches.values() for search in some for row in search["depths"])
    times = [last * 10 ** (DECADES * (step / (TIMES - 1) - 1)) for step in range(TIMES)]
    lines = {
        label: [(moment, statistics.fmean(_depth_at(search, moment) for search in some)) for moment in times]
        for label, some in searches.items()
    }
    return line_chart(lines, name, ("time", "mean depth finished in plies"), "Depth against time", logarithmic="x", seconds=True)


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
    return line_chart(lines, name, ("depth in plies", "nodes"), "Nodes against depth", logarithmic="y")


def stage_chart(configurations: Mapping[str, ConfigurationResults], name: str) -> str:
    """Returns the mean depth reached in each third of the games, of the searches that the budget ended."""
    lines = {
        label: [(place, found.value) for place, stage in enumerate(STAGES) if (found := row.stages[stage])]
        for label, row in configurations.items()
    }
    return line_chart(lines, name, ("third of the game", "mean depth in plies"), "Depth by stage of the game", ticks=STAGES)


def _depth_at(search: Mapping[str, Any], moment: float) -> int:
    return max((row[0] for row in search["depths"] if row[2] <= moment), default=0)
