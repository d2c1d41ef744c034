"""The options that all environments, single or in a batch, take beside the parameters of their game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypedDict

import numpy as np

from .chance import BITS_62, PROBABILITY_ONE
from .game import Game
from .rules.errors import IllegalMoveError, RulesError, check_choice, check_share, check_whole, unknown

SEATS = ("first", "second", "random", "alternate")
ILLEGAL = ("lose", "raise")


class EnvKeywords(TypedDict, total=False):
    """The keywords that every environment takes beside the parameters of its game; `BoardEnv` describes them."""

    opponent: Any
    seat: str
    illegal: str
    opening_plies: int
    opponent_epsilon: float
    opponent_info: bool
    render_mode: str | None


@dataclass(frozen=True)
class EnvOptions:
    """The options that are the same in all games of an environment; `BoardEnv` describes them."""

    seat: str = "first"
    illegal: str = "lose"
    opening_plies: int = 0
    opponent_epsilon: float = 0.0
    opponent_info: bool = False

    @classmethod
    def read(cls, game: Game, keywords: Mapping[str, Any], others: tuple[str, ...]) -> EnvOptions:
        """Returns checked options.

        Args:
            game: what is played.
            keywords: the options by their names.
            others: the environment's other keywords, for the message about an unknown one.

        Raises:
            RulesError: an option is unknown or out of its range.
        """
        for name in keywords:
            if name not in OPTION_NAMES:
                raise RulesError(f"{game.name}: {unknown('argument', name, [*Game.free_parameters(game.id), *others, *OPTION_NAMES])}")
        options = cls(**keywords)
        return cls(
            check_choice("seat", options.seat, SEATS),
            check_choice("illegal", options.illegal, ILLEGAL),
            check_whole("opening_plies", options.opening_plies, 0, game.action_count * 4),
            check_share("opponent_epsilon", options.opponent_epsilon),
            check_choice("opponent_info", options.opponent_info, (False, True)),
        )

    @property
    def epsilon(self) -> int:
        """The probability of a random move of the opponent, in units of 1 / PROBABILITY_ONE."""
        return round(self.opponent_epsilon * PROBABILITY_ONE)


OPTION_NAMES = tuple(field.name for field in fields(EnvOptions))


def first_seed(generator: np.random.Generator) -> int:
    """Returns the number from which an environment's stream begins, drawn from the generator that Gymnasium has seeded."""
    return int(generator.integers(BITS_62, endpoint=True))


def over_at_start(text: str, termination: str | None) -> IllegalMoveError:
    """Returns the error for a start from a position in which the game is over."""
    return IllegalMoveError(f"position {text!r}: expected a game that goes on, got one that is over ({termination})")


def no_move_from(text: str) -> IllegalMoveError:
    """Returns the error for a start from a position in which the opponent moves first and ends the game."""
    return IllegalMoveError(f"position {text!r}: expected the learner to have a move, but the opponent's first move ends the game")


def no_move_for(seat: str, game: Game) -> RulesError:
    """Returns the error for a game that ends before a seat's first move, whatever the opening."""
    return RulesError(f"{game!r}: seat {seat!r} never gets a move against this opponent")
