"""What the template shows: a page, its runs and their parts, all of them texts, numbers and charts that are ready to stand there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from ..statistics.estimate import Estimate
from ..statistics.score import Score
from .run import Run
from .wording import ScoreRow, game_of_run

DASH = "\N{EM DASH}"
MOST_WARNINGS = 3  # that stand one by one
VERDICTS = {"holds": "Holds", "fails": "Does not hold", "open": "Undecided"}  # of claims


class GamesLink(NamedTuple):
    """Leads to the replay of some games: those of an agent against an opponent in a section of the page."""

    section_id: str
    agent: str
    opponent: str


class Cell(NamedTuple):
    """One cell of a table.

    Attributes:
        text: what stands in it.
        value: what it is sorted by; None for text.
        remark: a line below the text.
        lead: from -1 to 1, its colour: behind, even or ahead; None for none.
        games: that it leads to.
        is_bold: whether it stands out.
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
        caption: what stands above it.
        headings: of the columns.
        rows: of cells.
        kind: "cross" for a table of many narrow columns, "compared" for one of runs side by side.
        hints: what short headings stand for.
    """

    caption: str
    headings: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    kind: str = ""
    hints: Mapping[str, str] = {}


class WarningView(NamedTuple):
    """A warning with all that it is about, which a page shows when asked to."""

    text: str
    items: Sequence[str] = ()


class ClaimView(NamedTuple):
    """A claim with its verdict, the difference found, and between what it was found."""

    verdict: str
    text: str
    found: str
    between: str


class FigureView(NamedTuple):
    """A chart with what stands below it."""

    svg: Markup
    caption: str


class RunView(NamedTuple):
    """One run as a section of the page.

    Attributes:
        run: its data.
        section_id: unique on the page.
        title, subtitle, game, agent: names, as text; the agent is whose scores these are, empty without games.
        verdict: the result in words.
        warnings, notes: further sentences.
        facts: what else is to be known, by name.
        claims: held against what was found.
        standings: tables that come before the charts.
        figures: charts.
        rows: of the table of scores.
        tables: other tables.
        origin: how the run came about, where the page has runs of several origins.
        replay: see `replay_of`; None without games.
        has_games: whether the run is of a kind that plays games.
        has_opponents: whether the rows of the table of scores name the opponent.
        is_match: whether it is one match, which stands in a table with others where there is no page.
        missing: what is said instead of charts while there are none; empty for nothing.
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
    """What runs of one kind show together: sentences, tables and charts."""

    notes: Sequence[str] = ()
    tables: Sequence[TableView] = ()
    figures: Sequence[FigureView] = ()


class PageView(NamedTuple):
    """The whole page: its head, what several runs show together, a view for each run that searched or played, and how it came about."""

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
        """The command that began the run; empty if nothing tells."""
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
    return [WarningView(f"{len(warnings)} things are to be known before these numbers are trusted.", warnings)]
