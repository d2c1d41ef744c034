"""From a run to its page: the sections of runs with games, and the page itself."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ..score import Score, outcome_of
from .charts import curve_chart, length_chart, score_chart
from .replay import replay_of
from .run_data import Run
from .search_view import VERDICTS, search_view
from .summary import ScoreRow, duration, endings_sentence, game_text, games_between, matches_of, moment, percent, score_rows, verdict
from .tune_view import weight_tables, with_plain_names
from .views import DASH, SEARCHING, FigureView, PageView, RunView

HERE = Path(__file__).parent
SCRIPTS = ("board.js", "replay.js", "page.js")
SEAT_NAMES = {"both": "both", "first": "first", "second": "second"}


def render(run: Run) -> str:
    """Returns the page of a run as HTML that needs nothing else."""
    read = functools.partial(Path.read_text, encoding="utf-8")
    script = "\n".join(read(HERE / name) for name in SCRIPTS)
    template = environment().get_template("page.html")
    names = {"seat_names": SEAT_NAMES, "verdict_names": VERDICTS, "dash": DASH}
    return template.render(page=page_view(run), **names, style=Markup(read(HERE / "page.css")), script=Markup(script))


@functools.cache
def environment() -> Environment:
    """Returns the template engine: everything is escaped, unknown names are errors."""
    made = Environment(loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined)
    made.filters.update(percent=percent, duration=duration)
    return made


def page_view(run: Run) -> PageView:
    """Returns the view of a run or series with everything in it."""
    return PageView(
        title=run.name,
        kind=run.kind,
        facts=facts_of(run),
        command=run.record.get("command") or "",
        config=run.config,
        is_series=run.kind == "series",
        is_finished=run.is_finished,
        views=[run_view(leaf, f"run-{number}") for number, leaf in enumerate(run.leaves(), start=1)],
    )


def facts_of(run: Run) -> dict[str, str]:
    """Returns how a run came about, in the order of the page's header."""
    record, git = run.record, run.record.get("git")
    machine = record.get("machine") or {}
    versions = {"sparring": record.get("package_version"), **(record.get("versions") or {})}
    commit = f"{git['commit'][:10]}{' with changes' if git['dirty'] else ''}" if git else DASH
    return {
        "Started": moment(record.get("started")),
        "Took": duration(record.get("seconds") or 0.0) if run.is_finished else "not finished",
        "Seed": str(record.get("seed", DASH)),
        "Git commit": commit,
        "Machine": ", ".join([str(machine.get("system", DASH)), *([f"{machine['cores']} cores"] if machine.get("cores") else [])]),
        "Versions": ", ".join(f"{name} {version}" for name, version in versions.items() if version),
    }


def run_view(run: Run, anchor: str) -> RunView:
    """Returns the section of one run."""
    if run.kind in SEARCHING:
        return search_view(run, anchor)
    return tune_view(run, anchor) if run.kind == "tune" else games_view(run, anchor)


def tune_view(run: Run, anchor: str) -> RunView:
    """Returns the section of one tuning, with the games of its final match alone."""
    if run.results is None:
        game = game_text(run.games[0]["game"]) if run.games else ""
        return RunView(run, anchor, run.name, " · ".join(filter(None, (run.kind, game))), game, verdict(run))
    return games_view(with_plain_names(run), anchor)._replace(tables=weight_tables(run.results))


def games_view(run: Run, anchor: str) -> RunView:
    """Returns the section of one match or training."""
    matches = matches_of(run)
    rows = [row for match in matches for row in score_rows(match, run.games)]
    agent = matches[0]["agents"][0] if matches else ""
    game = next((game_text(holder["game"]) for holder in ([run.results] if run.results else run.games)), "")
    return RunView(
        run=run,
        anchor=anchor,
        title=run.name,
        subtitle=" · ".join(filter(None, (run.kind, game, training_text(run)))),
        game=game,
        agent=agent,
        verdict=verdict(run),
        warnings=[*(run.results or {}).get("warnings", []), *match_warnings(run, matches)],
        notes=notes_of(run, matches),
        figures=figures_of(run, matches, rows, anchor),
        rows=rows,
        replay=replay_of(run.games, agent) if run.games else None,
    )


def training_text(run: Run) -> str:
    """Returns against whom and how a training went; nothing of other runs."""
    if run.kind != "train" or run.results is None:
        return ""
    algorithm = run.results["algorithm"]
    name = algorithm["name"] if isinstance(algorithm, Mapping) else algorithm
    return f"{name} trained against {run.results['opponent']} for {run.results['timesteps']:,} time steps"


def match_warnings(run: Run, matches: Sequence[dict[str, Any]]) -> list[str]:
    """Returns the warnings of a training's final matches, with the opponent's name; a match's own stand in its results already."""
    if run.results is not None and run.kind == "match":
        return []
    return [f"against {match['agents'][1]}: {warning}" for match in matches for warning in match["warnings"]]


def notes_of(run: Run, matches: Sequence[dict[str, Any]]) -> list[str]:
    """Returns how the games ended and how long the agents thought, a sentence or two a match."""
    notes = []
    for match in matches:
        times = ", ".join(f"{agent} {duration(seconds)}" for agent, seconds in match["seconds_per_move"].items())
        prefix = f"Against {match['agents'][1]}: " if len(matches) > 1 else ""
        notes.append(f"{prefix}{endings_sentence(match)} Thinking time a move: {times}.")
    return notes


def figures_of(run: Run, matches: Sequence[dict[str, Any]], rows: Sequence[ScoreRow], anchor: str) -> list[FigureView]:
    """Returns the charts of a run."""
    figures = []
    if run.curve:
        caption = "Learning curve: score in the evaluations during training; bands are 95 % intervals"
        figures.append(FigureView(Markup(curve_chart(run.curve, f"{anchor}-curve")), caption))
    if matches:
        agent = matches[0]["agents"][0]
        groups: dict[str, dict[str, Score | None]] = {}
        for row in rows:
            groups.setdefault(row.opponent, {})[row.seat] = row.score
        final = "Score" if run.kind == "match" else "Final scores"
        figures.append(FigureView(Markup(score_chart(groups, f"{anchor}-score")), f"{final} of {agent}, with 95 % intervals"))
        lengths: dict[str, list[int]] = {}
        for game in (game for match in matches for game in games_between(run.games, match["agents"])):
            lengths.setdefault(outcome_of(game, agent), []).append(game["plies"])
        if lengths:
            figures.append(FigureView(Markup(length_chart(lengths, f"{anchor}-lengths")), f"Game lengths, by outcome for {agent}"))
    return figures
