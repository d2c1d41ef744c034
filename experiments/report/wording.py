"""What a run showed, in words and in the rows of its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from ...envs.game import Game
from ...envs.registration import GAMES
from ..statistics.rating import Estimate, Placement
from ..statistics.score import Score
from ..statistics.sprt import verdict_text
from .log_digest import Digest
from .run_data import Run

NO_BREAK = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"
SEATS = {"first": "moving first", "second": "moving second"}
OTHER_ENDINGS = {
    "adjudicated": "by adjudication",
    "illegal": "by an illegal move",
    "timeout": "on time",
    "crash": "by a crash",
}


def endings() -> dict[str, str]:
    """Returns how a sentence says each way in which a game can end: by the rules of any game, or by what an agent did."""
    return {**{word: text for game in reversed(GAMES.values()) for word, text in game.kind.endings.items()}, **OTHER_ENDINGS}


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


def elo_text(elo: float) -> str:
    """Returns a rating as text: `1843`."""
    return f"{elo:.0f}".replace("-0", "0") if abs(elo) < 0.5 else f"{elo:.0f}".replace("-", MINUS)


def signed_elo(elo: float) -> str:
    """Returns a difference of ratings with its sign: `+35`."""
    return elo_text(elo) if elo < 0.5 else f"+{elo_text(elo)}"


def elo_interval(found: Estimate) -> str:
    """Returns a rating or a difference with its 95 % interval: `35 Elo (95 %: 10 to 60)`."""
    return f"{elo_text(found.value)}{NO_BREAK}Elo (95{NO_BREAK}%: {elo_text(found.low)} to {elo_text(found.high)})"


def placement_text(found: Placement) -> str:
    """Returns a rating on a ladder with both of its intervals."""
    outer = f"with the ladder's own error {elo_text(found.outer_low)} to {elo_text(found.outer_high)}"
    return f"{elo_interval(Estimate(found.value, found.low, found.high)).removesuffix(')')}, {outer})"


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
    options = known.options.items()
    words = [f"{'with' if value else 'no'} {name}" if isinstance(value, bool) else f"{name} {value}" for name, value in options]
    return f"{known.name} ({', '.join(words)})" if words else known.name


def game_of_run(run: Run) -> str:
    """Returns the name of the game that a run plays; empty while nothing tells."""
    game = run.results["game"] if run.results else run.games.digest.game
    return game_text(game) if game else ""


def matches_of(run: Run) -> list[dict[str, Any]]:
    """Returns the match results of a run: those it ended with, else what its finished games show so far."""
    if run.results is not None:
        return run.results["final"] if run.kind in ("train", "tune") else [run.results]
    if run.kind == "tune":
        return []
    return [tally.results() for tally in run.games.tallies()]


def score_rows(match: dict[str, Any], games: Digest) -> list[ScoreRow]:
    """Returns the rows of one match: the first agent in both seats, then in each.

    Args:
        match: its results.
        games: of the run, others than those of this match too.
    """
    agent, opponent = match["agents"]
    counts = {seat: Counter(outcomes) for seat, outcomes in match["outcomes"].items()}
    scores: dict[str, Score | None] = {"both": score_of(match), **{seat: games.score(agent, seat, opponent) for seat in SEATS}}
    counts["both"] = counts["first"] + counts["second"]
    return [
        ScoreRow(agent, opponent, seat, sum(c.values()), c["win"], c["draw"], c["loss"], scores[seat])
        for seat, c in ((seat, counts[seat]) for seat in ("both", *SEATS))
    ]


def score_of(row: Mapping[str, Any]) -> Score:
    """Returns the score in a match's results or an agent's standing."""
    return Score(row["score" if "score" in row else "value"], row["low"], row["high"])


def match_sentence(match: dict[str, Any]) -> str:
    """Returns the result of a match in words."""
    agent, opponent = match["agents"]
    score = score_of(match)
    test = f"; {verdict_text(match['sprt'])}" if match.get("sprt") else ""
    return f"{agent} scores {interval(score)} against {opponent} over {match['games']:,} games, {match['distinct_games']:,} distinct{test}"


def endings_sentence(match: dict[str, Any]) -> str:
    """Returns how a match's games ended and how long they were, in words."""
    said = endings()
    counts = [f"{count:,} {said.get(name, name)}" for name, count in sorted(match["terminations"].items(), key=lambda item: -item[1])]
    plies = match["plies"]
    return f"Endings: {joined(counts)}. Length: {plies['mean']:.1f} plies on average ({plies['min']} to {plies['max']})."


def joined(words: Sequence[str]) -> str:
    """Returns words as an enumeration: `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def train_sentence(run: Run, matches: Sequence[dict[str, Any]]) -> str:
    """Returns what a training led to, in words."""
    if not matches:
        last = max((entry["timesteps"] for entry in run.curve), default=None)
        return "No evaluation yet" if last is None else f"Trained for {last:,} time steps so far; the final games come at the end"
    scores = [f"{interval(Score(match['score'], match['low'], match['high']))} against {match['agents'][1]}" for match in matches]
    when = f"{steps_text(run.results)}, " if run.results else "In the final games so far "
    return f"{when}{matches[0]['agents'][0]} scores {joined(scores)}"


def steps_text(results: Mapping[str, Any]) -> str:
    """Returns which network of a training is kept and measured: that of the best evaluation, and how long the training was."""
    best, last = results["best_timesteps"], results["timesteps"]
    if best == last:
        return f"After {last:,} time steps, at its best evaluation"
    return f"After {best:,} of {last:,} time steps, at its best evaluation"


def tune_sentence(run: Run, matches: Sequence[dict[str, Any]]) -> str:
    """Returns what a tuning led to, in words."""
    if run.results is None:
        return f"{run.games.digest.count:,} games of challenges so far"
    if not matches:
        return f"None of {run.results['challenges']} changes was kept"
    [match] = matches
    score = score_of(match)
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
