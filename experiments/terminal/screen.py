"""What a person sees of a finished run: a small table on a terminal, and elsewhere a line for each of its rows."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from ..games.tally import Tally
from ..kinds.peers import MISSING
from ..statistics.sprt import verdict_text

ROOMY = 100  # characters in which a table cuts no name or number
WIDE = 140  # characters, where there is no terminal to tell
UNITS = {"searches": "nodes", "environments": "plies", "learners": "steps"}  # of a benchmark's speeds
MOST_WARNINGS = 10  # that are printed
OUT = Console(width=None if sys.stdout.isatty() else WIDE, markup=False)  # names are no markup


def show_results(name: str, results: dict[str, Any]) -> None:
    """Prints the results of a finished run."""
    for line in LINES.get(results["kind"], lambda results: [])(results):
        print(f"{name}: {line}")
    matches = {"match": [results], "train": results.get("final", []), "evaluate": results.get("rungs", [])}.get(results["kind"], [])
    standings = results.get("standings", [])
    if OUT.is_terminal and OUT.width >= ROOMY and (matches or standings):
        OUT.print(standings_table(name, standings) if standings else results_table(name, matches))
    else:
        for line in [*map(_match_line, matches), *(_standing_line(*row) for row in enumerate(standings, start=1))]:
            print(f"{name}: {line}")
    own = [warning for match in results.get("final", []) for warning in match["warnings"]]
    warnings = [*results.get("warnings", []), *own]
    for warning in warnings[:MOST_WARNINGS]:
        print(f"{name}: {warning}")
    if len(warnings) > MOST_WARNINGS:
        left = len(warnings) - MOST_WARNINGS
        print(f"{name}: and {left} warning{'s' * (left > 1)} more, see the report")


def _match_line(match: dict[str, Any]) -> str:
    games = f"{match['games']} games, {match['distinct_games']} distinct"
    test = f"; {verdict_text(match['sprt'])}" if match.get("sprt") else ""
    return f"{' - '.join(match['agents'])}: {score_text(match)}, {games}, {seats_text(match)}{test}"


def seats_text(match: dict[str, Any]) -> str:
    """Returns a match's wins, draws and losses by seat, such as "+12 =3 -5 as first, +10 =2 -8 as second"."""
    seats = match["outcomes"].items()
    return ", ".join(f"+{found['win']} ={found['draw']} -{found['loss']} as {seat}" for seat, found in seats)


def _standing_line(place: int, row: dict[str, Any]) -> str:
    return f"{place}. {row['agent']}: {rating_text(row['elo'])}, score {score_text({**row, 'score': row['value']})}, {row['games']} games"


def rating_text(elo: dict[str, float]) -> str:
    """Returns a rating with its interval, such as "Elo 1843 (95 %: 1790 to 1896)"."""
    return f"Elo {elo['value']:.0f} (95 %: {elo['low']:.0f} to {elo['high']:.0f})"


def _evaluate_lines(results: dict[str, Any]) -> list[str]:
    """Returns the rating that was measured, and how games were lost."""
    losses = ", ".join(f"{count} {ending}" for ending, count in results["losses"].items())
    elo = results["elo"]
    outer = f"with the ladder's own error {elo['outer_low']:.0f} to {elo['outer_high']:.0f}"
    rating = f"{results['agent']}: {rating_text(elo).removesuffix(')')}, {outer}), {results['games']} games"
    return [rating, f"losses: {losses}"] if losses else [rating]


def _train_lines(results: dict[str, Any]) -> list[str]:
    """Returns how long a training was, and which of its networks is measured."""
    last = results["timesteps"]
    measured = measured_text(results)
    return [f"trained for {last:,} time steps against {results['opponent']}; {measured}"]


def measured_text(results: dict[str, Any]) -> str:
    """Returns which network of a training is kept and measured: that of its best evaluation."""
    best = results["best_timesteps"]
    which = "its last network" if best == results["timesteps"] else f"the network after {best:,} of them"
    return f"{which}, the best of all evaluations, is kept and measured"


