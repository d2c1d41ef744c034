"""The random player: the lowest rung of every ladder."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from ..envs.position import Position
from .agent import Analysis, check_running


@dataclass
class RandomAgent:
    """Plays a random legal move, each as likely as the others; equal seeds give equal moves."""

    name: str = field(default="random", init=False)

    def __post_init__(self) -> None:
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        """Seeds the draws; None draws a seed."""
        self._random = random.Random(seed)

    def act(self, position: Position) -> int:
        """Returns a random legal move."""
        check_running(position)
        return self._random.choice(position.legal_moves)

    def analyse(self, position: Position) -> Analysis:
        """Returns a move without any thought."""
        return Analysis(self.act(position))
