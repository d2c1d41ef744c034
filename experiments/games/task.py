"""The task of a game, plain data so that any process can play it; and the tasks of paired games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...agents import spec_text
from ...envs.game import Game
from .formats.recorded import SEATS as SEATS
from .openings import Opening, draw_openings


class Player(NamedTuple):
    """An agent with its name in logs and tables, and its spec."""

    name: str
    spec: dict[str, Any]


class Conditions(NamedTuple):
    """The time limits and the adjudicator of a game.

    Attributes:
        move_seconds: an agent's time for a move.
        game_seconds: an agent's time for all its moves of a game.
        adjudicator: spec of an exact search that ends a game as soon as it has proven the result.
    """

    move_seconds: float | None = None
    game_seconds: float | None = None
    adjudicator: dict[str, Any] | None = None


class GameTask(NamedTuple):
    """All that decides one game.

    Attributes:
        id: of the game within its run.
        game: id and parameters.
        first, second: the players.
        pair: number of the pair; its two games share the opening.
        opening: moves already made at the start.
        seed: decides the agents' random choices.
        stage: "final" or "challenge" in trainings and tunings.
        conditions: time limits and adjudicator.
        plies: after the opening, after which the game stops undecided; None for one that goes on to its end.
        random_moves: the share of the players' moves that is drawn at random instead.
        teacher: spec of an agent that says what it would play in every position of the game; a player with this spec plays that.
    """

    id: int
    game: dict[str, Any]
    first: Player
    second: Player
    pair: int
    opening: Opening
    seed: int
    stage: str | None = None
    conditions: Conditions = Conditions()
    plies: int | None = None
    random_moves: float = 0.0
    teacher: dict[str, Any] | None = None


NO_CONDITIONS = Conditions()


class Pairing(NamedTuple):
    """The paired games of two players.

    Attributes:
        game: id and parameters.
        players: the first has the first seat in a pair's first game.
        games: number of games, even.
        opening_plies: random legal plies at the start.
        seed: of the run.
        stage: as in GameTask.
    """

    game: dict[str, Any]
    players: tuple[Player, Player]
    games: int
    opening_plies: int
    seed: int
    stage: str | None = None

    def tasks(self, first_id: int = 0) -> list[GameTask]:
        """Returns a task for every game; ids count up from `first_id`, an even number."""
        openings = draw_openings(game_from(self.game), self.opening_plies, self.games // 2, self.seed)
        pairs = [
            pair_of_games(self.game, self.players, opening, first_id // 2 + number, self.seed) for number, opening in enumerate(openings)
        ]
        return [task._replace(stage=self.stage) for pair in pairs for task in pair]


def name_players(specs: Sequence[dict[str, Any]]) -> list[Player]:
    """Returns players with different names, also for equal specs."""
    players: list[Player] = []
    for spec in specs:
        text, names = spec_text(spec), [player.name for player in players]
        number = 1 + sum(name == text or name.startswith(f"{text} (") for name in names)
        players.append(Player(text if number == 1 else f"{text} ({number})", spec))
    return players


def pair_of_games(
    game: dict[str, Any], players: tuple[Player, Player], opening: Opening, pair: int, seed: int, conditions: Conditions = NO_CONDITIONS
) -> list[GameTask]:
    """Returns the two games of a pair: the same opening, once from each seat; their ids are 2 * pair and 2 * pair + 1."""
    return [
        GameTask(
            id=2 * pair + turn,
            game=game,
            first=players[turn],
            second=players[1 - turn],
            pair=pair,
            opening=opening,
            seed=derived_seed(seed, 2 * pair + turn),
            conditions=conditions,
        )
        for turn in (0, 1)
    ]


def derived_seed(*numbers: int) -> int:
    """Returns a 32-bit seed from whole numbers; close numbers give unrelated seeds."""
    return int(np.random.SeedSequence(numbers).generate_state(1)[0])


def game_from(choice: dict[str, Any]) -> Game:
    """Returns the game of an id with parameters."""
    return Game.of(choice["id"], **choice["parameters"])