def evaluation_text(entries: Sequence[dict[str, Any]]) -> str:
    """Returns what an evaluation during a training found, given its lines of the curve."""
    scores = ", ".join(f"{entry['score']:.3f} against {entry['opponent']}" for entry in entries)
    return f"after {entries[0]['timesteps']:,} time steps: score {scores}"


def _tune_lines(results: dict[str, Any]) -> list[str]:
    """Returns the weights that a tuning led to, and how they did against those it started from."""
    weights = " ".join(f"{weight}={value}" for weight, value in results["weights"].items())
    lines = [f"weights {weights}", f"{len(results['kept'])} of {results['challenges']} changes kept"]
    return lines + [f"against the start: {score_text(match)}, {match['games']} games" for match in results["final"]]


def _bench_lines(results: dict[str, Any]) -> list[str]:
    """Returns how fast everything was."""
    groups = ((results.get(group, {}), unit) for group, unit in UNITS.items())
    return [f"{name}: {_speed_text(row, unit)}" for rows, unit in groups for name, row in rows.items()]


def _ablation_lines(results: dict[str, Any]) -> list[str]:
    """Returns what an ablation found, a line for each configuration and claim."""
    rows = results["configurations"].items()
    depths = [f"{name}: depth {row['depth']['value']:.2f}" if row["depth"] else f"{name}: no search was cut off" for name, row in rows]
    return depths + [f"{claim['verdict']}: {claim['text']}: {_difference_text(claim['found'])}" for claim in results["claims"]]


LINES: dict[str, Callable[[dict[str, Any]], list[str]]] = {  # of a kind's results, before its table
    "train": _train_lines,
    "tune": _tune_lines,
    "bench": _bench_lines,
    "ablation": _ablation_lines,
    "evaluate": _evaluate_lines,
}


def _speed_text(row: dict[str, Any], unit: str) -> str:
    """Returns a speed, such as "11.2 million nodes a second"."""
    return MISSING if row["best"] is None else f"{row['best'] / 1e6:.3g} million {unit} a second"


def _difference_text(found: dict[str, Any] | None) -> str:
    """Returns the difference found for a claim, such as "+2.76 plies (95 %: +2.05 to +3.47)"."""
    if found is None or found["low"] is None:
        return "too few games to tell"
    return f"{found['value']:+.2f} plies (95 %: {found['low']:+.2f} to {found['high']:+.2f})"


def score_text(match: dict[str, Any]) -> str:
    """Returns a match's score with its interval, such as "0.625 (95 %: 0.510-0.724)"."""
    return f"{match['score']:.3f} (95 %: {match['low']:.3f}-{match['high']:.3f})"


def results_table(name: str, matches: list[dict[str, Any]]) -> Table:
    """Returns a table of matches: outcomes by seat, score with interval, distinct games."""
    table = Table(title=name, title_justify="left")
    for heading in ("agent", "against", "games", "distinct", "as first\nwin draw loss", "as second\nwin draw loss", "score\n95 % interval"):
        table.add_column(heading, justify="left" if heading in {"agent", "against"} else "right")
    for match in matches:
        seats = [" ".join(f"{count:4d}" for count in match["outcomes"][seat].values()) for seat in ("first", "second")]
        interval = f"{match['score']:.3f}\n{match['low']:.3f}-{match['high']:.3f}"
        table.add_row(*match["agents"], str(match["games"]), str(match["distinct_games"]), *seats, interval)
    return table


def standings_table(name: str, standings: list[dict[str, Any]]) -> Table:
    """Returns a table of agents, the strongest first: rating and score with intervals, games, forfeits."""
    table = Table(title=name, title_justify="left")
    for heading in ("place", "agent", "Elo", "95 % interval", "games", "score", "95 % interval", "forfeits"):
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    for place, row in enumerate(standings, start=1):
        elo, forfeits = row["elo"], sum(row["forfeits"].values())
        rating = (f"{elo['value']:.0f}", f"{elo['low']:.0f} to {elo['high']:.0f}")
        score = (f"{row['value']:.3f}", f"{row['low']:.3f}-{row['high']:.3f}")
        table.add_row(str(place), row["agent"], *rating, str(row["games"]), *score, str(forfeits or ""))
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
