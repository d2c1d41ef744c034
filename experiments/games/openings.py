"""Openings: the first moves of paired games, drawn at random or read from a file."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...agents.search.scores import is_decisive
from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules.errors import ConfigError, shown
from .formats import FORMATS
from .formats.recorded import position_after

DRAWS_FOR_A_NEW_OPENING = 1000  # random openings without a new one after which a game's openings count as used up
Opening = tuple[int, ...]
IsFair = Callable[[Position], bool]


def draw_openings(
    game: Game, plies: int, count: int, seed: int, is_fair: IsFair | None = None, show: Callable[[int], None] | None = None
) -> list[Opening]:
    """Returns random openings of legal plies that do not end the game, to different positions; they repeat once those are used up.

    The first openings are the same whatever `count` is.

    Args:
        game: what is played.
        plies: of each opening; fewer if every legal move would end the game.
        count: number of openings.
        seed: decides them.
        is_fair: tells whether a position may be used.
        show: called with the number so far.

    Raises:
        ConfigError: no fair position was found.
    """
    openings: list[Opening] = []
    seen: dict[Position, bool] = {}  # whether each drawn position is fair
    for number in range(count):
        opening = _new_opening(game, plies, random.Random(f"{seed} {number}"), seen, is_fair)
        if opening is None:
            break
        openings.append(opening)
        if show:
            show(len(openings))
    if count and not openings:
        raise ConfigError(
            f"openings: found no position after {plies} random plies in which neither side is lost; try another judge or number of plies"
        )
    return [openings[number % len(openings)] for number in range(count)]


def _new_opening(game: Game, plies: int, choice: random.Random, seen: dict[Position, bool], is_fair: IsFair | None) -> Opening | None:
    """Returns an opening to a fair position that was not drawn before, or None if none seems left."""
    for _ in range(DRAWS_FOR_A_NEW_OPENING):
        position = random_opening(game, plies, choice)
        if position not in seen:
            seen[position] = is_fair is None or is_fair(position)
            if seen[position]:
                return tuple(position.moves)
    return None


def random_opening(game: Game, plies: int, choice: random.Random) -> Position:
    """Returns a position after some random plies, fewer if every legal move would end the game."""
    position = Position(game)
    for _ in range(plies):
        candidates = position.legal_moves
        choice.shuffle(candidates)
        if not any(_goes_on_after(position, move) for move in candidates):
            break
    return position


def _goes_on_after(position: Position, move: int) -> bool:
    """Plays a move and returns True; takes it back and returns False if it ends the game."""
    position.push(move)
    if position.is_over:
        position.pop()
        return False
    return True


def judged_by(agent: Any) -> IsFair:
    """Returns a function that tells whether neither side is lost in a position, judged by a search."""

    def is_fair(position: Position) -> bool:
        agent.reset(0)
        return not is_decisive(agent.analyse(position).score)

    return is_fair


def read_openings(path: Path, game: Game) -> list[Opening]:
    """Returns the openings of a file of games; one without the suffix of another format has a line of moves for each.

    Raises:
        ConfigError: the file cannot be read, has no opening, or has one that is not a sequence of legal moves after which the game goes on.
    """
    records = FORMATS.get(path.suffix.lower(), FORMATS[".txt"]).read(path, game)
    if not records:
        raise ConfigError(f"{path}: expected a line of moves for each opening, got none")
    for record in records:
        position = position_after(record)
        if position.is_over or not record.moves:
            raise ConfigError(f"{path}:{record.line}: expected moves after which the game goes on, got {shown(position.notation)}")
    return [record.moves for record in records]
