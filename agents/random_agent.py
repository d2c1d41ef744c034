"""The random player: the lowest rung of every ladder."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..envs.batch.batch_opponent import BatchOpponent, room_for_moves
from ..envs.chance import stream_of
from ..envs.game import Game
from ..envs.position import Position
from .agent import Analysis, check_running
from .search import random_move


@dataclass
class RandomAgent:
    """Plays a random legal move, each as likely as the others; equal seeds give equal moves."""

    name: str = field(default="random", init=False)

    def __post_init__(self) -> None:
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        """Seeds the draws; None draws a seed."""
        self._stream = stream_of(seed)

    def act(self, position: Position) -> int:
        """Returns a random legal move."""
        check_running(position)
        out = [0] * position.game.action_count
        return position.game.chance.random_move(position.state, out, self._stream)

    def analyse(self, position: Position) -> Analysis:
        """Returns a move without any thought."""
        return Analysis(self.act(position))

    def batch_opponent(self, game: Game) -> BatchOpponent:
        """Returns how it plays inside a batch."""
        return BatchOpponent(random_move, room_for_moves)
