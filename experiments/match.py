"""A match: paired games between two agents, and what they show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..agents import spec_text
from .config import Match, game_record
from .games_log import GamesLog
from .pairings import PairedGames
from .run_folder import RunFolder
from .tasks import Player


def run_match(config: Match, folder: RunFolder) -> dict[str, Any]:
    """Plays the games that the folder lacks and returns the results of all of them."""
    one, other = name_players(config.agents)
    games = PairedGames(config, [(one, other)], config.games, config.sprt)
    with GamesLog(folder.games) as log:
        games.play(log)
    results = {"kind": "match", "game": game_record(config.game), **games.tallies[0].results()}
    return results if games.tests[0] is None else {**results, "sprt": games.tests[0]._asdict()}


def name_players(specs: Sequence[dict[str, Any]]) -> list[Player]:
    """Returns players with different names, also if some specs are the same."""
    players: list[Player] = []
    for spec in specs:
        text, names = spec_text(spec), [player.name for player in players]
        number = 1 + sum(name == text or name.startswith(f"{text} (") for name in names)
        players.append(Player(text if number == 1 else f"{text} ({number})", spec))
    return players
