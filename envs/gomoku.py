"""Gomoku as a Gymnasium environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board_env import BoardEnv
from .game import Game

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import EnvKeywords


class GomokuEnv(BoardEnv):
    """Gomoku: five of one's stones in a row win.

    ## Description
    Two sides place stones on a square board in turn. `freestyle`: five or more in a row win. `standard`: exactly five win, a longer
    row does not. `caro`: exactly five win unless the other side has a stone at both ends of the row; the edge does not count. `renju`:
    exactly five win for side 0, five or more for side 1, and side 0 may make no overline (six or more), no double four and no double
    three, unless the move makes a five; such a move is an illegal action. A three counts if it can become a straight four with a legal
    move. A full board without a winner is a draw, and so is a game in which side 0 has forbidden moves only.

    ## Action space
    `Discrete(size * size)`: the cell, row * size + column, row 0 at the bottom.

    ## Observation space
    `Box(0, 1, (2, size, size), int8)`, row 0 at the bottom. Plane 0: the learner's stones; plane 1: the opponent's.

    ## Rewards
    1 for a win, -1 for a loss, 0 otherwise. The loss is paid also when it is the opponent's answer that ends the game.

    ## Starting state
    The empty board, after `opening_plies` random moves; as `seat` says, the opponent may have moved already.

    ## Episode end
    Five in a row ("line"), a full board ("full"), forbidden moves only ("forbidden"), or an illegal action ("illegal", if
    `illegal="lose"`). Never truncated.

    ## Arguments
    size: 5 to 20. rule: "freestyle", "standard", "caro" or "renju". The others are those of `BoardEnv`.

    ## References
    V. Allis, "Searching for Solutions in Games and Artificial Intelligence" (1994): the first player wins freestyle on 15x15.
    Renju International Federation, "The International Rules of Renju" (1996); openings, and the first move in the centre, are left out.

    ## Version history
    v0: first version.
    """

    def __init__(self, size: int = 15, rule: str = "freestyle", **options: Unpack[EnvKeywords]) -> None:
        """Sets up the board; `options` are those of `BoardEnv`.

        Raises:
            RulesError: no such board, or an argument out of its range.
            AgentError: no such opponent.
        """
        super().__init__(Game("sparring/Gomoku-v0", size=size, rule=rule), **options)
