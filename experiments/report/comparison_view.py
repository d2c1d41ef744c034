"""What runs that stand side by side on a page have in common: a chart of each kind, where there are two runs of it or more."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from .charts import curve_chart, interval_chart, score_chart
from .run_data import Run
from .summary import game_of_run, score_of
from .views import FigureView


def comparison_figures(runs: Sequence[Run]) -> list[FigureView]:
    """Returns the charts of evaluations (for each game), of matches and of trainings."""
    figures = []
    finished = [run for run in runs if run.results is not None]
    evaluations = [run for run in finished if run.kind == "evaluate"]
    for place, game in enumerate(dict.fromkeys(map(game_of_run, evaluations))):
        rows = {run.name: score_of(run.results["elo"]) for run in evaluations if run.results and game_of_run(run) == game}
        if len(rows) > 1:
            chart = interval_chart(rows, "Elo with 95 % interval", f"Elo on the ladder of {game}", f"all-elo-{place}")
            figures.append(FigureView(Markup(chart), f"Elo on the ladder of {game}, run by run"))
    scores = {run.name: {"both": score_of(run.results)} for run in finished if run.kind == "match" and run.results}
    if len(scores) > 1:
        figures.append(FigureView(Markup(score_chart(scores, "all-scores")), "Score of the first agent of each match"))
    trainings = [run for run in runs if run.curve]
    if len(trainings) > 1:
        curve = [{**entry, "opponent": f"{run.name}: {entry['opponent']}"} for run in trainings for entry in run.curve]
        figures.append(FigureView(Markup(curve_chart(curve, "all-curves")), "Learning curves; bands are 95 % intervals"))
    return figures
