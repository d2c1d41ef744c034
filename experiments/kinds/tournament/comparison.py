"""The comparison of several tournaments or ladders of a game on one page: charts and tables of their ratings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from ...report.charts import STYLES, comparison_chart
from ...report.run import Run
from ...report.sections import DASH, Cell, Comparison, FigureView, TableView, interval_cell
from ...report.wording import elo_text, game_text
from ...statistics.score import Score
from ...terminal.phrases import joined
from .results import TournamentResults
from .section import numbered

UNRATED = Cell(DASH, -1e9)  # for an agent that a run lacks; sorted below every rating


def compare_ratings(runs: Sequence[Run[TournamentResults]]) -> Comparison:
    """Returns the ratings of several tournaments or ladders of a game, and how far they agree."""
    rated = rated_runs(runs)
    return Comparison(
        notes=[sentence for game in rated if (sentence := agreement(game))],
        tables=[rating_table(game) for game in rated],
        figures=[figure for number, game in enumerate(rated) for figure in rating_figures(game, f"all-ratings-{number}")],
    )


def rating_figures(rated: RatedRuns, name: str) -> list[FigureView]:
    """Returns the chart of ratings, where there is one scale and a chart can show so many runs."""
    if not (rated.has_one_scale and len(rated.names) <= len(STYLES)):
        return []
    spoken = f"Elo of the agents of {rated.game}, run by run"
    rows = {label: [elo.get(agent) for elo in rated.elo] for agent, label in rated.agents.items()}
    chart = comparison_chart(rows, rated.names, "Elo with 95 % interval", spoken, name)
    return [FigureView(Markup(chart), f"{spoken}. {rated.scale}")]


class RatedRuns(NamedTuple):
    """The ratings of tournaments and ladders of one game.

    Attributes:
        game: its name.
        names: of the runs.
        elo: for each run the ratings of its agents, the strongest first.
        anchors: for each run the agent with a fixed rating, and that rating; None where the mean of its agents is 0.
    """

    game: str
    names: list[str]
    elo: list[dict[str, Score]]
    anchors: list[tuple[str, float] | None]

    @property
    def anchor(self) -> tuple[str, float] | None:
        """The anchor of all runs; None if they have none, or different ones."""
        return self.anchors[0] if len(set(self.anchors)) == 1 else None

    @property
    def has_one_scale(self) -> bool:
        """Whether ratings of different runs can be compared: by the same anchor, or by the mean of the same agents."""
        return self.anchor is not None or (not any(self.anchors) and len({frozenset(elo) for elo in self.elo}) == 1)

    @property
    def scale(self) -> str:
        """The zero of the ratings, as a sentence."""
        runs = {anchor: [name for name, other in zip(self.names, self.anchors, strict=True) if other == anchor] for anchor in self.anchors}
        texts = {anchor: f"{anchor[0]} at {elo_text(anchor[1])}" if anchor else "the mean of the run's agents at 0" for anchor in runs}
        if self.has_one_scale:
            return f"Scale: {texts[self.anchors[0]]} in every run."
        return f"No common scale: {'; '.join(f'{texts[anchor]} in {joined(names)}' for anchor, names in runs.items())}."

    @property
    def agents(self) -> dict[str, str]:
        """The agents with their numbers, by name: those of the first run by rank, then those of other runs."""
        return numbered(dict.fromkeys(agent for elo in self.elo for agent in elo))


def rated_runs(runs: Iterable[Run[TournamentResults]]) -> list[RatedRuns]:
    """Returns the ratings of each game with at least two finished runs."""
    by_game: dict[str, list[tuple[str, TournamentResults]]] = {}
    for run in runs:
        if run.results:
            by_game.setdefault(game_text(run.results.game.as_game), []).append((run.name, run.results))
    return [_rated(game, same) for game, same in by_game.items() if len(same) > 1]


def _rated(game: str, runs: Sequence[tuple[str, TournamentResults]]) -> RatedRuns:
    return RatedRuns(
        game=game,
        names=[name for name, _ in runs],
        elo=[{row.agent: Score(*row.elo) for row in results.standings} for _, results in runs],
        anchors=[results.ratings.anchor for _, results in runs],
    )


def rating_table(rated: RatedRuns) -> TableView:
    """Returns a row for each agent, a column for each run."""
    anchors = [anchor and anchor[0] for anchor in rated.anchors]
    rows = [
        (Cell(label), *(rating_cell(elo.get(agent), agent == anchor) for elo, anchor in zip(rated.elo, anchors, strict=True)))
        for agent, label in rated.agents.items()
    ]
    caption = f"Elo of the agents of {rated.game}, run by run, with 95 % intervals. {rated.scale}"
    return TableView(caption, ("Agent", *rated.names), rows, "compared")


def rating_cell(score: Score | None, is_anchor: bool) -> Cell:
    """Returns the cell of a rating, if there is one; the anchor's has no interval."""
    if score is None:
        return UNRATED
    cell = interval_cell(score, elo_text)
    return cell._replace(remark="anchor") if is_anchor else cell


def agreement(rated: RatedRuns) -> str:
    """Returns how many agents of all runs have ratings that agree with the first run; empty without a common anchor."""
    first, *others = rated.elo
    shared = [agent for agent in first if rated.anchor and agent != rated.anchor[0] and all(agent in elo for elo in others)]
    if not (rated.anchor and shared):
        return ""
    agreed = sum(all(is_within_both(first[agent], elo[agent]) for elo in others) for agent in shared)
    agents = f"the {len(shared)} agents" if len(shared) > 1 else "the one agent"
    how_many = f"{agreed} {'has' if agreed == 1 else 'have'} ratings within both intervals"
    intervals = f"every run's within that of {rated.names[0]}, and that run's within every other's"
    return f"Of {agents} of {rated.game} that all runs share besides {rated.anchor[0]}, {how_many}: {intervals}."


def is_within_both(score: Score, other: Score) -> bool:
    """Tells whether each of two estimates lies within the interval of the other."""
    return other.low <= score.value <= other.high and score.low <= other.value <= score.high
