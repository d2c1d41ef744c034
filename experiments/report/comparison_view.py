"""What runs that stand side by side on a page have in common: charts and tables of each kind, where there are two runs of it or more."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from ..statistics.score import Score
from .charts import STYLES, comparison_chart, curve_chart, interval_chart, score_chart
from .run_data import Run
from .sections import DASH, Cell, FigureView, TableView, interval_cell
from .sweep_view import sweeps_of
from .tournament_view import numbered
from .wording import elo_text, game_of_run, joined, score_of

UNRATED = Cell(DASH, -1e9)  # of an agent that a run lacks; sorted below every rating


def comparison_figures(runs: Sequence[Run]) -> list[FigureView]:
    """Returns the charts of evaluations (for each game), of matches, of tournaments and ladders (for each game), and of trainings."""
    figures = []
    finished = [run for run in runs if run.results is not None]
    evaluations = [run for run in finished if run.kind == "evaluate"]
    for place, game in enumerate(dict.fromkeys(map(game_of_run, evaluations))):
        rows = {run.name: score_of(run.results["elo"]) for run in evaluations if run.results and game_of_run(run) == game}
        if len(rows) > 1:
            chart = interval_chart(rows, "Elo with 95 % interval", f"Elo on the ladder of {game}", f"all-elo-{place}")
            figures.append(FigureView(Markup(chart), f"Elo on the ladder of {game}, run by run"))
    scores = {run.name: {"both": score_of(run.results)} for run in finished if run.kind == "match" and run.results}
    is_swept = any(sweep.kind == "match" and sweep.settings for sweep in sweeps_of(runs))  # then their means stand in a chart of their own
    if len(scores) > 1 and not is_swept:
        figures.append(FigureView(Markup(score_chart(scores, "all-scores")), "Score of the first agent of each match"))
    for place, rated in enumerate(rated_runs(runs)):
        if rated.has_one_scale and len(rated.names) <= len(STYLES):
            spoken = f"Elo of the agents of {rated.game}, run by run"
            rows = {label: [found.get(agent) for found in rated.elo] for agent, label in rated.agents.items()}
            chart = comparison_chart(rows, rated.names, "Elo with 95 % interval", spoken, f"all-ratings-{place}")
            figures.append(FigureView(Markup(chart), f"{spoken}. {rated.scale}"))
    trainings = [run for run in runs if run.curve]
    if len(trainings) > 1:
        curve = [{**entry, "opponent": f"{run.name}: {entry['opponent']}"} for run in trainings for entry in run.curve]
        figures.append(FigureView(Markup(curve_chart(curve, "all-curves")), "Learning curves; bands are 95 % intervals"))
    return figures


class RatedRuns(NamedTuple):
    """What tournaments and ladders of one game found.

    Attributes:
        game: its name.
        names: of the runs.
        elo: for each run the ratings of its agents, the strongest first.
        anchors: for each run the agent that it holds at a rating; None where the mean of its agents is 0.
    """

    game: str
    names: list[str]
    elo: list[dict[str, Score]]
    anchors: list[tuple[str, float] | None]

    @property
    def anchor(self) -> tuple[str, float] | None:
        """What all runs hold; None if they hold nothing, or different things."""
        return self.anchors[0] if len(set(self.anchors)) == 1 else None

    @property
    def has_one_scale(self) -> bool:
        """Whether ratings of different runs can be compared: the same agent is held, or the mean of the same agents."""
        return self.anchor is not None or (not any(self.anchors) and len({frozenset(found) for found in self.elo}) == 1)

    @property
    def scale(self) -> str:
        """What the ratings are measured from, as a sentence."""
        held = {anchor: [name for name, own in zip(self.names, self.anchors, strict=True) if own == anchor] for anchor in self.anchors}
        words = {anchor: f"{anchor[0]} at {elo_text(anchor[1])}" if anchor else "the mean of the run's agents at 0" for anchor in held}
        if self.has_one_scale:
            return f"Scale: {words[self.anchors[0]]} in every run."
        return f"No common scale: {'; '.join(f'{words[anchor]} in {joined(names)}' for anchor, names in held.items())}."

    @property
    def agents(self) -> dict[str, str]:
        """The agents with their numbers, by name: those of the first run by their places, then those that only others have."""
        return numbered({"agent": agent} for agent in dict.fromkeys(agent for found in self.elo for agent in found))


def rated_runs(runs: Iterable[Run]) -> list[RatedRuns]:
    """Returns the finished tournaments and ladders of each game that has two of them or more."""
    by_game: dict[str, list[Run]] = {}
    for run in runs:
        if run.results and run.kind in ("tournament", "ladder"):
            by_game.setdefault(json.dumps(run.results["game"], sort_keys=True), []).append(run)
    return [_rated(same) for same in by_game.values() if len(same) > 1]


def _rated(runs: Sequence[Run]) -> RatedRuns:
    results = [run.results for run in runs if run.results]
    return RatedRuns(
        game=game_of_run(runs[0]),
        names=[run.name for run in runs],
        elo=[{row["agent"]: score_of(row["elo"]) for row in found["standings"]} for found in results],
        anchors=[found["ratings"]["anchor"] and tuple(found["ratings"]["anchor"]) for found in results],
    )


def comparison_tables(runs: Sequence[Run]) -> list[TableView]:
    """Returns the ratings in tournaments and ladders of each game: a row for each agent, a column for each run."""
    tables = []
    for rated in rated_runs(runs):
        held = [anchor and anchor[0] for anchor in rated.anchors]
        rows = [
            (Cell(label), *(rating_cell(found.get(agent), agent == anchor) for found, anchor in zip(rated.elo, held, strict=True)))
            for agent, label in rated.agents.items()
        ]
        caption = f"Elo of the agents of {rated.game}, run by run, with 95 % intervals. {rated.scale}"
        tables.append(TableView(caption, ("Agent", *rated.names), rows, "compared"))
    return tables


def rating_cell(score: Score | None, is_anchor: bool) -> Cell:
    """Returns the cell of a rating, if there is one; the anchor's has no interval."""
    if score is None:
        return UNRATED
    cell = interval_cell(score, elo_text)
    return cell._replace(remark="anchor") if is_anchor else cell


def agreements(runs: Sequence[Run]) -> list[str]:
    """Returns how many agents the tournaments and ladders of each game agree on, a sentence each; nothing without a common anchor."""
    return [sentence for rated in rated_runs(runs) if (sentence := agreement(rated))]


def agreement(rated: RatedRuns) -> str:
    """Returns for how many of the agents that all runs share every run confirms the first one; nothing without a common anchor."""
    first, *others = rated.elo
    shared = [agent for agent in first if rated.anchor and agent != rated.anchor[0] and all(agent in found for found in others)]
    if not (rated.anchor and shared):
        return ""
    agreed = sum(all(is_within_both(first[agent], found[agent]) for found in others) for agent in shared)
    who = f"the {len(shared)} agents" if len(shared) > 1 else "the one agent"
    how_many = f"{agreed} {'has' if agreed == 1 else 'have'} ratings within both intervals"
    intervals = f"every run's within that of {rated.names[0]}, and that run's within every other's"
    return f"Of {who} of {rated.game} that all runs share besides {rated.anchor[0]}, {how_many}: {intervals}."


def is_within_both(one: Score, other: Score) -> bool:
    """Tells whether each of two estimates lies within the interval of the other."""
    return other.low <= one.value <= other.high and one.low <= other.value <= one.high
