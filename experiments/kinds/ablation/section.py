"""What the page shows of an ablation: claims, tables and charts; and which section an ablation or a benchmark has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from ...report.run import Run
from ...report.sections import DASH, Cell, ClaimView, FigureView, RunView, TableView, number, plain_warnings
from ...report.wording import MINUS, NO_BREAK, duration, game_text, percent
from ...statistics.mean import Mean
from ...terminal.phrases import joined
from .charts import depth_chart, nodes_chart, open_searches, stage_chart, time_chart
from .results import AblationResults, ClaimResult, ConfigurationResults

MILLION = 1e6
NO_DEPTH = Mean(0.0, None, None, 0)  # of a configuration whose searches all saw the end
COUNTS = {"holds": ("holds", "hold"), "fails": ("does not hold", "do not hold"), "open": ("is undecided", "are undecided")}

ABLATION_NOTE = (
    "Depth: the mean over the games of the mean depth reached in their positions, with Student's 95 % interval; positions in which the"
    " search saw the game to its end before the budget was spent do not count. Differences are taken game by game, on positions that"
    " neither of the two saw to the end. Branching: how many times more nodes the last finished depth took than the one before, the"
    " geometric mean. Nodes and time: the mean of a search. Same move: how often the move is that of the full search."
)


def ablation_section(run: Run[AblationResults], section_id: str) -> RunView:
    """Returns the section of an ablation; of one that goes on, how far it is."""
    results = run.results
    if results is None:
        verdict = f"{len(run.searches):,} searched games so far"
        return RunView(run, section_id, run.name, run.kind, "", verdict, has_games=False)
    configurations, game = results.configurations, game_text(results.game.as_game)
    full = next(iter(configurations))
    return RunView(
        run=run,
        section_id=section_id,
        title=run.name,
        subtitle=f"ablation · {game} · {full} is {configurations[full].agent}",
        game=game,
        verdict=f"{claims_text(results.claims)}{depths_text(configurations, results.positions)}",
        warnings=plain_warnings(results.warnings),
        notes=[ABLATION_NOTE],
        claims=[claim_view(claim) for claim in results.claims],
        figures=ablation_figures(run, configurations, section_id),
        tables=[configuration_table(configurations)],
        has_games=False,
    )


def claims_text(claims: Sequence[ClaimResult]) -> str:
    """Returns how many claims came out how, the beginning of a sentence; empty without claims."""
    if not claims:
        return ""
    counts = {verdict: sum(claim.verdict == verdict for claim in claims) for verdict in COUNTS}
    found = joined([f"{count} {COUNTS[verdict][count > 1]}" for verdict, count in counts.items() if count])
    return f"Of {len(claims)} claims {found}; " if len(claims) > 1 else f"The claim {COUNTS[claims[0].verdict][0]}; "


def depths_text(configurations: Mapping[str, ConfigurationResults], positions: int) -> str:
    """Returns how deep the configurations searched, in words."""
    depths = {name: row.depth.value for name, row in configurations.items() if row.depth}
    words = f"{len(configurations)} configurations on {positions} positions"
    if not depths:
        return f"{words}, all seen to the end"
    full, (least, most) = next(iter(configurations)), (min(depths, key=depths.__getitem__), max(depths, key=depths.__getitem__))
    itself = f"; {full} reaches {depths[full]:.2f}" if full in depths and full not in (least, most) else ""
    return f"{words} reach {depths[least]:.2f} plies ({least}) to {depths[most]:.2f} ({most}){itself}"


def ablation_figures(run: Run[AblationResults], configurations: Mapping[str, ConfigurationResults], section_id: str) -> list[FigureView]:
    """Returns the charts of a finished ablation, without those for which no search was cut off by its budget."""
    figures = []
    if any(row.depth for row in configurations.values()):
        depth, stage = depth_chart(configurations, f"{section_id}-depth"), stage_chart(configurations, f"{section_id}-stage")
        figures = [
            FigureView(Markup(depth), "Mean depth where the budget ended the search"),
            FigureView(Markup(stage), "The same by third of the game; late positions that are not seen to the end are few"),
        ]
    searches = open_searches(run.searches, list(configurations))
    if any(search["depth"] for some in searches.values() for search in some):
        time, nodes = time_chart(searches, f"{section_id}-time"), nodes_chart(searches, f"{section_id}-nodes")
        figures += [
            FigureView(Markup(time), "Mean depth finished by each moment, on positions that no configuration saw to the end"),
            FigureView(Markup(nodes), "Nodes to finish a depth: the median over the same positions, as far as half of them went"),
        ]
    return figures


def claim_view(claim: ClaimResult) -> ClaimView:
    """Returns a claim with the difference found, in words."""
    found = claim.found
    ends = f"{claim.more}{third(claim.more_stage)} minus {claim.less}{third(claim.less_stage)}"
    bounds = {"at least": claim.at_least, "at most": claim.at_most}
    claimed = " and ".join(f"{words} {bound:g}" for words, bound in bounds.items() if bound is not None)
    if found is None or found.low is None or found.high is None:
        return ClaimView(claim.verdict, claim.text, "too few games to tell", f"{ends}; claimed: {claimed}")
    spread = f"95{NO_BREAK}%: {signed(found.low)} to {signed(found.high)}, {found.measurements} games"
    difference = f"{signed(found.value)}{NO_BREAK}plies"
    return ClaimView(claim.verdict, claim.text, difference, f"({spread}): {ends}; claimed: {claimed}")


def third(stage: str | None) -> str:
    """Returns which third of the games counts, where it is not the whole."""
    return f" ({stage} third)" if stage else ""


def signed(value: float) -> str:
    """Returns a difference with its sign, which no line break parts from its digits."""
    return f"{MINUS if value < 0 else '+'}{abs(value):.2f}"


def configuration_table(configurations: Mapping[str, ConfigurationResults]) -> TableView:
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
        depth, speed = row.depth or NO_DEPTH, row.nodes_per_second
        spread = DASH if depth.low is None else f"{depth.low:.2f} to {depth.high:.2f}"
        rows.append(
            (
                Cell(name, remark=row.agent),
                number(depth.value if row.depth else None, ".2f"),
                Cell(spread, -1.0 if depth.low is None else depth.low),
                number(row.settled, ",d"),
                number(row.branching, ".2f"),
                number(row.nodes, ",.0f"),
                Cell(duration(row.seconds), row.seconds),
                number(speed and speed / MILLION, ".2f"),
                Cell(percent(row.agreement.value), row.agreement.value),
            )
        )
    return TableView("What each configuration reached", headings, rows)
