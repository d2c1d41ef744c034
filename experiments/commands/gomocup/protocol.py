"""The Gomocup protocol from the engine's end: lines in, lines out; knows no process.

The engine thinks while it answers, and looks at no further line until it has answered. It never sends SUGGEST, as it always moves itself;
it obeys PLAY all the same. An error about INFO waits for the next command of another kind, as managers read no answers to INFO.

Source: the text of the protocol by P. Laštovička and M. Petříček, "Gomoku AI protocol", plastovicka.github.io/protocl2en.htm.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from ....agents import check_running
from ....agents.gomocup import OPPONENT, OWN, cell_at, cell_text
from ....envs.game import Game
from ....envs.rules.errors import NotationError, SparringError, shortened, shown
from ....version import __version__
from ...terminal.analysis import thought_text
from . import swap2
from .boards import game_of, position_of, read_numbers
from .clock import Clock
from .thinker import Thinker

MOST_CELLS = 1000  # lines of a list that are kept; no board has as many cells
ANNOUNCED = ("BOARD", "SWAP2BOARD")  # commands whose cells follow, a line each, up to DONE


class GomocupProtocol:
    """One conversation with a manager of games.

    Attributes:
        has_ended: whether the manager has sent END.
    """

    def __init__(self, thinker: Thinker) -> None:
        """Begins without a board.

        Args:
            thinker: finds the moves.
        """
        self.has_ended = False
        self._thinker = thinker
        self._clock = Clock()
        self._size: tuple[int, int] | None = None
        self._rule = 0
        self._most_memory = 0  # bytes; 0 for no limit
        self._stones: dict[int, int] = {}  # OWN or OPPONENT by cell
        self._list: tuple[str, list[str]] | None = None  # the command that announced it, and its lines so far
        self._remarks: list[str] = []  # for the next answer
        self._commands: dict[str, Callable[[str], list[str]]] = {
            "START": self._start,
            "RECTSTART": self._rectstart,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "TAKEBACK": self._takeback,
            "PLAY": self._play,
            "INFO": self._info,
            "ABOUT": self._about,
            "END": self._end,
        }

    def answer(self, line: str) -> list[str]:
        """Returns the lines that answer a line of the manager; none if it asks for none. Raises nothing, whatever the line is."""
        begin = time.perf_counter()
        try:
            answers = self._answer(line)
        except SparringError as error:
            answers = [f"ERROR {error}"]
        except Exception as error:  # of an agent's own code: one game is lost, the conversation goes on
            answers = [f"ERROR {type(error).__name__}: {error}"]
        self._clock.spend(time.perf_counter() - begin)
        return [shortened(" ".join(answer.split())) for answer in answers]

    def _answer(self, line: str) -> list[str]:
        command, _, rest = line.strip().partition(" ")
        command, rest = command.upper(), rest.strip()
        if command in ANNOUNCED:
            self._list = command, []
            return []
        if command in self._commands:
            self._list = None  # a list without its DONE is dropped
            if command == "INFO":
                return self._info(rest)
            remarks, self._remarks = self._remarks, []
            return remarks + self._commands[command](rest)
        if self._list is None:
            return [f"UNKNOWN command {shown(command)}"] if command else []
        announced, cells = self._list
        if command != "DONE":
            if command and len(cells) < MOST_CELLS:
                cells.append(line)
            return []
        self._list = None
        remarks, self._remarks = self._remarks, []
        return remarks + (self._board(cells) if announced == "BOARD" else self._swap2(cells))

    # ---------------------------------------------------------------------------------------------------------------- Games

    def _start(self, rest: str) -> list[str]:
        [size] = read_numbers(rest, 1)
        return self._begin_game(size, size)

    def _rectstart(self, rest: str) -> list[str]:
        width, height = read_numbers(rest, 2)
        return self._begin_game(width, height)

    def _begin_game(self, width: int, height: int) -> list[str]:
        self._size = None
        self._thinker.get_ready(game_of(width, height, self._rule))
        self._size = width, height
        self._limit_memory(self._most_memory)
        return self._restart("")

    def _restart(self, rest: str) -> list[str]:
        _ = self._game
        self._stones.clear()
        self._clock.restart()
        return ["OK"]

    @property
    def _game(self) -> Game:
        """What is played; raises SparringError before START, or if no game has the manager's rule."""
        if self._size is None:
            raise NotationError("expected START or RECTSTART before this command")
        return game_of(*self._size, self._rule)

    def _end(self, rest: str) -> list[str]:
        self.has_ended = True
        return []

    def _about(self, rest: str) -> list[str]:
        return [f'name="sparring", version="{__version__}", author="the sparring authors", country="", agent="{self._thinker.name}"']

    # ---------------------------------------------------------------------------------------------------------------- Moves

    def _begin(self, rest: str) -> list[str]:
        return self._move()

    def _turn(self, rest: str) -> list[str]:
        self._stones[self._empty_cell(rest)] = OPPONENT
        return self._move()

    def _play(self, rest: str) -> list[str]:
        cell = self._empty_cell(rest)
        self._stones[cell] = OWN
        return [cell_text(self._game, cell)]

    def _takeback(self, rest: str) -> list[str]:
        cell = self._cell(rest)
        if cell not in self._stones:
            raise NotationError(f"expected the cell of a stone, got {rest}")
        del self._stones[cell]
        return ["OK"]

    def _board(self, lines: list[str]) -> list[str]:
        stones: dict[int, int] = {}
        for line in lines:
            x, y, owner = read_numbers(line, 3)
            cell = cell_at(self._game, x, y)
            if cell in stones:
                raise NotationError(f"expected one stone for each cell, got two on {x},{y}")
            if owner in (OWN, OPPONENT):  # others belong to earlier games of a continuous game
                stones[cell] = owner
        self._stones = stones
        return self._move()

    def _swap2(self, lines: list[str]) -> list[str]:
        cells = [self._cell(line) for line in lines]
        return [swap2.answer(self._game, cells, self._thinker.analyse, self._clock.move_seconds)]

    def _move(self) -> list[str]:
        """Thinks about our move, makes it and returns it, with a line about the thinking before it."""
        begin = time.perf_counter()
        game = self._game
        position = position_of(game, self._stones)
        check_running(position)
        analysis = self._thinker.analyse(position, max(0.0, self._clock.move_seconds - (time.perf_counter() - begin)))
        self._stones[analysis.move] = OWN
        return [f"DEBUG {thought_text(position, analysis)}", cell_text(game, analysis.move)]

    def _cell(self, text: str) -> int:
        x, y = read_numbers(text, 2)
        return cell_at(self._game, x, y)

    def _empty_cell(self, text: str) -> int:
        cell = self._cell(text)
        if cell in self._stones:
            raise NotationError(f"expected an empty cell, got {text}, which is taken")
        return cell

    # ---------------------------------------------------------------------------------------------------------------- Settings

    def _info(self, rest: str) -> list[str]:
        """Takes a setting; one that is unknown or no number is ignored, as the protocol asks."""
        key, _, text = rest.partition(" ")
        settings: dict[str, Callable[[int], None]] = {
            "timeout_turn": self._limit_turn,
            "timeout_match": lambda milliseconds: self._clock.limit_match(milliseconds / 1000),
            "time_left": lambda milliseconds: self._clock.tell_left(milliseconds / 1000),
            "max_memory": self._limit_memory,
            "rule": self._set_rule,
        }
        if key.lower() in settings:
            with suppress(NotationError):
                settings[key.lower()](*read_numbers(text, 1))
        return []

    def _limit_turn(self, milliseconds: int) -> None:
        self._clock.turn = max(0, milliseconds) / 1000

    def _limit_memory(self, most: int) -> None:
        """Keeps tables small enough for a number of bytes; 0 for no limit."""
        self._most_memory = most
        if not self._thinker.limit_memory(most / 2**20 if most > 0 else float("inf")) and self._size:
            least = int(self._thinker.idle_mib * 2**20)
            self._remarks = [f"MESSAGE max_memory: expected at least {least} bytes, got {most}; playing with the smallest tables"]

    def _set_rule(self, rule: int) -> None:
        """Takes a manager's rule; if there is no such game, the next command that needs it is answered by the error."""
        self._rule = rule
        with suppress(SparringError):
            self._thinker.get_ready(self._game)
