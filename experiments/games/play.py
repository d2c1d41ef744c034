"""Plays one game from its task to its log entry; both are plain data.

An agent that answers with an illegal move, exceeds its time or raises loses its game: a forfeit, which the entry names. An adjudicator's
or a teacher's error ends the run. If an agent ends this process, the run ends too, unless the process is a worker: then the driver
forfeits the game.
"""

from __future__ import annotations

import math
import os
import random
import time
import traceback
from array import array
from collections.abc import Callable, Sequence
from typing import Any, Literal

from ...agents.agent import Analysis
from ...agents.engine_process import EngineError
from ...envs.position import Position
from ...envs.rules.errors import AgentError, SparringError, whole_number
from .forfeit import CRASH, ILLEGAL, Forfeit, on_one_line, timeout
from .kept_agents import AGENTS, FORKS
from .task import SEATS, GameTask, Player, derived_seed, game_from
from .waiting import NO_NUMBER, NO_SEAT, Waiting, Watch

ADJUDICATED = "adjudicated"  # an ending that the rules do not decide
COPY_SECONDS = 0.5  # in which a copy that an agent made of its process answers, if it does
PREPARATION = 900.0  # seconds for an agent to be made and to compile
ADJUDICATION = 600.0  # seconds for an adjudicator or a teacher to judge a position
TEACHER, CHANCE = 2, 3  # beside the seats, for seeds of their own


def play_game(task: GameTask, agents: Sequence[Any] = (None, None), watch: Watch | None = None) -> dict[str, Any]:
    """Plays a game and returns its entry for a games log.

    Args:
        task: the game to play.
        agents: of the first and second seat; None for one that is made from the task's spec.
        watch: records whom the game waits for.
    """
    play = _Play(task, watch or Watch())
    play.seat(agents)
    while play.goes_on():
        play.ply()
    return play.entry()


def forfeited(task: GameTask, waiting: Waiting, forfeit: Forfeit) -> dict[str, Any]:
    """Returns the entry of a game that a seat lost without an answer.

    Args:
        task: of the game.
        waiting: the state of the game when it stopped.
        forfeit: the loss.
    """
    play = _Play(task, Watch())
    for move in waiting.moves[len(task.opening) :]:
        play.position.push(move)
    play.seconds, play.scores, play.depths, play.forfeit = list(waiting.seconds), waiting.scores, waiting.depths, forfeit
    play.seconds[forfeit.seat] += time.monotonic() - waiting.since
    return play.entry()


def labels_record(labels: Sequence[Analysis]) -> dict[str, Any]:
    """Returns what a teacher thought of a game's positions in the form of a log; see `entries.Labels`."""
    record: dict[str, Any] = {"moves": [_int64(label.move) for label in labels]}
    if any(label.score is not None for label in labels):
        record |= {"scores": [_int64(label.score) for label in labels], "final": [label.is_final for label in labels]}
    if any(label.scores is not None for label in labels):
        record["move_scores"] = [None if label.scores is None else sorted(label.scores.items()) for label in labels]
    return record


