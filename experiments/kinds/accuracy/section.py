"""The section of an accuracy run: blunders by stage and level, the grades, and the worst moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from ...report.charts import comparison_chart, interval_chart
from ...report.replay import replay_of
from ...report.run import Run
from ...report.sections import Cell, FigureView, RunView, TableView, interval_cell, number, played_section
from ...statistics.score import Score
from .results import PLAYED_OUT, AccuracyResults, Grade

AXIS = "blunders in %, with 95 % interval"
NOTE = (
    "A blunder gives away a win or a draw. A move loses a point for every stone that the agent wins later, or loses earlier, than by the"
    " best move. Every position is a game of its own; positions in which all moves have the same value are left out."
)
REPLAY_NOTE = (
    "The replay shows the worst blunders of each agent: the position as the opening, its move, and the play of"
    f" {PLAYED_OUT} on both sides after it."
)
STAGES = "begin: 8 to 14 plies were played, middle: 15 to 28, end: more"
LEVELS = "easy: fewer than 14 plies are left under best play, medium: 14 to 27, hard: more"


def accuracy_section(run: Run[AccuracyResults], section_id: str) -> RunView:
    """Returns the section of a finished run, or says that it is not finished."""
    results = run.results
    if results is None:
        return played_section(run, section_id, "No agent has been graded yet", has_games=False)
    grades = results.grades
    best, found = min(grades, key=lambda grade: grade.blunders.value), grades[0].positions
    return played_section(
        run,
        section_id,
        f"{best.agent} gives away the value of {best.blunders.value:.1%} of {found.count:,} positions"
        + (f", the fewest of {len(grades)} agents" if len(grades) > 1 else ""),
        figures=accuracy_figures(grades, section_id),
        tables=[grade_table(grades), worst_table(grades)],
        notes=[NOTE, REPLAY_NOTE] if run.games.digest.count else [NOTE],
        facts={"Positions": f"{found.count:,} of {found.game}, version {found.version}, hash {found.hash}"},
        replay=replay_of(run.games) if run.games.digest.count else None,
        has_games=bool(run.games.digest.count),
    )


def accuracy_figures(grades: Sequence[Grade], section_id: str) -> list[FigureView]:
    """Returns the charts: blunders of all agents, by stage, and by level."""
    overall = {grade.agent: percent(grade.blunders) for grade in grades}
    figures = [FigureView(Markup(interval_chart(overall, AXIS, "Blunders", f"{section_id}-all")), "Blunders in all positions")]
    for name, hint in (("stage", STAGES), ("level", LEVELS)):
        shares: dict[str, Mapping[str, Score]] = {grade.agent: getattr(grade, f"by_{name}") for grade in grades}
        names = list(dict.fromkeys(group for row in shares.values() for group in row))
        groups = {agent: [percent(row[group]) if group in row else None for group in names] for agent, row in shares.items()}
        chart = comparison_chart(groups, names, AXIS, f"Blunders by {name}", f"{section_id}-{name}")
        figures.append(FigureView(Markup(chart), f"Blunders by {name}; {hint}"))
    return figures


def percent(share: Score) -> Score:
    """Returns a share in percent."""
    return Score(*(100 * part for part in share))


def grade_table(grades: Sequence[Grade]) -> TableView:
    """Returns the grades, one row an agent."""

    def form(share: float) -> str:
        return f"{share:.1%}"

    rows = [
        (
            Cell(grade.agent),
            interval_cell(grade.blunders, form),
            interval_cell(grade.best_moves, form),
            number(grade.points, ".2f"),
            number(grade.points_kept, ".2f"),
        )
        for grade in grades
    ]
    headings = ("Agent", "Blunders", "Best moves", "Points lost a move", "Without blunders")
    return TableView("Grades", headings, rows)


def worst_table(grades: Sequence[Grade]) -> TableView:
    """Returns the worst moves of each agent."""
    rows = [
        (
            Cell(grade.agent),
            Cell(answer.moves),
            Cell(f"{answer.stage}, {answer.level}"),
            Cell(answer.move, remark=f"score {answer.score:+d}"),
            Cell(answer.best, remark=f"score {answer.best_score:+d}"),
            number(answer.lost, "d"),
        )
        for grade in grades
        for answer in grade.worst[:3]
    ]
    return TableView("The worst moves", ("Agent", "After", "Position", "Its move", "A best move", "Points lost"), rows)
