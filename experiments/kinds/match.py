"""A match: paired games between two agents, and what they show."""

from __future__ import annotations

from typing import Any

from ..config import Match, game_record
from ..games.log import GamesLog
from ..games.task import name_players
from ..run_folder import RunFolder
from .paired_games import PairedGames


def run_match(config: Match, folder: RunFolder) -> dict[str, Any]:
    """Plays the games that the folder lacks and returns the results of all of them."""
    one, other = name_players(config.agents)
    games = PairedGames(config, [(one, other)], config.games, config.sprt)
    with GamesLog(folder.games) as log:
        games.play(log)
    results = {"kind": "match", "game": game_record(config.game), **games.tallies[0].results()}
    return results if games.tests[0] is None else {**results, "sprt": games.tests[0]._asdict()}
