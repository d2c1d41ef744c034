"""The tables and charts of a sweep: results over the settings in which its runs differ, as means over runs that differ only in the seed."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import yaml
from markupsafe import Markup

from ..config import yaml_source
from ..config.sweep import end_of
from ..files import RunFolderError
from ..results import Measure
from ..statistics.mean import mean_interval
from ..statistics.score import Score
from ..terminal.phrases import joined
from .run import Run
from .sections import Cell, FigureView, TableView, interval_cell, number
from .sweep_charts import sweep_chart
from .wording import elo_text, percent

SEED = "seed"
MOST_SETTINGS = 2  # that a chart can show: one along its axis, one as lines
Values = tuple[str, ...]


class Sweep(NamedTuple):
    """Runs of one kind that differ in a few settings.

    Attributes:
        measure: what was measured.
        settings: the ends of the keys in which they differ, the seed left out.
        results: by the values of these settings and whom it was against (empty if that is the same everywhere): the results of all seeds.
    """

    measure: Measure
    settings: list[str]
    results: dict[tuple[Values, str], list[Score]]

    @property
    def seeds(self) -> int:
        """How many seeds most of the points have."""
        return Counter(map(len, self.results.values())).most_common(1)[0][0]


def sweeps_of(runs: Sequence[Run[Any]]) -> list[Sweep]:
    """Returns the sweeps among some runs: for each kind, if there are two runs of it or more and all differ."""
    kinds = dict.fromkeys(run.kind for run in runs)
    return [sweep for kind in kinds if (sweep := _sweep([run for run in runs if run.kind == kind and run.results]))]


def _sweep(runs: Sequence[Run[Any]]) -> Sweep | None:
    configs = [dict(_flat(_config(run))) for run in runs]
    keys = dict.fromkeys(key for config in configs for key in config if key != "name")
    varied = [key for key in keys if len({json.dumps(config.get(key)) for config in configs}) > 1]
    settings = [key for key in varied if key != SEED]
    names = [end_of(key, settings) for key in settings]
    if len(runs) < 2 or not varied or len(settings) > MOST_SETTINGS:
        return None
    results: dict[tuple[Values, str], list[Score]] = {}
    for run, config in zip(runs, configs, strict=True):
        values = tuple("none" if config.get(key) is None else str(config[key]) for key in settings)
        for opponent, score in run.results.measured() if run.results else ():
            results.setdefault((values, opponent), []).append(score)
    measure = runs[0].results.measure if runs[0].results else None
    return Sweep(measure, names, results) if results and measure else None


def _config(run: Run[Any]) -> Any:
    """Returns what a run's config.yaml holds."""
    try:
        return yaml_source.read(run.config)
    except yaml.YAMLError as error:
        raise RunFolderError(f"{run.path / 'config.yaml'}: expected YAML: {error}") from None


def _flat(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yields the settings of a config by their whole key."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        yield ".".join(path), value
    for key, inner in items or ():
        yield from _flat(inner, (*path, str(key)))


def mean_of(sweep: Sweep, scores: Sequence[Score]) -> Score:
    """Returns the mean over seeds, with the wider of Student's interval and what the games of all runs leave open."""
    mean, low, high, count = mean_interval([score.value for score in scores])
    below = math.hypot(*(score.value - score.low for score in scores)) / count
    above = math.hypot(*(score.high - score.value for score in scores)) / count
    low, high = min(mean - below, mean if low is None else low), max(mean + above, mean if high is None else high)
    return Score(mean, max(0.0, low), min(1.0, high)) if sweep.measure.is_share else Score(mean, low, high)


def sweep_figures(runs: Sequence[Run[Any]]) -> list[FigureView]:
    """Returns a chart for each sweep: results over the setting with most values, a line for each value of the other and each opponent."""
    figures = []
    for index_, sweep in enumerate(sweep for sweep in sweeps_of(runs) if sweep.settings):
        counts = [len({values[index] for values, _ in sweep.results}) for index in range(len(sweep.settings))]
        axis = counts.index(max(counts))
        lines: dict[str, dict[str, Score]] = {}
        for (values, opponent), scores in sweep.results.items():
            others = [f"{sweep.settings[1 - axis]} {values[1 - axis]}"] if len(values) > 1 else []
            label = ", ".join([*others, *([f"against {opponent}"] if opponent else [])])
            lines.setdefault(label, {})[values[axis]] = mean_of(sweep, scores)
        chart = sweep_chart(lines, sweep.settings[axis], sweep.measure.name, sweep.measure.is_share, f"all-sweep-{index_}")
        caption = f"{sweep.measure.name[0].upper()}{sweep.measure.name[1:]} over {joined(sweep.settings)}; {_spread(sweep)}"
        figures.append(FigureView(Markup(chart), caption))
    return figures


def sweep_tables(runs: Sequence[Run[Any]]) -> list[TableView]:
    """Returns a table for each sweep: a row for each combination of settings."""
    tables = []
    for sweep in sweeps_of(runs):
        form = percent if sweep.measure.is_share else elo_text
        has_opponents = any(opponent for _, opponent in sweep.results)
        rows = [
            (
                *map(_value_cell, values),
                *([Cell(opponent)] if has_opponents else []),
                number(len(scores), "d"),
                interval_cell(mean_of(sweep, scores), form),
            )
            for (values, opponent), scores in sweep.results.items()
        ]
        measure = sweep.measure.name
        headings = (
            *sweep.settings,
            *(["Against"] if has_opponents else []),
            "Runs",
            f"{measure[0].upper()}{measure[1:]}",
        )
        over = f" over {joined(sweep.settings)}" if sweep.settings else ""
        tables.append(TableView(f"Results{over}; {_spread(sweep)}", headings, rows))
    return tables


def _spread(sweep: Sweep) -> str:
    """Returns what the intervals are."""
    return f"means of {sweep.seeds} seeds with 95 % intervals" if sweep.seeds > 1 else "with 95 % intervals"


def _value_cell(text: str) -> Cell:
    """Returns the cell of a setting's value, which sorts as a number if it is one."""
    try:
        return Cell(text, float(text))
    except ValueError:
        return Cell(text)
