"""The section of an evaluation: the rating, its place on the ladder, and the results against the rungs."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from ....envs.registration import OTHER_ENDINGS
from ...report.charts import interval_chart, score_chart
from ...report.length_figures import outcome_figure
from ...report.matchups import seat_cell
from ...report.replay import replay_of
from ...report.run import Run
from ...report.sections import (
    Cell,
    Comparison,
    FigureView,
    GamesLink,
    RunView,
    TableView,
    interval_cell,
    number,
    plain_warnings,
    played_section,
)
from ...report.wording import SEATS, elo_text, game_of_run, percent, placement_text
from ...statistics.score import Score
from .results import EvaluateResults

NOTE = (
    "Elo above random play, which the ladder holds at 0. The first interval is that of the agent's own games: it compares agents on this"
    " ladder. The second has the ladder's own error, too: it is for the distance to random play."
)


def evaluate_section(run: Run[EvaluateResults], section_id: str) -> RunView:
    """Returns the section of an evaluation; of an unfinished one, the games so far."""
    results, games = run.results, run.games.digest
    if results is None:
        replay = replay_of(run.games) if games.count else None
        return played_section(run, section_id, f"{games.count:,} games so far; the rating comes at the end", replay=replay)
    ladder = results.ladder
    return played_section(
        run,
        section_id,
        rating_sentence(results, game_of_run(run)),
        agent=results.agent,
        warnings=plain_warnings(results.warnings),
        figures=evaluate_figures(run, results, section_id),
        tables=[rung_table(results, f"{section_id}-replay"), loss_table(results)],
        notes=[NOTE],
        facts={"Ladder": f"version {ladder.version}, played by sparring {ladder.package_version}"},
        replay=replay_of(run.games, results.agent) if games.count else None,
    )


def rating_sentence(results: EvaluateResults, game: str) -> str:
    """Returns the agent's rating as a sentence."""
    return f"{results.agent} has {placement_text(results.elo)} on the ladder of {game}, after {results.games:,} games"


def evaluate_figures(run: Run[EvaluateResults], results: EvaluateResults, section_id: str) -> list[FigureView]:
    """Returns the charts: the agent among the rungs, its scores against them by seat, and the lengths of the games."""
    agent, games, elo = results.agent, run.games.digest, results.elo
    rungs = [(rung.name, Score(rung.elo, rung.low, rung.high)) for rung in results.ladder.rungs]
    ladder = dict(sorted([*rungs, (agent, Score(elo.value, elo.outer_low, elo.outer_high))], key=lambda row: -row[1].value))
    scores = {
        row.agents[1]: {"both": row.interval, **{seat: games.score(agent, seat, row.agents[1]) for seat in SEATS}}
        for row in sorted(results.rungs, key=lambda row: -row.elo)
    }
    return [
        FigureView(
            Markup(interval_chart(ladder, "Elo with 95 % interval", "Place on the ladder", f"{section_id}-elo", agent)),
            f"{agent} (diamond) among the rungs of the ladder, with 95 % intervals of the distance to random play",
        ),
        FigureView(
            Markup(score_chart(scores, f"{section_id}-score")), f"Scores of {agent} against each rung, by seat, with 95 % intervals"
        ),
        *outcome_figure(games, [row.agents for row in results.rungs], section_id),
    ]


def rung_table(results: EvaluateResults, replay_id: str) -> TableView:
    """Returns how the agent did against each rung, the strongest first."""
    rows = [
        (
            Cell(row.agents[1]),
            number(row.rung, "d"),
            Cell(elo_text(row.elo), row.elo),
            number(row.games, ",d"),
            interval_cell(row.interval, percent, GamesLink(replay_id, *row.agents)),
            *map(seat_cell, row.outcomes.values()),
        )
        for row in sorted(results.rungs, key=lambda row: -row.elo)
    ]
    headings = ("Against", "Rung", "Elo", "Games", "Score", "As first", "As second")
    return TableView(f"Scores of {results.agent} against each rung", headings, rows)


def loss_table(results: EvaluateResults) -> TableView:
    """Returns how games were lost."""
    total = sum(results.losses.values())
    rows: list[tuple[Cell, ...]] = [
        (Cell(OTHER_ENDINGS.get(ending, ending)), number(count, ",d"), Cell(percent(count / total), count / total))
        for ending, count in sorted(results.losses.items(), key=lambda loss: -loss[1])
    ]
    return TableView(f"Kinds of loss: {total:,} of {results.games:,} games were lost", ("Lost", "Games", "Share"), rows)


def compare_evaluations(runs: Sequence[Run[EvaluateResults]]) -> Comparison:
    """Returns the ratings of several runs on the ladder of each game in a chart."""
    by_game: dict[str, dict[str, Score]] = {}
    for run in runs:
        if run.results:
            by_game.setdefault(game_of_run(run), {})[run.name] = Score(*run.results.elo[:3])
    figures = []
    for index, (game, rows) in enumerate(by_game.items()):
        if len(rows) > 1:
            chart = interval_chart(rows, "Elo with 95 % interval", f"Elo on the ladder of {game}", f"all-elo-{index}")
            figures.append(FigureView(Markup(chart), f"Elo on the ladder of {game}, run by run"))
    return Comparison(figures=figures)
