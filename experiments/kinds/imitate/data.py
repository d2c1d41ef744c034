"""The rows of a data set as tensors, and their images under the symmetries of the board."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from ....envs.game import Game
from ....envs.observation import observation_shape
from ....envs.rules.errors import ConfigError, shown

COLUMNS = "game", "observation", "mask", "move", "scores", "expected", "result"


class Batch(NamedTuple):
    """Some rows.

    Attributes:
        observations: int8[rows, planes, cells].
        masks: bool[rows, actions].
        targets: float[rows, actions], the probabilities that the policy learns.
        moves: int64[rows], the teacher's.
        values: float[rows], the expected result, or where a row has none the result of its game.
    """

    observations: torch.Tensor
    masks: torch.Tensor
    targets: torch.Tensor
    moves: torch.Tensor
    values: torch.Tensor

    def select(self, indices: torch.Tensor) -> Batch:
        """Returns some of the rows."""
        return Batch(*(part[indices] for part in self))

    def to(self, device: Any) -> Batch:
        """Returns the rows on a device."""
        return Batch(*(part.to(device) for part in self))


class Symmetries:
    """The symmetries of a game, for rows."""

    def __init__(self, game: Game) -> None:
        """Takes the game whose rows they turn."""
        maps = game.symmetries or [(list(range(game.width * game.height)), list(range(game.action_count)))]
        self.count = len(maps)
        self._cells, self._actions = (torch.tensor(np.argsort([pair[part] for pair in maps], axis=1)) for part in (0, 1))  # inverse
        self._new_moves = torch.tensor([actions for _, actions in maps])

    def turned(self, batch: Batch, numbers: torch.Tensor) -> Batch:
        """Returns each row under the symmetry of its number."""
        actions = self._actions[numbers]
        cells = self._cells[numbers][:, None].expand(-1, batch.observations.shape[1], -1)
        return Batch(
            torch.gather(batch.observations, 2, cells),
            torch.gather(batch.masks, 1, actions),
            torch.gather(batch.targets, 1, actions),
            self._new_moves[numbers, batch.moves],
            batch.values,
        )


def read_rows(path: Path, game: Game, temperature: float | None) -> tuple[np.ndarray[Any, Any], Batch]:
    """Returns the number of each row's game, and the rows.

    Raises:
        ConfigError: the file is no data set of this game; names the column.
    """
    import polars as pl

    try:
        table = pl.read_parquet(path, columns=list(COLUMNS))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise ConfigError(f"{path}: expected a data set ({' '.join(str(error).split())[:200]})") from None
    shape, actions = observation_shape(game), game.action_count
    expected = {"observation": pl.Array(pl.Int8, shape), "mask": pl.Array(pl.Int8, actions), "scores": pl.Array(pl.Int64, actions)}
    for name, dtype in expected.items():
        if table.schema[name] != dtype:
            raise ConfigError(f"{path}: {name}: expected {dtype} as in {game!r}, got {shown(str(table.schema[name]))}")
    if not len(table) or not table["move"].is_between(0, actions - 1).all():
        raise ConfigError(f"{path}: move: expected rows with moves below {actions}")
    observations = table["observation"].to_numpy().reshape(len(table), shape[0], -1)
    masks = torch.tensor(table["mask"].to_numpy()).bool()
    moves, values = table["move"].to_numpy().astype(np.int64), table["expected"].fill_null(table["result"]).to_numpy()
    targets = torch.nn.functional.one_hot(torch.tensor(moves), actions).float()
    if temperature is not None and table["scores"].null_count() < len(table):
        scores = torch.tensor(table["scores"].to_numpy().astype(np.float64)).nan_to_num(nan=-torch.inf)
        is_scored = torch.tensor(table["scores"].is_not_null().to_numpy())
        targets[is_scored] = torch.softmax(scores[is_scored] / temperature, 1).float()
    return table["game"].to_numpy(), Batch(
        torch.tensor(observations), masks, targets, torch.tensor(moves), torch.tensor(values.astype(np.float32))
    )
