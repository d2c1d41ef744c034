"""Imitations: a network learns from rows epoch by epoch, and the one that does best on the rows held out is kept.

An epoch draws its order and symmetries by a seed of its own and ends with a checkpoint, so a run that is killed ends at the same network.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from ....agents.network import Network, new_policy, parameter_count, save_network
from ....envs.game import Game
from ....envs.observation import observation_shape
from ....envs.rules.errors import ConfigError
from ...config.parts import game_of
from ...files import RunFolderError, replace_atomically
from ...games.task import derived_seed
from ...results import GameRecord
from ...run_folder import RunFolder
from ...terminal.progress import progress
from .config import ImitateConfig
from .data import Batch, Symmetries, read_rows
from .results import Epoch, ImitateResults

CHECKPOINT = "epoch.pt"
MEASURED = 4096  # rows that are measured at a time


def run_imitate(config: ImitateConfig, folder: RunFolder) -> ImitateResults:
    """Learns from the last checkpoint on, and returns the results."""
    torch.set_num_threads(config.threads)
    game = game_of(config.game)
    games, rows = read_rows(Path(config.dataset), game, config.temperature)
    held_out = held_out_rows(games, config.held_out, config.seed)
    learner = Learner(config, folder, game)
    with progress(config.name, config.epochs) as show:
        show(len(learner.epochs))
        while not learner.is_finished:
            learner.learn(rows.select(torch.tensor(~held_out)), rows.select(torch.tensor(held_out)))
            show(len(learner.epochs))
    return ImitateResults(
        kind=config.kind,
        game=GameRecord.of(game),
        learned=int((~held_out).sum()),
        held_out=int(held_out.sum()),
        weights=parameter_count(learner.network, game),
        model=folder.model.name,
        best=learner.best,
        epochs=learner.epochs,
    )


def held_out_rows(games: np.ndarray[Any, Any], share: float, seed: int) -> np.ndarray[Any, Any]:
    """Returns which rows are held out: all of some games, so that nothing of these games is learned.

    Raises:
        ConfigError: there are not two games.
    """
    numbers = np.unique(games)
    if len(numbers) < 2:
        raise ConfigError(f"dataset: expected rows of at least two games, got {len(numbers)}")
    count = min(max(1, round(share * len(numbers))), len(numbers) - 1)
    return np.isin(games, np.random.default_rng(seed).permutation(numbers)[:count])


class Learner:
    """A network with its optimiser and the epochs so far.

    Attributes:
        network: its shape.
        epochs: measured so far.
    """

    def __init__(self, config: ImitateConfig, folder: RunFolder, game: Game) -> None:
        """Loads the checkpoint, or makes a new network."""
        self._config, self._folder, self._game = config, folder, game
        shape = config.network
        self.network = Network(tuple(shape.net_arch), shape.channels, shape.window, shape.blocks, shape.head_channels)
        self.epochs: list[Epoch] = []
        self._device = "cuda" if config.device == "auto" and shape.channels and torch.cuda.is_available() else "cpu"
        torch.manual_seed(derived_seed(config.seed))
        self._policy = new_policy(self.network, game).to(self._device)
        self._optimizer = torch.optim.Adam(self._policy.parameters(), config.learning_rate)
        self._symmetries = Symmetries(game)
        folder.checkpoints.mkdir(exist_ok=True)
        self._checkpoint = folder.checkpoints / CHECKPOINT
        if self._checkpoint.exists():
            self._load()

    def _load(self) -> None:
        try:
            saved = torch.load(self._checkpoint, weights_only=True, map_location=self._device)
            self._policy.load_state_dict(saved["policy"])
            self._optimizer.load_state_dict(saved["optimizer"])
            self.epochs = [Epoch(**epoch) for epoch in saved["epochs"]]
        except Exception as error:  # whatever torch raises for a damaged file
            raise RunFolderError(f"{self._checkpoint}: the checkpoint is damaged ({type(error).__name__}); --fresh starts over") from error

    @property
    def best(self) -> int:
        """The number of the epoch with the lowest loss on the rows held out, the first of equal ones."""
        return min(self.epochs, key=lambda epoch: epoch.held_out_loss).number

    @property
    def is_finished(self) -> bool:
        """Whether there were enough epochs, in all or since the best."""
        done = len(self.epochs)
        return done >= self._config.epochs or (done > 0 and done - self.best >= self._config.patience)

    def learn(self, rows: Batch, held_out: Batch) -> None:
        """Goes through the rows once, measures the network, and keeps it if it is the best so far."""
        number, size = len(self.epochs) + 1, len(rows.moves)
        chance = torch.Generator().manual_seed(derived_seed(self._config.seed, number))
        self._policy.set_training_mode(True)
        total = 0.0
        for indices in torch.randperm(size, generator=chance).split(self._config.batch_size):
            batch = rows.select(indices)
            if self._config.symmetry:
                batch = self._symmetries.turned(batch, torch.randint(self._symmetries.count, (len(indices),), generator=chance))
            policy_loss, value_loss, _ = self._losses(batch)
            loss = policy_loss + self._config.value_weight * value_loss
            self._optimizer.zero_grad()
            loss.backward()
            self._optimizer.step()
            total += loss.item() * len(indices)
        self._policy.set_training_mode(False)
        self.epochs.append(self._measured(number, total / size, held_out))
        if self.best == number:
            replace_atomically(self._folder.model, lambda path: save_network(path, self._policy, self.network, self._game))
        replace_atomically(self._checkpoint, self._save)

    def _measured(self, number: int, loss: float, rows: Batch) -> Epoch:
        """Returns an epoch with what the network makes of the rows held out."""
        sums = np.zeros(3)
        with torch.no_grad():
            for indices in torch.arange(len(rows.moves)).split(MEASURED):
                sums += len(indices) * np.array([part.item() for part in self._losses(rows.select(indices))])
        policy_loss, value_loss, accuracy = map(float, sums / len(rows.moves))
        held_out_loss = policy_loss + self._config.value_weight * value_loss
        return Epoch(
            number=number, loss=loss, policy_loss=policy_loss, value_loss=value_loss, held_out_loss=held_out_loss, accuracy=accuracy
        )

    def _losses(self, rows: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Returns the cross-entropy of the policy, the squared error of the value, and the share of the teacher's moves."""
        batch, policy = rows.to(self._device), self._policy
        boards = batch.observations.reshape(len(batch.moves), *observation_shape(self._game))
        policy_features, value_features = policy.mlp_extractor(policy.extract_features(boards))
        logits = policy.action_net(policy_features).masked_fill(~batch.masks, -1e8)
        values = policy.value_net(value_features).flatten()
        accuracy = (logits.argmax(1) == batch.moves).float().mean()
        return functional.cross_entropy(logits, batch.targets), functional.mse_loss(values, batch.values), accuracy

    def _save(self, path: Path) -> None:
        epochs = [epoch.model_dump() for epoch in self.epochs]
        torch.save({"policy": self._policy.state_dict(), "optimizer": self._optimizer.state_dict(), "epochs": epochs}, path)
