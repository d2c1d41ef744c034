"""A program that speaks the Gomocup protocol as an agent: it runs as a child process, and we are its manager."""

from __future__ import annotations

import re
import shutil
import time
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ..envs.game import Game
from ..envs.position import Position
from ..envs.rules.errors import AgentError, NotationError, shown
from ..envs.spec_text import command_words
from .agent import MOST_MIB, MOST_SECONDS, Analysis, check_running, parameter
from .engine_process import EngineError, EngineProcess
from .gomocup import OPPONENT, OWN, cell_at, cell_text, rule_of

START_SECONDS = 60.0  # for a program to load and to answer START
RESTART_SECONDS = 5.0  # to answer RESTART; a program that does not is started anew
FIRST = 10  # the first move of a program has so many times the grace, as some load only then
ROOM_MIB = 1024  # address space beyond the memory that a program may use, for code and for what it maps without using
NO_LIMIT = 2**31 - 1  # the time left of a game without a limit, in milliseconds
MOVE = re.compile(r"\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*", re.ASCII)
REMARKS = ("MESSAGE", "DEBUG", "UNKNOWN", "ERROR", "SUGGEST", "OK")  # lines that are no move and no nonsense


@dataclass
class EngineAgent:
    """Plays by a program that speaks the Gomocup protocol, as the engines of Gomocup do.

    The program starts with its first game and is asked to RESTART for the next; one that does not answer OK is started anew. It gets
    nothing to read while it thinks. One that fails is ended, and started anew for the next game. A copy or a pickle of the agent has no
    program until it is asked.
    """

    cmd: str | list[str] = parameter("", "the program with its arguments: a text with quotes, or a list")  # noqa: RUF009 - a field
    seconds: float = parameter(1.0, "time for a move, which the program is told; not reproducible", low=0, high=MOST_SECONDS)
    grace: float = parameter(1.0, "seconds after that in which a move still counts; ten times as long for its first", low=0, high=3600)
    memory_mib: int | None = parameter(None, "memory that the program may use; its address space ends a GiB above", low=1, high=MOST_MIB)
    name: str = field(default="engine", init=False)

    def __post_init__(self) -> None:
        self._words = program_words(self.cmd)
        self._process: EngineProcess | None = None
        self._game: Game | None = None  # that the program plays
        self._known: list[int] = []  # the owners of the cells as the program knows them
        self._is_new = True  # whether the program has not made a move

    @property
    def called(self) -> str:
        """What the program is called, for people."""
        return Path(self._words[0]).name

    def check_game(self, game: Game) -> None:
        """Takes the game to play; raises AgentError unless the protocol has it."""
        if rule_of(game) is None:
            played = ":".join(filter(None, (game.name, ",".join(f"{name}={value}" for name, value in game.options.items()))))
            raise AgentError(f"agent {self.name!r} does not play {played}; it plays Gomoku, and ConnectK with k=5 and gravity=False")
        if self._game != game:
            self.close_program()
        self._game = game

    def get_ready(self, game: Game) -> None:
        """Does nothing: the program starts with its first game, which it loses if it fails."""

    def reset(self, seed: int | None = None) -> None:
        """Starts the program, or lets it begin a new game; chance is the program's own.

        Raises:
            EngineError: it does not start.
        """
        if self._game is not None:
            self._begin(self._game)

    def act(self, position: Position) -> int:
        """Returns the program's move.

        Raises:
            EngineError: the program fails.
        """
        return self.analyse(position).move

    def analyse(self, position: Position) -> Analysis:
        """Returns the program's move with the time that it took; errors as in `act`."""
        check_running(position)
        begin = time.perf_counter()
        try:
            if self._process is None or not self._process.is_own or self._game != position.game or not any(_cells(position)):
                self._begin(position.game)
            move = self._move(position)
        except BaseException:  # an interrupted program is still thinking
            self._kill_program()
            raise
        self._known = _cells(position)
        self._known[move] = position.side + 1
        self._is_new = False
        return Analysis(move, seconds=time.perf_counter() - begin)

    def close_program(self) -> None:
        """Ends the program; it starts anew when it is asked."""
        if self._process is not None:
            self._process.end("END\n")
            self._process = None

    def _kill_program(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None

    # ---------------------------------------------------------------------------------------------------------------- Games

    def _begin(self, game: Game) -> None:
        """Lets the program begin a new game; starts it if that does not work. Settings are told again, as some programs forget them."""
        if not self._restarts(game):
            self._start(game)
        assert self._process is not None
        self._process.send("".join(f"INFO {key} {value}\n" for key, value in self._settings(game).items()))

    def _restarts(self, game: Game) -> bool:
        """Lets the program begin a new game; returns whether it runs, plays this game, and answers OK."""
        process = self._process
        if process is None or not process.is_usable or self._game != game:
            return False
        if any(self._known):
            process.drop_lines()
            process.send("RESTART\n")
            if self._answer(process, RESTART_SECONDS) != "OK":
                return False
            self._known = [0] * len(self._known)
        return True

    def _start(self, game: Game) -> None:
        self.check_game(game)
        self._kill_program()
        self._known, self._is_new = _cells(Position(game)), True
        most_mib = None if self.memory_mib is None else self.memory_mib + ROOM_MIB
        process = self._process = EngineProcess(self._words, most_mib)
        start = f"START {game.width}" if game.width == game.height else f"RECTSTART {game.width},{game.height}"
        process.send(f"{start}\n")
        try:
            answer = self._answer(process, START_SECONDS)
            if answer != "OK":
                raise self._failed_start(process, start, answer)
        except BaseException:
            self._kill_program()
            raise

    def _failed_start(self, process: EngineProcess, start: str, answer: str | None) -> EngineError:
        if answer is not None:
            return EngineError(f"no start: {self.called} answered {start} by {shown(answer)}")
        if process.has_ended:
            return EngineError(f"crashed: {self.called} was sent {start} and {process.end_text()}")
        return EngineError(f"too late: {self.called} did not answer {start} within {START_SECONDS:g} s{process.last_lines}", "timeout")

    def _settings(self, game: Game) -> dict[str, int | None]:
        settings = {"timeout_turn": round(self.seconds * 1000), "timeout_match": 0, "time_left": NO_LIMIT, "game_type": 1}
        memory = {} if self.memory_mib is None else {"max_memory": self.memory_mib << 20}
        return {**settings, **memory, "rule": rule_of(game)}

    @staticmethod
    def _answer(process: EngineProcess, seconds: float) -> str | None:
        """Returns OK, or the line that refuses it; None if there is neither in time."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and (line := process.read_line(deadline)) is not None:
            word = line.split()[0].upper()
            if word in ("OK", "ERROR", "UNKNOWN"):
                return word if word == "OK" else line
        return None

    # ---------------------------------------------------------------------------------------------------------------- Moves

    def _move(self, position: Position) -> int:
        """Returns the move that the program answers to a position."""
        process = self._process
        assert process is not None
        process.drop_lines()
        process.send(self._request(position))
        grace = self.grace * FIRST if self._is_new else self.grace
        deadline, nonsense = time.monotonic() + self.seconds + grace, None
        while (line := process.read_line(deadline)) is not None:
            if match := MOVE.fullmatch(line):
                return self._legal(position, int(match[1]), int(match[2]), line)
            word, _, rest = line.strip().partition(" ")
            if word.upper() == "SUGGEST":
                process.send(f"PLAY {rest}\n")
            elif word.upper() not in REMARKS:
                nonsense = line
            if time.monotonic() > deadline:
                break
        if process.has_ended:
            raise EngineError(f"crashed: {self.called} was asked for a move and {process.end_text()}")
        limit = f"within {self.seconds:g} s and {grace:g} s of grace"
        if nonsense is not None:
            raise EngineError(f"no move: expected a move from {self.called} {limit}, got {shown(nonsense)}", "illegal")
        raise EngineError(f"too late: {self.called} did not answer {limit}{process.last_lines}", "timeout")

    def _request(self, position: Position) -> str:
        """Returns the lines that ask for a move: the opponent's last one where the program knows all others, else the whole board."""
        cells, game = _cells(position), position.game
        changed = [cell for cell, owners in enumerate(zip(self._known, cells, strict=True)) if owners[0] != owners[1]]
        if not any(cells):
            return "BEGIN\n"
        if len(changed) == 1 and cells[changed[0]] == 2 - position.side:
            return f"TURN {cell_text(game, changed[0])}\n"
        owner = (OPPONENT, OWN) if position.side else (OWN, OPPONENT)
        lines = [f"{cell_text(game, cell)},{owner[cells[cell] - 1]}" for cell in _stones(position)]
        return "\n".join(["BOARD", *lines, "DONE", ""])

    def _legal(self, position: Position, x: int, y: int, line: str) -> int:
        """Returns the move to a cell.

        Raises:
            EngineError: it is not legal.
        """
        try:
            move = cell_at(position.game, x, y)
            reason = "" if position.is_legal(move) else position.game.rules.why_illegal(position.state, move)
        except NotationError as error:
            move, reason = -1, str(error)
        if reason:
            where = f"ply {position.ply}: {position.notation}".rstrip(": ")
            raise EngineError(f"illegal move: {self.called} answered {shown(line)}: {reason} ({where})", "illegal")
        return move

    # ---------------------------------------------------------------------------------------------------------------- Copies

    def __getstate__(self) -> dict[str, Any]:
        """Returns all but the program, which a copy starts anew."""
        return {**self.__dict__, "_process": None}


def _cells(position: Position) -> list[int]:
    """Returns the owners of the cells of a board: 0, 1 or 2."""
    return [*position.state.cells[: position.game.width * position.game.height]]


def _stones(position: Position) -> list[int]:
    """Returns the cells of all stones in the order of play; those that a board's text placed come first, the sides in turn."""
    placed = [[cell for cell, owner in enumerate(_cells(position)) if owner == side and cell not in position.moves] for side in (1, 2)]
    in_turn = [cell for pair in zip_longest(*placed) for cell in pair if cell is not None]
    return in_turn + position.moves


def program_words(cmd: str | list[str]) -> list[str]:
    """Returns the file of a program, found as a shell does, and its arguments.

    Raises:
        AgentError: there is no such program.
    """
    words = command_words(cmd)
    if not words:
        raise AgentError("agent 'engine': cmd: missing; a program is written engine:cmd=PROGRAM")
    program = shutil.which(words[0])
    if program is None:
        raise AgentError(f"agent 'engine': cmd: expected a program that can be run, got {shown(words[0])}")
    return [program, *words[1:]]


def program_files(cmd: str | list[str]) -> dict[str, Path]:
    """Returns the files of a program by their words in `cmd`: its own, and its arguments that are files."""
    words = command_words(cmd)
    program = shutil.which(words[0]) if words else None
    paths = [Path(program) if program else Path(), *map(Path, words[1:])]
    return {word: path for word, path in zip(words, paths, strict=True) if path.is_file()}
