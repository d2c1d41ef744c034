"""What a run showed, in words and in the rows of its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from ...envs.game import Game
from ..score import Score, seat_of
from ..tally import match_results, score_of_games
from .run_data import Run

NO_BREAK = "\N{NO-BREAK SPACE}"
SEATS = {"first": "moving first", "second": "moving second"}
ENDINGS = {"line": "by a line", "full": "with a full board", "blocked": "by a blocked piece", "illegal": "by an illegal move"}


class ScoreRow(NamedTuple):
    """One row of a table of scores: an agent in one seat, or in both, against one opponent."""

    agent: str
    opponent: str
    seat: str
    games: int
    wins: int
    draws: int
    losses: int
    score: Score | None  # None without games


def percent(share: float, digits: int = 0) -> str:
    """Returns a share of one as a percentage: `78 %`."""
    return f"{100 * share:.{digits}f}{NO_BREAK}%"


def interval(score: Score | None) -> str:
    """Returns a score with its 95 % interval: `78 % (69 to 85 %)`."""
    return f"{percent(score.value)} ({100 * score.low:.0f} to {percent(score.high)})" if score else "no games"


def duration(seconds: float) -> str:
    """Returns a time as text in the unit that suits it: `3.2 s`, `4 min 10 s`, `12 µs`."""
    if seconds >= 3600:
        return f"{int(seconds // 3600)}{NO_BREAK}h {int(seconds % 3600 // 60)}{NO_BREAK}min"
    if seconds >= 60:
        return f"{int(seconds // 60)}{NO_BREAK}min {int(seconds % 60)}{NO_BREAK}s"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g}{NO_BREAK}{unit}"
    return f"0{NO_BREAK}s"


def moment(text: str | None) -> str:
    """Returns an ISO time as date, minute and zone; what cannot be read is returned as it is."""
    if not text:
        return "\N{EM DASH}"
    try:
        return datetime.fromisoformat(text).strftime("%Y-%m-%d %H:%M %Z").strip()
    except ValueError:
        return text


def game_text(game: dict[str, Any]) -> str:
    """Returns a game's name with the parameters that its id leaves open: `ConnectK (width 9, height 7, k 5)`."""
    known = Game.of(game["id"], **game["parameters"])
    given = {name: value for name, value in known.parameters.items() if name in Game.free_parameters(known.id)}
    words = [f"{'with' if value else 'no'} {name}" if isinstance(value, bool) else f"{name} {value}" for name, value in given.items()]
    return f"{known.name} ({', '.join(words)})" if words else known.name


def matches_of(run: Run) -> list[dict[str, Any]]:
    """Returns the match results of a run: those it ended with, else what its finished games show so far."""
    if run.results is not None:
        return run.results["final"] if run.kind in ("train", "tune") else [run.results]
    if run.kind == "tune":
        return []
    pairings: dict[frozenset[str], list[dict[str, Any]]] = {}
    for game in run.games:
        pairings.setdefault(frozenset((game["first"], game["second"])), []).append(game)
    return [match_results(games, (games[0]["first"], games[0]["second"])) for games in pairings.values()]


def games_between(games: Iterable[dict[str, Any]], agents: Sequence[str]) -> list[dict[str, Any]]:
    """Returns the games that two agents played against each other."""
    return [game for game in games if {game["first"], game["second"]} == set(agents)]


def score_rows(match: dict[str, Any], games: Iterable[dict[str, Any]]) -> list[ScoreRow]:
    """Returns the rows of one match: the first agent in both seats, then in each.

    Args:
        match: its results.
        games: entries of the games log, others than those of this match too.
    """
    agent, opponent = match["agents"]
    own = games_between(games, match["agents"])
    counts = {seat: Counter(outcomes) for seat, outcomes in match["outcomes"].items()}
    scores: dict[str, Score | None] = {"both": Score(match["score"], match["low"], match["high"])}
    for seat in SEATS:
        seated = [game for game in own if seat_of(game, agent) == seat]
        scores[seat] = score_of_games(seated, agent) if seated else None
    counts["both"] = counts["first"] + counts["second"]
    return [
        ScoreRow(agent, opponent, seat, sum(c.values()), c["win"], c["draw"], c["loss"], scores[seat])
        for seat, c in ((seat, counts[seat]) for seat in ("both", *SEATS))
    ]


def match_sentence(match: dict[str, Any]) -> str:
    """Returns the result of a match in words."""
    agent, opponent = match["agents"]
    score = Score(match["score"], match["low"], match["high"])
    return f"{agent} scores {interval(score)} against {opponent} over {match['games']:,} games, {match['distinct_games']:,} distinct"


def endings_sentence(match: dict[str, Any]) -> str:
    """Returns how a match's games ended and how long they were, in words."""
    endings = [f"{count:,} {ENDINGS.get(name, name)}" for name, count in sorted(match["terminations"].items(), key=lambda item: -item[1])]
    plies = match["plies"]
    return f"Endings: {joined(endings)}. Length: {plies['mean']:.1f} plies on average ({plies['min']} to {plies['max']})."


def joined(words: Sequence[str]) -> str:
    """Returns words as an enumeration: `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def train_sentence(run: Run, matches: Sequence[dict[str, Any]]) -> str:
    """Returns what a training led to, in words."""
    if not matches:
        last = max((entry["timesteps"] for entry in run.curve), default=None)
        return "No evaluation yet" if last is None else f"Trained for {last:,} time steps so far; the final games come at the end"
    scores = [f"{interval(Score(match['score'], match['low'], match['high']))} against {match['agents'][1]}" for match in matches]
    steps = f"After {run.results['timesteps']:,} time steps " if run.results else "In the final games so far "
    return f"{steps}{matches[0]['agents'][0]} scores {joined(scores)}"


def tune_sentence(run: Run, matches: Sequence[dict[str, Any]]) -> str:
    """Returns what a tuning led to, in words."""
    if run.results is None:
        return f"{len(run.games):,} games of challenges so far"
    if not matches:
        return f"None of {run.results['challenges']} changes was kept"
    [match] = matches
    score = Score(match["score"], match["low"], match["high"])
    kept = f"{len(run.results['kept'])} of {run.results['challenges']} changes were kept"
    shown = "better" if score.low > 0.5 else "worse" if score.high < 0.5 else "no difference is shown"
    return f"{kept}; with them the agent scores {interval(score)} against its start over {match['games']:,} games: {shown}"


def verdict(run: Run) -> str:
    """Returns the result of a run in one sentence without a full stop."""
    matches = matches_of(run)
    if run.kind == "train":
        return train_sentence(run, matches)
    if run.kind == "tune":
        return tune_sentence(run, matches)
    if not matches:
        return "No game has been finished yet"
    return match_sentence(matches[0])
