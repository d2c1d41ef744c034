"""From a run to its page: the sections of runs with games, and the page itself."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ..statistics.score import Score
from .charts import curve_chart, score_chart
from .comparison_view import agreements, comparison_figures, comparison_tables
from .evaluate_view import evaluate_view
from .length_figures import outcome_figure
from .replay import replay_of
from .run_data import COMPARISON, Run
from .search_view import VERDICTS, search_view
from .sections import DASH, SEARCHING, FigureView, PageView, RunView, plain_warnings, played_view
from .sweep_view import sweep_figures, sweep_tables
from .tournament_view import sprt_tables, tournament_view
from .tune_view import weight_tables, with_plain_names
from .wording import ScoreRow, duration, endings_sentence, matches_of, moment, percent, score_rows, verdict

HERE = Path(__file__).parent
SCRIPTS = ("board.js", "replay.js", "page.js")
MOST_ROWS = 40  # of a table that is open from the start


def render(run: Run) -> str:
    """Returns the page of a run as HTML that needs nothing else."""
    read = functools.partial(Path.read_text, encoding="utf-8")
    script = "\n".join(read(HERE / name) for name in SCRIPTS)
    template = environment().get_template("page.html")
    names = {"verdict_names": VERDICTS, "dash": DASH, "most_rows": MOST_ROWS}
    return template.render(page=page_view(run), **names, style=Markup(read(HERE / "page.css")), script=Markup(script))


@functools.cache
def environment() -> Environment:
    """Returns the template engine: everything is escaped, unknown names are errors."""
    made = Environment(loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined)
    made.filters.update(percent=percent, duration=duration, breakable=breakable)
    return made


def breakable(text: str) -> Markup:
    """Returns a text that a line may break after the marks in an agent's name."""
    return Markup(re.sub(r"([,:](?=[^\s\d])|[=_](?=\w))", r"\1<wbr>", str(escape(text))))


def page_view(run: Run) -> PageView:
    """Returns the view of a run, or of runs on one page, with everything in it."""
    views = [run_view(leaf, f"run-{number}") for number, leaf in enumerate(run.leaves(), start=1)]
    compared = [view.run for view in views] if run.is_many else []
    if run.kind == COMPARISON:
        views = [view._replace(origin=facts_of(view.run)) for view in views]
    return PageView(
        title=run.name,
        kind=run.kind,
        facts={} if run.kind == COMPARISON else facts_of(run),
        command=run.record.get("command") or "",
        config=run.config,
        is_many=run.is_many,
        is_finished=run.is_finished or run.kind == COMPARISON,
        views=views,
        notes=agreements(compared),
        tables=[*sweep_tables(compared), *comparison_tables(compared)],
        figures=[*sweep_figures(compared), *comparison_figures(compared)],
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
    return VIEWS.get(run.kind, games_view)(run, anchor)


def tune_view(run: Run, anchor: str) -> RunView:
    """Returns the section of one tuning, with the games of its final match alone."""
    if run.results is None:
        return played_view(run, anchor, verdict(run))
    return games_view(with_plain_names(run), anchor)._replace(tables=weight_tables(run.results))


def games_view(run: Run, anchor: str) -> RunView:
    """Returns the section of one match or training."""
    matches = matches_of(run)
    rows = [row for match in matches for row in score_rows(match, run.games.digest)]
    agent = matches[0]["agents"][0] if matches else ""
    return played_view(
        run,
        anchor,
        verdict(run),
        training_text(run),
        agent=agent,
        warnings=plain_warnings([*(run.results or {}).get("warnings", []), *match_warnings(run, matches)]),
        notes=notes_of(run, matches),
        figures=figures_of(run, matches, rows, anchor),
        rows=rows,
        tables=sprt_tables([run.results]) if run.results else [],
        replay=replay_of(run.games, agent) if run.games.digest.count else None,
    )


def training_text(run: Run) -> str:
    """Returns against whom and how a training went; nothing of other runs."""
    if run.kind != "train" or run.results is None:
        return ""
    algorithm = run.results["algorithm"]
    name = algorithm["name"] if isinstance(algorithm, Mapping) else algorithm
    return f"{name} trained against {run.results['opponent']} for {run.results['timesteps']:,} time steps"


def match_warnings(run: Run, matches: Sequence[dict[str, Any]]) -> list[str]:
    """Returns the warnings of a training's final matches; a match's own stand in its results already."""
    if run.results is not None and run.kind == "match":
        return []
    return [warning for match in matches for warning in match["warnings"]]


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
        kept = run.results["best_timesteps"] if run.results else None
        which = f"; kept is the network after {kept:,} time steps" if kept is not None else ""
        caption = f"Learning curve: score in the evaluations during training{which}; bands are 95 % intervals"
        figures.append(FigureView(Markup(curve_chart(run.curve, f"{anchor}-curve", kept)), caption))
    if matches:
        agent = matches[0]["agents"][0]
        groups: dict[str, dict[str, Score | None]] = {}
        for row in rows:
            groups.setdefault(row.opponent, {})[row.seat] = row.score
        final = "Final scores" if run.kind == "train" else "Scores"
        whom = "each opponent" if len(groups) > 1 else next(iter(groups))
        caption = f"{final} of {agent} against {whom}, with 95 % intervals"
        figures.append(FigureView(Markup(score_chart(groups, f"{anchor}-score")), caption))
        figures += outcome_figure(run.games.digest, [match["agents"] for match in matches], anchor)
    return figures


VIEWS = {
    "tune": tune_view,
    "tournament": tournament_view,
    "ladder": tournament_view,
    "evaluate": evaluate_view,
    **dict.fromkeys(SEARCHING, search_view),
}
