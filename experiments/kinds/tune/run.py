"""Tuning: an agent's weights changed one at a time, each change kept if its games say so, and at the end a match against the start."""

from __future__ import annotations

import functools
import random

from ....agents.agent import MOST_WEIGHT
from ....agents.factory import build
from ...config.parts import game_of, game_record
from ...games.log import GamesLog
from ...games.tally import matchup_of, score_of_games
from ...games.task import SEATS, GameTask, Pairing, Player, derived_seed, name_players
from ...results import GameRecord
from ...run_folder import RunFolder
from ...terminal.progress import progress
from ...workers.executors import executor_of
from ...workers.game_runner import GameRunner
from .config import TuneConfig
from .results import Change, TuneResults, Weights

CHALLENGE, FINAL = "challenge", "final"


def run_tune(config: TuneConfig, folder: RunFolder) -> TuneResults:
    """Plays the challenges that the folder lacks and returns the weights they lead to, with the final match.

    In each challenge one of the best weights so far is made larger or smaller by a share; the change is kept if it scores at least the
    threshold. A change that is kept by luck costs little; the final match, whose games do not decide about changes, shows the truth.
    """
    start: Weights = build(config.agent, game_of(config.game)).weights_for(game_of(config.game))
    best, kept = dict(start), []
    total = config.challenges * config.games + config.final_games
    with GamesLog(folder.games) as log, executor_of(config.executor) as executor, progress(config.name, total) as show:
        hold_games(config, start, log)
        runner = GameRunner(log, executor, show)
        for number in range(config.challenges):
            weight, value = drawn_change(best, config, number)
            changed = {**best, weight: value}
            games = runner.entries(_tasks(config, changed, best, number * config.games, CHALLENGE))
            score = score_of_games(games, _players(config, changed, best)[0].name).value
            if score >= config.threshold:
                fields = {"challenge": number + 1, "weight": weight, "from": best[weight], "to": value, "score": score}
                kept.append(Change.model_validate(fields))
                best = changed
        games = runner.entries(_tasks(config, best, start, config.challenges * config.games, FINAL)) if kept else []
    names = [player.name for player in _players(config, best, start)]
    final = [matchup_of(games, (names[0], names[1]))] if games else []
    game = GameRecord.of(game_of(config.game))
    return TuneResults(kind=config.kind, game=game, challenges=config.challenges, start=start, weights=best, kept=kept, final=final)


def drawn_change(weights: Weights, config: TuneConfig, number: int) -> tuple[str, int]:
    """Returns the weight to change in a challenge and its new value: larger or smaller by the step, by one at least."""
    chance = random.Random(f"{config.seed} {number}")
    weight = chance.choice(config.weights or list(weights))
    change = max(1, round(abs(weights[weight]) * config.step)) * chance.choice((-1, 1))
    return weight, max(-MOST_WEIGHT, min(weights[weight] + change, MOST_WEIGHT))


def hold_games(config: TuneConfig, start: Weights, log: GamesLog) -> None:
    """Checks the games of a log against their tasks, except the players' weights, which earlier games decide.

    Raises:
        GamesLogError: a game does not fit its task; names file, line and key.
    """
    challenges = config.challenges * config.games

    @functools.cache
    def tasks_at(first: int, stage: str) -> list[GameTask]:
        return _tasks(config, start, start, first, stage)

    def task_of(number: int) -> GameTask | None:
        if not 0 <= number < challenges + config.final_games:
            return None
        first, stage = (challenges, FINAL) if number >= challenges else (number - number % config.games, CHALLENGE)
        players = [Player(log[number].get(seat, ""), {}) for seat in SEATS]
        return tasks_at(first, stage)[number - first]._replace(first=players[0], second=players[1])

    log.hold_all(task_of)


def _players(config: TuneConfig, first: Weights, second: Weights) -> tuple[Player, Player]:
    player, opponent = name_players([{**config.agent, "weights": weights} for weights in (first, second)])
    return player, opponent


def _tasks(config: TuneConfig, first: Weights, second: Weights, first_id: int, stage: str) -> list[GameTask]:
    """Returns the games of two sets of weights against each other, in a challenge or in the final match."""
    games = config.final_games if stage == FINAL else config.games
    seed = derived_seed(config.seed, first_id)
    return Pairing(game_record(config.game), _players(config, first, second), games, config.opening_plies, seed, stage).tasks(first_id)
