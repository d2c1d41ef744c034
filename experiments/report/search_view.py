"""What the page shows of an ablation or a benchmark: claims, tables and charts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from markupsafe import Markup

from .run_data import Run
from .search_charts import nodes_chart, stage_chart, time_chart
from .summary import NO_BREAK, duration, game_text, percent

DASH = "\N{EM DASH}"
COUNTS = {"holds": "held", "fails": "not", "open": "undecided"}
VERDICTS = {"holds": "Holds", "fails": "Does not hold", "open": "Undecided"}

ABLATION_NOTE = (
    "Depth: the mean over the games of the mean depth reached in their positions, with Student's 95 % interval; positions in which the"
    " search saw the game to its end before the budget was spent do not count. Differences are taken game by game, on positions that"
    " neither of the two saw to the end. Branching: how many times more nodes the last finished depth took than the one before, the"
    " geometric mean. Same move: how often the move is that of the full search."
)


class Cell(NamedTuple):
    """One cell of a table: its text, and what it is sorted by; None for text."""

    text: str
    value: float | None = None


class TableView(NamedTuple):
    """A table; the first cell of a row names it."""

    caption: str
    headings: tuple[str, ...]
    rows: list[tuple[Cell, ...]]


class ClaimView(NamedTuple):
    """A claim with what was found."""

    verdict: str
    text: str
    found: str


class FigureView(NamedTuple):
    """A chart with what stands below it."""

    svg: Markup
    caption: str


class SearchView(NamedTuple):
    """The parts of a section about searches."""

    game: str
    verdict: str
    claims: list[ClaimView]
    figures: list[FigureView]
    tables: list[TableView]
    notes: list[str]


def search_view(run: Run, anchor: str) -> SearchView:
    """Returns the view of an ablation or a benchmark."""
    if run.results is None:
        return SearchView("", f"{len(run.searches):,} parts of the work are done so far", [], [], [], [])
    return ablation_view(run, run.results, anchor) if run.kind == "ablation" else bench_view(run.results)


def ablation_view(run: Run, results: Mapping[str, Any], anchor: str) -> SearchView:
    """Returns the view of a finished ablation."""
    configurations, claims = results["configurations"], [claim_view(claim) for claim in results["claims"]]
    searches = {
        name: [search for entry in run.searches if entry["configuration"] == name for search in entry["searches"]]
        for name in configurations
    }
    counted = [f"{sum(claim['verdict'] == verdict for claim in results['claims'])} {words}" for verdict, words in COUNTS.items()]
    words = f"; {len(claims)} claims: {', '.join(counted)}" if claims else ""
    figures = [
        FigureView(Markup(time_chart(searches, f"{anchor}-time")), "Mean depth finished by each moment, all positions"),
        FigureView(
            Markup(nodes_chart(searches, f"{anchor}-nodes")), "Nodes to finish a depth, median, as far as half of the positions went"
        ),
        FigureView(
            Markup(stage_chart(configurations, f"{anchor}-stage")), "Mean depth where the budget ended the search, by third of the game"
        ),
    ]
    return SearchView(
        game_text(results["game"]),
        f"{len(configurations)} configurations on {results['positions']} positions{words}",
        claims,
        figures,
        [configuration_table(configurations)],
        [ABLATION_NOTE],
    )


def claim_view(claim: Mapping[str, Any]) -> ClaimView:
    """Returns a claim with the difference found, in words."""
    found = claim["found"]
    ends = [
        f"{claim[key]}{f' ({claim[stage]} third)' if claim[stage] else ''}"
        for key, stage in (("more", "more_stage"), ("less", "less_stage"))
    ]
    bounds = [f"at {key.removeprefix('at_')} {claim[key]:g}" for key in ("at_least", "at_most") if claim[key] is not None]
    if found is None or found["low"] is None:
        return ClaimView(
            claim["verdict"], claim["text"], f"{ends[0]} against {ends[1]}: too few games to tell; claimed {' and '.join(bounds)}"
        )
    difference = f"{found['value']:+.2f} plies (95{NO_BREAK}%: {found['low']:+.2f} to {found['high']:+.2f}, {found['measurements']} games)"
    return ClaimView(claim["verdict"], claim["text"], f"{ends[0]} against {ends[1]}: {difference}; claimed {' and '.join(bounds)}")


def configuration_table(configurations: Mapping[str, Mapping[str, Any]]) -> TableView:
    """Returns a row for each configuration."""
    headings = (
        "Configuration",
        "Depth",
        "95 % interval",
        "Seen to the end",
        "Branching",
        "Nodes",
        "Time",
        "Nodes a second",
        "Same move",
        "Agent",
    )
    rows = []
    for name, row in configurations.items():
        depth, same = row["depth"] or {"value": None, "low": None, "high": None}, row["agreement"]
        spread = DASH if depth["low"] is None else f"{depth['low']:.2f} to {depth['high']:.2f}"
        rows.append(
            (
                Cell(name),
                number(depth["value"], ".2f"),
                Cell(spread, depth["low"] or 0.0),
                number(row["settled"], ",d"),
                number(row["branching"], ".2f"),
                number(row["nodes"], ",.0f"),
                Cell(duration(row["seconds"]), row["seconds"]),
                number(row["nodes_per_second"], ",.0f"),
                Cell(percent(same["value"]), same["value"]),
                Cell(row["agent"]),
            )
        )
    return TableView("What each configuration reached", headings, rows)


def bench_view(results: Mapping[str, Any]) -> SearchView:
    """Returns the view of a finished benchmark."""
    searches = results["searches"]
    headings = ("Search", "Million nodes a second", "Median", "Worst", "Goal", "Game", "Agent")
    rows = []
    for name, row in searches.items():
        speeds = [number(row[key] / 1e6, ".2f") for key in ("best", "median", "worst")]
        goal = number(row["claim"] and row["claim"] / 1e6, ".2f")
        rows.append((Cell(name), *speeds, goal, Cell(game_text(row["game"])), Cell(row["agent"])))
    goals = [row for row in searches.values() if row["claim"]]
    reached = sum(row["best"] >= row["claim"] for row in goals)
    words = f"; {reached} of {len(goals)} goals reached" if goals else ""
    note = "Nodes a second of processor time on one core; the best of all rounds counts, as everything else that runs only takes time away."
    return SearchView("", f"{len(searches)} searches timed{words}", [], [], [TableView("Speeds", headings, rows)], [note])


def number(value: float | None, form: str) -> Cell:
    """Returns the cell of a number."""
    return Cell(DASH, -1.0) if value is None else Cell(format(value, form), float(value))
