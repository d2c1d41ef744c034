"""Monte Carlo tree search as an agent, for every kind of game."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field

from ..envs.game import Game
from ..envs.position import Position
from .agent import MOST_MIB, MOST_SECONDS, Analysis, check_running, parameter
from .search.limits import Limits
from .search.mcts_searcher import MctsSearcher
from .tree_agent import TreeAgent

DEFAULT_SIMULATIONS = 1000


@dataclass
class MctsAgent(TreeAgent[MctsSearcher]):
    """UCT with random rollouts, proven values, and a tree that is kept during the game.

    The score is the mean result of the move from -1000 (lost) over 0 (drawn) to 1000 (won); -1000 and 1000 stand for proven results only.
    The nodes are the simulations made for this move, the depth is the length of the line.

    With a limit of simulations the answer depends on the position, the parameters and the seed alone, and with `reuse` also on the
    positions asked for since the last reset. A position asked for again gets the same answer at once.
    """

    simulations: int | None = parameter(
        None, "simulations of the position, those kept from earlier moves included; 1000 if no limit is given", low=1, high=10**9
    )
    seconds: float | None = parameter(None, "time to think at most; not reproducible", low=0, high=MOST_SECONDS)
    exploration: float = parameter(0.7, "constant of the confidence bound: higher looks at more moves, lower deeper", low=0, high=100)
    tree_mib: int = parameter(64, "size of the tree in MiB; when it is full, it grows no more", low=1, high=MOST_MIB)
    reuse: bool = parameter(True, "keep the tree below the moves that are played; it begins anew where a position does not follow")
    name: str = field(default="mcts", init=False)

    def __post_init__(self) -> None:
        is_unlimited = self.simulations is None and self.seconds is None
        self._limits = Limits(nodes=DEFAULT_SIMULATIONS if is_unlimited else self.simulations, seconds=self.seconds)
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        """Seeds the rollouts, None with a seed drawn by chance, and drops the tree."""
        with self._lock:
            self._seed = random.Random(seed).getrandbits(63)
            self._forget_tree()

    def act(self, position: Position) -> int:
        """Returns the move that the simulations favour."""
        return self.analyse(position).move

    def analyse(self, position: Position) -> Analysis:
        """Returns the move that the simulations favour, its score and the line of favoured moves."""
        begin = time.perf_counter()
        check_running(position)
        with self._lock:
            found = self._searcher_of(position.game).search(position, self._limits, begin, seed=self._seed)
        return Analysis(**found._asdict())

    def _new_searcher(self, game: Game) -> MctsSearcher:
        return MctsSearcher(game, self.exploration, self.tree_mib, self.reuse)
