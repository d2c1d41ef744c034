"""One game from its task to its log entry. Both are plain data, so that a game can be played in any process.

An agent that answers with no legal move, takes more time than it has, or raises, loses its game: a forfeit, which the entry names.
"""

from __future__ import annotations

import json
import math
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..agents import Agent, make
from ..envs.game import Game
from ..envs.position import Position
from ..envs.rules.errors import whole_number
from .games_log import GamesLog
from .openings import Opening, draw_openings
from .watch import Watch

SEATS = ("first", "second")
ILLEGAL, TIMEOUT, CRASH, ADJUDICATED = "illegal", "timeout", "crash", "adjudicated"  # how games end beside their rules' own endings
LONGEST_REASON = 200  # characters
MOST_AGENTS = 64  # that a process keeps
PREPARATION = 900.0  # seconds in which an agent has to be made and to have compiled

Task = Any  # a GameTask; play_missing takes any that has an id


class Player(NamedTuple):
    """An agent by the name it has in logs and tables, and the spec that makes it."""

    name: str
    spec: dict[str, Any]


class Conditions(NamedTuple):
    """What a game is played under.

    Attributes:
        move_seconds: an agent's time for a move.
        game_seconds: an agent's time for all its moves of a game.
        adjudicator: spec of an exact search that ends a game as soon as it sees the end of every line that matters.
    """

    move_seconds: float | None = None
    game_seconds: float | None = None
    adjudicator: dict[str, Any] | None = None


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
        conditions: see there.
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


