"""A training: MaskablePPO against a named opponent, measured against fixed ones on the way and at the end.

It goes in stretches from one evaluation to the next. Each begins with new games and with seeds that its first time step decides, and ends
with a checkpoint; so a run that was killed and resumed comes to the same network as one that was not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv, VecMonitor

from ..agents import spec_text
from ..agents.policy_agent import PolicyAgent
from .config import Train, game_record
from .games_log import GamesLog
from .match import match_results
from .playing import GameTask, Pairing, Player, derived_seed, play_game, play_missing
from .run_folder import RunFolder, replace_atomically, write_text
from .score import outcome_of, score_of_games
from .screen import progress

LEARNER = "MaskablePPO"


def run_train(config: Train, folder: RunFolder) -> dict[str, Any]:
    """Trains from the last checkpoint on, plays the final games that the folder lacks, and returns the results."""
    torch.set_num_threads(1)  # networks of this size are slower on two
    if not folder.model.exists():
        with Training(config, folder) as training, progress(config.name, config.timesteps) as show:
            training.run(show)
            replace_atomically(folder.model, training.model.save)
    model = MaskablePPO.load(folder.model, device="cpu")
    return {
        "kind": "train",
        "game": game_record(config.game),
        "opponent": spec_text(config.opponent),
        "algorithm": config.algorithm.model_dump(mode="json"),
        "timesteps": model.num_timesteps,  # whole rollouts, so a little more than the config asks for
        "model": folder.model.name,
        "final": final_matches(config, folder, model),
        "warnings": [],
    }


class Training:
    """The learner with its environments, log and curve; a context that closes them."""

    def __init__(self, config: Train, folder: RunFolder):
        """Takes up the last checkpoint, or makes a new learner."""
        self.config, self.folder = config, folder
        self.environments = make_environments(config)
        folder.checkpoints.mkdir(exist_ok=True)
        checkpoints = sorted(folder.checkpoints.glob("*.zip"))
        if checkpoints:
            self.model = MaskablePPO.load(checkpoints[-1], env=self.environments, device="cpu")
        else:
            self.model = new_model(config, self.environments)
        self.model.set_logger(configure(str(folder.tensorboard), ["tensorboard"]))
        self.curve = [entry for entry in _read_curve(folder) if checkpoints and entry["timesteps"] <= self.model.num_timesteps]
        if not checkpoints:
            self.evaluate()

    def run(self, show: Callable[[int], None]) -> None:
        """Trains stretch by stretch to the config's last time step; `show` is told of the progress."""
        while self.model.num_timesteps < self.config.timesteps:
            self._stretch(show)
            self.evaluate()

    def _stretch(self, show: Callable[[int], None]) -> None:
        """Trains up to the next evaluation."""
        model, every = self.model, self.config.evaluate.every
        start = model.num_timesteps
        end = min((start // every + 1) * every, self.config.timesteps)
        model.set_env(self.environments, force_reset=True)
        model.set_random_seed(derived_seed(self.config.seed, start))
        model.learn(end - start, callback=ShowProgress(show), reset_num_timesteps=False)

    def evaluate(self) -> None:
        """Plays the learner against each fixed opponent, writes the curve and the TensorBoard log, and saves a checkpoint."""
        settings, steps = self.config.evaluate, self.model.num_timesteps
        for index, opponent in enumerate(settings.opponents):
            tasks = pairing(self.config, opponent, settings.games).tasks(index * settings.games)
            games = [play_against(self.model, task) for task in tasks]
            entry = curve_entry(steps, spec_text(opponent), games)
            self.curve.append(entry)
            self.model.logger.record(f"evaluation/{entry['opponent']}", entry["score"])
        self.model.logger.dump(steps)
        write_text(self.folder.curve, "".join(json.dumps(entry) + "\n" for entry in self.curve))
        replace_atomically(self.folder.checkpoints / f"{steps:010d}.zip", self.model.save)

    def __enter__(self) -> Training:
        return self

    def __exit__(self, *error: object) -> None:
        self.model.logger.close()
        self.environments.close()


class ShowProgress(BaseCallback):
    """Tells of the time steps done."""

    def __init__(self, show: Callable[[int], None]):
        super().__init__()
        self.show = show

    def _on_step(self) -> bool:
        self.show(self.num_timesteps)
        return True


def make_environments(config: Train) -> VecEnv:
    """Returns the environments of a training; each has an opponent of its own."""
    game = dict(config.game)
    words = {
        **{name: value for name, value in game.items() if name != "id"},
        "opponent": config.opponent,
        "seat": config.seat,
        "opening_plies": config.opening_plies,
        "opponent_epsilon": config.opponent_epsilon,
    }
    return VecMonitor(DummyVecEnv([lambda: gymnasium.make(game["id"], disable_env_checker=True, **words)] * config.environments))


def new_model(config: Train, environments: VecEnv) -> MaskablePPO:
    """Returns an untrained learner."""
    settings = config.algorithm.model_dump(exclude={"name", "net_arch"})
    policy = {"net_arch": list(config.algorithm.net_arch)}
    return MaskablePPO("MlpPolicy", environments, policy_kwargs=policy, seed=derived_seed(config.seed), device="cpu", **settings)


def pairing(config: Train, opponent: dict[str, Any], games: int, stage: str | None = None) -> Pairing:
    """Returns the paired games between the learner and an opponent; the openings are the same at every evaluation."""
    players = (Player(LEARNER, {}), Player(spec_text(opponent), opponent))
    return Pairing(game_record(config.game), players, games, config.evaluate.opening_plies, config.seed, stage)


def play_against(model: MaskablePPO, task: GameTask) -> dict[str, Any]:
    """Plays a game in which the learner has one of the seats and returns its log entry."""
    learner = PolicyAgent(model=model)
    return play_game(task, [learner if player.name == LEARNER else None for player in (task.first, task.second)])


def curve_entry(steps: int, opponent: str, games: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns a line of the learning curve."""
    outcomes = Counter(outcome_of(game, LEARNER) for game in games)
    score = score_of_games(games, LEARNER)
    return {
        "timesteps": steps,
        "opponent": opponent,
        "games": len(games),
        "wins": outcomes["win"],
        "draws": outcomes["draw"],
        "losses": outcomes["loss"],
        "score": score.value,
        "low": score.low,
        "high": score.high,
    }


def final_matches(config: Train, folder: RunFolder, model: MaskablePPO) -> list[dict[str, Any]]:
    """Plays the final games that the log lacks and returns the results against each opponent."""
    settings = config.evaluate
    results = []
    with GamesLog(folder.games) as log, progress(f"{config.name}: final games", settings.final_games * len(settings.opponents)) as show:
        for index, opponent in enumerate(settings.opponents):
            tasks = pairing(config, opponent, settings.final_games, "final").tasks(index * settings.final_games)
            games = play_missing(tasks, log, show, lambda task: play_against(model, task))
            results.append(match_results(games, (LEARNER, spec_text(opponent))))
    return results


def _read_curve(folder: RunFolder) -> list[dict[str, Any]]:
    return [json.loads(line) for line in folder.curve.read_text().splitlines()] if folder.curve.exists() else []
