"""The results of a finished run: a small table on a terminal, elsewhere a line for each row."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from ..games.tally import Tally
from ..results import Matchup, Results, Standing
from .phrases import matchup_line, standing_line

ROOMY = 100  # columns of a terminal on which a table fits
WIDE = 140  # columns where there is no terminal
MOST_WARNINGS = 10  # that are printed
OUT = Console(width=None if sys.stdout.isatty() else WIDE, markup=False)  # names may look like markup


def show_results(name: str, results: Results) -> None:
    """Prints the results of a finished run."""
    for line in results.lines():
        print(f"{name}: {line}")
    matchups, standings = results.matchups(), results.rows()
    if OUT.is_terminal and OUT.width >= ROOMY and (matchups or standings):
        OUT.print(standings_table(name, standings) if standings else matchup_table(name, matchups))
    else:
        for line in [*map(matchup_line, matchups), *(standing_line(*row) for row in enumerate(standings, start=1))]:
            print(f"{name}: {line}")
    warnings = results.all_warnings()
    for warning in warnings[:MOST_WARNINGS]:
        print(f"{name}: {warning}")
    if len(warnings) > MOST_WARNINGS:
        left = len(warnings) - MOST_WARNINGS
        print(f"{name}: and {left} warning{'s' * (left > 1)} more, see the report")


def matchup_table(name: str, matchups: Sequence[Matchup]) -> Table:
    """Returns a table of matches: outcomes by seat, score with interval, distinct games."""
    table = Table(title=name, title_justify="left")
    for heading in ("agent", "against", "games", "distinct", "as first\nwin draw loss", "as second\nwin draw loss", "score\n95 % interval"):
        table.add_column(heading, justify="left" if heading in {"agent", "against"} else "right")
    for row in matchups:
        seats = [f"{outcomes.win:4d} {outcomes.draw:4d} {outcomes.loss:4d}" for outcomes in row.outcomes.values()]
        interval = f"{row.score:.3f}\n{row.low:.3f}-{row.high:.3f}"
        table.add_row(*row.agents, str(row.games), str(row.distinct_games), *seats, interval)
    return table


def standings_table(name: str, standings: Sequence[Standing]) -> Table:
    """Returns a table of agents, the strongest first: rating and score with intervals, games, forfeits."""
    table = Table(title=name, title_justify="left")
    for heading in ("place", "agent", "Elo", "95 % interval", "games", "score", "95 % interval", "forfeits"):
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    for rank, row in enumerate(standings, start=1):
        forfeits = sum(row.forfeits.values())
        rating = (f"{row.elo.value:.0f}", f"{row.elo.low:.0f} to {row.elo.high:.0f}")
        score = (f"{row.value:.3f}", f"{row.low:.3f}-{row.high:.3f}")
        table.add_row(str(rank), row.agent, *rating, str(row.games), *score, str(forfeits or ""))
    return table


def score_table(tallies: Sequence[Tally]) -> Table:
    """Returns the agents by their score so far, for the terminal."""
    points: dict[str, float] = defaultdict(float)
    games: Counter[str] = Counter()
    for tally in tallies:
        for agent, score in zip(tally.agents, (tally.points, tally.games - tally.points), strict=True):
            points[agent] += score
            games[agent] += tally.games
    table = Table("agent", "games", "score", title="standings", title_justify="left")
    for agent in sorted(games, key=lambda agent: -points[agent] / max(1, games[agent])):
        table.add_row(agent, str(games[agent]), f"{points[agent] / games[agent]:.3f}" if games[agent] else "")
    return table
