"""A tournament: paired games between many agents, and their ratings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .config import Tournament, game_record
from .games_log import GamesLog
from .match import name_players
from .pairings import PairedGames, pairings_of
from .playing import SEATS
from .rating import Ratings, fit, results_of_games
from .run_folder import RunFolder
from .score import Score, score_interval
from .tally import OUTCOMES, Tally


def run_tournament(config: Tournament, folder: RunFolder) -> dict[str, Any]:
    """Plays the games that the folder lacks and returns the results of all of them."""
    players = name_players(config.agents)
    games = PairedGames(config, pairings_of(players, config), config.games, config.sprt)
    anchor = None if config.anchor is None else (players[config.anchor].name, config.anchor_elo)
    with GamesLog(folder.games) as log:
        games.play(log)
        ratings = fit(results_of_games(log[id] for id in log), anchor, config.ties)
    return {
        "kind": "tournament",
        "game": game_record(config.game),
        "agents": [player.name for player in players],
        "specs": {player.name: player.spec for player in players},
        "openings": openings_record(config),
        "standings": standings([player.name for player in players], games.tallies, ratings),
        "ratings": ratings_record(ratings, anchor),
        "pairings": [
            {**tally.results(), **({} if test is None else {"sprt": test._asdict()})}
            for tally, test in zip(games.tallies, games.tests, strict=True)
        ],
        "warnings": warnings_of(games.tallies),
    }
