"""Files of Piskvork, the manager of Gomocup: one game of Gomoku each.

    Piskvorky 15x15, 11:11, 0       the board's sides, a level for each player, and which of them begins: 0 or 1
    8,8,125                         a stone: column from the left, row from the top, both from 1, and milliseconds
    9,7,310
    …
    pbrain-one                      the players, in tournaments only
    pbrain-two
    -1                              how the game ended, by Piskvork's own numbers
    1,Freestyle                     the player who won, 0 for a draw, and the rule, in Gomocup's archives only

Lines may end in CR and LF, have spaces around their numbers, or be empty, and all those below the stones may be missing. Times are neither
kept nor written, as the games log has none for single moves.

Source: `openPsq` and `savePsq` of Piskvork, and files of Gomocup's archives.
"""

from __future__ import annotations

import re
from pathlib import Path

from ....envs.game import Game
from ....envs.position import Position
from ....envs.rules.errors import ConfigError, NotationError, printable, shown
from ....envs.rules.gomoku import RULES
from .recorded import SEATS, RecordedGame, check_board, naming_line, place_stone, read_file, result_on_board, stones_of

HEADER = re.compile(r"Piskvorky\s+(\d{1,3})\s*x\s*(\d{1,3})\s*(?:,[^,]*(?:,\s*(\d)\s*)?)?", re.ASCII)
STONE = re.compile(r"(\d{1,3})\s*,\s*(\d{1,3})\s*(?:,\s*-?\d{1,18}\s*)?", re.ASCII)
END = re.compile(r"(-?\d{1,2})\s*,\s*([A-Za-z]+)")
NO_RESULT = -1
MOST_LINES_BELOW = 4


def read(path: Path, game: Game | None) -> list[RecordedGame]:
    """Returns the game of a file.

    Args:
        path: of the file.
        game: what is played; None if the file has to say it.

    Raises:
        ConfigError: the file cannot be read, is no such file, does not say its rule, or a move is not legal; names file and line.
    """
    lines = [(number, line.strip()) for number, line in enumerate(read_file(path).splitlines(), start=1) if line.strip()]
    number, head = lines[0] if lines else (1, "")
    stones = _stones(lines[1:])
    below = lines[1 + len(stones) :]
    if len(below) > MOST_LINES_BELOW:
        raise ConfigError(f"{path}:{below[0][0]}: expected a stone such as 8,8,0, or at most four more lines, got {shown(below[0][1])}")
    names, winner, rule = _below([line for _, line in below])
    with naming_line(path, number):
        match = HEADER.fullmatch(head)
        if match is None:
            raise NotationError(f"expected a line such as 'Piskvorky 15x15, 11:11, 0', got {shown(head)}")
        game = _game(game, int(match[1]), int(match[2]), rule)
        position = Position(game)
    for number, column, row in stones:
        with naming_line(path, number):
            place_stone(position, column - 1, row - 1)
    seats = SEATS[::-1] if match[3] == "1" else SEATS  # of the first and of the second player
    result = result_on_board(position) or {0: "draw", 1: seats[0], 2: seats[1]}.get(winner)
    return [RecordedGame(game, tuple(position.moves), **dict(zip(seats, names, strict=True)), result=result)]


def text_of(record: RecordedGame) -> str:
    """Returns a game as a file's text.

    Raises:
        ConfigError: a name is a stone.
    """
    names = [printable(name).strip() or "?" for name in (record.first, record.second)] if record.first or record.second else []
    if names and STONE.fullmatch(names[0]):
        raise ConfigError(f"psq: expected a name of a player that is no stone, got {shown(names[0])}")
    winner = {"first": 1, "second": 2, "draw": 0, None: NO_RESULT}[record.result]
    head = f"Piskvorky {record.game.width}x{record.game.height}, 11:11, 0"
    stones = [f"{column + 1},{row + 1},0" for column, row in stones_of(record)]
    return "\n".join([head, *stones, *names, "-1", f"{winner},{record.game.parameters['rule'].capitalize()}"]) + "\n"


def _stones(lines: list[tuple[int, str]]) -> list[tuple[int, int, int]]:
    """Returns the lines that are stones, up to the first other one: the line's number, column and row."""
    stones: list[tuple[int, int, int]] = []
    for number, line in lines:
        match = STONE.fullmatch(line)
        if match is None:
            break
        stones.append((number, int(match[1]), int(match[2])))
    return stones


def _below(lines: list[str]) -> tuple[tuple[str, str], int, str | None]:
    """Returns the names, the winner and the rule that the lines below the stones have."""
    winner, rule = NO_RESULT, None
    if lines and (match := END.fullmatch(lines[-1])):
        winner, rule, lines = int(match[1]), match[2].lower(), lines[:-1]
    first, second = lines[:2] if len(lines) > 1 else ("", "")
    return (printable(first), printable(second)), winner, rule


def _game(game: Game | None, width: int, height: int, rule: str | None) -> Game:
    """Returns the game of a file, which is the one given if there is one."""
    if game is not None:
        check_board(game, width, height)
        return game
    if width != height:
        raise NotationError(f"expected a square board, got {width}x{height}")
    if rule not in RULES:
        rules = ", ".join(rule.capitalize() for rule in RULES)
        raise NotationError(
            f"expected a last line such as 1,Freestyle with one of {rules}; or name the game with --game Gomoku:size={width}"
        )
    return Game.of("Gomoku", size=width, rule=rule)
