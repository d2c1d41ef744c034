"""BoardVectorEnv: many games against opponents as one Gymnasium vector environment, stepped in one compiled call."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .batch.game_batch import GameBatch, as_array
from .batch.infos import end_infos, infos_of
from .batch.template import NOT_OVER, OVER
from .game import Game
from .observation import observation_shape
from .options import OPTION_NAMES, EnvOptions
from .registration import find
from .rules.errors import IllegalMoveError, RulesError, check_choice, check_whole, unknown, whole_number

OWN_KEYWORDS = ("opponent", "render_mode", "autoreset_mode", "max_episode_steps", "threads")


class BoardVectorEnv(gymnasium.vector.VectorEnv[NDArray[np.int8], NDArray[np.int64], NDArray[Any]]):
    """N games in a batch: the same games as N environments with N seeds, at native speed.

    `gymnasium.make_vec("sparring/ConnectFour-v0", num_envs=256, opponent="alphabeta:depth=2")` builds one. Spaces, rewards, infos and
    arguments are those of the game's environment (see `BoardEnv`), with a leading axis of N; `infos` holds arrays, and beside each `name`
    a mask `_name` of the games that have it, as Gymnasium's own vector environments do.

    Opponents that are random, greedy, or search to a depth or a number of nodes answer inside the compiled call. All others (a limit of
    time, a tree that is kept, Monte Carlo, networks, Python objects) are asked game by game: each answer costs what `act` costs, and about
    20 microseconds for its position.

    Results depend neither on `threads` nor on how games are split into batches: game i of a batch that is reset with the seed s is the game
    of an environment that is reset with the seed s + i.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium's own declaration
        "render_modes": ["rgb_array", "ansi"],
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        id: str,
        num_envs: int = 1,
        *,
        opponent: Any = "random",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        """Sets up the games.

        Args:
            id: the game's Gymnasium id.
            num_envs: the number of games, N.
            opponent: as for `BoardEnv`; of a pool, each game draws its own.
            render_mode: "rgb_array", "ansi" or None; `render` returns a tuple with a drawing of each game.
            autoreset_mode: what follows the end of a game. NEXT_STEP: its next step ignores the action and starts a new game. SAME_STEP:
                the same step starts it, and the end is in infos["final_obs"] and infos["final_info"]. DISABLED: the caller resets it
                with options={"reset_mask": …}.
            max_episode_steps: the learner's steps after which a game is truncated, as by `gymnasium.make`; None for no limit.
            threads: number of threads that share the games.
            options: parameters of the game; and seat, illegal, opening_plies and opponent_epsilon of `BoardEnv`.

        Raises:
            RulesError: an argument is unknown or out of its range.
            AgentError: an opponent is unknown, or does not play this game.
        """
        free = Game.free_parameters(id)
        for name in options:
            if name not in (*free, *OPTION_NAMES):
                raise RulesError(f"{id}: {unknown('argument', name, [*free, *OWN_KEYWORDS, *OPTION_NAMES])}")
        game = Game(id, **{name: value for name, value in options.items() if name in free})
        shared = EnvOptions.read(game, {name: value for name, value in options.items() if name in OPTION_NAMES}, OWN_KEYWORDS)
        if shared.opponent_info:
            raise RulesError("opponent_info: not available in a batch, got True")
        self.num_envs = check_whole("num_envs", num_envs, 1, 2**20)
        self.autoreset_mode = read_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        is_same_step = self.autoreset_mode == AutoresetMode.SAME_STEP
        most_steps = None if max_episode_steps is None else check_whole("max_episode_steps", max_episode_steps, 1, 2**31)
        threads = check_whole("threads", threads, 1, 1024)
        self.games = GameBatch(game, self.num_envs, opponent, shared, most_steps, is_same_step, threads)
        self._shape = observation_shape(game)
        self.single_observation_space = spaces.Box(0, 1, self._shape, np.int8)
        self.single_action_space = spaces.Discrete(game.action_count)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._endings = np.array(game.endings, object)
        self._is_running = False  # True from reset() until an opponent fails

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Starts games.

        Args:
            seed: decides everything from here on, as in `BoardEnv`: seed + i of game i; or a list of N.
            options: {"position": text} starts from a position given as moves or as a board text, a list of N from a position each (None for
                a game's usual start); {"reset_mask": bool[N]} names the games to start, at least one, instead of all. Both may be given.

        Raises:
            RulesError: an unknown option, a mask or a list of seeds of another shape, or a game in which the learner never has a move.
            NotationError, IllegalMoveError: the text is not a position, or the game is over in it.
        """
        was_running, self._is_running = self._is_running, False
        mask, positions = self._read(options)
        if not was_running and not mask.all():
            raise RulesError("options: reset_mask: reset all games first, as none was reset yet or an opponent failed")
        seeds = self._seeds(seed)
        self.games.seed(mask & np.array([seed is not None for seed in seeds]), seeds)
        for text, has_text in positions:
            if (mask & has_text).any():
                self.games.start(mask & has_text, text)
        self._is_running = True
        return self._observations(), infos_of(self.games.batch.outputs, mask)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays the learner's action in each game and, where the game goes on, the opponent's answer.

        Returns:
            observations int8[N, planes, height, width], rewards float64[N], terminated and truncated bool[N], and infos.

        Raises:
            IllegalMoveError: an action outside the action space, or illegal with `illegal="raise"`; or a game waits for a reset.
            AgentError: an opponent's answer is not a legal move.
        """
        if not self._is_running:
            raise IllegalMoveError("actions: expected reset() before the first step, and after an opponent that failed")
        if self.autoreset_mode == AutoresetMode.DISABLED and (over := np.flatnonzero(self.games.batch.games["phase"] == OVER).tolist()):
            raise IllegalMoveError(f"actions: expected reset(options={{'reset_mask': …}}) before the next step, as games {over} are over")
        checked = self.games.check(actions)
        self._is_running = False  # until the opponents have answered
        self.games.step(checked)
        self._is_running = True
        outputs = self.games.batch.outputs
        terminated, truncated = outputs.outcomes != NOT_OVER, outputs.truncated != 0
        infos = infos_of(outputs, np.ones(self.num_envs, np.bool_))
        if terminated.any() or truncated.any():
            infos.update(self._ends(terminated, truncated))
        return self._observations(), outputs.rewards.copy(), terminated, truncated, infos

    @property
    def opponent(self) -> Any:
        """The opponent, or the pool, as the user gave it; a new one plays every game that begins after it was set."""
        return self.games.opponent

    @opponent.setter
    def opponent(self, opponent: Any) -> None:
        self.set_opponent(opponent)

    def set_opponent(self, opponent: Any) -> None:
        """Lets an opponent, or a pool, play every game that begins from now on; games that go on keep theirs.

        Raises:
            AgentError: the opponent is unknown, or does not play this game.
        """
        self.games.set_opponent(opponent)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns bool[N, actions], True for legal actions; all True in games that are over."""
        return self.games.batch.outputs.masks.astype(np.bool_)

    def random_actions(self) -> NDArray[np.int64]:
        """Returns a random legal action of each game; the seed given to `reset` decides it.

        Gymnasium's vector wrappers do not pass on methods of their environments: behind one call `envs.unwrapped.random_actions()`.
        """
        return self.games.random_actions()

    def render(self) -> tuple[Any, ...] | None:
        """Returns a drawing of each game: text for "ansi", uint8[height, width, 3] for "rgb_array"."""
        from .drawing import rendering

        if self.render_mode is None:
            return None
        positions = map(self.games.position, range(self.num_envs))
        if self.render_mode == "ansi":
            return tuple(map(rendering.draw_text, positions, self.games.batch.outputs.seats.tolist()))
        return tuple(map(rendering.draw_image, positions))

    def close_extras(self, **options: Any) -> None:
        """Ends the threads."""
        self.games.close()

    def _seeds(self, seed: Any) -> list[int | None]:
        """Returns the seed of each game."""
        number = whole_number(seed)
        if number is None and not isinstance(seed, (list, tuple, np.ndarray, type(None))):
            raise RulesError(f"seed: expected a whole number from 0, a list of {self.num_envs} or None, got {seed!r}")
        if seed is None:
            return [None] * self.num_envs
        values: list[Any] = list(seed) if number is None else [number + i for i in range(self.num_envs)]
        if len(values) != self.num_envs:
            raise RulesError(f"seed: expected one whole number or {self.num_envs} of them, got {len(values)}")
        seeds = [whole_number(value) for value in values]
        for i, (value, checked) in enumerate(zip(values, seeds, strict=True)):
            if value is not None and (checked is None or checked < 0):
                raise RulesError(f"seed: expected whole numbers from 0 or None, got {value!r} for game {i}")
        return seeds

    def _read(self, options: dict[str, Any] | None) -> tuple[NDArray[np.bool_], list[tuple[Any, NDArray[np.bool_]]]]:
        """Returns the mask of the games to start, and the texts of positions, None for the usual start, each with the mask of its games."""
        if not isinstance(options, (dict, type(None))):
            raise RulesError(f"options: expected a dict, got {options!r}")
        options = options or {}
        if unknown_options := set(options) - {"position", "reset_mask"}:
            raise RulesError(f"options: expected only 'position' and 'reset_mask', got {', '.join(sorted(map(repr, unknown_options)))}")
        reset_mask: Any = options.get("reset_mask")
        mask = np.ones(self.num_envs, np.bool_) if reset_mask is None else as_array(reset_mask)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise RulesError(f"options: reset_mask: expected {self.num_envs} booleans, at least one of them true, got {reset_mask!r}")
        return mask, self._read_positions(options.get("position"))

    def _read_positions(self, position: Any) -> list[tuple[Any, NDArray[np.bool_]]]:
        if not isinstance(position, (list, tuple)):
            return [(position, np.ones(self.num_envs, np.bool_))]
        texts = cast("Sequence[Any]", position)
        if len(texts) != self.num_envs or not all(isinstance(text, (str, type(None))) for text in texts):
            raise RulesError(f"options: position: expected text, or a list of {self.num_envs} texts or None, got {position!r}")
        games: dict[Any, list[int]] = {}
        for i, text in enumerate(texts):
            games.setdefault(text, []).append(i)
        return [(text, np.isin(np.arange(self.num_envs), index)) for text, index in games.items()]

    def _observations(self) -> NDArray[np.int8]:
        return self.games.batch.outputs.planes.reshape(-1, *self._shape).copy()

    def _ends(self, terminated: NDArray[np.bool_], truncated: NDArray[np.bool_]) -> dict[str, Any]:
        """Returns the infos of games that have just ended: outcome and termination, or with SAME_STEP the final ones."""
        outputs, finals = self.games.batch.outputs, self.games.batch.finals
        if self.autoreset_mode != AutoresetMode.SAME_STEP:
            return end_infos(outputs, outputs.illegal, terminated, self._endings)
        ended = terminated | truncated
        final_obs = np.full(self.num_envs, None, object)
        observations = finals.planes[ended].reshape(-1, *self._shape)
        for i, observation in zip(np.flatnonzero(ended).tolist(), observations, strict=True):
            final_obs[i] = observation
        final_info = {**infos_of(finals, ended), **end_infos(outputs, finals.illegal, terminated, self._endings)}
        return {"final_obs": final_obs, "_final_obs": ended.copy(), "final_info": final_info, "_final_info": ended.copy()}


def read_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Returns an autoreset mode by its value, or raises RulesError."""
    if not isinstance(mode, AutoresetMode) and mode not in [known.value for known in AutoresetMode]:
        raise RulesError(f"autoreset_mode: {unknown('value', mode, [known.value for known in AutoresetMode])}")
    return AutoresetMode(mode)


def __getattr__(id: str) -> Callable[..., BoardVectorEnv]:
    """Returns the constructor for a game's id: Gymnasium looks it up in this module by that name."""
    if find(id) is None:
        raise AttributeError(f"module {__name__!r} has no attribute {id!r}")
    return functools.partial(BoardVectorEnv, id)
