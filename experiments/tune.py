"""Tuning: an agent's weights changed one at a time, each change kept if its games say so, and at the end a match against the start."""

from __future__ import annotations

import random
from typing import Any

from ..agents import make
from .config import Tune, game_of, game_record
from .games_log import GamesLog
from .playing import play_missing
from .progress import progress
from .run_folder import RunFolder
from .tally import match_results, score_of_games
from .tasks import GameTask, Pairing, Player, derived_seed, name_players

CHALLENGE, FINAL = "challenge", "final"
Weights = dict[str, int]


def run_tune(config: Tune, folder: RunFolder) -> dict[str, Any]:
    """Plays the challenges that the folder lacks and returns the weights they lead to, with the final match.

    In each challenge one weight of the best so far is made larger or smaller by a share; the change is kept if it scores at least the
    threshold. What is kept by luck costs little and shows in the final match, whose games have no part in the choice.
    """
    start: Weights = make(config.agent, game_of(config.game)).weights_for(game_of(config.game))
    best, kept = dict(start), []
    with GamesLog(folder.games) as log, progress(config.name, config.challenges * config.games + config.final_games) as show:
        for number in range(config.challenges):
            weight, value = drawn_change(best, config, number)
            changed = {**best, weight: value}
            games = play_missing(_tasks(config, changed, best, number * config.games, CHALLENGE), log, show)
            score = score_of_games(games, _players(config, changed, best)[0].name).value
            if score >= config.threshold:
                kept.append({"challenge": number + 1, "weight": weight, "from": best[weight], "to": value, "score": score})
                best = changed
        games = play_missing(_tasks(config, best, start, config.challenges * config.games, FINAL), log, show) if kept else []
    names = [player.name for player in _players(config, best, start)]
    final = [match_results(games, (names[0], names[1]))] if games else []
    results = {"challenges": config.challenges, "start": start, "weights": best, "kept": kept, "final": final}
    return {"kind": "tune", "game": game_record(config.game), **results, "warnings": []}


def drawn_change(weights: Weights, config: Tune, number: int) -> tuple[str, int]:
    """Returns the weight to change in a challenge and its new value: larger or smaller by the step, by one at least."""
    chance = random.Random(f"{config.seed} {number}")
    weight = chance.choice(config.weights or list(weights))
    change = max(1, round(abs(weights[weight]) * config.step)) * chance.choice((-1, 1))
    return weight, weights[weight] + change


def _players(config: Tune, first: Weights, second: Weights) -> tuple[Player, Player]:
    one, other = name_players([{**config.agent, "weights": weights} for weights in (first, second)])
    return one, other


def _tasks(config: Tune, first: Weights, second: Weights, first_id: int, stage: str) -> list[GameTask]:
    """Returns the games of two sets of weights against each other, in a challenge or in the final match."""
    games = config.final_games if stage == FINAL else config.games
    seed = derived_seed(config.seed, first_id)
    return Pairing(game_record(config.game), _players(config, first, second), games, config.opening_plies, seed, stage).tasks(first_id)
