"""What both ends of the Gomocup protocol share: the rules by their bits, and how cells are written.

A cell is written `x,y`: the column from the left and the row from the top, both from 0.

Source: the text of the protocol by P. Laštovička and M. Petříček, "Gomoku AI protocol", plastovicka.github.io/protocl2en.htm.
"""

from __future__ import annotations

from ..envs.game import Game
from ..envs.rules.errors import NotationError

OWN, OPPONENT = 1, 2  # whose a stone is, as the protocol writes it
EXACT, RENJU, CARO = 1, 4, 8  # bits of a manager's rule; 2 is for continuous games, which are not played here
GOMOKU_RULES = {0: "freestyle", EXACT: "standard", RENJU: "renju", CARO: "caro"}
FIVE = 5


def cell_at(game: Game, x: int, y: int) -> int:
    """Returns the cell of a column from the left and a row from the top.

    Raises:
        NotationError: it is not on the board.
    """
    if not (0 <= x < game.width and 0 <= y < game.height):
        raise NotationError(f"expected a cell from 0,0 to {game.width - 1},{game.height - 1}, got {x},{y}")
    return (game.height - 1 - y) * game.width + x


def cell_text(game: Game, cell: int) -> str:
    """Returns a cell as a manager writes it."""
    return f"{cell % game.width},{game.height - 1 - cell // game.width}"


def rule_of(game: Game) -> int | None:
    """Returns the bits of a game's rule; None for games that are not played by this protocol."""
    parameters = game.parameters
    if game.kind.name == "gomoku":
        return next(bits for bits, rule in GOMOKU_RULES.items() if rule == parameters["rule"])
    is_five = game.kind.name == "connect_k" and parameters["k"] == FIVE and not parameters["gravity"]
    return 0 if is_five else None
