"""Connect-K, Connect Four and tic-tac-toe as Gymnasium environments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board_env import BoardEnv
from .game import Game

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import EnvKeywords


class ConnectKEnv(BoardEnv):
    """Connect-K: k or more of one's stones in a row win.

    ## Description
    Two sides place stones on a board of `width` x `height` cells in turn. With gravity a stone falls to the lowest empty cell of its
    column. A row of k or more along a row, column or diagonal wins; a full board without one is a draw. The defaults are those of a
    course tournament.

    ## Action space
    `Discrete(width)` with gravity: the column. `Discrete(width * height)` without: the cell, row * width + column, row 0 at the bottom.

    ## Observation space
    `Box(0, 1, (2, height, width), int8)`, row 0 at the bottom. Plane 0: the learner's stones; plane 1: the opponent's.

    ## Rewards
    1 for a win, -1 for a loss, 0 otherwise. The loss is paid also when it is the opponent's answer that ends the game.

    ## Starting state
    The empty board, after `opening_plies` random moves; as `seat` says, the opponent may have moved already.

    ## Episode end
    A row of k ("line"), a full board ("full"), or an illegal action ("illegal", if `illegal="lose"`). Never truncated.

    ## Arguments
    width, height: 1 to 20. k: 1 to the larger side. gravity: True or False. The others are those of `BoardEnv`.

    ## References
    V. Allis (1994) and C.-Y. Hsu et al. (2020) for solved boards.

    ## Version history
    v0: first version.
    """

    def __init__(self, width: int = 9, height: int = 7, k: int = 5, gravity: bool = False, **options: Unpack[EnvKeywords]) -> None:
        """Sets up the board; `options` are those of `BoardEnv`.

        Raises:
            RulesError: no such board, or an argument out of its range.
            AgentError: no such opponent.
        """
        super().__init__(Game("sparring/ConnectK-v0", width=width, height=height, k=k, gravity=gravity), **options)


class ConnectFourEnv(BoardEnv):
    """Connect Four: four in a row on seven columns of six cells.

    ## Description
    Two sides drop stones into the columns in turn; a stone falls to the lowest empty cell of its column. Four or more in a row along a
    row, column or diagonal win, and a full board without them is a draw. This is `ConnectKEnv` with width 7, height 6, k 4 and gravity.

    ## Action space
    `Discrete(7)`: the column, from the left.

    ## Observation space
    `Box(0, 1, (2, 6, 7), int8)`, row 0 at the bottom. Plane 0: the learner's stones; plane 1: the opponent's.

    ## Rewards
    1 for a win, -1 for a loss, 0 otherwise. The loss is paid also when it is the opponent's answer that ends the game.

    ## Starting state
    The empty board, after `opening_plies` random moves; as `seat` says, the opponent may have moved already.

    ## Episode end
    Four in a row ("line"), a full board ("full"), or an illegal action ("illegal", if `illegal="lose"`). Never truncated.

    ## Arguments
    Those of `BoardEnv`.

    ## References
    J. D. Allen and V. Allis (1988) solved it: the first player wins in the centre column.

    ## Version history
    v0: first version.
    """

    def __init__(self, **options: Unpack[EnvKeywords]) -> None:
        """Sets up the board; `options` are those of `BoardEnv`."""
        super().__init__(Game("sparring/ConnectFour-v0"), **options)


class TicTacToeEnv(BoardEnv):
    """Tic-tac-toe: three in a row on a board of three by three.

    ## Description
    Two sides place stones on the board in turn. Three in a row along a row, column or diagonal win, and a full board without them is a
    draw. This is `ConnectKEnv` with width, height and k 3, without gravity.

    ## Action space
    `Discrete(9)`: the cell, row * 3 + column, row 0 at the bottom.

    ## Observation space
    `Box(0, 1, (2, 3, 3), int8)`, row 0 at the bottom. Plane 0: the learner's stones; plane 1: the opponent's.

    ## Rewards
    1 for a win, -1 for a loss, 0 otherwise. The loss is paid also when it is the opponent's answer that ends the game.

    ## Starting state
    The empty board, after `opening_plies` random moves; as `seat` says, the opponent may have moved already.

    ## Episode end
    Three in a row ("line"), a full board ("full"), or an illegal action ("illegal", if `illegal="lose"`). Never truncated.

    ## Arguments
    Those of `BoardEnv`.

    ## References
    A draw with best play; 255,168 games in all.

    ## Version history
    v0: first version.
    """

    def __init__(self, **options: Unpack[EnvKeywords]) -> None:
        """Sets up the board; `options` are those of `BoardEnv`."""
        super().__init__(Game("sparring/TicTacToe-v0"), **options)
