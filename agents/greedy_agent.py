"""The greedy player: one ply of foresight for itself and one for its opponent."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..envs import compiled
from ..envs.batch.batch_opponent import BatchOpponent, room_for_moves
from ..envs.chance import stream_of
from ..envs.game import Game
from ..envs.position import Position
from ..envs.rules import interface as rules_interface
from .agent import Analysis, check_running
from .search import greedy


@dataclass
class GreedyAgent:
    """Wins if it can, blocks if it must, and otherwise plays a random legal move.

    A move wins if it ends the game at once in the mover's favour. It blocks if afterwards the opponent cannot win at once; if no move
    wins, it is drawn from the moves that block, and from all when none does.
    """

    name: str = field(default="greedy", init=False)

    def __post_init__(self) -> None:
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        """Seeds the draws; None draws a seed."""
        self._stream = stream_of(seed)

    def act(self, position: Position) -> int:
        """Returns a winning move, else one after which the opponent cannot win at once, else any."""
        check_running(position)
        kernels = compiled.bind_plain(greedy, (rules_interface, position.game.rules))
        return kernels.answer(position.state.copy(), [0] * (2 * position.game.action_count), self._stream)

    def analyse(self, position: Position) -> Analysis:
        """Returns the move, without a score."""
        return Analysis(self.act(position), depth=1)

    def batch_opponent(self, game: Game) -> BatchOpponent:
        """Returns how it plays inside a batch."""
        return BatchOpponent(greedy, room_for_moves)
