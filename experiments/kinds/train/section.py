"""The section of a training: its learning curve, and the final games."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from ...report.charts import curve_chart
from ...report.matchups import matchup_section, matchups_so_far
from ...report.run import Run
from ...report.sections import Comparison, FigureView, RunView
from ...report.wording import interval
from ...results import Matchup
from ...terminal.phrases import joined
from .results import TrainResults

NO_CURVE = "The learning curve begins with the first evaluation; there is none yet."


def train_section(run: Run[TrainResults], section_id: str) -> RunView:
    """Returns the section of a training, finished or not."""
    results = run.results
    matchups = results.final if results else matchups_so_far(run)
    warnings = results.all_warnings() if results else [warning for matchup in matchups for warning in matchup.warnings]
    verdict, text = train_sentence(run, matchups), training_text(results)
    section = matchup_section(run, section_id, matchups, verdict, text, warnings=warnings, what="Final scores")
    figures = [*curve_figures(run, section_id), *section.figures]
    return section._replace(figures=figures, has_opponents=True, missing="" if run.curve else NO_CURVE)


def training_text(results: TrainResults | None) -> str:
    """Returns the opponents and the length of a training; empty for an unfinished one."""
    return f"{results.algorithm_name} trained against {results.opponent} for {results.timesteps:,} time steps" if results else ""


def train_sentence(run: Run[TrainResults], matchups: Sequence[Matchup]) -> str:
    """Returns the results of a training as a sentence."""
    if not matchups:
        last = max((entry["timesteps"] for entry in run.curve), default=None)
        return "No evaluation yet" if last is None else f"Trained for {last:,} time steps so far; the final games come at the end"
    scores = [f"{interval(matchup.interval)} against {matchup.agents[1]}" for matchup in matchups]
    when = f"{steps_text(run.results)}, " if run.results else "In the final games so far "
    return f"{when}{matchups[0].agents[0]} scores {joined(scores)}"


def steps_text(results: TrainResults) -> str:
    """Returns the length of a training and the evaluation whose network is kept."""
    best, last = results.best_timesteps, results.timesteps
    if best == last:
        return f"After {last:,} time steps, at its best evaluation"
    return f"After {best:,} of {last:,} time steps, at its best evaluation"


def curve_figures(run: Run[TrainResults], section_id: str) -> list[FigureView]:
    """Returns the chart of the learning curve, if there has been an evaluation."""
    if not run.curve:
        return []
    kept = run.results.best_timesteps if run.results else None
    remark = f"; kept is the network after {kept:,} time steps" if kept is not None else ""
    caption = f"Learning curve: score in the evaluations during training{remark}; bands are 95 % intervals"
    return [FigureView(Markup(curve_chart(run.curve, f"{section_id}-curve", kept)), caption)]


def compare_trainings(runs: Sequence[Run[TrainResults]]) -> Comparison:
    """Returns the learning curves of several trainings in one chart."""
    trainings = [run for run in runs if run.curve]
    if len(trainings) < 2:
        return Comparison()
    curve = [{**entry, "opponent": f"{run.name}: {entry['opponent']}"} for run in trainings for entry in run.curve]
    return Comparison(figures=[FigureView(Markup(curve_chart(curve, "all-curves")), "Learning curves; bands are 95 % intervals")])
