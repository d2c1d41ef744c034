"""What the template shows: a page, its runs and their parts, all of them texts, numbers and charts that are ready to stand there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from .run_data import Run
from .summary import ScoreRow

DASH = "\N{EM DASH}"
SEARCHING = ("ablation", "bench")  # kinds that search positions and play no games


class Cell(NamedTuple):
    """One cell of a table: its text, what it is sorted by (None for text), and a remark below the text."""

    text: str
    value: float | None = None
    remark: str = ""


class TableView(NamedTuple):
    """A table; the first cell of a row names it."""

    caption: str
    headings: tuple[str, ...]
    rows: list[tuple[Cell, ...]]


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
        anchor: unique on the page.
        title, subtitle, game, agent: names, as text; the agent is whose scores these are, empty without games.
        verdict: the result in words.
        warnings, notes: further sentences.
        claims: held against what was found.
        figures: charts.
        rows: of the table of scores.
        tables: other tables.
        replay: see `replay_of`; None without games.
    """

    run: Run
    anchor: str
    title: str
    subtitle: str
    game: str
    verdict: str
    agent: str = ""
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()
    claims: Sequence[ClaimView] = ()
    figures: Sequence[FigureView] = ()
    rows: Sequence[ScoreRow] = ()
    tables: Sequence[TableView] = ()
    replay: dict[str, Any] | None = None

    @property
    def is_train(self) -> bool:
        """Whether the run is a training."""
        return self.run.kind == "train"

    @property
    def has_games(self) -> bool:
        """Whether the run is of a kind that plays games."""
        return self.run.kind not in SEARCHING

    @property
    def seconds(self) -> float:
        """The time that the run took."""
        return self.run.record.get("seconds") or 0.0


class PageView(NamedTuple):
    """The whole page: its head, a view for each run that searched, played or trained, and how it came about."""

    title: str
    kind: str
    facts: dict[str, str]
    command: str
    config: str
    is_series: bool
    is_finished: bool
    views: list[RunView]


def number(value: float | None, form: str) -> Cell:
    """Returns the cell of a number."""
    return Cell(DASH, -1.0) if value is None else Cell(format(value, form), float(value))
