"""The section of an accuracy run: blunders by stage and level, the grades, and the worst moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from ....envs.game import Game
from ...games.stages import cells_of, plies_of
from ...report.charts import comparison_chart, interval_chart
from ...report.replay import replay_of
from ...report.run import Run
from ...report.sections import Cell, FigureView, RunView, TableView, interval_cell, number, played_section
from ...statistics.score import Score
from .results import PLAYED_OUT, AccuracyResults, Grade

AXIS = "blunders in %, with 95 % interval"
NOTE = (
    "A blunder gives away a win or a draw. Every position is a game of its own; those in which all moves have the same value are left out."
)
UNITS = {
    "point": "A move loses a point for every stone that the agent wins later, or loses earlier, than by the best move.",
    "ply": "A move loses a ply for every ply that the agent wins later, or loses sooner, than by the best move.",
}
REPLAY_NOTE = (
    "The replay shows the worst blunders of each agent: the position as the opening, its move, and the play of"
    f" {PLAYED_OUT} on both sides after it."
)


def accuracy_section(run: Run[AccuracyResults], section_id: str) -> RunView:
    """Returns the section of a finished run, or says that it is not finished."""
    results = run.results
    if results is None:
        return played_section(run, section_id, "No agent has been graded yet", has_games=False)
    grades = results.grades
    best, found = min(grades, key=lambda grade: grade.blunders.value), grades[0].positions
    notes = [f"{NOTE} {UNITS[found.unit]}"]
    return played_section(
        run,
        section_id,
        f"{best.agent} gives away the value of {best.blunders.value:.1%} of {found.count:,} positions"
        + (f", the fewest of {len(grades)} agents" if len(grades) > 1 else ""),
        figures=accuracy_figures(grades, results.game.as_game, section_id),
        tables=[grade_table(grades), worst_table(grades)],
        notes=[*notes, REPLAY_NOTE] if run.games.digest.count else notes,
        facts={"Graded": str(found)},
        replay=replay_of(run.games) if run.games.digest.count else None,
        has_games=bool(run.games.digest.count),
    )


def accuracy_figures(grades: Sequence[Grade], game: Game, section_id: str) -> list[FigureView]:
    """Returns the charts: blunders of all agents, by stage, and by level."""
    overall = {grade.agent: percent(grade.blunders) for grade in grades}
    figures = [FigureView(Markup(interval_chart(overall, AXIS, "Blunders", f"{section_id}-all")), "Blunders in all positions")]
    for name, hint in (("stage", stages_text(game)), ("level", levels_text(game))):
        shares: dict[str, Mapping[str, Score]] = {grade.agent: getattr(grade, f"by_{name}") for grade in grades}
        names = list(dict.fromkeys(group for row in shares.values() for group in row))
        groups = {agent: [percent(row[group]) if group in row else None for group in names] for agent, row in shares.items()}
        chart = comparison_chart(groups, names, AXIS, f"Blunders by {name}", f"{section_id}-{name}")
        figures.append(FigureView(Markup(chart), f"Blunders by {name}; {hint}"))
    return figures


def stages_text(game: Game) -> str:
    """Returns what the stages of a game mean."""
    begin, middle = plies_of(game, "begin"), plies_of(game, "middle")
    return f"begin: up to {begin[-1]} plies were played, middle: {middle[0]} to {middle[-1]}, end: more"


def levels_text(game: Game) -> str:
    """Returns what the levels of a game mean."""
    medium, hard = (-(-share * cells_of(game) // 3) for share in (1, 2))
    return f"easy: fewer than {medium} plies are left under best play, medium: {medium} to {hard - 1}, hard: more"


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
    headings = ("Agent", "Blunders", "Best moves", f"{grades[0].positions.units.capitalize()} lost a move", "Without blunders")
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
    return TableView(
        "The worst moves", ("Agent", "After", "Position", "Its move", "A best move", f"{grades[0].positions.units.capitalize()} lost"), rows
    )
