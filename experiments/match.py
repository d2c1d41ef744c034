"""A match: paired games between two agents, and what they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..agents import spec_text
from .config import Match, game_record
from .games_log import GamesLog
from .playing import SEATS, Pairing, Player, play_missing
from .run_folder import RunFolder
from .score import outcome_of, score_of_games, seat_of
from .screen import progress

OUTCOMES = ("win", "draw", "loss")


def run_match(config: Match, folder: RunFolder) -> dict[str, Any]:
    """Plays the games that the folder lacks and returns the results of all of them."""
    players = name_players(config.agents)
    pairing = Pairing(game_record(config.game), players, config.games, config.opening_plies, config.seed)
    with GamesLog(folder.games) as log, progress(config.name, config.games) as show:
        games = play_missing(pairing.tasks(), log, show)
    return match_results(games, (players[0].name, players[1].name))


def name_players(specs: Sequence[dict[str, Any]]) -> tuple[Player, Player]:
    """Returns two players with different names, also if their specs are the same."""
    first, second = (spec_text(spec) for spec in specs)
    return Player(first, specs[0]), Player(second if second != first else f"{second} (2)", specs[1])


def match_results(games: Sequence[dict[str, Any]], agents: tuple[str, str]) -> dict[str, Any]:
    """Returns what a match shows, from its log entries alone.

    Args:
        games: entries of a games log, all between the two agents.
        agents: their names; the score is the first one's.
    """
    outcomes = Counter((seat_of(game, agents[0]), outcome_of(game, agents[0])) for game in games)
    score = score_of_games(games, agents[0])
    distinct = len({game["moves"] for game in games})
    plies = [game["plies"] for game in games]
    return {
        "kind": "match",
        "game": games[0]["game"],
        "agents": list(agents),
        "games": len(games),
        "distinct_games": distinct,
        "outcomes": {seat: {outcome: outcomes[seat, outcome] for outcome in OUTCOMES} for seat in SEATS},
        "score": score.value,
        "low": score.low,
        "high": score.high,
        "terminations": dict(Counter(game["termination"] for game in games)),
        "plies": {"mean": sum(plies) / len(plies), "min": min(plies), "max": max(plies)},
        "seconds_per_move": {agent: _seconds_per_move(games, agent) for agent in agents},
        "warnings": _warnings(len(games), distinct),
    }


def _seconds_per_move(games: Sequence[dict[str, Any]], agent: str) -> float:
    """Returns the mean thinking time of an agent; the moves of openings do not count."""
    seconds, moves = 0.0, 0
    for game in games:
        seat = SEATS.index(seat_of(game, agent))
        seconds += game["seconds"][seat]
        moves += sum(ply % 2 == seat for ply in range(game["opening"], game["plies"]))
    return seconds / moves if moves else 0.0


def _warnings(games: int, distinct: int) -> list[str]:
    if 2 * distinct > games:
        return []
    return [f"only {distinct} of {games} games are distinct, so the interval counts only what differs; more opening_plies would help"]