NO_CONDITIONS = Conditions()


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
        pairs = [
            pair_of_games(self.game, self.players, opening, first_id // 2 + number, self.seed) for number, opening in enumerate(openings)
        ]
        return [task._replace(stage=self.stage) for pair in pairs for task in pair]


def pair_of_games(
    game: dict[str, Any], players: tuple[Player, Player], opening: Opening, pair: int, seed: int, conditions: Conditions = NO_CONDITIONS
) -> list[GameTask]:
    """Returns the two games of a pair: the same opening, once from each seat; their ids are twice the pair's number, and one more."""
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
    """Returns a 32-bit seed that some whole numbers decide; close numbers give unrelated seeds."""
    return int(np.random.SeedSequence(numbers).generate_state(1)[0])


def game_from(choice: dict[str, Any]) -> Game:
    """Returns the game of an id with parameters."""
    return Game.of(choice["id"], **choice["parameters"])


class Agents:
    """This process's agents by spec and game; `reset` makes each as good as new for every game."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Any, ...], Agent] = OrderedDict()

    def get(self, spec: dict[str, Any], game: dict[str, Any], twin: bool = False) -> Agent:
        """Returns the agent of a spec and game, or its twin, which plays against it; a new one makes a first move to compile."""
        key = (json.dumps(spec), json.dumps(game, sort_keys=True), twin)
        if key not in self._kept:
            rules = game_from(game)
            agent = make(spec, rules)
            agent.act(Position(rules))
            self._kept[key] = agent
            if len(self._kept) > MOST_AGENTS:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def forget(self) -> None:
        """Forgets all, as one that has raised may be broken."""
        self._kept.clear()


AGENTS = Agents()


class Forfeit(NamedTuple):
    """A game that a seat lost by what it did.

    Attributes:
        seat: 0 or 1.
        termination: ILLEGAL, TIMEOUT or CRASH.
        reason: in words.
    """

    seat: int
    termination: str
    reason: str


def play_game(task: GameTask, agents: Sequence[Any] = (None, None), watch: Watch | None = None) -> dict[str, Any]:
    """Plays a game and returns its entry for a games log.

    Args:
        task: the game to play.
        agents: of the first and second seat, where they are not to be made from the task's specs.
        watch: is told whom the game waits for.
    """
    play = _Play(task, watch or Watch())
    play.seat(agents)
    while play.goes_on():
        play.ply()
    return play.entry()


def forfeited(task: GameTask, moves: Iterable[int], forfeit: Forfeit, seconds: Sequence[float]) -> dict[str, Any]:
    """Returns the entry of a game that a seat lost without an answer.

    Args:
        task: of the game.
        moves: made so far, those of the opening too.
        forfeit: how it was lost.
        seconds: spent by each seat.
    """
    play = _Play(task, Watch())
    for move in list(moves)[len(task.opening) :]:
        play.position.push(move)
    play.seconds, play.forfeit = list(seconds), forfeit
    return play.entry()


class _Play:
    """A game that is being played."""

    def __init__(self, task: GameTask, watch: Watch):
        self.task, self.watch = task, watch
        self.position = Position(game_from(task.game))
        for move in task.opening:
            self.position.push(move)
        self.seconds = [0.0, 0.0]
        self.scores: list[int | None] = []  # of every move after the opening, as its agent saw it
        self.depths: list[int | None] = []
        self.forfeit: Forfeit | None = None
        self.proven: int | None = None  # the adjudicator's score, from the view of the side to move

    def seat(self, agents: Sequence[Any]) -> None:
        """Gets the agents ready, those that are not given from their specs."""
        task = self.task
        players, twins = (task.first, task.second), task.first.spec == task.second.spec
        self.agents: list[Any] = []
        for seat, (player, agent) in enumerate(zip(players, agents, strict=True)):
            self._ask(seat, PREPARATION)
            self.agents.append(self._guarded(seat, lambda: self._seated(seat, player, agent, twins)))  # noqa: B023 - called at once
        self.adjudicator = AGENTS.get(task.conditions.adjudicator, task.game) if task.conditions.adjudicator else None

    def _seated(self, seat: int, player: Player, agent: Any, twins: bool) -> Any:
        """Returns a player's agent, ready for this game."""
        if agent is None:
            agent = AGENTS.get(player.spec, self.task.game, twins and seat == 1)
        if hasattr(agent, "reset"):
            agent.reset(derived_seed(self.task.seed, seat))
        return agent

    def goes_on(self) -> bool:
        """Tells whether somebody has to move."""
        if self.forfeit or self.position.is_over:
            return False
        if self.adjudicator is not None:
            self._ask(self.position.side, math.inf)  # nobody's time runs
            self.adjudicator.reset(0)
            analysis = self.adjudicator.analyse(self.position.copy())
            self.proven = analysis.score if analysis.is_final else None
        return self.proven is None

    def ply(self) -> None:
        """Has the side to move answer, and plays what it says."""
        seat, position = self.position.side, self.position
        most = self._time_left(seat)
        self._ask(seat, most)
        start = time.perf_counter()
        answer = self._guarded(seat, lambda: self._answer(self.agents[seat], position.copy()))
        spent = time.perf_counter() - start
        self.seconds[seat] += spent
        if self.forfeit:
            return
        move, shown, score, depth = answer
        if spent > most:
            self.forfeit = Forfeit(seat, TIMEOUT, f"took more than {most:.3g} s")
        elif move is None or not position.is_legal(move):
            self.forfeit = Forfeit(seat, ILLEGAL, f"expected a legal move, got {shown}")
        else:
            position.push(move)
            self.scores.append(score)
            self.depths.append(depth)

    @staticmethod
    def _answer(agent: Any, position: Position) -> tuple[int | None, str, int | None, int | None]:
        """Returns an agent's move, as a number and as it came, with its score and depth, where it has them."""
        if not hasattr(agent, "analyse"):
            move = agent.act(position)
            return _int64(move), _short(repr(move)), None, None
        analysis = agent.analyse(position)
        score = _int64(analysis.score)
        return _int64(analysis.move), _short(repr(analysis.move)), score, _int64(analysis.depth) if score is not None else None

    def _ask(self, seat: int, most: float) -> None:
        self.watch.ask(self.task.id, seat, self.position.moves, self.seconds, most)

    def _time_left(self, seat: int) -> float:
        """Returns the seconds that a seat may take for its move."""
        move, game = self.task.conditions.move_seconds, self.task.conditions.game_seconds
        return min(math.inf if move is None else move, math.inf if game is None else max(0.0, game - self.seconds[seat]))

    def _guarded(self, seat: int, ask: Callable[[], Any]) -> Any:
        """Returns what an agent answers; if it raises, or has raised before, the game is forfeited."""
        if self.forfeit:
            return None
        try:
            return ask()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever else it is, it is the agent's
            AGENTS.forget()
            self.forfeit = Forfeit(seat, CRASH, _short("".join(traceback.format_exception_only(error))))
            return None

    def entry(self) -> dict[str, Any]:
        """Returns the entry of the finished game."""
        task, position = self.task, self.position
        entry: dict[str, Any] = {} if task.stage is None else {"stage": task.stage}
        winner, termination = self._end()
        entry |= {
            "id": task.id,
            "game": task.game,
            "first": task.first.name,
            "second": task.second.name,
            "pair": task.pair,
            "opening": len(task.opening),
            "moves": position.notation,
            "result": "draw" if winner is None else SEATS[winner],
            "termination": termination,
            "plies": len(position.moves),
            "seed": task.seed,
            "seconds": [round(spent, 6) for spent in self.seconds],
        }
        if any(score is not None for score in self.scores):
            entry |= {"scores": self.scores, "depths": self.depths}
        return entry if self.forfeit is None else {**entry, "reason": self.forfeit.reason}

    def _end(self) -> tuple[int | None, str | None]:
        """Returns the winner and why the game ended."""
        position = self.position
        if self.forfeit:
            return 1 - self.forfeit.seat, self.forfeit.termination
        if self.proven is None:
            return position.winner, position.termination
        return None if self.proven == 0 else position.side if self.proven > 0 else 1 - position.side, ADJUDICATED


def _int64(value: Any) -> int | None:
    """Returns a whole number that 64 bits can hold as an int, and None for all else."""
    number = whole_number(value)
    return number if number is not None and -(2**63) <= number < 2**63 else None


def _short(text: str) -> str:
    """Returns a text as one line that is not too long and that any file takes."""
    line = " ".join(text[: 2 * LONGEST_REASON].encode(errors="backslashreplace").decode().split())
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]} …"


def play_missing(
    tasks: Iterable[Task], log: GamesLog, show: Callable[[int], None], play: Callable[[Task], dict[str, Any]] = play_game
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
        if task.id not in log:
            log.append(play(task))
        entries.append(log[task.id])
        show(task.id + 1)
    return entries
