"""The tables of runs as Markdown, for documents: the numbers of their pages, without charts, replays and crosstables."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any

from .page import facts_of
from .run import Run
from .sections import DASH, VERDICTS, Cell, PageView, RunView, TableView, interval_cell, number
from .wording import percent

SCORES = "Scores with 95 % intervals; by seat wins, draws and losses"


def markdown_of(page: PageView) -> str:
    """Returns the results of a run, or of all runs of a series, under a heading that names it."""
    matches = [view for view in page.views if page.is_many and view.is_match]
    blocks = [f"## {plain(page.title)}", origin_text(page.origin), *map(plain, page.notes), *map(table_text, page.tables)]
    if matches:
        blocks += [table_text(scores_table(matches, is_named=True)), *(text for view in matches for text in warnings_of(view, page))]
    for view in page.views:
        if view not in matches:
            blocks += [f"### {plain(view.title)}"] * page.is_many + section(view, page)
    return "\n\n".join(blocks) + "\n"


def origin_text(run: Run[Any]) -> str:
    """Returns a line on the run's command, seed and machine."""
    facts = facts_of(run)
    parts = [f"seed {facts['Seed']}", f"sparring {run.record.get('package_version') or DASH}", facts["Machine"], facts["Started"]]
    if not run.is_finished:
        parts.append("not finished")
    return f"{code(run.record.get('command') or 'sparring run')} ({plain(', '.join(parts))})"


def section(view: RunView, page: PageView) -> list[str]:
    """Returns the section of a run: its result as a sentence, claims, tables and facts."""
    claims = [f"- {VERDICTS[claim.verdict]}: {plain(claim.text)}: **{plain(claim.found)}** {plain(claim.between)}" for claim in view.claims]
    scores = [scores_table([view])] if view.rows else []
    tables = [table for table in (*view.standings, *scores, *view.tables) if table.kind != "cross"]
    notes = [] if view.rows else view.notes  # notes on games are about endings; other notes explain the tables
    facts = "; ".join(f"{name}: {value}" for name, value in view.facts.items())
    return [
        plain(view.subtitle),
        f"{plain(view.verdict)}.",
        *warnings_of(view, page),
        *(["\n".join(claims)] if claims else []),
        *map(table_text, tables),
        *map(plain, notes),
        *([f"{plain(facts)}."] if facts else []),
    ]


def warnings_of(view: RunView, page: PageView) -> list[str]:
    """Returns the warnings of a run, a paragraph each, with its name where there are several runs."""
    name = f"{plain(view.title)}: " if page.is_many else ""
    texts = [" ".join([warning.text, "; ".join(warning.items)]).rstrip() for warning in view.warnings]
    return [f"**Warning:** {name}{plain(text)}" for text in texts]


def scores_table(views: Iterable[RunView], is_named: bool = False) -> TableView:
    """Returns a row for each opponent in some runs, with the names of the runs and their games if asked for."""
    rows = []
    for view in views:
        run, game = ([Cell(view.title)], [Cell(view.game)]) if is_named else ([], [])
        for both, *seats in zip(view.rows[::3], view.rows[1::3], view.rows[2::3], strict=True):
            score = interval_cell(both.score, tenths) if both.score else number(None, "")
            outcomes = (Cell(f"{row.wins:,} / {row.draws:,} / {row.losses:,}", float(row.wins)) for row in seats)
            rows.append((*run, Cell(both.agent), Cell(both.opponent), score, number(both.games, ",d"), *outcomes, *game))
    run, game = (["Run"], ["Game"]) if is_named else ([], [])
    return TableView(SCORES, (*run, "Agent", "Against", "Score", "Games", "As first", "As second", *game), rows)


def tenths(share: float) -> str:
    """Returns a share of one as a percentage with one decimal, as the page's tables of scores have it."""
    return percent(share, 1)


def table_text(table: TableView) -> str:
    """Returns a table below its caption; columns of numbers stand at the right."""
    are_numbers = [all(cell.value is not None for cell in column) for column in zip(*table.rows, strict=True)]
    rules = ["---:" if is_number else "---" for is_number in are_numbers]
    rows = [[plain(f"{cell.text} ({cell.remark})" if cell.remark else cell.text) for cell in row] for row in table.rows]
    lines = [list(map(plain, table.headings)), rules, *rows] if rows else []
    return "\n".join([f"**{plain(table.caption)}**", "", *(f"| {' | '.join(line)} |" for line in lines)]).rstrip()


def plain(text: str) -> str:
    """Returns a text in one line without marks of Markdown or HTML."""
    line = html.escape(re.sub(r"\s*\n\s*", " ", text), quote=False).replace("~", "&#126;")
    return re.sub(r"([\\`*|\[\]]|(?<![^\W_])_|_(?![^\W_]))", r"\\\1", line)  # not an underscore inside a word


def code(text: str) -> str:
    """Returns a text as code."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{text}{fence}" if fence == "`" else f"{fence} {text} {fence}"
