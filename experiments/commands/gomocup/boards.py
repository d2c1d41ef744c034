"""The games of a manager's boards and rules, and positions from their stones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ....agents.gomocup import FIVE, GOMOKU_RULES, OPPONENT, OWN
from ....envs.game import Game
from ....envs.position import Position
from ....envs.rules.errors import NotationError, RulesError, shown
from ....envs.rules.notation import board_text

NUMBER = r"\s*(-?\d{1,18})\s*"  # longer ones are no time, memory or cell


def game_of(width: int, height: int, rule: int) -> Game:
    """Returns the game that a manager means by a board and a rule: Gomoku on a square board, else Connect-K with five in a row.

    Raises:
        RulesError: there is no such game in this package.
    """
    if width == height:
        if rule not in GOMOKU_RULES:
            raise RulesError(f"rule: expected one of {', '.join(map(str, GOMOKU_RULES))}, got {rule}")
        return Game.of("Gomoku", size=width, rule=GOMOKU_RULES[rule])
    if rule:
        raise RulesError(f"rule: expected 0 on a board of {width}x{height}, which is not square, got {rule}")
    return Game.of("ConnectK", width=width, height=height, k=FIVE, gravity=False)


def read_numbers(text: str, count: int) -> list[int]:
    """Returns whole numbers that are separated by commas.

    Raises:
        NotationError: the text is not that many numbers.
    """
    match = re.fullmatch(",".join([NUMBER] * count), text, re.ASCII)
    if match is None:
        example = ",".join(["7", "7", "1"][:count])
        raise NotationError(f"expected {'a number' if count == 1 else f'{count} numbers'} such as {example}, got {shown(text)}")
    return [int(number) for number in match.groups()]


def position_of(game: Game, stones: Mapping[int, int]) -> Position:
    """Returns the position of some stones in which our side is to move.

    We are the second side if the opponent has more stones than we, else the first. Stones of one side that are too many for sides that
    take turns are placed last, each as if the other side had passed.

    Args:
        game: what is played.
        stones: OWN or OPPONENT by cell.

    Raises:
        NotationError: the game was over before.
    """
    own, opponent = ([cell for cell, owner in stones.items() if owner == side] for side in (OWN, OPPONENT))
    side = int(len(opponent) > len(own))
    first, second = (opponent, own) if side else (own, opponent)
    fitting = len(second) + side
    board: Any = game.initial()
    board.side = side
    for owner, cells in enumerate((first[:fitting], second), start=1):
        for cell in cells:
            board.cells[cell] = owner
    position = Position(game, board_text(board))
    for cell in first[fitting:]:
        if side:
            game.rules.skip(position.state)
        game.rules.play(position.state, cell)
        if not side:
            game.rules.skip(position.state)
        if position.is_over:
            break
    return position
