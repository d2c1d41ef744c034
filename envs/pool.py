"""The opponents of an environment: one, or a pool of which one is drawn for each game."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any, NamedTuple, cast

import numpy as np

from .chance import PROBABILITY_ONE, draw
from .game import Game
from .position import Position
from .rules.errors import AgentError, shown

MOST_WEIGHT = 10**6


class Pool(NamedTuple):
    """The opponents of which one is drawn for each game.

    Attributes:
        specs: the opponents as the user gave them.
        bounds: opponent i is drawn if bounds[i - 1] <= number < bounds[i]; in units of 1 / PROBABILITY_ONE.
    """

    specs: list[Any]
    bounds: list[int]

    def pick(self, number: int) -> int:
        """Returns the index of the opponent that a number below PROBABILITY_ONE draws."""
        index = 0
        while number >= self.bounds[index]:
            index += 1
        return index


def read_pool(opponent: Any) -> Pool:
    """Returns the pool of an opponent, or of a list of them with or without weights.

    Raises:
        AgentError: an empty list, or a weight that is not a positive number up to MOST_WEIGHT.
    """
    pairs = members_of(opponent)
    total = sum(weight for _, weight in pairs)
    bounds = [round(sum(weight for _, weight in pairs[: index + 1]) / total * PROBABILITY_ONE) for index in range(len(pairs))]
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
    entry = cast("dict[str, Any]", member)
    weight = entry.get("weight", 1)
    is_number = isinstance(weight, (int, float, np.integer, np.floating)) and not isinstance(weight, bool)
    if set(entry) - {"opponent", "weight"} or not is_number or not 0 < weight <= MOST_WEIGHT:
        raise AgentError(f"opponent: expected {{'opponent': …, 'weight': a positive number up to {MOST_WEIGHT}}}, got {shown(member)}")
    return entry["opponent"], float(weight)


def is_recipe(opponent: Any) -> bool:
    """Tells whether each environment makes an opponent of its own from this: a name, a dict, or a class."""
    return isinstance(opponent, (str, type)) or (isinstance(opponent, dict) and "model" not in opponent)


def resolve_opponent(opponent: Any, game: Game) -> Any:
    """Returns the agent of a name, a dict or an object; the only place where environments import agents."""
    return importlib.import_module("..agents", __package__).make(opponent, game)


def close_programs(agents: Iterable[Any]) -> None:
    """Ends the programs that agents run; they start anew when they are asked."""
    for agent in agents:
        if hasattr(agent, "close_program"):
            agent.close_program()


def wrong_answer(opponent: Any, answer: Any, where: str) -> AgentError:
    """Returns the error for an opponent's answer that is not a legal move.

    Args:
        opponent: who gave it.
        answer: what it gave.
        where: the ply and the moves so far.
    """
    name = getattr(opponent, "name", type(opponent).__name__)
    remedy = f"; act returns a whole number, which position.read_move({shown(answer)}) makes" if isinstance(answer, str) else ""
    return AgentError(f"opponent {name!r}: expected a legal move, got {answer!r} ({where}){remedy}")


class Opponents:
    """The agents of a pool, of which one plays the present game.

    Attributes:
        agents: one for each member of the pool.
        index: which of them plays the present game.
        analysis: the thinking behind the last answer as a dict, None without.
    """

    def __init__(self, opponent: Any, game: Game) -> None:
        """Makes the agents.

        Raises:
            AgentError: an opponent is unknown, or does not play this game.
        """
        self._game = game
        self._pool, self.agents = self._resolved(opponent)
        self._next: tuple[Pool, list[Any]] | None = None  # from the next game on
        self.index = 0
        self.analysis: dict[str, Any] | None = None

    @property
    def current(self) -> Any:
        """The opponent of the present game."""
        return self.agents[self.index]

    def set_next(self, opponent: Any) -> None:
        """Lets an opponent, or a pool, play from the next game on; errors as at the start."""
        self._next = self._resolved(opponent)

    def _resolved(self, opponent: Any) -> tuple[Pool, list[Any]]:
        """Returns a pool and its agents. The specs are dropped, so that copying an environment does not copy models."""
        pool = read_pool(opponent)
        return pool._replace(specs=[]), [resolve_opponent(spec, self._game) for spec in pool.specs]

    def begin(self, stream: Any) -> None:
        """Draws the opponent of a new game, if there are several, and seeds it."""
        if self._next is not None:
            (self._pool, self.agents), self._next, self.index = self._next, None, 0
        if len(self.agents) > 1:
            self.index = self._pool.pick(draw(stream, PROBABILITY_ONE))
        seed = draw(stream, PROBABILITY_ONE)
        if hasattr(self.current, "reset"):
            self.current.reset(seed)

    def answer(self, position: Position, wants_analysis: bool) -> Any:
        """Returns the answer of the present opponent; keeps its analysis if that is wanted and the opponent analyses."""
        self.analysis = None
        if not wants_analysis or not hasattr(self.current, "analyse"):
            return self.current.act(position.copy())
        analysis: Any = self.current.analyse(position.copy())
        self.analysis = {**vars(analysis)}
        return analysis.move

    def without_models(self, opponent: Any) -> Any:
        """Returns an opponent as `gymnasium.make` got it, with agents in place of models and objects, so that copies share them."""
        members = members_of(opponent)
        if all(is_recipe(member) for member, _ in members):
            return opponent
        pool = [
            {"opponent": member if is_recipe(member) else agent, "weight": weight}
            for (member, weight), agent in zip(members, self.agents, strict=True)
        ]
        return pool if len(pool) > 1 else pool[0]["opponent"]
