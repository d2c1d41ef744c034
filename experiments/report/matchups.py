"""The section of a run whose results are matchups: scores by seat, how the games ended, and how long they were."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from ..results import Matchup, Outcomes
from ..statistics.score import Score
from ..statistics.sprt import verdict_text
from ..terminal.phrases import joined
from .charts import score_chart
from .length_figures import outcome_figure
from .replay import replay_of
from .run import Run
from .sections import Cell, FigureView, RunView, TableView, number, plain_warnings, played_section
from .wording import SEATS, ScoreRow, duration, endings, interval, percent

PAIRS = "The two games of an opening are one observation, so the interval of both seats is no narrower than that of one."


def matchups_so_far(run: Run[Any]) -> list[Matchup]:
    """Returns the results of each two agents in the finished games of a run."""
    return [tally.results() for tally in run.games.tallies()]


def matchup_section(
    run: Run[Any],
    section_id: str,
    matchups: Sequence[Matchup],
    verdict: str,
    *details: str,
    warnings: Sequence[str] = (),
    what: str = "Scores",
) -> RunView:
    """Returns the section of a run with matchups of one agent.

    Args:
        run: the run.
        section_id: unique on the page.
        matchups: of the same first agent; none while there is no game.
        verdict: the result as a sentence.
        details: what else the subtitle says.
        warnings: of the run.
        what: the name of the scores in the caption.
    """
    rows = [row for matchup in matchups for row in score_rows(matchup, run)]
    agent = matchups[0].agents[0] if matchups else ""
    return played_section(
        run,
        section_id,
        verdict,
        *details,
        agent=agent,
        warnings=plain_warnings(warnings),
        notes=notes_of(matchups),
        figures=matchup_figures(run, matchups, rows, section_id, what),
        rows=rows,
        replay=replay_of(run.games, agent) if run.games.digest.count else None,
    )


def score_rows(matchup: Matchup, run: Run[Any]) -> list[ScoreRow]:
    """Returns the rows of one matchup: the first agent in both seats, then in each."""
    agent, opponent = matchup.agents
    first, second = (matchup.outcomes[seat] for seat in ("first", "second"))
    both = Outcomes(win=first.win + second.win, draw=first.draw + second.draw, loss=first.loss + second.loss)
    digest = run.games.digest
    scores: dict[str, Score | None] = {"both": matchup.interval, **{seat: digest.score(agent, seat, opponent) for seat in SEATS}}
    return [
        ScoreRow(agent, opponent, seat, outcomes.games, outcomes.win, outcomes.draw, outcomes.loss, scores[seat])
        for seat, outcomes in (("both", both), ("first", first), ("second", second))
    ]


def matchup_sentence(matchup: Matchup) -> str:
    """Returns the result of a match as a sentence."""
    agent, opponent = matchup.agents
    test = f"; {verdict_text(matchup.sprt)}" if matchup.sprt else ""
    games = f"{matchup.games:,} games, {matchup.distinct_games:,} distinct"
    return f"{agent} scores {interval(matchup.interval)} against {opponent} over {games}{test}"


def notes_of(matchups: Sequence[Matchup]) -> list[str]:
    """Returns sentences on endings and thinking times, for each matchup."""
    notes = []
    for matchup in matchups:
        times = ", ".join(f"{agent} {duration(seconds)}" for agent, seconds in matchup.seconds_per_move.items())
        prefix = f"Against {matchup.agents[1]}: " if len(matchups) > 1 else ""
        notes.append(f"{prefix}{endings_sentence(matchup)} Thinking time a move: {times}.")
    return [*notes, PAIRS] if notes else []


def endings_sentence(matchup: Matchup) -> str:
    """Returns the endings and lengths of a matchup's games as sentences."""
    texts = endings()
    counts = [f"{count:,} {texts.get(name, name)}" for name, count in sorted(matchup.terminations.items(), key=lambda item: -item[1])]
    plies = matchup.plies
    return f"Endings: {joined(counts)}. Length: {plies.mean:.1f} plies on average ({plies.min} to {plies.max})."


def matchup_figures(run: Run[Any], matchups: Sequence[Matchup], rows: Sequence[ScoreRow], section_id: str, what: str) -> list[FigureView]:
    """Returns the charts of scores and of the lengths of games; none without games."""
    if not matchups:
        return []
    groups: dict[str, dict[str, Score | None]] = {}
    for row in rows:
        groups.setdefault(row.opponent, {})[row.seat] = row.score
    opponents = "each opponent" if len(groups) > 1 else next(iter(groups))
    caption = f"{what} of {matchups[0].agents[0]} against {opponents}, with 95 % intervals"
    scores = FigureView(Markup(score_chart(groups, f"{section_id}-score")), caption)
    return [scores, *outcome_figure(run.games.digest, [matchup.agents for matchup in matchups], section_id)]


def scores_figure(scores: Mapping[str, Score]) -> FigureView:
    """Returns the chart of the scores of several matches, by the names of their runs."""
    chart = score_chart({name: {"both": score} for name, score in scores.items()}, "all-scores")
    return FigureView(Markup(chart), "Score of the first agent of each match")


def seat_cell(outcomes: Outcomes) -> Cell:
    """Returns the cell of a score in one seat, with how many games were won, drawn and lost."""
    if not outcomes.games:
        return number(None, "")
    return Cell(percent(outcomes.score), outcomes.score, f"{outcomes.win:,} / {outcomes.draw:,} / {outcomes.loss:,}")


def sprt_tables(matchups: Iterable[Matchup]) -> list[TableView]:
    """Returns what the sequential tests of some matchups say; nothing without tests."""
    rows = [
        (
            Cell(matchup.agents[0]),
            Cell(matchup.agents[1]),
            Cell(verdict_text(test).removeprefix("sequential test: ").partition(" (")[0]),
            number(test.llr, ".2f")._replace(remark=f"{test.lower:.2f} to {test.upper:.2f}"),
            number(matchup.games, ",d"),
        )
        for matchup in matchups
        if (test := matchup.sprt)
    ]
    headings = ("Agent", "Against", "Lead", "Log likelihood ratio", "Games")
    return [TableView("Sequential tests; below the ratio its bounds", headings, rows)] if rows else []
