"""Paired games: the openings, one game from its task to its log entry, and a log filled until no task is open.

A task and the entry it becomes are plain data, so that a game can be played in any process.
"""

from __future__ import annotations

import functools
import json
import random
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..agents import Agent, make
from ..envs.game import Game
from ..envs.position import Position
from ..envs.rules.errors import AgentError, whole_number
from .games_log import GamesLog

SEATS = ("first", "second")
DRAWS_FOR_A_NEW_OPENING = 1000  # random openings tried before those of a game are taken to be used up


class Player(NamedTuple):
    """An agent by the name it has in logs and tables, and the spec that makes it."""

    name: str
    spec: dict[str, Any]


class GameTask(NamedTuple):
    """Everything that decides one game.

    Attributes:
        id: of the game within its run.
        game: id and parameters.
        first, second: the players.
        pair: number of the pair; its two games share the opening.
        opening: moves already made at the start.
        seed: decides the agents' random choices.
        stage: "final" for a training's last evaluation.
    """

    id: int
    game: dict[str, Any]
    first: Player
    second: Player
    pair: int
    opening: tuple[int, ...]
    seed: int
    stage: str | None = None


class Pairing(NamedTuple):
    """What a number of paired games have in common.

    Attributes:
        game: id and parameters.
        players: the one that has the first seat in a pair's first game, and the other.
        games: how many, an even number.
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
        return [
            GameTask(
                id=first_id + index,
                game=self.game,
                first=self.players[index % 2],
                second=self.players[1 - index % 2],
                pair=first_id // 2 + index // 2,
                opening=openings[index // 2],
                seed=derived_seed(self.seed, first_id + index),
                stage=self.stage,
            )
            for index in range(self.games)
        ]


def draw_openings(game: Game, plies: int, count: int, seed: int) -> list[tuple[int, ...]]:
    """Returns random openings of legal plies that do not end the game; all lead to different positions until those are used up, then anew.

    The first openings are the same whatever `count` is.
    """
    openings: list[tuple[int, ...]] = []
    seen: set[Position] = set()
    for pair in range(count):
        choice = random.Random(f"{seed} {pair}")
        draws = (_random_opening(game, plies, choice) for _ in range(DRAWS_FOR_A_NEW_OPENING))
        position = next((position for position in draws if position not in seen), None)
        if position is None:
            position = _random_opening(game, plies, choice)
            seen.clear()
        seen.add(position)
        openings.append(tuple(position.moves))
    return openings


def _random_opening(game: Game, plies: int, choice: random.Random) -> Position:
    """Returns a position after some random plies, fewer if every legal move would end the game."""
    position = Position(game)
    for _ in range(plies):
        candidates = position.legal_moves
        choice.shuffle(candidates)
        if not any(_goes_on_after(position, move) for move in candidates):
            break
    return position


def _goes_on_after(position: Position, move: int) -> bool:
    """Plays a move and returns True, or leaves the position as it is and returns False if the move would end the game."""
    position.push(move)
    if position.is_over:
        position.pop()
        return False
    return True


def derived_seed(*numbers: int) -> int:
    """Returns a 32-bit seed that some whole numbers decide; close numbers give unrelated seeds."""
    return int(np.random.SeedSequence(numbers).generate_state(1)[0])


def game_from(choice: dict[str, Any]) -> Game:
    """Returns the game of an id with parameters."""
    return Game.of(choice["id"], **choice["parameters"])


@functools.lru_cache(maxsize=8)
def _agent(spec: str, game: str, twin: bool) -> Agent:
    """Returns this process's agent of a spec and game, both as JSON, or its twin; `reset` makes it as good as new for every game."""
    rules = game_from(json.loads(game))
    agent = make(json.loads(spec), rules)
    agent.act(Position(rules))  # a first move may have to compile, which is no thinking time
    return agent


def play_game(task: GameTask, agents: Sequence[Agent | None] = (None, None)) -> dict[str, Any]:
    """Plays a game and returns its entry for a games log.

    Args:
        task: the game to play.
        agents: of the first and second seat, where they are not to be made from the task's specs.

    Raises:
        AgentError: an agent answered with what is no legal move; names agent, seat, game and moves.
    """
    names = (task.first.name, task.second.name)
    seated = _seated(task, agents)
    for seat, agent in enumerate(seated):
        agent.reset(derived_seed(task.seed, seat))
    position = Position(game_from(task.game))
    for move in task.opening:
        position.push(move)
    seconds = [0.0, 0.0]
    while not position.is_over:
        seat = position.side
        start = time.perf_counter()
        move = seated[seat].act(position.copy())
        seconds[seat] += time.perf_counter() - start
        _push(position, move, task, names[seat])
    return _entry(task, position, seconds)


def _seated(task: GameTask, agents: Sequence[Agent | None]) -> list[Agent]:
    """Returns the agents of the first and second seat; those not given are made from their specs."""
    game, twins = json.dumps(task.game, sort_keys=True), task.first.spec == task.second.spec
    players = (task.first, task.second)
    return [
        agent or _agent(json.dumps(player.spec), game, twins and seat == 1)
        for seat, (agent, player) in enumerate(zip(agents, players, strict=True))
    ]


def _push(position: Position, move: Any, task: GameTask, name: str) -> None:
    number = whole_number(move)
    if number is None or not position.is_legal(number):
        who = f"game {task.id} of {task.game['id']}: {name} in the {SEATS[position.side]} seat"
        raise AgentError(f"{who}: expected a legal move, got {move!r} (ply {position.ply}: {position.notation})")
    position.push(number)


def _entry(task: GameTask, position: Position, seconds: Sequence[float]) -> dict[str, Any]:
    entry: dict[str, Any] = {} if task.stage is None else {"stage": task.stage}
    winner = position.winner
    return entry | {
        "id": task.id,
        "game": task.game,
        "first": task.first.name,
        "second": task.second.name,
        "pair": task.pair,
        "opening": len(task.opening),
        "moves": position.notation,
        "result": "draw" if winner is None else SEATS[winner],
        "termination": position.termination,
        "plies": len(position.moves),
        "seed": task.seed,
        "seconds": [round(spent, 6) for spent in seconds],
    }


def play_missing(
    tasks: Iterable[GameTask], log: GamesLog, show: Callable[[int], None], play: Callable[[GameTask], dict[str, Any]] = play_game
) -> list[dict[str, Any]]:
    """Returns the entry of every task, in order; those that the log lacks are played and written to it first.

    Args:
        tasks: numbered from 0 over all the games of a run.
        log: of the run.
        show: takes how many games have been played so far, those before these tasks too.
        play: plays one.
    """
    entries = []
    for task in tasks:
        if task.id not in log.games:
            log.append(play(task))
        entries.append(log.games[task.id])
        show(task.id + 1)
    return entries
