"""Isola as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .board_env import BoardEnv
from .game import Game

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import EnvKeywords


class IsolaEnv(BoardEnv):
    """Isola: two pieces on a board whose squares disappear; the side that cannot move loses.

    ## Description
    In turn each side moves its piece and a square disappears. A side that cannot move on its turn has lost; there are no draws. The presets
    of `rules` are "queen" (8x8, queen's moves, the vacated square goes), "classic" (Ravensburger 1972: 8x6, a king's step, then any
    unoccupied square but the start squares goes), "sevens" and "nines" (7x7 and 9x9, a king's step, any square), "knight" and
    "knight_wide" (7x7 and 11x9, a knight's jump, the vacated square, pieces placed freely). The other arguments replace parts of a
    preset.

    ## Action space
    Where the vacated square disappears, `Discrete(width * height)`: the destination, row * width + column, row 0 at the bottom. Where any
    square may, `Discrete(8 * width * height)`: direction * squares + removed square, directions clockwise from north (for a knight from
    NNE), north being away from row 0; if nothing can be removed, the destination counts as the removed square. (With queen's moves and
    free removal, 8 is 8 * the longest distance, and the step direction + 8 * (distance - 1).) A placement is its square.

    ## Observation space
    `Box(0, 1, (3, height, width), int8)`, row 0 at the bottom. Plane 0: the learner's piece; plane 1: the opponent's; plane 2: gone
    squares.

    ## Rewards
    1 for a win, -1 for a loss, 0 otherwise. The loss is paid also when it is the opponent's answer that ends the game.

    ## Starting state
    The pieces on their start squares (or none placed), after `opening_plies` random moves; as `seat` says, the opponent may have moved
    already.

    ## Episode end
    The side to move cannot move ("blocked"), or an illegal action ("illegal", if `illegal="lose"`). Never truncated.

    ## Arguments
    rules: a preset. width, height: 1 to 15. step: "king", "queen" or "knight". removal: "vacated" or "any". starts: "corners",
    "left_right", "bottom_top", "none" or two squares such as ["a3", "h4"]. fixed: the start squares never disappear. The others are those
    of `BoardEnv`.

    ## References
    Isola (Ravensburger, 1972; B. Schneider); the "queen" rules are an assignment of Columbia's artificial intelligence course W4701.

    ## Version history
    v0: first version.
    """

    def __init__(
        self,
        rules: str = "queen",
        width: int | None = None,
        height: int | None = None,
        step: str | None = None,
        removal: str | None = None,
        starts: str | Sequence[str] | None = None,
        fixed: bool | None = None,
        **options: Unpack[EnvKeywords],
    ) -> None:
        """Sets up the board; `options` are those of `BoardEnv`.

        Raises:
            RulesError: no such board, or an argument out of its range.
            AgentError: no such opponent.
        """
        parts = {"width": width, "height": height, "step": step, "removal": removal, "starts": starts, "fixed": fixed}
        super().__init__(Game("sparring/Isola-v0", rules=rules, **parts), **options)
