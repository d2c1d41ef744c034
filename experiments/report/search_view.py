"""What the page shows of an ablation: claims, tables and charts; and which section an ablation or a benchmark has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from .bench_view import bench_view
from .run_data import Run
from .search_charts import depth_chart, nodes_chart, open_searches, stage_chart, time_chart
from .sections import DASH, Cell, ClaimView, FigureView, RunView, TableView, number, plain_warnings
from .wording import MINUS, NO_BREAK, duration, game_text, joined, percent

COUNTS = {"holds": ("holds", "hold"), "fails": ("does not hold", "do not hold"), "open": ("is undecided", "are undecided")}
VERDICTS = {"holds": "Holds", "fails": "Does not hold", "open": "Undecided"}
SHOWN_BOUNDS = {"at_least": "at least", "at_most": "at most"}

ABLATION_NOTE = (
    "Depth: the mean over the games of the mean depth reached in their positions, with Student's 95 % interval; positions in which the"
    " search saw the game to its end before the budget was spent do not count. Differences are taken game by game, on positions that"
    " neither of the two saw to the end. Branching: how many times more nodes the last finished depth took than the one before, the"
    " geometric mean. Nodes and time: the mean of a search. Same move: how often the move is that of the full search."
)


def search_view(run: Run, anchor: str) -> RunView:
    """Returns the section of an ablation or a benchmark."""
    if run.results is None:
        verdict = f"{len(run.searches):,} searched games so far" if run.kind == "ablation" else "No speed yet"
        return RunView(run, anchor, run.name, run.kind, "", verdict)
    return (ablation_view if run.kind == "ablation" else bench_view)(run, run.results, anchor)


def ablation_view(run: Run, results: Mapping[str, Any], anchor: str) -> RunView:
    """Returns the section of a finished ablation."""
    configurations, game = results["configurations"], game_text(results["game"])
    full = next(iter(configurations))
    return RunView(
        run=run,
        anchor=anchor,
        title=run.name,
        subtitle=f"ablation · {game} · {full} is {configurations[full]['agent']}",
        game=game,
        verdict=f"{claims_text(results['claims'])}{depths_text(configurations, results['positions'])}",
        warnings=plain_warnings(results["warnings"]),
        notes=[ABLATION_NOTE],
        claims=[claim_view(claim) for claim in results["claims"]],
        figures=ablation_figures(run, configurations, anchor),
        tables=[configuration_table(configurations)],
    )


def claims_text(claims: Sequence[Mapping[str, Any]]) -> str:
    """Returns how many claims came out how, the beginning of a sentence; empty without claims."""
    if not claims:
        return ""
    counts = {verdict: sum(claim["verdict"] == verdict for claim in claims) for verdict in COUNTS}
    found = joined([f"{count} {COUNTS[verdict][count > 1]}" for verdict, count in counts.items() if count])
    return f"Of {len(claims)} claims {found}; " if len(claims) > 1 else f"The claim {COUNTS[claims[0]['verdict']][0]}; "


def depths_text(configurations: Mapping[str, Mapping[str, Any]], positions: int) -> str:
    """Returns how deep the configurations searched, in words."""
    depths = {name: row["depth"]["value"] for name, row in configurations.items() if row["depth"]}
    words = f"{len(configurations)} configurations on {positions} positions"
    if not depths:
        return f"{words}, all seen to the end"
    full, (least, most) = next(iter(configurations)), (min(depths, key=depths.__getitem__), max(depths, key=depths.__getitem__))
    itself = f"; {full} reaches {depths[full]:.2f}" if full in depths and full not in (least, most) else ""
    return f"{words} reach {depths[least]:.2f} plies ({least}) to {depths[most]:.2f} ({most}){itself}"


def ablation_figures(run: Run, configurations: Mapping[str, Mapping[str, Any]], anchor: str) -> list[FigureView]:
    """Returns the charts of a finished ablation, without those for which no search was cut off by its budget."""
    figures = []
    if any(row["depth"] for row in configurations.values()):
        depth, stage = depth_chart(configurations, f"{anchor}-depth"), stage_chart(configurations, f"{anchor}-stage")
        figures = [
            FigureView(Markup(depth), "Mean depth where the budget ended the search"),
            FigureView(Markup(stage), "The same by third of the game; late positions that are not seen to the end are few"),
        ]
    searches = open_searches(run.searches, list(configurations))
    if any(search["depth"] for some in searches.values() for search in some):
        time, nodes = time_chart(searches, f"{anchor}-time"), nodes_chart(searches, f"{anchor}-nodes")
        figures += [
            FigureView(Markup(time), "Mean depth finished by each moment, on positions that no configuration saw to the end"),
            FigureView(Markup(nodes), "Nodes to finish a depth: the median over the same positions, as far as half of them went"),
        ]
    return figures


def claim_view(claim: Mapping[str, Any]) -> ClaimView:
    """Returns a claim with the difference found, in words."""
    found = claim["found"]
    stages = {key: f" ({stage} third)" if (stage := claim[f"{key}_stage"]) else "" for key in ("more", "less")}
    ends = f"{claim['more']}{stages['more']} minus {claim['less']}{stages['less']}"
    bounds = " and ".join(f"{words} {claim[key]:g}" for key, words in SHOWN_BOUNDS.items() if claim[key] is not None)
    if found is None or found["low"] is None:
        return ClaimView(claim["verdict"], claim["text"], "too few games to tell", f"{ends}; claimed: {bounds}")
    spread = f"95{NO_BREAK}%: {signed(found['low'])} to {signed(found['high'])}, {found['measurements']} games"
    difference = f"{signed(found['value'])}{NO_BREAK}plies"
    return ClaimView(claim["verdict"], claim["text"], difference, f"({spread}): {ends}; claimed: {bounds}")


def signed(value: float) -> str:
    """Returns a difference with its sign, which no line break parts from its digits."""
    return f"{MINUS if value < 0 else '+'}{abs(value):.2f}"


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
        "Million nodes a second",
        "Same move",
    )
    rows = []
    for name, row in configurations.items():
        depth, same, speed = row["depth"] or {"value": None, "low": None, "high": None}, row["agreement"], row["nodes_per_second"]
        spread = DASH if depth["low"] is None else f"{depth['low']:.2f} to {depth['high']:.2f}"
        rows.append(
            (
                Cell(name, remark=row["agent"]),
                number(depth["value"], ".2f"),
                Cell(spread, -1.0 if depth["low"] is None else depth["low"]),
                number(row["settled"], ",d"),
                number(row["branching"], ".2f"),
                number(row["nodes"], ",.0f"),
                Cell(duration(row["seconds"]), row["seconds"]),
                number(speed and speed / 1e6, ".2f"),
                Cell(percent(same["value"]), same["value"]),
            )
        )
    return TableView("What each configuration reached", headings, rows)
