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

from .batch.game_batch import Games, as_array
from .batch.template import NOT_OVER, OVER, Told
from .game import Game
from .observation import observation_shape
from .options import TERMS, Terms
from .registration import find
from .rules.errors import IllegalMoveError, RulesError, check_choice, check_whole, unknown, whole_number

OUTCOMES = np.array([None, "win", "draw", "loss"], object)
WORDS = ("opponent", "render_mode", "autoreset_mode", "max_episode_steps", "threads")


class BoardVectorEnv(gymnasium.vector.VectorEnv[NDArray[np.int8], NDArray[np.int64], NDArray[Any]]):
    """N games in a batch: what N environments with seeds of their own would do, at native speed.

    `gymnasium.make_vec("sparring/ConnectFour-v0", num_envs=256, opponent="alphabeta:depth=2")` builds one. Spaces, rewards, infos and
    arguments are those of the game's environment (see `BoardEnv`), with a leading axis of N; `infos` holds arrays, and beside each `name`
    a mask `_name` of the games that have it, as Gymnasium's own vector environments do.

    Opponents that are random, greedy, or search to a depth or a number of nodes answer inside the compiled call. All others (a limit of
    time, a tree that is kept, Monte Carlo, networks, Python objects) are asked game by game: each answer costs what `act` costs, and about
    20 microseconds for the position that the opponent is shown.

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
        **words: Any,
    ) -> None:
        """Sets up the games.

        Args:
            id: of the game.
            num_envs: the number of games, N.
            opponent: as for `BoardEnv`; of a pool, each game draws its own.
            render_mode: "rgb_array", "ansi" or None; `render` returns a tuple with a drawing of each game.
            autoreset_mode: what follows the end of a game. NEXT_STEP: its next step ignores the action and starts a new game. SAME_STEP:
                the same step starts it, and the end is in infos["final_obs"] and infos["final_info"]. DISABLED: the caller resets it
                with options={"reset_mask": …}.
            max_episode_steps: the learner's steps after which a game is truncated, as by `gymnasium.make`; None for any number.
            threads: that share the games.
            words: parameters of the game, and of `BoardEnv` seat, illegal, opening_plies and opponent_epsilon.

        Raises:
            RulesError: an argument is unknown or out of its range.
            AgentError: an opponent is unknown, or does not play this game.
        """
        free = Game.free_parameters(id)
        for word in words:
            if word not in (*free, *TERMS):
                raise RulesError(f"{id}: {unknown('argument', word, [*free, *WORDS, *TERMS])}")
        game = Game(id, **{word: value for word, value in words.items() if word in free})
        terms = Terms.read(game, {word: value for word, value in words.items() if word in TERMS}, WORDS)
        if terms.opponent_info:
            raise RulesError("opponent_info: expected False in a batch, whose opponents keep what they think to themselves, got True")
        self.num_envs = check_whole("num_envs", num_envs, 1, 2**20)
        self.autoreset_mode = read_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        is_same_step = self.autoreset_mode == AutoresetMode.SAME_STEP
        most = None if max_episode_steps is None else check_whole("max_episode_steps", max_episode_steps, 1, 2**31)
        self.games = Games(game, self.num_envs, opponent, terms, most, is_same_step, check_whole("threads", threads, 1, 1024))
        self._shape = observation_shape(game)
        self.single_observation_space = spaces.Box(0, 1, self._shape, np.int8)
        self.single_action_space = spaces.Discrete(game.action_count)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._endings = np.array(game.endings, object)
        self._is_running = False  # from reset() on, until an opponent fails

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Starts games.

        Args:
            seed: decides everything from here on, as in `BoardEnv`: of game 0, the others have the numbers that follow; or a list of N.
            options: {"position": text} starts from a position given as moves or as a board text, a list of N from a position each (None for
                a game's usual start); {"reset_mask": bool[N]} names the games to start, at least one, instead of all. Both may be given.

        Raises:
            RulesError: an unknown option, a mask or a list of seeds of another shape, or a game in which the learner never has a move.
            NotationError, IllegalMoveError: the position is none, or is over.
        """
        was_running, self._is_running = self._is_running, False
        which, positions = self._read(options)
        if not was_running and not which.all():
            raise RulesError("options: reset_mask: expected a reset of all games first, and after one or an opponent that failed")
        seeds = self._seeds(seed)
        self.games.seed(which & np.array([seed is not None for seed in seeds]), seeds)
        for position, has_position in positions:
            if (which & has_position).any():
                self.games.start(which & has_position, position)
        self._is_running = True
        return self._observations(), self._infos(which)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays the learner's action in each game and, where the game goes on, the opponent's answer.

        Returns:
            observations int8[N, planes, height, width], rewards float64[N], terminated and truncated bool[N], and infos.

        Raises:
            IllegalMoveError: an action outside the action space, or illegal with `illegal="raise"`; or a game waits for a reset.
            AgentError: an opponent answers with what is no legal move.
        """
        if not self._is_running:
            raise IllegalMoveError("actions: expected reset() before the first step, and after an opponent that failed")
        if self.autoreset_mode == AutoresetMode.DISABLED and (over := np.flatnonzero(self.games.batch.games["phase"] == OVER).tolist()):
            raise IllegalMoveError(f"actions: expected reset(options={{'reset_mask': …}}) before the next step, as games {over} are over")
        checked = self.games.check(actions)
        self._is_running = False  # until the opponents have answered
        self.games.step(checked)
        self._is_running = True
        told = self.games.batch.told
        terminated, truncated = told.outcomes != NOT_OVER, told.truncated != 0
        infos = self._infos(np.ones(self.num_envs, np.bool_))
        if terminated.any() or truncated.any():
            infos.update(self._ends(terminated, truncated))
        return self._observations(), told.rewards.copy(), terminated, truncated, infos

    @property
    def opponent(self) -> Any:
        """The opponent, or the pool, as it was given; another one plays every game that begins after it was set."""
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
        return self.games.batch.told.masks.astype(np.bool_)

    def random_actions(self) -> NDArray[np.int64]:
        """Returns a random legal action of each game; the seed given to `reset` decides it.

        Gymnasium's vector wrappers pass on no methods of their environments: behind one it is `envs.unwrapped.random_actions()`.
        """
        return self.games.random_actions()

    def render(self) -> tuple[Any, ...] | None:
        """Returns a drawing of each game: text for "ansi", uint8[height, width, 3] for "rgb_array"."""
        from .drawing import rendering

        if self.render_mode is None:
            return None
        positions = map(self.games.position, range(self.num_envs))
        if self.render_mode == "ansi":
            return tuple(map(rendering.draw_text, positions, self.games.batch.told.seats.tolist()))
        return tuple(map(rendering.draw_image, positions))

    def close_extras(self, **words: Any) -> None:
        """Ends the threads."""
        self.games.close()

    def _seeds(self, seed: Any) -> list[int | None]:
        """Returns the seed of each game."""
        number = whole_number(seed)
        if number is None and not isinstance(seed, (list, tuple, np.ndarray, type(None))):
            raise RulesError(f"seed: expected a whole number from 0, a list of {self.num_envs} or None, got {seed!r}")
        given: list[Any] = (
            [None] * self.num_envs if seed is None else list(seed) if number is None else [number + i for i in range(self.num_envs)]
        )
        if len(given) != self.num_envs:
            raise RulesError(f"seed: expected one whole number or {self.num_envs} of them, got {len(given)}")
        seeds = [whole_number(each) for each in given]
        for i, (each, read) in enumerate(zip(given, seeds, strict=True)):
            if each is not None and (read is None or read < 0):
                raise RulesError(f"seed: expected whole numbers from 0 or None, got {each!r} for game {i}")
        return seeds

    def _read(self, options: dict[str, Any] | None) -> tuple[NDArray[np.bool_], list[tuple[Any, NDArray[np.bool_]]]]:
        """Returns which games to start, and every position to start from, None for the usual start, with the games that have it."""
        if not isinstance(options, (dict, type(None))):  # pyright: ignore[reportUnnecessaryIsInstance] - users pass anything
            raise RulesError(f"options: expected a dict, got {options!r}")
        given = options or {}
        if unknown_options := set(given) - {"position", "reset_mask"}:
            raise RulesError(f"options: expected only 'position' and 'reset_mask', got {', '.join(sorted(map(repr, unknown_options)))}")
        mask: Any = given.get("reset_mask")
        which = np.ones(self.num_envs, np.bool_) if mask is None else as_array(mask)
        if which.shape != (self.num_envs,) or which.dtype != np.bool_ or not which.any():
            raise RulesError(f"options: reset_mask: expected {self.num_envs} booleans, at least one of them true, got {mask!r}")
        return which, self._read_positions(given.get("position"))

    def _read_positions(self, given: Any) -> list[tuple[Any, NDArray[np.bool_]]]:
        if not isinstance(given, (list, tuple)):
            return [(given, np.ones(self.num_envs, np.bool_))]
        texts = cast("Sequence[Any]", given)
        if len(texts) != self.num_envs or not all(isinstance(text, (str, type(None))) for text in texts):
            raise RulesError(f"options: position: expected text, or a list of {self.num_envs} texts or None, got {given!r}")
        games: dict[Any, list[int]] = {}
        for i, text in enumerate(texts):
            games.setdefault(text, []).append(i)
        return [(text, np.isin(np.arange(self.num_envs), index)) for text, index in games.items()]

    def _observations(self) -> NDArray[np.int8]:
        return self.games.batch.told.planes.reshape(-1, *self._shape).copy()

    def _infos(self, which: NDArray[np.bool_]) -> dict[str, Any]:
        """Returns the infos of some games."""
        return with_masks(infos_of(self.games.batch.told, which), which)

    def _ends(self, terminated: NDArray[np.bool_], truncated: NDArray[np.bool_]) -> dict[str, Any]:
        """Returns the infos of games that have just ended: outcome and termination, or with SAME_STEP the final ones."""
        told, finals = self.games.batch.told, self.games.batch.finals
        if self.autoreset_mode != AutoresetMode.SAME_STEP:
            return self._how(told.illegal, terminated)
        ended = terminated | truncated
        seen = np.full(self.num_envs, None, object)
        block = finals.planes[ended].reshape(-1, *self._shape)
        for i, observation in zip(np.flatnonzero(ended).tolist(), block, strict=True):
            seen[i] = observation
        final_info = {**with_masks(infos_of(finals, ended), ended), **self._how(finals.illegal, terminated)}
        return {"final_obs": seen, "_final_obs": ended.copy(), "final_info": final_info, "_final_info": ended.copy()}

    def _how(self, illegal: NDArray[np.int64], terminated: NDArray[np.bool_]) -> dict[str, Any]:
        """Returns the outcome and the termination of terminated games as arrays of text, None for the others; nothing without such."""
        index = np.flatnonzero(terminated)
        if len(index) == 0:
            return {}
        numbers = self.games.batch.told.outcomes[index]
        outcomes, terminations = np.full((2, self.num_envs), None, object)
        outcomes[index], terminations[index] = OUTCOMES[numbers], self._endings[self.games.batch.told.endings[index]]
        terminations[index[illegal[index] != 0]] = "illegal"
        return with_masks({"outcome": outcomes, "termination": terminations}, terminated)


def read_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Returns the mode that a word stands for, or raises RulesError."""
    if not isinstance(mode, AutoresetMode) and mode not in [known.value for known in AutoresetMode]:
        raise RulesError(f"autoreset_mode: {unknown('value', mode, [known.value for known in AutoresetMode])}")
    return AutoresetMode(mode)


def infos_of(told: Told, which: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
    """Returns what infos tell of some running games as new arrays, 0 for the others."""
    values = {
        "action_mask": told.masks,
        "seat": told.seats,
        "opponent": told.opponents,
        "ply": told.plies,
        "opponent_move": told.opponent_moves,
        "illegal_actions": told.illegal,
    }
    if which.all():
        return {name: value.copy() for name, value in values.items()}
    chosen = {name: np.zeros_like(value) for name, value in values.items()}
    for name, value in values.items():
        chosen[name][which] = value[which]
    return chosen


def with_masks(values: dict[str, NDArray[Any]], which: NDArray[np.bool_]) -> dict[str, Any]:
    """Returns infos with a mask beside each."""
    return {name: entry for key, value in values.items() for name, entry in ((key, value), (f"_{key}", which.copy()))}


def __getattr__(id: str) -> Callable[..., BoardVectorEnv]:
    """Returns what makes a batch of a game, by the game's id, as Gymnasium asks for it."""
    if find(id) is None:
        raise AttributeError(f"module {__name__!r} has no attribute {id!r}")
    return functools.partial(BoardVectorEnv, id)
