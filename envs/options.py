"""The terms on which a learner plays: what all environments, single or in a batch, take beside the parameters of their game."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypedDict, cast

import numpy as np

from .chance import BITS_62, ONE
from .game import Game
from .rules.errors import AgentError, RulesError, check_choice, check_share, check_whole, shown, unknown

SEATS = ("first", "second", "random", "alternate")
ILLEGAL = ("lose", "raise")
MOST_WEIGHT = 10**6


class EnvOptions(TypedDict, total=False):
    """The keywords that every environment takes beside the parameters of its game; `BoardEnv` describes them."""

    opponent: Any
    seat: str
    illegal: str
    opening_plies: int
    opponent_epsilon: float
    opponent_info: bool
    render_mode: str | None


@dataclass(frozen=True)
class Terms:
    """Terms of a game; `BoardEnv` describes them."""

    seat: str = "first"
    illegal: str = "lose"
    opening_plies: int = 0
    opponent_epsilon: float = 0.0
    opponent_info: bool = False

    @classmethod
    def read(cls, game: Game, words: Mapping[str, Any], beside: tuple[str, ...]) -> Terms:
        """Returns the terms that keyword arguments name.

        Args:
            game: what is played.
            words: the arguments.
            beside: other arguments that the environment takes, for the message.

        Raises:
            RulesError: an argument is unknown or out of its range.
        """
        for word in words:
            if word not in TERMS:
                raise RulesError(f"{game.name}: {unknown('argument', word, [*Game.free_parameters(game.id), *beside, *TERMS])}")
        terms = cls(**words)
        return cls(
            check_choice("seat", terms.seat, SEATS),
            check_choice("illegal", terms.illegal, ILLEGAL),
            check_whole("opening_plies", terms.opening_plies, 0, game.action_count * 4),
            check_share("opponent_epsilon", terms.opponent_epsilon),
            check_choice("opponent_info", terms.opponent_info, (False, True)),
        )

    @property
    def epsilon(self) -> int:
        """The share of the opponent's moves that chance makes, in units of one in ONE."""
        return round(self.opponent_epsilon * ONE)


TERMS = tuple(field.name for field in fields(Terms))


class Pool(NamedTuple):
    """The opponents of which one is drawn for each game.

    Attributes:
        specs: as they were given.
        bounds: up to which number each is drawn, in units of one in ONE, ascending.
    """

    specs: list[Any]
    bounds: list[int]

    def pick(self, number: int) -> int:
        """Returns the index of the opponent that a number below ONE draws."""
        index = 0
        while number >= self.bounds[index]:
            index += 1
        return index


def read_pool(opponent: Any) -> Pool:
    """Returns the pool that an opponent, or a list of them with or without weights, stands for.

    Raises:
        AgentError: an empty list, or a weight that is no positive number up to MOST_WEIGHT.
    """
    pairs = members_of(opponent)
    total = sum(weight for _, weight in pairs)
    bounds = [round(sum(weight for _, weight in pairs[: index + 1]) / total * ONE) for index in range(len(pairs))]
    return Pool([spec for spec, _ in pairs], bounds)


def members_of(opponent: Any) -> list[tuple[Any, float]]:
    """Returns the members of a pool with their weights, from an opponent or a list of them; errors as in `read_pool`."""
    members = list(cast("list[Any]", opponent)) if isinstance(opponent, (list, tuple)) else [opponent]
    if not members:
        raise AgentError("opponent: expected at least one in a list, got []")
    return [_weighted(member) for member in members]


def _weighted(member: Any) -> tuple[Any, float]:
    """Returns a member of a pool and its weight, 1 if it names none."""
    if not isinstance(member, dict) or "opponent" not in member:
        return member, 1.0
    words = cast("dict[str, Any]", member)
    weight = words.get("weight", 1)
    is_number = isinstance(weight, (int, float, np.integer, np.floating)) and not isinstance(weight, bool)
    if set(words) - {"opponent", "weight"} or not is_number or not 0 < weight <= MOST_WEIGHT:
        raise AgentError(f"opponent: expected {{'opponent': …, 'weight': a positive number up to {MOST_WEIGHT}}}, got {shown(member)}")
    return words["opponent"], float(weight)


def is_recipe(opponent: Any) -> bool:
    """Tells whether each environment makes an opponent of its own from this: a name, a dict, or a class."""
    return isinstance(opponent, (str, type)) or (isinstance(opponent, dict) and "model" not in opponent)


def resolve_opponent(opponent: Any, game: Game) -> Any:
    """Returns the agent that a name, a dict or an object stands for; the one place where environments ask for agents."""
    return importlib.import_module("..agents", __package__).make(opponent, game)


def wrong_answer(opponent: Any, answer: Any, place: str) -> AgentError:
    """Returns the error for an opponent's answer that is no legal move.

    Args:
        opponent: who gave it.
        answer: what it gave.
        place: where the game stands.
    """
    name = getattr(opponent, "name", type(opponent).__name__)
    remedy = f"; act returns a whole number, which position.read_move({shown(answer)}) makes" if isinstance(answer, str) else ""
    return AgentError(f"opponent {name!r}: expected a legal move, got {answer!r} ({place}){remedy}")


def first_seed(generator: np.random.Generator) -> int:
    """Returns the number from which an environment's stream begins, drawn from the generator that Gymnasium has seeded."""
    return int(generator.integers(BITS_62, endpoint=True))
