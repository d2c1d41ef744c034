"""The greedy player: one ply of foresight for itself and one for its opponent."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from types import ModuleType

from ..envs.position import Position
from ..envs.rules.interface import RUNNING, WON
from ..envs.rules.state import State
from .agent import Analysis, check_running


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
        self._random = random.Random(seed)

    def act(self, position: Position) -> int:
        """Returns a winning move, else one after which the opponent cannot win at once, else any."""
        check_running(position)
        rules, state, moves = position.game.rules, position.state.copy(), position.legal_moves
        wins = [move for move in moves if wins_at_once(rules, state, move)]
        if wins:
            return self._random.choice(wins)
        self._random.shuffle(moves)  # the first that blocks is then as likely as any other
        return moves[0] if (block := first_block(rules, state, moves)) is None else block

    def analyse(self, position: Position) -> Analysis:
        """Returns the move, without a score."""
        return Analysis(self.act(position), depth=1)


def wins_at_once(rules: ModuleType, state: State, move: int) -> bool:
    """Tells whether a legal move wins the game; the state is left as it was."""
    rules.play(state, move)
    is_win = state.status == WON
    rules.undo(state, move)
    return is_win


def first_block(rules: ModuleType, state: State, moves: list[int]) -> int | None:
    """Returns the first of the legal moves after which the opponent has no winning move, or None.

    What refuted one move mostly refutes the next one too, so known refutations are tried before all replies are.
    """
    refutations: list[int] = []
    out = [0] * rules.action_count(state)
    for move in moves:
        rules.play(state, move)
        is_refuted = state.status == RUNNING and (
            any(rules.is_legal(state, reply) and wins_at_once(rules, state, reply) for reply in refutations)
            or _refutes(rules, state, out, refutations)
        )
        rules.undo(state, move)
        if not is_refuted:
            return move
    return None


def _refutes(rules: ModuleType, state: State, out: list[int], refutations: list[int]) -> bool:
    """Tells whether the side to move wins at once, and remembers with what."""
    for reply in out[: rules.moves(state, out, 0)]:
        if wins_at_once(rules, state, reply):
            refutations.append(reply)
            return True
    return False
