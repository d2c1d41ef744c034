"""A training: MaskablePPO against named opponents, measured against fixed ones on the way and at the end.

A training is divided into stretches, each up to the next evaluation. A stretch begins with new games and with seeds from its first time
step, and ends with a checkpoint, so a run that is killed and resumed ends at the same network as one that is not. The network with the best
mean score at an evaluation is the run's model and plays the final games.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure

from ....agents import spec_text
from ....agents.network import save_network
from ....envs.rules.errors import shown
from ...config.parts import game_of, game_record
from ...files import RunFolderError, replace_atomically, write_text
from ...games.log import GamesLog, MemoryLog, read_curve
from ...games.tally import matchup_of, score_of_games
from ...games.task import GameTask, Pairing, Player, derived_seed
from ...results import GameRecord, Matchup
from ...run_folder import RunFolder
from ...statistics.score import outcome_of
from ...terminal.progress import progress
from ...workers.executors import GameExecutor, InProcess, executor_of
from ...workers.game_runner import GameRunner
from .config import TrainConfig
from .learner import (
    LEARNER,
    Kickstart,
    ShowProgress,
    device_of,
    make_environments,
    network_of,
    new_model,
    opponents_of,
    rung_after,
    set_rates,
    snapshot_path,
)
from .results import TrainResults

MANY = 400  # games of an evaluation that are worth starting workers, each with its torch


def run_train(config: TrainConfig, folder: RunFolder) -> TrainResults:
    """Trains from the last checkpoint on, plays the final games that the folder lacks, and returns the results."""
    hold_games(config, folder)
    torch.set_num_threads(1)  # networks of this size are slower on two
    if not folder.model.exists():
        with Training(config, folder) as training:
            training.begin()
            with progress(config.name, config.timesteps) as show:
                training.run(show)
            replace_atomically(folder.model, lambda path: shutil.copyfile(snapshot_path(folder.checkpoints, training.best), path))
    curve = curve_of(config, folder)
    return TrainResults(
        kind=config.kind,
        game=GameRecord.of(game_of(config.game)),
        opponent=_opponents_text(config),
        algorithm=config.algorithm.model_dump(mode="json"),
        timesteps=curve[-1]["timesteps"],  # whole rollouts, so a little more than the config's
        best_timesteps=best_of(config, curve),
        rung=rung_after(config, curve),
        model=folder.model.name,
        final=final_matchups(config, folder),
    )


class Training:
    """The learner with its environments, log and curve; a context that closes them."""

    def __init__(self, config: TrainConfig, folder: RunFolder):
        """Loads the last checkpoint, or makes a new learner."""
        self.config, self.folder = config, folder
        folder.checkpoints.mkdir(exist_ok=True)
        checkpoints = sorted(folder.checkpoints.glob(f"{'[0-9]' * 10}.zip"))
        last = int(checkpoints[-1].stem) if checkpoints else -1
        self.curve = [entry for entry in curve_of(config, folder) if entry["timesteps"] <= last]
        self._opponents = self._pool()
        self.environments = make_environments(config, self._opponents)
        if checkpoints:
            self.model = loaded(checkpoints[-1], self.environments, device_of(config))
            print(f"{config.name}: goes on from {last:,} of {config.timesteps:,} time steps", flush=True)
        else:
            self.model = new_model(config, self.environments)
        self._kickstart = Kickstart(self.model, config.start) if config.start is not None else None
        self.model.set_logger(configure(str(folder.tensorboard), ["tensorboard"]))

    def begin(self) -> None:
        """Evaluates the untrained network, unless the curve has it."""
        if not self.curve:
            games = self.config.evaluate.games * len(self._evaluation_opponents())
            with progress(f"{self.config.name}: first evaluation", games) as show:
                self.evaluate(show)

    @property
    def best(self) -> int:
        """The time step of the best evaluation."""
        return best_of(self.config, self.curve)

    def run(self, show: Callable[[int], None]) -> None:
        """Trains stretch by stretch to the config's last time step; `show` is called with the time steps so far."""
        while self.model.num_timesteps < self.config.timesteps:
            self._stretch(show)
            self.evaluate()

    def _stretch(self, show: Callable[[int], None]) -> None:
        """Trains up to the next evaluation."""
        model, every = self.model, self.config.evaluate.every
        start = model.num_timesteps
        end = min((start // every + 1) * every, self.config.timesteps)
        self._update_opponents()
        set_rates(model, self.config, start)
        if self._kickstart:
            self._kickstart.set_weights(model, self.config.start_weight * (1 - start / self.config.timesteps))
        model.set_env(self.environments, force_reset=True)
        model.set_random_seed(derived_seed(self.config.seed, start))
        model.learn(end - start, callback=ShowProgress(show), reset_num_timesteps=False)

    def _update_opponents(self) -> None:
        """Makes new environments if the opponents have changed."""
        opponents = self._pool()
        if opponents != self._opponents:
            self.environments.close()
            self._opponents, self.environments = opponents, make_environments(self.config, opponents)

    def _pool(self) -> list[dict[str, Any]]:
        """Returns the opponents of the next stretch, by the curve so far."""
        steps = sorted({entry["timesteps"] for entry in self.curve})
        snapshots = [snapshot_path(self.folder.checkpoints, step) for step in steps]
        return opponents_of(self.config, rung_after(self.config, self.curve), snapshots)

    def _evaluation_opponents(self) -> list[dict[str, Any]]:
        """Returns the opponents of an evaluation: the fixed ones, and with a schedule its present rung."""
        opponents = list(self.config.evaluate.opponents)
        if self.config.schedule and (rung := self.config.schedule.rungs[rung_after(self.config, self.curve)]) not in opponents:
            opponents.append(rung)
        return opponents

    def evaluate(self, show: Callable[[int], None] = lambda games: None) -> None:
        """Saves the network, plays it against each opponent, writes the curve and the TensorBoard log, and saves a checkpoint.

        `show` is called with the number of games so far.
        """
        settings, steps = self.config.evaluate, self.model.num_timesteps
        snapshot = snapshot_path(self.folder.checkpoints, steps)
        network, game = network_of(self.config), game_of(self.config.game)
        replace_atomically(snapshot, lambda path: save_network(path, self.model.policy, network, game))
        opponents = self._evaluation_opponents()
        with evaluation_executor(self.config, settings.games * len(opponents)) as executor:
            runner = GameRunner(MemoryLog(), executor, show)
            for index, opponent in enumerate(opponents):
                games = runner.entries(pairing(self.config, snapshot, opponent, settings.games).tasks(index * settings.games))
                entry = curve_entry(steps, spec_text(opponent), games)
                self.curve.append(entry)
                self.model.logger.record(f"evaluation/{entry['opponent']}", entry["score"])
        self.model.logger.record("train/rung", rung_after(self.config, self.curve))
        self.model.logger.dump(steps)
        write_text(self.folder.curve, "".join(json.dumps(entry) + "\n" for entry in self.curve))
        replace_atomically(self.folder.checkpoints / f"{steps:010d}.zip", self.model.save)
        print(f"{self.config.name}: {evaluation_text(self.curve[-len(opponents) :])}", flush=True)

    def __enter__(self) -> Training:
        return self

    def __exit__(self, *error: object) -> None:
        self.model.logger.close()
        self.environments.close()


def evaluation_text(entries: Sequence[dict[str, Any]]) -> str:
    """Returns an evaluation during a training as text, given its lines of the curve."""
    scores = ", ".join(f"{entry['score']:.3f} against {entry['opponent']}" for entry in entries)
    return f"after {entries[0]['timesteps']:,} time steps: score {scores}"


def curve_of(config: TrainConfig, folder: RunFolder) -> list[dict[str, Any]]:
    """Returns the evaluations of a training so far.

    Raises:
        GamesLogError: curve.jsonl is damaged.
        RunFolderError: the file is of another training; names file, line and key.
    """
    curve = read_curve(folder.curve)
    opponents = [*config.evaluate.opponents, *(config.schedule.rungs if config.schedule else ())]
    expected = {"opponent": {spec_text(opponent) for opponent in opponents}, "games": {config.evaluate.games}}
    for number, entry in enumerate(curve, start=1):
        for key, values in expected.items():
            if entry[key] not in values:
                choices = " or ".join(sorted(map(str, values)))
                raise RunFolderError(f"{folder.curve}:{number}: {key}: expected {choices}, got {shown(entry[key])}; --fresh starts over")
    return curve


def loaded(checkpoint: Path, environments: Any, device: str) -> MaskablePPO:
    """Returns the learner of a checkpoint.

    Raises:
        RunFolderError: the file is damaged.
    """
    try:
        return MaskablePPO.load(checkpoint, env=environments, device=device)
    except Exception as error:  # whatever Stable-Baselines3 raises for a damaged file
        reason = f"{type(error).__name__}: {error}"
        raise RunFolderError(f"{checkpoint}: the checkpoint is damaged ({reason}); remove it to go on from the one before") from error


def best_of(config: TrainConfig, curve: list[dict[str, Any]]) -> int:
    """Returns the time step of the evaluation with the best mean score against the fixed opponents, the latest of equal ones."""
    fixed = {spec_text(opponent) for opponent in config.evaluate.opponents}
    means = {
        steps: fmean(entry["score"] for entry in curve if entry["timesteps"] == steps and entry["opponent"] in fixed)
        for steps in {entry["timesteps"] for entry in curve}
    }
    return max(means, key=lambda steps: (means[steps], steps))


def pairing(config: TrainConfig, network: Path, opponent: dict[str, Any], games: int, stage: str | None = None) -> Pairing:
    """Returns the paired games between a network of the learner and an opponent; every evaluation has the same openings."""
    players = (Player(LEARNER, {"name": "policy", "path": str(network)}), Player(spec_text(opponent), opponent))
    return Pairing(game_record(config.game), players, games, config.evaluate.opening_plies, config.seed, stage)


def evaluation_executor(config: TrainConfig, games: int) -> GameExecutor:
    """Returns the executor of an evaluation: this process for few games, else the config's."""
    return InProcess() if games < MANY else executor_of(config.executor)


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


def final_matchups(config: TrainConfig, folder: RunFolder) -> list[Matchup]:
    """Plays the final games that the log lacks and returns the results against each opponent."""
    total = config.evaluate.final_games * len(config.evaluate.opponents)
    with (
        GamesLog(folder.games) as log,
        evaluation_executor(config, total) as executor,
        progress(f"{config.name}: final games", total) as show,
    ):
        runner = GameRunner(log, executor, show)
        return [matchup_of(runner.entries(tasks), (LEARNER, spec_text(opponent))) for opponent, tasks in final_tasks(config, folder)]


def final_tasks(config: TrainConfig, folder: RunFolder) -> Iterator[tuple[dict[str, Any], list[GameTask]]]:
    """Yields each opponent of the final evaluation with the games against it."""
    games = config.evaluate.final_games
    for index, opponent in enumerate(config.evaluate.opponents):
        yield opponent, pairing(config, folder.model, opponent, games, "final").tasks(index * games)


def hold_games(config: TrainConfig, folder: RunFolder) -> None:
    """Checks the games in the folder against their tasks, before anything is trained or played.

    Raises:
        GamesLogError: a game does not fit its task; names file, line and key.
    """
    if folder.games.exists():
        tasks = {task.id: task for _, games in final_tasks(config, folder) for task in games}
        with GamesLog(folder.games) as log:
            log.hold_all(tasks.get)


def _opponents_text(config: TrainConfig) -> str:
    """Returns the learner's opponents as text."""
    if config.schedule:
        text = f"a schedule up to {spec_text(config.schedule.rungs[-1])}"
    else:
        text = ", ".join(spec_text(member["opponent"]) for member in config.opponent or [])
    return f"{text} and itself" if config.self_play else text
