"""BoardVecEnv: the batch as a Stable-Baselines3 VecEnv, on which MaskablePPO, PPO and DQN train unchanged."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from .game import full_id
from .rules.errors import RulesError, extra

with extra("train", "sparring.envs.sb3"):
    from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper


class BoardVecEnv(VecEnv):
    """N games in a batch, stepped in one compiled call.

    >>> from stable_baselines3 import DQN
    >>> from sparring.envs.sb3 import BoardVecEnv
    >>> model = DQN("MlpPolicy", BoardVecEnv("sparring/TicTacToe-v0", 8, opponent="greedy", seat="random"), buffer_size=1000)
    >>> model.learn(100).num_timesteps
    104

    A game that ends starts anew in the same step, as Stable-Baselines3 expects: its info then holds `terminal_observation`, `episode` (its
    return `r`, length `l`, and the seconds `t` since the start), `TimeLimit.truncated`, `seat`, and unless it was truncated `outcome` and
    `termination`. `action_masks` returns the legal actions for sb3-contrib. `set_options({"position": text})` is for the next reset,
    `set_attr("opponent", opponent)` for the games that begin after it.

    Networks of this size learn fastest with `torch.set_num_threads(1)`: PyTorch's default of several threads is no faster on an idle
    machine, and slower on a busy one. Observations are planes of zeros and ones, which "MlpPolicy" takes as they are. "CnnPolicy" needs
    pictures (uint8 from 0 to 255, at least 36 pixels wide) and refuses them, and `check_env` of Stable-Baselines3 warns that they are not
    pictures; for convolutions see `sparring.agents.network`.

    Args of the constructor:
        id: a Gymnasium id, or a short name.
        num_envs: the number of games.
        options: those of `BoardVectorEnv` except `autoreset_mode`.
    """

    def __init__(self, id: str, num_envs: int = 1, **options: Any) -> None:
        self.batch_env: Any = gymnasium.make_vec(full_id(id), num_envs=num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        self._lengths = np.zeros(num_envs, np.int64)
        self._actions = np.zeros(num_envs, np.int64)
        self._begin = time.time()
        super().__init__(num_envs, self.batch_env.single_observation_space, self.batch_env.single_action_space)
        self.render_mode = self.batch_env.render_mode

    def reset(self) -> NDArray[np.int8]:
        """Starts all games and returns the observations, int8[N, planes, height, width]."""
        seeds = None if all(seed is None for seed in self._seeds) else self._seeds
        observations, _ = self.batch_env.reset(seed=seeds, options=self._positions())
        self.reset_infos = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        self._lengths[:] = 0
        return observations

    def _positions(self) -> dict[str, Any] | None:
        """Returns the options of `set_options` in the form that the batch takes."""
        for options in self._options:
            if not isinstance(options, dict) or options.keys() - {"position"}:
                raise RulesError(f"options: expected only 'position', got {options!r}")
        positions = [options.get("position") for options in self._options]
        return {"position": positions} if any(position is not None for position in positions) else None

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keeps the learner's actions, int64[N], for `step_wait`."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Plays the actions and the opponents' answers; returns observations, rewards float32[N], dones bool[N] and infos."""
        observations, rewards, terminated, truncated, batch_infos = self.batch_env.step(self._actions)
        dones = terminated | truncated
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if dones.any():
            elapsed, final = round(time.time() - self._begin, 6), batch_infos["final_info"]
            for i in np.flatnonzero(dones).tolist():
                infos[i] = {
                    "terminal_observation": batch_infos["final_obs"][i],
                    "TimeLimit.truncated": bool(truncated[i] and not terminated[i]),
                    "episode": {"r": float(rewards[i]), "l": int(self._lengths[i]), "t": elapsed},
                    **{name: final[name][i] for name in ("outcome", "termination") if terminated[i]},
                    **{name: int(final[name][i]) for name in ("seat", "opponent", "ply")},
                }
            self._lengths[dones] = 0
        return observations, rewards.astype(np.float32), dones, infos

    def close(self) -> None:
        """Ends the threads of the batch."""
        self.batch_env.close()

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns bool[N, actions], True for legal actions."""
        return self.batch_env.action_masks()

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Returns the masks of some games for "action_masks", or sets the opponent of all games for "set_opponent".

        Raises:
            AttributeError: any other method; games of a batch have no others.
        """
        if method_name == "set_opponent":
            self.set_attr("opponent", *method_args, **method_kwargs, indices=indices)
            return [None for _ in self._get_indices(indices)]
        if method_name != "action_masks":
            raise AttributeError(f"games of a batch have only the methods 'action_masks' and 'set_opponent', got {method_name!r}")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Tells whether the games have an attribute."""
        return attr_name == "action_masks" or hasattr(self.batch_env, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Returns an attribute of the batch, once for each game asked for."""
        value = self.render_mode if attr_name == "render_mode" and hasattr(self, "render_mode") else getattr(self.batch_env, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets the opponent of all games, each from its next start on.

        Raises:
            AttributeError: any other attribute, or not for all games, as games of a batch share their attributes.
            AgentError: the opponent is unknown, or does not play this game.
        """
        if attr_name != "opponent":
            raise AttributeError(f"only 'opponent' can be set in a batch, got {attr_name!r}")
        if set(self._get_indices(indices)) != set(range(self.num_envs)):
            raise AttributeError(f"set_attr: games of a batch share their attributes; set {attr_name!r} for all of them, not for some")
        self.batch_env.opponent = value

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Tells whether games are wrapped: only in a Monitor, as the batch keeps its episode statistics."""
        from stable_baselines3.common.monitor import Monitor

        return [issubclass(wrapper_class, Monitor) for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Returns a drawing of each game.

        Raises:
            RulesError: without the render mode "rgb_array".
        """
        if self.render_mode != "rgb_array":
            raise RulesError('images need BoardVecEnv(..., render_mode="rgb_array")')
        return list(self.batch_env.render())


class TurnedVecEnv(VecEnvWrapper):
    """Shows each game turned or mirrored by a symmetry of its board, drawn for each game, and turns actions back.

    So a network learns from one game what holds for all its mirror images. `venv` is a BoardVecEnv.
    """

    def __init__(self, venv: BoardVecEnv) -> None:
        super().__init__(venv)
        game = venv.batch_env.games.game
        # by symmetry, the cell or action that is shown at each turned one: the inverse of `Game.symmetries`
        self._cells = np.array([np.argsort(cells) for cells, _ in game.symmetries])
        self._moves = np.array([np.argsort(moves) for _, moves in game.symmetries])
        self._generator = np.random.default_rng()
        self._symmetry = np.zeros(venv.num_envs, np.int64)
        self._seed: int | None = None

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seeds the games and the symmetries, from the next reset on."""
        self._seed = seed
        return self.venv.seed(seed)

    def reset(self) -> NDArray[np.int8]:
        """Starts all games and returns the turned observations."""
        if self._seed is not None:
            self._generator, self._seed = np.random.default_rng(self._seed), None
        self._symmetry = self._generator.integers(len(self._cells), size=self.num_envs)
        return self._turned(np.asarray(self.venv.reset()), self._symmetry)

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keeps the learner's actions, which are those of the turned boards."""
        self.venv.step_async(self._moves[self._symmetry, actions])

    def step_wait(self) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Plays the actions; returns the turned observations, rewards, dones and infos."""
        observations, rewards, dones, infos = self.venv.step_wait()
        for i in np.flatnonzero(dones).tolist():
            last = infos[i]["terminal_observation"]
            infos[i]["terminal_observation"] = self._turned(last[None], self._symmetry[i : i + 1])[0]
        self._symmetry[dones] = self._generator.integers(len(self._cells), size=int(dones.sum()))
        return self._turned(np.asarray(observations), self._symmetry), rewards, dones, infos

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Returns the turned action masks of some games; passes other methods on."""
        if method_name != "action_masks":
            return self.venv.env_method(method_name, *method_args, indices=indices, **method_kwargs)
        masks = self.venv.env_method(method_name, indices=indices)
        return [mask[self._moves[symmetry]] for mask, symmetry in zip(masks, self._symmetry[list(self._get_indices(indices))], strict=True)]

    def _turned(self, observations: NDArray[np.int8], symmetry: NDArray[np.int64]) -> NDArray[np.int8]:
        flat = observations.reshape(*observations.shape[:2], -1)
        return np.take_along_axis(flat, self._cells[symmetry][:, None], axis=2).reshape(observations.shape)
