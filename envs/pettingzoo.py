"""The games with two learners: PettingZoo AEC environments (extra `pettingzoo`).

>>> from sparring.envs import pettingzoo
>>> env = pettingzoo.env("TicTacToe")
>>> env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.last()
>>> env.agent_selection, observation["action_mask"].sum().item()
('player_0', 9)
>>> env.step(4)
>>> env.last()[0]["observation"][:, 1].tolist()  # the middle row, as player_1 sees it
[[0, 0, 0], [0, 1, 0]]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .game import Game
from .observation import observation_shape
from .options import OPTION_NAMES
from .position import Position
from .rules.errors import IllegalMoveError, RulesError, check_choice, check_whole, extra, whole_number

with extra("pettingzoo", "sparring.envs.pettingzoo"):
    from pettingzoo import AECEnv

PLAYERS = "player_0", "player_1"  # who moves first, and the other
MOST_CYCLES = 2**31

Observation = dict[str, NDArray[np.int8]]


def env(
    id: str | Game, *, render_mode: str | None = None, max_cycles: int | None = None, illegal: str = "lose", **parameters: Any
) -> TwoPlayerEnv:
    """Returns the environment of a game for two learners.

    Args:
        id: a Gymnasium id, a short name, with its parameters ("ConnectK:width=5,height=5,k=4") or without, or a Game.
        render_mode: "human" (a window, extra `render`), "rgb_array", "ansi" or None.
        max_cycles: moves after which a game is truncated; None for no limit.
        illegal: what an illegal action does: "lose" ends the game, with -1 for its player and 1 for the other; "raise" raises
            IllegalMoveError.
        parameters: of the game.

    Raises:
        UnknownGameError, RulesError: no such game, or an argument out of its range, or one for an opponent.
        MissingExtraError: PettingZoo is not installed.
    """
    for name in parameters.keys() & {"opponent", *OPTION_NAMES}:
        raise RulesError(f"{name}: not available with two learners; use gymnasium.make for a game against an opponent")
    return TwoPlayerEnv(Game.of(id, **parameters), render_mode, max_cycles, illegal)


class TwoPlayerEnv(AECEnv[str, Any, Any]):
    """Two learners move in turn: `player_0` first.

    Action space: as in the game's Gymnasium environment.

    Observation space: a dict of `observation`, int8[planes, height, width] of 0 and 1 as that player sees the board (see
    `Position.observation`), and `action_mask`, int8[actions], 1 for legal actions, all zero for a player who is not to move.

    Rewards: 1 and -1 at a win, 0 and 0 at a draw; -1 for an illegal action, and 1 for the other player.

    Infos: at the end `termination`, "line", "full", "blocked" or "illegal".
    """

    def __init__(self, game: Game, render_mode: str | None, max_cycles: int | None, illegal: str) -> None:
        """Sets up the environment; for arguments and errors see `env`."""
        super().__init__()
        self.game = game
        self.metadata = {
            "name": f"{game.name}-v0",
            "render_modes": ["human", "rgb_array", "ansi"],
            "is_parallelizable": False,
            "render_fps": 4,
        }
        self.render_mode = check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.max_cycles = None if max_cycles is None else check_whole("max_cycles", max_cycles, 1, MOST_CYCLES)
        self.illegal = check_choice("illegal", illegal, ("lose", "raise"))
        self.possible_agents = list(PLAYERS)
        self.agents = []
        planes = spaces.Box(0, 1, observation_shape(game), np.int8)
        mask = spaces.Box(0, 1, (game.action_count,), np.int8)
        self.observation_spaces = {player: spaces.Dict({"observation": planes, "action_mask": mask}) for player in PLAYERS}
        self.action_spaces = {player: spaces.Discrete(game.action_count) for player in PLAYERS}
        self.position = Position(game)
        self._opening = 0  # moves of the position from which the game began
        self._window: Any = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the observation space of a player, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the action space of a player, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game.

        Args:
            seed: part of PettingZoo's interface; has no effect, as the games have no chance.
            options: {"position": text} starts from a position given as moves or as a board text; others are ignored, as PettingZoo's
                checks pass some.

        Raises:
            NotationError, IllegalMoveError: the text is not a position, or the game is over in it.
        """
        position = Position(self.game, (options or {}).get("position") or "")
        if position.is_over:
            reason = f"{position.termination}: {position.text}"
            raise IllegalMoveError(f"options: position: expected a game that goes on, got one that is over ({reason})")
        self.position, self._opening = position, len(position.moves)
        self.agents = list(PLAYERS)
        self.rewards, self._cumulative_rewards = dict.fromkeys(PLAYERS, 0.0), dict.fromkeys(PLAYERS, 0.0)
        self.terminations, self.truncations = dict.fromkeys(PLAYERS, False), dict.fromkeys(PLAYERS, False)
        self.infos = {player: {} for player in PLAYERS}
        self.agent_selection = PLAYERS[position.side]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Returns what a player sees, and which actions it may take now."""
        seat = PLAYERS.index(agent)
        is_to_move = self.agent_selection == agent and not self.position.is_over and not self.terminations.get(agent, True)
        mask = self.position.mask if is_to_move else np.zeros(self.game.action_count, np.int8)
        return {"observation": self.position.observation(seat), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Plays an action of the player to move; None if that player's game is over.

        Raises:
            IllegalMoveError: no game is running, the action is outside the action space, or it is illegal with `illegal="raise"`.
        """
        if not self.agents:
            raise IllegalMoveError(f"action {action!r}: expected reset() before the next step, as no game is running")
        player = self.agent_selection
        if self.terminations[player] or self.truncations[player]:
            self._was_dead_step(action)
            return
        move = whole_number(action)
        if move is None or not 0 <= move < self.game.action_count:
            raise IllegalMoveError(f"action: expected a whole number from 0 to {self.game.action_count - 1}, got {action!r}")
        is_legal = self.position.is_legal(move)
        if is_legal or self.illegal == "raise":
            self.position.push(move)  # raises with the reason
        self._cumulative_rewards[player] = 0.0
        self._settle(PLAYERS.index(player), is_legal)
        self.agent_selection = PLAYERS[1 - PLAYERS.index(player)]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _settle(self, mover: int, is_legal: bool) -> None:
        """Sets rewards, ends and infos after an action of a seat."""
        position = self.position
        winner = position.winner if is_legal else 1 - mover
        is_over = position.is_over or not is_legal
        is_cut = not is_over and self.max_cycles is not None and len(position.moves) - self._opening >= self.max_cycles
        for seat, player in enumerate(PLAYERS):
            self.rewards[player] = 0.0 if winner is None or not is_over else 1.0 if winner == seat else -1.0
            self.terminations[player], self.truncations[player] = is_over, is_cut
            if is_over:
                self.infos[player] = {"termination": position.termination if is_legal else "illegal"}

    def render(self) -> Any:
        """Returns the drawing of `render_mode`: text for "ansi", uint8[height, width, 3] for "rgb_array"; "human" shows it in a window.

        Raises:
            MissingExtraError: "human" without the extra `render`.
        """
        from .drawing import rendering

        if self.render_mode in (None, "ansi"):
            return None if self.render_mode is None else rendering.draw_text(self.position)
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

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}
