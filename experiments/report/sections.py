"""The data of the template: a page, its runs and their parts, as texts, numbers and charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from ..statistics.estimate import Estimate
from ..statistics.score import Score
from .run import Run
from .wording import ScoreRow, game_of_run

DASH = "\N{EM DASH}"
MOST_WARNINGS = 3  # shown one by one
VERDICTS = {"holds": "Holds", "fails": "Does not hold", "open": "Undecided"}  # of claims


class GamesLink(NamedTuple):
    """A link to the replay of an agent's games against an opponent in a section of the page."""

    section_id: str
    agent: str
    opponent: str


class Cell(NamedTuple):
    """One cell of a table.

    Attributes:
        text: of the cell.
        value: to sort by; None for text.
        remark: a line below the text.
        lead: from -1 to 1, its colour: behind, even or ahead; None for none.
        games: the games that it links to.
        is_bold: whether it is bold.
    """

    text: str
    value: float | None = None
    remark: str = ""
    lead: float | None = None
    games: GamesLink | None = None
    is_bold: bool = False


class TableView(NamedTuple):
    """A table; the first cell of a row names it.

    Attributes:
        caption: above the table.
        headings: of the columns.
        rows: of cells.
        kind: "cross" for a table of many narrow columns, "compared" for one of runs side by side.
        hints: the long forms of short headings.
    """

    caption: str
    headings: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    kind: str = ""
    hints: Mapping[str, str] = {}


class WarningView(NamedTuple):
    """A warning with its items, which the page unfolds."""

    text: str
    items: Sequence[str] = ()


class ClaimView(NamedTuple):
    """A claim with its verdict, the difference, and what was compared."""

    verdict: str
    text: str
    found: str
    between: str


class FigureView(NamedTuple):
    """A chart with its caption."""

    svg: Markup
    caption: str


class RunView(NamedTuple):
    """One run as a section of the page.

    Attributes:
        run: its data.
        section_id: unique on the page.
        title, subtitle, game, agent: as text; the agent of the scores is empty without games.
        verdict: the result as a sentence.
        warnings, notes: further sentences.
        facts: further facts by name.
        claims: with their verdicts.
        standings: tables before the charts.
        figures: charts.
        rows: of the table of scores.
        tables: other tables.
        origin: facts about the run's start, where the page has several runs.
        replay: see `replay_of`; None without games.
        has_games: whether the run is of a kind that plays games.
        has_opponents: whether the rows of the table of scores name the opponent.
        is_match: whether it is one match, which Markdown puts into a table with others.
        missing: a text instead of charts; empty for none.
    """

    run: Run[Any]
    section_id: str
    title: str
    subtitle: str
    game: str
    verdict: str
    agent: str = ""
    warnings: Sequence[WarningView] = ()
    notes: Sequence[str] = ()
    facts: Mapping[str, str] = {}
    claims: Sequence[ClaimView] = ()
    standings: Sequence[TableView] = ()
    figures: Sequence[FigureView] = ()
    rows: Sequence[ScoreRow] = ()
    tables: Sequence[TableView] = ()
    replay: dict[str, Any] | None = None
    origin: Mapping[str, str] = {}
    has_games: bool = True
    has_opponents: bool = False
    is_match: bool = False
    missing: str = ""


class Comparison(NamedTuple):
    """The comparison of several runs: sentences, tables and charts."""

    notes: Sequence[str] = ()
    tables: Sequence[TableView] = ()
    figures: Sequence[FigureView] = ()


class PageView(NamedTuple):
    """The whole page: its head, the comparisons of several runs, and a view for each run that searched or played."""

    title: str
    kind: str
    facts: dict[str, str]
    origin: Run[Any]
    config: str
    is_many: bool
    is_finished: bool
    views: list[RunView]
    notes: list[str]
    tables: list[TableView]
    figures: list[FigureView]

    @property
    def command(self) -> str:
        """The command that started the run; empty if unknown."""
        return self.origin.record.get("command") or ""


def played_section(run: Run[Any], section_id: str, verdict: str, *details: str, **parts: Any) -> RunView:
    """Returns the section of a run that plays a game: `details` end its subtitle, `parts` are all else that a RunView has."""
    game = game_of_run(run)
    return RunView(run, section_id, run.name, " · ".join(filter(None, (run.kind, game, *details))), game, verdict, **parts)


def number(value: float | None, form: str) -> Cell:
    """Returns the cell of a number."""
    return Cell(DASH, -1.0) if value is None else Cell(format(value, form), float(value))


def interval_cell(score: Score | Estimate, form: Callable[[float], str], games: GamesLink | None = None) -> Cell:
    """Returns the cell of a number with its interval below."""
    return Cell(form(score.value), score.value, f"{form(score.low)} to {form(score.high)}", games=games)


def plain_warnings(warnings: Sequence[str]) -> list[WarningView]:
    """Returns warnings one by one, or as one if they are many."""
    if len(warnings) <= MOST_WARNINGS:
        return [WarningView(warning) for warning in warnings]
    return [WarningView(f"{len(warnings)} reasons to doubt these numbers.", warnings)]
