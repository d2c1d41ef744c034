"""LadderMeasurement a Stable-Baselines3 model against a ladder while it learns."""

from __future__ import annotations

from typing import Any

from ....envs.game import Game
from ....envs.rules.errors import ConfigError, extra
from .call import Evaluation, config_of, evaluate

with extra("train", "sparring.LadderCallback"):
    from stable_baselines3.common.callbacks import BaseCallback


class LadderCallback(BaseCallback):
    """Logs a model's Elo on the ladder of its game as `ladder/elo`, with the interval's ends as `ladder/low` and `ladder/high`.

    >>> model.learn(100_000, callback=LadderCallback("sparring/ConnectFour-v0", every=20_000))  # doctest: +SKIP

    Attributes:
        evaluations: by time step.
    """

    def __init__(self, game: str | Game, *, every: int = 50_000, width: float = 150.0, games: int = 400, **keys: Any):
        """Takes the ladder's game and the settings of the evaluations.

        Args:
            game: id or Game.
            every: time steps between two measurements.
            width, games, keys: see `evaluate`.

        Raises:
            AgentError, ConfigError: `every` is not a whole number from 1, or as in `evaluate`.
        """
        if not isinstance(every, int) or every < 1:
            raise ConfigError(f"every: expected a whole number of time steps, at least 1, got {every!r}")
        super().__init__()
        self.evaluations: dict[int, Evaluation] = {}
        self._game, self._every, self._measured = game, every, 0
        self._keys: dict[str, Any] = {"width": width, "games": games, **keys}
        config_of(game, **self._keys)  # raises errors now

    def _on_training_start(self) -> None:
        self._measured = self.num_timesteps

    def _on_rollout_end(self) -> None:
        if self.num_timesteps // self._every > self._measured // self._every:
            self._measured = self.num_timesteps
            evaluation = self.evaluations[self.num_timesteps] = evaluate(self.model, self._game, **self._keys)
            for name in ("elo", "low", "high"):
                self.logger.record(f"ladder/{name}", getattr(evaluation, name))

    def _on_step(self) -> bool:
        return True
