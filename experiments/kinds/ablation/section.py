"""The section of an ablation: claims, tables and charts."""

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
NO_DEPTH = Mean(0.0, None, None, 0)  # of a configuration whose searches all solved the position
COUNTS = {"holds": ("holds", "hold"), "fails": ("does not hold", "do not hold"), "open": ("is undecided", "are undecided")}

ABLATION_NOTE = (
    "Depth: the mean over the games of the mean depth reached in their positions, with Student's 95 % interval; positions in which the"
    " search saw the game to its end before the budget was spent do not count. Differences are taken game by game, on positions that"
    " neither of the two saw to the end. Branching: how many times more nodes the last finished depth took than the one before, the"
    " geometric mean. Nodes and time: the mean of a search. Same move: how often the move is that of the full search."
)


def ablation_section(run: Run[AblationResults], section_id: str) -> RunView:
    """Returns the section of an ablation; of an unfinished one, its progress."""
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
    """Returns the number of claims by verdict, the beginning of a sentence; empty without claims."""
    if not claims:
        return ""
    counts = {verdict: sum(claim.verdict == verdict for claim in claims) for verdict in COUNTS}
    verdicts = joined([f"{count} {COUNTS[verdict][count > 1]}" for verdict, count in counts.items() if count])
    return f"Of {len(claims)} claims {verdicts}; " if len(claims) > 1 else f"The claim {COUNTS[claims[0].verdict][0]}; "


def depths_text(configurations: Mapping[str, ConfigurationResults], positions: int) -> str:
    """Returns the depths of the configurations as a sentence."""
    depths = {name: row.depth.value for name, row in configurations.items() if row.depth}
    subject = f"{len(configurations)} configurations on {positions} positions"
    if not depths:
        return f"{subject}, all seen to the end"
    full, (least, most) = next(iter(configurations)), (min(depths, key=depths.__getitem__), max(depths, key=depths.__getitem__))
    itself = f"; {full} reaches {depths[full]:.2f}" if full in depths and full not in (least, most) else ""
    return f"{subject} reach {depths[least]:.2f} plies ({least}) to {depths[most]:.2f} ({most}){itself}"


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
    if any(search["depth"] for group in searches.values() for search in group):
        time, nodes = time_chart(searches, f"{section_id}-time"), nodes_chart(searches, f"{section_id}-nodes")
        figures += [
            FigureView(Markup(time), "Mean depth finished by each moment, on positions that no configuration saw to the end"),
            FigureView(Markup(nodes), "Nodes to finish a depth: the median over the same positions, as far as half of them went"),
        ]
    return figures


def claim_view(claim: ClaimResult) -> ClaimView:
    """Returns a claim with its difference as text."""
    difference = claim.found
    ends = f"{claim.more}{third(claim.more_stage)} minus {claim.less}{third(claim.less_stage)}"
    bounds = {"at least": claim.at_least, "at most": claim.at_most}
    claimed = " and ".join(f"{name} {bound:g}" for name, bound in bounds.items() if bound is not None)
    if difference is None or difference.low is None or difference.high is None:
        return ClaimView(claim.verdict, claim.text, "too few games to tell", f"{ends}; claimed: {claimed}")
    spread = f"95{NO_BREAK}%: {signed(difference.low)} to {signed(difference.high)}, {difference.measurements} games"
    plies = f"{signed(difference.value)}{NO_BREAK}plies"
    return ClaimView(claim.verdict, claim.text, plies, f"({spread}): {ends}; claimed: {claimed}")


def third(stage: str | None) -> str:
    """Returns the third of the games that counts, in brackets; empty for whole games."""
    return f" ({stage} third)" if stage else ""


def signed(value: float) -> str:
    """Returns a difference with its sign."""
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
