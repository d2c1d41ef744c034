"""What the page shows of an evaluation: the rating, where on the ladder it is, and how games against the rungs went."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from ..statistics.rating import Placement
from ..statistics.score import Score
from .charts import interval_chart, score_chart
from .length_figures import outcome_figure
from .replay import replay_of
from .run_data import Run
from .sections import Cell, FigureView, GamesLink, RunView, TableView, interval_cell, number, plain_warnings, played_view
from .tournament_view import seat_cell
from .wording import OTHER_ENDINGS, SEATS, elo_text, game_of_run, percent, placement_text, score_of


def evaluate_view(run: Run, anchor: str) -> RunView:
    """Returns the section of an evaluation; of one that goes on, the games so far."""
    results, games = run.results, run.games.digest
    if results is None:
        replay = replay_of(run.games) if games.count else None
        return played_view(run, anchor, f"{games.count:,} games so far; the rating comes at the end", replay=replay)
    agent = results["agent"]
    return played_view(
        run,
        anchor,
        rating_sentence(results, game_of_run(run)),
        agent=agent,
        warnings=plain_warnings(results["warnings"]),
        figures=evaluate_figures(run, results, anchor),
        tables=[rung_table(results, f"{anchor}-replay"), loss_table(results)],
        facts={"Ladder": f"version {results['ladder']['version']}, played by sparring {results['ladder']['package_version']}"},
        replay=replay_of(run.games, agent) if games.count else None,
    )


def rating_sentence(results: Mapping[str, Any], game: str) -> str:
    """Returns how strong the agent is, in words."""
    rating = placement_text(Placement(**results["elo"]))
    return f"{results['agent']} has {rating} on the ladder of {game}, after {results['games']:,} games"


def evaluate_figures(run: Run, results: Mapping[str, Any], anchor: str) -> list[FigureView]:
    """Returns the charts: the agent among the rungs, its scores against them by seat, and the lengths of the games."""
    agent, games = results["agent"], run.games.digest
    rungs = [(rung["name"], Score(rung["elo"], rung["low"], rung["high"])) for rung in results["ladder"]["rungs"]]
    elo = Placement(**results["elo"])
    ladder = dict(sorted([*rungs, (agent, Score(elo.value, elo.outer_low, elo.outer_high))], key=lambda row: -row[1].value))
    scores = {
        row["agents"][1]: {"both": score_of(row), **{seat: games.score(agent, seat, row["agents"][1]) for seat in SEATS}}
        for row in sorted(results["rungs"], key=lambda row: -row["elo"])
    }
    return [
        FigureView(
            Markup(interval_chart(ladder, "Elo with 95 % interval", "Place on the ladder", f"{anchor}-elo", agent)),
            f"{agent} (diamond) among the rungs of the ladder, with 95 % intervals of the distance to random play",
        ),
        FigureView(Markup(score_chart(scores, f"{anchor}-score")), f"Scores of {agent} against each rung, by seat, with 95 % intervals"),
        *outcome_figure(games, [row["agents"] for row in results["rungs"]], anchor),
    ]


def rung_table(results: Mapping[str, Any], anchor: str) -> TableView:
    """Returns how the agent did against each rung, the strongest first."""
    rows = [
        (
            Cell(row["agents"][1]),
            number(row["rung"], "d"),
            Cell(elo_text(row["elo"]), row["elo"]),
            number(row["games"], ",d"),
            interval_cell(score_of(row), percent, GamesLink(anchor, *row["agents"])),
            *(seat_cell(row["outcomes"][seat]) for seat in SEATS),
        )
        for row in sorted(results["rungs"], key=lambda row: -row["elo"])
    ]
    return TableView(
        f"Scores of {results['agent']} against each rung", ("Against", "Rung", "Elo", "Games", "Score", "As first", "As second"), rows
    )


def loss_table(results: Mapping[str, Any]) -> TableView:
    """Returns how games were lost."""
    losses: dict[str, int] = results["losses"]
    total = sum(losses.values())
    rows: list[tuple[Cell, ...]] = [
        (Cell(OTHER_ENDINGS.get(ending, ending)), number(count, ",d"), Cell(percent(count / total), count / total))
        for ending, count in sorted(losses.items(), key=lambda loss: -loss[1])
    ]
    return TableView(f"Kinds of loss: {total:,} of {results['games']:,} games were lost", ("Lost", "Games", "Share"), rows)
