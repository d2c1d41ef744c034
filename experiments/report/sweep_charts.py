"""The chart of a sweep: results over the values of a setting."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.ticker import PercentFormatter

from ..statistics.score import Score
from .charts import FIFTHS, INK, SETTINGS, STYLES, add_legend, new_chart, to_svg
from .labels import told_apart

MOST_GAP = 6.0  # between two values of a swept setting, in units of the least, that an axis shows to scale


def sweep_chart(lines: Mapping[str, Mapping[str, Score]], setting: str, measure: str, is_share: bool, name: str) -> str:
    """Returns results with their intervals over the values of a setting: to scale if all are numbers, else side by side.

    Args:
        lines: by label: the result for each value.
        setting: its name.
        measure: the name of the results.
        is_share: whether they are scores from 0 to 1.
        name: unique on the page.
    """
    values = list(dict.fromkeys(value for line in lines.values() for value in line))
    coordinates = _coordinates(values)
    with mpl.rc_context(SETTINGS):
        figure, axes = new_chart(3.05)
        nudge = (
            max(coordinates.values()) - min(coordinates.values()) or 1
        ) / 80  # so that intervals of several lines do not hide each other
        for index, (label, line) in enumerate(zip(told_apart(lines, 48), lines.values(), strict=True)):
            colour, marker, dashes = STYLES[index % len(STYLES)]
            shift, points = nudge * (index - (len(lines) - 1) / 2), sorted((coordinates[value], score) for value, score in line.items())
            errors = [[max(0.0, s.value - s.low) for _, s in points], [max(0.0, s.high - s.value) for _, s in points]]
            style: dict[str, Any] = {"color": colour, "marker": marker, "linestyle": dashes, "label": label}
            axes.errorbar([x + shift for x, _ in points], [s.value for _, s in points], yerr=errors, capsize=3, linewidth=1.8, **style)
        axes.set_xticks([coordinates[value] for value in values], told_apart(values, 12))
        axes.set_xlabel(setting)
        axes.set_ylabel(measure)
        if is_share:
            axes.set_ylim(-0.04, 1.04)
            axes.set_yticks(FIFTHS)
            axes.yaxis.set_major_formatter(PercentFormatter(1, symbol="\N{NO-BREAK SPACE}%"))
        axes.grid(color=INK, alpha=0.12, linewidth=0.8)
        if any(lines):
            add_legend(figure, columnspacing=1.2)
        spoken = "; ".join(f"{label} {value} {score.value:.4g}".strip() for label, line in lines.items() for value, score in line.items())
        return to_svg(figure, name, f"{measure} over {setting}: {spoken}")


def _coordinates(values: Sequence[str]) -> dict[str, float]:
    """Returns the coordinates of values on an axis: the numbers themselves unless they spread too far, else 0, 1, 2 and so on."""
    try:
        numbers = {value: float(value) for value in values}
    except ValueError:
        return {value: float(index) for index, value in enumerate(values)}
    steps = sorted(numbers.values())
    gaps = [after - before for before, after in itertools.pairwise(steps)]
    if gaps and max(gaps) > MOST_GAP * min(gaps):
        return {value: float(index) for index, value in enumerate(sorted(numbers, key=lambda value: numbers[value]))}
    return numbers
