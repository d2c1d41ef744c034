"""Wrappers for learners that expect the mask of legal actions in the observation."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray


class MaskedObservation(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Puts the observation and the mask of legal actions into one dict; for a batch it returns a `MaskedObservations`.

    >>> import gymnasium, sparring
    >>> from sparring.envs.wrappers import MaskedObservation
    >>> env = MaskedObservation(gymnasium.make("sparring/TicTacToe-v0"), mask="mask")
    >>> observation, info = env.reset(seed=1)
    >>> observation["observation"].shape, observation["mask"].shape
    ((2, 3, 3), (9,))
    """

    def __new__(cls, env: Any, observation: str = "observation", mask: str = "action_mask") -> Any:
        """Wraps a single environment; a batch in a `MaskedObservations`."""
        return MaskedObservations(env, observation, mask) if isinstance(env, VectorEnv) else super().__new__(cls)

    def __init__(self, env: Any, observation: str = "observation", mask: str = "action_mask") -> None:
        """Wraps an environment of this package.

        Args:
            env: from `gymnasium.make` or `gymnasium.make_vec`.
            observation: key of the planes, int8[planes, height, width].
            mask: key of the mask, int8[actions], 1 for legal actions; all ones at the end.
        """
        RecordConstructorArgs.__init__(self, observation=observation, mask=mask)
        super().__init__(env)
        self._keys = observation, mask
        self.observation_space = masked_space(env.observation_space, env.action_space, self._keys)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[np.int8]], dict[str, Any]]:
        """Starts a game, as the environment does."""
        planes, info = self.env.reset(seed=seed, options=options)
        return joined(self._keys, planes, info["action_mask"]), info

    def step(self, action: Any) -> tuple[dict[str, NDArray[np.int8]], Any, bool, bool, dict[str, Any]]:
        """Plays an action, as the environment does."""
        planes, reward, terminated, truncated, info = self.env.step(action)
        return joined(self._keys, planes, info["action_mask"]), reward, terminated, truncated, info


class MaskedObservations(VectorWrapper):
    """Puts the observations and masks of a batch into one dict of int8[N, planes, height, width] and int8[N, actions]."""

    def __init__(self, env: VectorEnv[Any, Any, Any], observation: str = "observation", mask: str = "action_mask") -> None:
        """Wraps a batch; arguments as for `MaskedObservation`."""
        super().__init__(env)
        self._keys = observation, mask
        self.autoreset_mode = env.metadata["autoreset_mode"]  # vector wrappers do not pass on attributes, and TorchRL reads this one
        self.single_observation_space = masked_space(env.single_observation_space, env.single_action_space, self._keys)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[dict[str, NDArray[np.int8]], dict[str, Any]]:
        """Starts games, as the batch does."""
        planes, infos = self.env.reset(seed=seed, options=options)
        return joined(self._keys, planes, self.action_masks()), infos

    def step(self, actions: Any) -> tuple[dict[str, NDArray[np.int8]], Any, Any, Any, dict[str, Any]]:
        """Plays actions, as the batch does; the last observations of games that ended, in `final_obs`, are dicts, too."""
        planes, rewards, terminated, truncated, infos = self.env.step(actions)
        if "final_obs" in infos:
            for i in np.flatnonzero(infos["_final_obs"]).tolist():
                infos["final_obs"][i] = joined(self._keys, infos["final_obs"][i], infos["final_info"]["action_mask"][i])
        return joined(self._keys, planes, self.action_masks()), rewards, terminated, truncated, infos

    def action_masks(self) -> NDArray[np.int8]:
        """Returns int8[N, actions], 1 for legal actions; all ones in games that are over."""
        masks: NDArray[np.bool_] = self.env.unwrapped.action_masks()  # pyright: ignore[reportAttributeAccessIssue] - of BoardVectorEnv
        return masks.astype(np.int8)


def masked_space(planes: spaces.Space[Any], actions: Any, keys: tuple[str, str]) -> spaces.Dict:
    """Returns the space of planes and a mask under two keys."""
    return spaces.Dict({keys[0]: planes, keys[1]: spaces.Box(0, 1, (int(actions.n),), np.int8)})


def joined(keys: tuple[str, str], planes: Any, mask: Any) -> dict[str, NDArray[np.int8]]:
    """Returns planes and a mask under two keys."""
    return dict(zip(keys, (planes, mask), strict=True))