class _Play:
    """A running game."""

    def __init__(self, task: GameTask, watch: Watch):
        self.task, self.watch = task, watch
        self.position = Position(game_from(task.game))
        for move in task.opening:
            self.position.push(move)
        self.seconds = [0.0, 0.0]
        self.scores, self.depths = array("q"), array("q")  # for each move after the opening, its agent's own, or NO_NUMBER
        self.forfeit: Forfeit | None = None
        self._process, self._forks = os.getpid(), FORKS.count
        self.labels: list[Analysis] = []  # the teacher's, for each position before a move
        self._chance = random.Random(derived_seed(task.seed, CHANCE))
        self.proven: int | None = None  # the adjudicator's score once it is final, from the view of the side to move

    def seat(self, agents: Sequence[Any]) -> None:
        """Prepares the agents; makes those that are not given from their specs.

        Raises:
            SparringError: a spec that was valid before the run fails here, as when a file is missing on this machine.
        """
        task = self.task
        players, twins = (task.first, task.second), task.first.spec == task.second.spec
        self.agents = list(agents)
        for seat, player in enumerate(players):
            self._record_waiting(seat, PREPARATION)
            if player.spec == task.teacher:
                continue
            if self.agents[seat] is None and not self.forfeit:
                self.agents[seat] = self._make(seat, player, "twin" if twins and seat == 1 else "player")
            self._guarded(seat, lambda: self._reset(seat))  # noqa: B023 - the lambda is called at once
            self._refuse_copies(seat)
        AGENTS.close_programs(self.agents)
        self.adjudicator: Any = None
        if task.conditions.adjudicator:
            self._record_waiting(NO_SEAT, PREPARATION)
            self.adjudicator = AGENTS.get(task.conditions.adjudicator, task.game, "adjudicator")
        if task.teacher and not self.forfeit:
            self._record_waiting(NO_SEAT, PREPARATION)
            self._label_opening(AGENTS.get(task.teacher, task.game, "teacher"))

    def _label_opening(self, teacher: Any) -> None:
        """Asks the teacher for its moves in the positions of the opening."""
        self._teacher = teacher
        teacher.reset(derived_seed(self.task.seed, TEACHER))
        position = Position(self.position.game)
        for move in self.task.opening:
            self._label(position)
            position.push(move)

    def _label(self, position: Position) -> Analysis:
        """Returns what the teacher thinks of a position.

        Raises:
            AgentError: it would play an illegal move.
        """
        self._record_waiting(NO_SEAT, ADJUDICATION)
        teacher = self._teacher
        label = (teacher.label if hasattr(teacher, "label") else teacher.analyse)(position.copy())
        if not position.is_legal(label.move):
            raise AgentError(f"teacher: expected a legal move, got {on_one_line(repr(label.move))} after {position.notation or 'no move'}")
        self.labels.append(label)
        return label

    def _make(self, seat: int, player: Player, role: Literal["player", "twin"]) -> Any:
        """Returns a player's agent; on any error other than a SparringError the player loses, see `seat`."""
        try:
            return AGENTS.get(player.spec, self.task.game, role)
        except SparringError:
            raise
        except Exception as error:
            self._crash(seat, error)
            return None

    def _reset(self, seat: int) -> None:
        """Prepares an agent for this game."""
        if hasattr(self.agents[seat], "reset"):
            self.agents[seat].reset(derived_seed(self.task.seed, seat))

    def goes_on(self) -> bool:
        """Tells whether the game goes on."""
        if self.forfeit or self.position.is_over or self.position.ply - len(self.task.opening) == self.task.plies:
            return False
        if self.adjudicator is not None:
            self._record_waiting(NO_SEAT, ADJUDICATION)
            self.adjudicator.reset(0)
            analysis = self.adjudicator.analyse(self.position.copy())
            self.proven = analysis.score if analysis.is_final else None
        return self.proven is None

    def ply(self) -> None:
        """Plays a move: by chance, the teacher's, or the one that the side to move answers with."""
        seat, position, task = self.position.side, self.position, self.task
        label = self._label(position) if task.teacher else None
        if task.random_moves and self._chance.random() < task.random_moves:
            self._push(self._chance.choice(position.legal_moves), None, None)
        elif label and (task.first, task.second)[seat].spec == task.teacher:
            self._push(label.move, label.score, None if label.score is None else label.depth)
        else:
            self._ask(seat)

    def _ask(self, seat: int) -> None:
        """Asks an agent for its move and plays it, or forfeits the game."""
        position = self.position
        before, most = self.seconds[seat], self._time_left(seat)
        self._record_waiting(seat, most)
        start = time.perf_counter()
        answer = self._guarded(seat, lambda: self._answer(self.agents[seat], position.copy()))
        spent = time.perf_counter() - start
        self.seconds[seat] += spent
        self._refuse_copies(seat)
        if self.forfeit:
            return
        move, shown, score, depth = answer
        if spent > most:
            self.forfeit = timeout(seat, most, before, self.task.conditions)
        elif move is None or not position.is_legal(move):
            self.forfeit = Forfeit(seat, ILLEGAL, f"expected a legal move, got {shown}")
        else:
            self._push(move, score, depth)

    def _push(self, move: int, score: int | None, depth: int | None) -> None:
        """Plays a move and keeps its agent's score and depth."""
        self.position.push(move)
        self.scores.append(NO_NUMBER if score is None else score)
        self.depths.append(NO_NUMBER if depth is None else depth)

    @staticmethod
    def _answer(agent: Any, position: Position) -> tuple[int | None, str, int | None, int | None]:
        """Returns an agent's move as a number and as text, with its score and depth, None for none."""
        if not hasattr(agent, "analyse"):
            move = agent.act(position)
            return _int64(move), on_one_line(repr(move)), None, None
        analysis = agent.analyse(position)
        score = _int64(analysis.score)
        return _int64(analysis.move), on_one_line(repr(analysis.move)), score, _int64(analysis.depth) if score is not None else None

    def _record_waiting(self, seat: int, most: float) -> None:
        seconds = self.seconds[0], self.seconds[1]
        self.watch.record_waiting(
            Waiting(self.task.id, seat, time.monotonic(), most, seconds, self.position.moves, self.scores, self.depths)
        )

    def _time_left(self, seat: int) -> float:
        """Returns the seconds that a seat may take for its move."""
        move, game = self.task.conditions.move_seconds, self.task.conditions.game_seconds
        return min(math.inf if move is None else move, math.inf if game is None else max(0.0, game - self.seconds[seat]))

    def _guarded(self, seat: int, ask: Callable[[], Any]) -> Any:
        """Returns an agent's answer; None if it raises, which forfeits the game, or if the game is forfeited already."""
        if self.forfeit:
            return None
        try:
            return ask()
        except Exception as error:
            self._crash(seat, error)
            return None

    def _refuse_copies(self, seat: int) -> None:
        """Exits if this process is a fork that an agent made of the game's; in the original, forfeits the game.

        Forks that do not return from the agent, such as the workers of a pool, are allowed.
        """
        if os.getpid() != self._process:
            self.watch.record_copy(self.task.id, seat)
            os._exit(0)
        if self._forks == FORKS.count:
            return
        self._forks, end = FORKS.count, time.monotonic() + COPY_SECONDS
        while not (has_copy := self.watch.has_copy(self.task.id, seat)) and time.monotonic() < end:
            time.sleep(0.01)
        if has_copy and not self.forfeit:
            self.forfeit = Forfeit(seat, CRASH, "forked the process, and both copies answered")

    def _crash(self, seat: int, error: Exception) -> None:
        """Forfeits the game because of an agent's error."""
        AGENTS.forget(self.agents[seat])
        if isinstance(error, EngineError):
            self.forfeit = Forfeit(seat, error.ending, on_one_line(str(error)))
        else:
            self.forfeit = Forfeit(seat, CRASH, on_one_line("".join(traceback.format_exception_only(error))))

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
        if any(score != NO_NUMBER for score in self.scores):
            scores, depths = ([None if number == NO_NUMBER else number for number in numbers] for numbers in (self.scores, self.depths))
            entry |= {"scores": scores, "depths": depths}
        if task.teacher and self.forfeit is None:
            entry["labels"] = labels_record(self.labels)
        return entry if self.forfeit is None else {**entry, "reason": self.forfeit.reason}

    def _end(self) -> tuple[int | None, str | None]:
        """Returns the winner and how the game ended, twice None for one that was stopped."""
        position = self.position
        if self.forfeit:
            return 1 - self.forfeit.seat, self.forfeit.termination
        if self.proven is None:
            return position.winner, position.termination
        return None if self.proven == 0 else position.side if self.proven > 0 else 1 - position.side, ADJUDICATED


def _int64(value: Any) -> int | None:
    """Returns a whole number that fits a Watch as an int, and None for all else."""
    number = whole_number(value)
    return number if number is not None and NO_NUMBER < number < -NO_NUMBER else None
