"""BoardEnv: a game against an opponent as a single-agent Gymnasium environment, shared by all games."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar, SupportsInt

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from numpy.typing import NDArray

from .chance import NO_MOVE, ONE, begin, draw, happens, stream_of
from .game import Game
from .observation import action_mask, observation_shape, observe
from .options import SEATS, Pool, Terms, first_seed, is_recipe, members_of, read_pool, resolve_opponent, wrong_answer
from .position import Position
from .rules.errors import IllegalMoveError, RulesError, check_choice, whole_number

OPENING_TRIES = 50


class BoardEnv(gymnasium.Env[NDArray[np.int8], np.int64]):
    """The learner plays one seat, an opponent the other; every step is the learner's move and the opponent's answer.

    The environments of the games (`ConnectKEnv`, `GomokuEnv`, `IsolaEnv`) document their spaces and rules; what they share is here.

    Rewards: 1 for a win, 0 for a draw or while the game goes on, -1 for a loss, also when the opponent's answer ends the game.

    Info, after `reset` and every `step`:
        action_mask: int8[actions], 1 for legal actions; all ones at the end.
        seat: the learner's side, 0 or 1.
        opponent: which of a pool of opponents plays this game; 0 without a pool.
        ply: moves made in the game so far.
        opponent_move: the opponent's last move as an action, -1 if it has not moved yet.
        illegal_actions: illegal actions of this episode, 0 or 1.
        outcome: at the end "win", "draw" or "loss", from the learner's view.
        termination: at the end "line", "full", "blocked" or "illegal".
        opponent_analysis: with `opponent_info`, the thinking behind the opponent's last move as a dict with the fields of `agents.Analysis`
            (move, score, depth, nodes, pv, …); None if it has not moved, its move was drawn at random, or it does not analyse.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": 4}  # noqa: RUF012 (Gymnasium's own declaration)
    _dropped: ClassVar[tuple[str, ...]] = ("_window",)  # what a copy or a pickle leaves behind

    def __init_subclass__(cls, **keywords: Any) -> None:
        """Shows the keywords of this class in the signature of a game's environment, in the place of its `**options`."""
        super().__init_subclass__(**keywords)
        if BoardEnv in cls.__bases__ and "__init__" in cls.__dict__:
            own = inspect.signature(cls.__init__)
            named = {name: each for name, each in own.parameters.items() if each.kind != each.VAR_KEYWORD}
            if len(named) < len(own.parameters):
                every = inspect.signature(BoardEnv.__init__).parameters
                shared = [each for name, each in every.items() if each.kind == each.KEYWORD_ONLY and name not in named]
                signature = own.replace(parameters=[*named.values(), *shared])
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
                returns a move; a model of Stable-Baselines3 or sb3-contrib plays as it is whenever it is asked ({"model": model,
                "deterministic": False} draws its moves). A name, a dict or a class gives each environment an opponent of its own; an
                object is shared by all environments that were given it, and copied for each game of a batch if it has a `reset`. From a
                pool one is drawn for each game; {"opponent": …, "weight": 3} in it is drawn three times as often as one without a weight.
                An opponent of its own has memory of its own: a search its `table_mib`, which are 16 for `best`, so that 200 environments
                come to 3.2 GB. The batch of `gymnasium.make_vec` has one table for each of its threads, however many its games are.
            seat: the learner's: "first", "second", "random" (drawn for each game) or "alternate" (first, second, first, …).
            illegal: what an illegal action does: "lose" ends the game as a loss, "raise" raises IllegalMoveError.
            opening_plies: random legal moves before each game, none of which ends it; fewer where the game is too short.
            opponent_epsilon: the share of the opponent's moves that is drawn at random from the legal ones, 0 to 1.
            opponent_info: put what the opponent thought into `info["opponent_analysis"]`.
            render_mode: "human" (a window, extra `render`), "rgb_array", "ansi" or None.
            unknown: is refused, with the nearest keyword that there is.

        Raises:
            RulesError: an argument is unknown or out of its range.
            AgentError: the opponent is unknown, or does not play this game.
        """
        terms = {"seat": seat, "illegal": illegal, "opening_plies": opening_plies, "opponent_epsilon": opponent_epsilon}
        self.game, self.terms = game, Terms.read(game, {**terms, "opponent_info": opponent_info, **unknown}, ("opponent", "render_mode"))
        self.render_mode = check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self._pool, self.opponents = self._resolved(opponent)
        self._next: tuple[Pool, list[Any]] | None = None  # opponents of the next game
        self.observation_space = spaces.Box(0, 1, observation_shape(game), np.int8)
        self.action_space = spaces.Discrete(game.action_count)
        self.position = Position(game)
        self.seat = 0
        self._episode = 0
        self._which = 0  # index of this game's opponent
        self._stream = stream_of()
        self._out = [0] * game.action_count
        self._is_running = False  # True from reset() to the end, or to an opponent that fails
        self._illegal_actions = 0
        self._opponent_move = NO_MOVE
        self._opponent_analysis: dict[str, Any] | None = None
        self._window: Any = None
        self._spec: EnvSpec | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Starts a game: the seat is drawn, the opening played, and the opponent moves if it is its turn.

        Args:
            seed: decides the seats, the openings and all moves of an opponent whose budget is depth or nodes, from here on.
            options: {"position": text} starts from a position given as moves or as a board text instead of an opening.

        Raises:
            RulesError: an unknown option, or a game in which the learner's seat never has a move.
            NotationError, IllegalMoveError: the position is none, or is over.
        """
        self._is_running = False
        if not isinstance(options, (dict, type(None))):  # pyright: ignore[reportUnnecessaryIsInstance] - users pass anything
            raise RulesError(f"options: expected a dict, got {options!r}")
        unknown_options = set(options or {}) - {"position"}
        if unknown_options:
            raise RulesError(f"options: expected only 'position', got {', '.join(sorted(map(repr, unknown_options)))}")
        super().reset(seed=seed)
        if seed is not None:
            begin(self._stream, first_seed(self.np_random))
            self._episode = 0
        self.seat = self._draw_seat()
        self._episode += 1
        self._illegal_actions = 0
        self._draw_opponent()
        if options and options.get("position") is not None:
            self._start_from(options["position"])
        else:
            self._start_with_opening()
        self._is_running = True
        if self.render_mode == "human":
            self.render()
        return self._observe(), self._info()

    def step(self, action: SupportsInt) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Plays the learner's move and, if the game goes on, the opponent's answer.

        Raises:
            IllegalMoveError: the action is outside the action space, no game is running, or it is illegal with `illegal="raise"`.
            AgentError: the opponent answers with what is no legal move.
        """
        move = self._checked(action)
        is_legal = self.position.is_legal(move)
        if not is_legal and self.terms.illegal == "raise":
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
        """Closes the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    @property
    def opponent(self) -> Any:
        """The opponent of this game; another one, or a pool, plays from the next game on."""
        return self.opponents[self._which]

    @opponent.setter
    def opponent(self, opponent: Any) -> None:
        self.set_opponent(opponent)

    def set_opponent(self, opponent: Any) -> None:
        """Lets an opponent, or a pool, play from the next game on.

        Raises:
            AgentError: the opponent is unknown, or does not play this game.
        """
        self._next = self._resolved(opponent)

    def _resolved(self, opponent: Any) -> tuple[Pool, list[Any]]:
        """Returns a pool and its agents, without the specs: a copy of the environment would copy a model there, which it is to share."""
        pool = read_pool(opponent)
        return pool._replace(specs=[]), [resolve_opponent(spec, self.game) for spec in pool.specs]

    @property
    def spec(self) -> EnvSpec | None:
        """What `gymnasium.make` made this from. A model as opponent is replaced by its agent, so that copies share it."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:  # pyright: ignore[reportIncompatibleVariableOverride] - Gymnasium's is a variable
        if spec is not None and "opponent" in spec.kwargs:
            members = members_of(spec.kwargs["opponent"])
            if not all(is_recipe(member) for member, _ in members):
                pool = [
                    {"opponent": member if is_recipe(member) else agent, "weight": weight}
                    for (member, weight), agent in zip(members, self.opponents, strict=True)
                ]
                spec.kwargs["opponent"] = pool if len(pool) > 1 else pool[0]["opponent"]
        self._spec = spec

    def _draw_seat(self) -> int:
        if self.terms.seat == "random":
            return draw(self._stream, 2)
        return self._episode % 2 if self.terms.seat == "alternate" else SEATS.index(self.terms.seat)

    def _draw_opponent(self) -> None:
        """Draws the opponent of a game, if there is more than one, and seeds it."""
        if self._next is not None:
            (self._pool, self.opponents), self._next, self._which = self._next, None, 0
        if len(self.opponents) > 1:
            self._which = self._pool.pick(draw(self._stream, ONE))
        seed = draw(self._stream, ONE)
        if hasattr(self.opponent, "reset"):
            self.opponent.reset(seed)

    def _start_from(self, text: str) -> None:
        """Sets the position; the opponent moves if it is its turn, and must leave the learner a move."""
        self.position = Position(self.game, text)
        if self.position.is_over:
            raise IllegalMoveError(f"position {text!r}: expected a game that goes on, got one that is over ({self.position.termination})")
        if not self._learner_can_begin():
            raise IllegalMoveError(f"position {text!r}: expected the learner to have a move, got a game that the opponent ends at once")

    def _start_with_opening(self) -> None:
        """Draws an opening after which the learner has a move; after many failures takes back moves of the last one until it has."""
        for _ in range(OPENING_TRIES):
            self.position = Position(self.game)
            self._play_opening()
            if self._learner_can_begin():
                return
        while self.position.moves:
            self.position.pop()
            if self._learner_can_begin():
                return
        raise RulesError(f"{self.game!r}: expected a game in which seat {SEATS[self.seat]!r} has a move against this opponent")

    def _play_opening(self) -> None:
        """Plays random moves that do not end the game; fewer, where all moves would."""
        for _ in range(self.terms.opening_plies):
            move = self.game.chance.random_opening_move(self.position.state, self._out, self._stream)
            if move == NO_MOVE:
                return
            self.position.push(move)

    def _learner_can_begin(self) -> bool:
        """Lets the opponent move if it is its turn; takes that move back and returns False if it leaves the learner none."""
        self._opponent_move, self._opponent_analysis = NO_MOVE, None
        if not self.position.is_over and self.position.side != self.seat:
            self._opponent_plays()
            if self.position.is_over:
                self.position.pop()
                return False
        return not self.position.is_over

    def _opponent_plays(self) -> None:
        """Lets the opponent, or chance in its place, make its move."""
        self._opponent_analysis = None
        if self.terms.epsilon and happens(self._stream, self.terms.epsilon):
            move = self.game.chance.random_move(self.position.state, self._out, self._stream)
        else:
            answer = self._ask_opponent()
            move = whole_number(answer)
            if move is None or not self.position.is_legal(move):
                raise wrong_answer(self.opponent, answer, f"ply {self.position.ply}: {self.position.notation}".rstrip(": "))
        self._opponent_move = self.position.push(move)

    def _ask_opponent(self) -> Any:
        """Returns the opponent's answer, and keeps its thinking if that is wanted and offered."""
        if not self.terms.opponent_info or not hasattr(self.opponent, "analyse"):
            return self.opponent.act(self.position.copy())
        analysis: Any = self.opponent.analyse(self.position.copy())
        self._opponent_analysis = {**vars(analysis)}
        return analysis.move

    def _checked(self, action: SupportsInt) -> int:
        """Returns the action as an int, if there is such an action and a game to play it in."""
        move = whole_number(action)
        if move is None or not 0 <= move < self.game.action_count:
            remedy = f"; env.unwrapped.position.read_move({action!r}) makes one" if isinstance(action, str) else ""
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
            "opponent": self._which,
            "ply": self.position.ply,
            "opponent_move": self._opponent_move,
            "illegal_actions": self._illegal_actions,
            **({"opponent_analysis": self._opponent_analysis} if self.terms.opponent_info else {}),
            **end,
        }

    def __getstate__(self) -> dict[str, Any]:
        return {name: None if name in self._dropped else value for name, value in self.__dict__.items()}
