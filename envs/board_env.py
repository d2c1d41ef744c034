"""BoardEnv: a game against an opponent as a single-agent Gymnasium environment, shared by all games."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar, SupportsInt

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from numpy.typing import NDArray

from .game import Game
from .observation import action_mask, observation_shape, observe
from .options import EnvOptions, first_seed
from .pool import close_programs
from .rules.errors import IllegalMoveError, RulesError, check_choice, whole_number
from .seated_game import SeatedGame


class BoardEnv(SeatedGame, gymnasium.Env[NDArray[np.int8], np.int64]):
    """The learner plays one seat, an opponent the other; every step is the learner's move and the opponent's answer.

    The environments of the games (`ConnectKEnv`, `GomokuEnv`, `IsolaEnv`) document their spaces and rules; what they share stands here.

    Rewards: 1 for a win, 0 for a draw or while the game goes on, -1 for a loss, also when the opponent's answer ends the game.

    Info, after `reset` and every `step`:
        action_mask: int8[actions], 1 for legal actions; all ones at the end.
        seat: the learner's side, 0 or 1.
        opponent: index in the pool of the opponent that plays this game; 0 without a pool.
        ply: moves made in the game so far.
        opponent_move: the opponent's last move as an action, -1 if it has not moved yet.
        illegal_actions: illegal actions of this episode, 0 or 1.
        outcome: at the end "win", "draw" or "loss", from the learner's view.
        termination: at the end "line", "full", "blocked" or "illegal".
        opponent_analysis: with `opponent_info`, the analysis of the opponent's last move as a dict with the fields of `agents.Analysis`
            (move, score, depth, nodes, pv, …); None if it has not moved, its move was drawn at random, or it does not analyse.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": 4}  # noqa: RUF012 - Gymnasium's own declaration
    _dropped: ClassVar[tuple[str, ...]] = ("_window",)  # what a copy or a pickle leaves out

    def __init_subclass__(cls, **keywords: Any) -> None:
        """Shows the keywords of this class in the signature of a game's environment, where its `**options` stand."""
        super().__init_subclass__(**keywords)
        if BoardEnv in cls.__bases__ and "__init__" in cls.__dict__:
            written = inspect.signature(cls.__init__)
            named = {name: parameter for name, parameter in written.parameters.items() if parameter.kind != parameter.VAR_KEYWORD}
            if len(named) < len(written.parameters):
                shared = [
                    parameter
                    for name, parameter in inspect.signature(BoardEnv.__init__).parameters.items()
                    if parameter.kind == parameter.KEYWORD_ONLY and name not in named
                ]
                signature = written.replace(parameters=[*named.values(), *shared])
                cls.__init__.__signature__ = signature  # pyright: ignore[reportFunctionMemberAccess] - inspect reads it

    def __init__(
        self,
        game: Game,
        *,
        opponent: Any = "random",
        seat: str = "first",
        illegal: str = "lose",
        opening_plies: int = 0,
        opponent_epsilon: float = 0.0,
        opponent_info: bool = False,
        render_mode: str | None = None,
        **unknown: Any,
    ) -> None:
        """Sets up the environment of a game.

        Args:
            game: what is played.
            opponent: who plays the other seat: an agent's name with parameters ("alphabeta:depth=2"), a dict ({"name": "alphabeta",
                "depth": 2}), an object or its class, a function, a model, or a list of these as a pool. An object has
                `act(position) -> move` and, if it likes, `reset(seed)`, which is called before each game; a function takes a Position and
                returns a move; a model of Stable-Baselines3 or sb3-contrib plays with its present weights ({"model": model,
                "deterministic": False} draws its moves). A name, a dict or a class gives each environment an opponent of its own; an
                object is shared by all environments that were given it, and copied for each game of a batch if it has a `reset`. From a
                pool one is drawn for each game; {"opponent": …, "weight": 3} in it is drawn three times as often as one without a weight.
                Each opponent has memory of its own: a search takes its `table_mib`, 16 for `best`, so that 200 environments take 3.2 GB.
                The batch of `gymnasium.make_vec` has one table for each of its threads, whatever the number of games.
            seat: the learner's: "first", "second", "random" (drawn for each game) or "alternate" (first, second, first, …).
            illegal: what an illegal action does: "lose" ends the game as a loss, "raise" raises IllegalMoveError.
            opening_plies: random legal moves before each game that do not end it; fewer where the game is too short.
            opponent_epsilon: the share of the opponent's moves that is drawn at random from the legal ones, 0 to 1.
            opponent_info: put the opponent's analysis into `info["opponent_analysis"]`.
            render_mode: "human" (a window, extra `render`), "rgb_array", "ansi" or None.
            unknown: refused; the error names the nearest known keyword.

        Raises:
            RulesError: an argument is unknown or out of its range.
            AgentError: the opponent is unknown, or does not play this game.
        """
        options = {"seat": seat, "illegal": illegal, "opening_plies": opening_plies, "opponent_epsilon": opponent_epsilon}
        keywords = {**options, "opponent_info": opponent_info, **unknown}
        super().__init__(game, opponent, EnvOptions.read(game, keywords, ("opponent", "render_mode")))
        self.render_mode = check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.observation_space = spaces.Box(0, 1, observation_shape(game), np.int8)
        self.action_space = spaces.Discrete(game.action_count)
        self._is_running = False  # True from reset() until the game ends or an opponent fails
        self._illegal_actions = 0
        self._window: Any = None
        self._spec: EnvSpec | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Starts a game: the seat is drawn, the opening played, and the opponent moves if it is its turn.

        Args:
            seed: decides the seats, the openings and all moves of an opponent whose budget is depth or nodes, from here on.
            options: {"position": text} starts from a position given as moves or as a board text instead of an opening.

        Raises:
            RulesError: an unknown option, or a game in which the learner's seat never has a move.
            NotationError, IllegalMoveError: the text is not a position, or the game is over in it.
        """
        self._is_running = False
        if not isinstance(options, (dict, type(None))):
            raise RulesError(f"options: expected a dict, got {options!r}")
        unknown_options = set(options or {}) - {"position"}
        if unknown_options:
            raise RulesError(f"options: expected only 'position', got {', '.join(sorted(map(repr, unknown_options)))}")
        super().reset(seed=seed)
        if seed is not None:
            self._seed(first_seed(self.np_random))
        self._illegal_actions = 0
        self._start((options or {}).get("position"))
        self._is_running = True
        if self.render_mode == "human":
            self.render()
        return self._observe(), self._info()

    def step(self, action: SupportsInt) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Plays the learner's move and, if the game goes on, the opponent's answer.

        Raises:
            IllegalMoveError: the action is outside the action space, no game is running, or it is illegal with `illegal="raise"`.
            AgentError: the opponent's answer is not a legal move.
        """
        move = self._checked(action)
        is_legal = self.position.is_legal(move)
        if not is_legal and self.options.illegal == "raise":
            self.position.push(move)  # raises with the reason
        self._is_running = False  # until the opponent has answered
        if not is_legal:
            self._illegal_actions += 1
            return self._observe(), -1.0, True, False, self._info(outcome="loss", termination="illegal")
        self.position.push(move)
        if not self.position.is_over:
            self._opponent_plays()
        self._is_running = not self.position.is_over
        if self.render_mode == "human":
            self.render()
        if self._is_running:
            return self._observe(), 0.0, False, False, self._info()
        reward = 0.0 if self.position.winner is None else 1.0 if self.position.winner == self.seat else -1.0
        outcome = {1.0: "win", 0.0: "draw", -1.0: "loss"}[reward]
        return self._observe(), reward, True, False, self._info(outcome=outcome, termination=self.position.termination)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns bool[actions], True for legal actions, as sb3-contrib asks for it; all True when the game is over."""
        return self._mask().astype(np.bool_)

    def render(self) -> Any:
        """Returns the drawing of `render_mode`: text for "ansi", uint8[height, width, 3] for "rgb_array"; "human" shows it in a window.

        Raises:
            MissingExtraError: "human" without the extra `render`.
        """
        from .drawing import rendering

        if self.render_mode is None:
            gymnasium.logger.warn('render() needs a render mode: gymnasium.make(..., render_mode="rgb_array")')
            return None
        if self.render_mode == "ansi":
            return rendering.draw_text(self.position, self.seat)
        image = rendering.draw_image(self.position)
        if self.render_mode == "rgb_array":
            return image
        self._window = self._window or rendering.Window(self.game.name)
        self._window.show(image)
        return None

    def close(self) -> None:
        """Closes the window, if there is one, and ends the opponents' programs."""
        close_programs(self.opponents)
        if self._window is not None:
            self._window.close()
            self._window = None

    @property
    def spec(self) -> EnvSpec | None:
        """What `gymnasium.make` made this from. A model as opponent is replaced by its agent, so that copies share it."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:  # pyright: ignore[reportIncompatibleVariableOverride] - Gymnasium's is a variable
        if spec is not None and "opponent" in spec.kwargs:
            spec.kwargs["opponent"] = self._opponents.without_models(spec.kwargs["opponent"])
        self._spec = spec

    def _checked(self, action: SupportsInt) -> int:
        """Returns the action as an int, if there is such an action and a game to play it in."""
        move = whole_number(action)
        if move is None or not 0 <= move < self.game.action_count:
            remedy = f"; env.unwrapped.position.read_move({action!r}) returns it" if isinstance(action, str) else ""
            raise IllegalMoveError(f"action: expected a whole number from 0 to {self.game.action_count - 1}, got {action!r}{remedy}")
        if not self._is_running:
            is_over = self.position.is_over or self._illegal_actions
            raise IllegalMoveError(
                f"action {move}: expected reset() before the next step, as {'the game is over' if is_over else 'no game is running'}"
            )
        return move

    def _observe(self) -> NDArray[np.int8]:
        return observe(self.position, self.seat)

    def _mask(self) -> NDArray[np.int8]:
        return np.ones(self.game.action_count, np.int8) if self._illegal_actions else action_mask(self.position)

    def _info(self, **end: Any) -> dict[str, Any]:
        return {
            "action_mask": self._mask(),
            "seat": self.seat,
            "opponent": self._opponents.index,
            "ply": self.position.ply,
            "opponent_move": self._opponent_move,
            "illegal_actions": self._illegal_actions,
            **({"opponent_analysis": self._opponents.analysis} if self.options.opponent_info else {}),
            **end,
        }

    def __getstate__(self) -> dict[str, Any]:
        return {name: None if name in self._dropped else value for name, value in self.__dict__.items()}
