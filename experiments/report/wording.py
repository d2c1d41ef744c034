"""Numbers, times, ratings and games as text for the page."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from ...envs.game import Game
from ...envs.registration import GAMES, OTHER_ENDINGS
from ..games.task import game_from
from ..results import GameResults
from ..statistics.estimate import Estimate, Placement
from ..statistics.score import Score
from .run import Run

NO_BREAK = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"
SEATS = {"first": "moving first", "second": "moving second"}


def endings() -> dict[str, str]:
    """Returns each ending of a game, by the rules of any game or by other means, as part of a sentence."""
    return {**{name: text for game in reversed(GAMES.values()) for name, text in game.kind.endings.items()}, **OTHER_ENDINGS}


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


def elo_interval(elo: Estimate) -> str:
    """Returns a rating or a difference with its 95 % interval: `35 Elo (95 %: 10 to 60)`."""
    return f"{elo_text(elo.value)}{NO_BREAK}Elo (95{NO_BREAK}%: {elo_text(elo.low)} to {elo_text(elo.high)})"


def placement_text(elo: Placement) -> str:
    """Returns a rating on a ladder with both of its intervals."""
    outer = f"with the ladder's own error {elo_text(elo.outer_low)} to {elo_text(elo.outer_high)}"
    return f"{elo_interval(Estimate(elo.value, elo.low, elo.high)).removesuffix(')')}, {outer})"


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


def game_text(game: Game) -> str:
    """Returns a game's name with the parameters that its id leaves open: `ConnectK (width 9, height 7, k 5)`."""
    options = game.options.items()
    parts = [f"{'with' if value else 'no'} {name}" if isinstance(value, bool) else f"{name} {value}" for name, value in options]
    return f"{game.name} ({', '.join(parts)})" if parts else game.name


def game_of_run(run: Run[Any]) -> str:
    """Returns the name of the game that a run plays; empty while it is unknown."""
    if isinstance(run.results, GameResults):
        return game_text(run.results.game.as_game)
    played = run.games.digest.game
    return game_text(game_from(played)) if played else ""
