r"""Files of SGF, the Smart Game Format, version FF[4]: any number of games, one after the other.

    (;FF[4]GM[4]CA[UTF-8]SZ[15]PB[one]PW[two]RE[B+]RU[renju];B[hh];W[hg]C[a note];B[ii])

A game is a tree of nodes. `;` begins a node, which has properties: capital letters and values in brackets, in which `\` takes away the
meaning of the next character. `(` begins a variation; the first one at every fork is the main line, which is read, and the others are
left out. Points are a column from the left and a row from the top, `a` for the first.

    GM  4 for Gomoku and Renju                   RE  result: B+ or W+, then nothing, Time, Resign or Forfeit; 0 or Draw
    SZ  the board's side, or width:height        RU  freestyle, standard, caro, renju; or one of our games: `ConnectK:width=5,height=4`
    PB, PW  players, black moves first           EV, DT  event, date
    B, W  a stone of black, of white             C  a note on it

Rules may also be Gomocup's numbers: 0 freestyle, 1 standard, 4 renju, 8 caro. Games of Connect-K are written with GM[4], too, the nearest
game of the format. Games that begin with stones on the board (AB, AW, AE), or in which somebody passes, are refused.

Source: the specification of FF[4], https://www.red-bean.com/sgf/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ....agents.gomocup import GOMOKU_RULES
from ....envs.game import Game
from ....envs.position import Position
from ....envs.registration import GAMES
from ....envs.rules.errors import ConfigError, NotationError, printable, shown
from ....envs.rules.gomoku import RULES
from .recorded import (
    SEATS,
    RecordedGame,
    check_board,
    has_stones,
    is_gomoku,
    naming_line,
    place_stone,
    read_file,
    result_on_board,
    stones_of,
)

TOKEN = re.compile(r"([();]|([A-Za-z]+)\s*((?:\[[^\]\\]*(?:\\.[^\]\\]*)*\]\s*)+))\s*", re.DOTALL)
VALUE = re.compile(r"\[([^\]\\]*(?:\\.[^\]\\]*)*)\]", re.DOTALL)
ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
GOMOKU = "4"
COLOURS = "BW"
HEAD = ("GM", "SZ", "RU", "PB", "PW", "RE", "EV", "DT")  # properties of the first node
SETUP = ("AB", "AW", "AE")
RESULT = re.compile(r"([BW])\+\s*(\w*)", re.IGNORECASE)
FORFEITS = {"t": "Time", "r": "Resign", "f": "Forfeit"}  # by the first letter; numbers are points, as in Go
DRAWS = ("0", "draw", "d")
SHOWN = 20  # characters of what is no token, in messages


class Property(NamedTuple):
    """A property of a node, with the line on which it is."""

    name: str
    values: list[str]
    line: int


Node = list[Property]


class Tree(NamedTuple):
    """The main line of a game, and the line of the file on which it begins."""

    nodes: list[Node]
    line: int


def read(path: Path, game: Game | None) -> list[RecordedGame]:
    """Returns the games of a file.

    Args:
        path: of the file.
        game: what is played; None if the file has to say it.

    Raises:
        ConfigError: the file cannot be read, is no such file, does not say its board or rule, or a move is not legal; names file and line.
    """
    return [_recorded(tree, path, game) for tree in _trees(read_file(path), path)]


def text_of(record: RecordedGame) -> str:
    """Returns a game as a line of a file."""
    width, height = record.game.width, record.game.height
    properties = {
        "FF": "4",
        "GM": GOMOKU,
        "CA": "UTF-8",
        "SZ": f"{width}" if width == height else f"{width}:{height}",
        "EV": record.event,
        "DT": record.date,
        "PB": record.first,
        "PW": record.second,
        "RE": _result_text(record),
        "RU": _rule_text(record.game),
    }
    head = "".join(f"{name}[{_escaped(value)}]" for name, value in properties.items() if value)
    nodes = [f";{COLOURS[ply % 2]}[{_letter(column)}{_letter(row)}]" for ply, (column, row) in enumerate(stones_of(record))]
    notes = [f"C[{_escaped(note)}]" if note else "" for note in record.notes or [""] * len(nodes)]
    return f"(;{head}{''.join(node + note for node, note in zip(nodes, notes, strict=True))})\n"


# ------------------------------------------------------------------------------------------------------------------ Reading


def _trees(text: str, path: Path) -> Iterator[Tree]:
    """Yields the main line of each game.

    Raises:
        ConfigError: the text is not a collection of games.
    """
    end = len(text) - len(text.lstrip())
    line, depth, is_main = 1 + text.count("\n", 0, end), 0, False
    tree = Tree([], line)
    while end < len(text):
        match = TOKEN.match(text, end)
        token = match[1] if match else ""
        if match is None or (depth == 0 and token != "("):
            expected = "a property such as B[hh], or one of ; ( )" if depth else "a game, which begins with (;"
            raise ConfigError(f"{path}:{line}: expected {expected}, got {shown(text[end : end + SHOWN])}")
        if token == "(":
            depth += 1
            if depth == 1:
                tree, is_main = Tree([], line), True
        elif token == ")":
            depth, is_main = depth - 1, False
            if depth == 0:
                yield tree
        elif is_main and token == ";":
            tree.nodes.append([])
        elif is_main:
            if not tree.nodes:
                raise ConfigError(f"{path}:{line}: expected ; before the first property of a game, got {shown(match[2])}")
            name = re.sub("[a-z]", "", match[2])
            tree.nodes[-1].append(Property(name, VALUE.findall(match[3]), line))
        line += text.count("\n", end, match.end())
        end = match.end()
    if depth:
        raise ConfigError(f"{path}:{line}: expected ) at the end of a game, got the end of the file")


def _recorded(tree: Tree, path: Path, game: Game | None) -> RecordedGame:
    """Returns the game of a main line."""
    head = {name: _line_of(values[0]) for name, values, _ in reversed(tree.nodes[0] if tree.nodes else []) if name in HEAD}
    with naming_line(path, tree.line):
        game = _game(head, game)
        position = Position(game)
    notes: list[str] = []
    for node in tree.nodes:
        for name, values, line in node:
            with naming_line(path, line):
                if name in SETUP:
                    raise NotationError(f"expected a game from the empty board, got stones set up with {name}")
                if name in COLOURS:
                    _play(position, name, values)
                    notes.append("")
        remarks = [_text_of(values[0]) for name, values, _ in node if name == "C"]
        if remarks and any(name in COLOURS for name, _, _ in node):
            notes[-1] = remarks[0]
    result, forfeit = _read_result(head.get("RE", ""))
    on_board = result_on_board(position)
    return RecordedGame(
        game,
        tuple(position.moves),
        first=head.get("PB", ""),
        second=head.get("PW", ""),
        result=on_board or result,
        forfeit="" if on_board else forfeit,
        event=head.get("EV", ""),
        date=head.get("DT", ""),
        notes=tuple(notes) if any(notes) else (),
        line=tree.line,
    )


def _play(position: Position, colour: str, points: list[str]) -> None:
    """Plays a stone."""
    if colour != COLOURS[position.side] and not position.is_over:
        raise NotationError(f"expected a stone of {COLOURS[position.side]}, as the sides take turns, got one of {colour}")
    point = points[0].strip() if len(points) == 1 else "".join(f"[{point}]" for point in points)
    if not re.fullmatch("[a-z]{2}", point):
        raise NotationError(f"expected a point such as {colour}[hh], got {'a pass' if not point else shown(point)}")
    place_stone(position, ord(point[0]) - ord("a"), ord(point[1]) - ord("a"))


def _game(head: dict[str, str], game: Game | None) -> Game:
    """Returns the game that the properties of a first node say, or the one that is given."""
    if head.get("GM", GOMOKU).strip() != GOMOKU:
        raise NotationError(f"expected GM[4], Gomoku, got {shown(head['GM'])}")
    size = head.get("SZ", "").strip()
    match = re.fullmatch(r"(\d{1,3})(?:\s*:\s*(\d{1,3}))?", size, re.ASCII)
    if size and match is None:
        raise NotationError(f"expected a size such as SZ[15], got {shown(size)}")
    if game is None:
        if match is None:
            raise NotationError("expected a size such as SZ[15]; or name the game with --game Gomoku:size=15")
        game = _game_of_rule(head.get("RU", "").strip(), match[1])
    if match:
        check_board(game, int(match[1]), int(match[2] or match[1]))
    return game


def _game_of_rule(rule: str, size: str) -> Game:
    """Returns the game that a rule and a size mean."""
    rule = GOMOKU_RULES[int(rule)] if rule.isdecimal() and int(rule) in GOMOKU_RULES else rule
    if rule.lower() in RULES:
        return Game.of("Gomoku", size=int(size), rule=rule.lower())
    if rule.partition(":")[0] in {registration.name for registration in GAMES.values()} and has_stones(game := Game.of(rule)):
        return game
    got = f"got {shown(rule)}" if rule else "got none"
    raise NotationError(f"expected a rule, RU with one of {', '.join(RULES)}; or name the game with --game Gomoku:size={size}; {got}")


def _read_result(text: str) -> tuple[str | None, str]:
    """Returns the result and how the loser lost."""
    if match := RESULT.match(text.strip()):
        return SEATS[COLOURS.index(match[1].upper())], FORFEITS.get(match[2][:1].lower(), "")
    return ("draw" if text.strip().lower() in DRAWS else None), ""


def _text_of(value: str) -> str:
    """Returns the text of a value, without escapes."""
    return ESCAPED.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], value)


def _line_of(value: str) -> str:
    """Returns the text of a value in one line."""
    return printable(re.sub(r"\s", " ", _text_of(value)))


# ------------------------------------------------------------------------------------------------------------------ Writing


def _result_text(record: RecordedGame) -> str:
    """Returns a result as RE has it; empty for none."""
    if record.result in SEATS:
        return f"{COLOURS[SEATS.index(record.result)]}+{record.forfeit}"
    return "Draw" if record.result else ""


def _rule_text(game: Game) -> str:
    """Returns the rule of Gomoku, or another game with its parameters."""
    if is_gomoku(game):
        return game.parameters["rule"]
    options = ",".join(f"{name}={str(value).lower()}" for name, value in game.options.items())
    return f"{game.name}:{options}" if options else game.name


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _letter(number: int) -> str:
    return chr(ord("a") + number)
