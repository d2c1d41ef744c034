"""A game of a person against an agent, in the terminal."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ...agents import Analysis, check_running, make, parameters_of, spec_text
from ...envs.game import Game
from ...envs.position import Position
from ...envs.registration import GAMES
from ...envs.rules.errors import AgentError, IllegalMoveError, NotationError
from ..terminal.analysis import thought_text

SIDES = ("x", "o")
HELP = "Write a move, or 'moves' (all that are legal), 'undo' (your last move), 'help' or 'quit'."
COMMANDS = {  # by what a person may write
    **dict.fromkeys(("help", "h", "?"), "help"),
    "moves": "moves",
    "undo": "undo",
    **dict.fromkeys(("quit", "q", "exit"), "quit"),
}


class Terminal(NamedTuple):
    """The terminal of a person.

    Attributes:
        ask: shows a question and returns the person's line; EOFError or KeyboardInterrupt ends the game.
        say: shows a text.
        can_wait: whether a finished game may ask whether to take back a move.
        command: starts this game; `--position` is added to go on.
    """

    ask: Callable[[str], str]
    say: Callable[[str], None]
    can_wait: bool = False
    command: str = "sparring play"


def opponent_spec(game: Game, spec: dict[str, Any] | None, seconds: float | None) -> dict[str, Any]:
    """Returns the spec of the agent to play against: by default the game's system; with a time for each move if one is given.

    Raises:
        AgentError: a time for an agent without a time limit.
    """
    spec = spec or {"name": game.kind.system}
    if seconds is None:
        return spec
    if "seconds" not in {parameter.name for parameter in parameters_of(spec["name"])}:
        raise AgentError(f"agent {spec['name']!r}: has no time limit, got seconds={seconds}")
    return {**spec, "seconds": seconds}


def play(game: Game, spec: dict[str, Any], side: int, terminal: Terminal, start: str = "") -> Position:
    """Plays one game and returns its last position; at the end, in any case, it shows the moves and the command to go on.

    Args:
        game: what is played.
        spec: of the agent.
        side: the agent's, 0 or 1.
        terminal: the person's.
        start: the moves or the board to begin from.

    Raises:
        NotationError, IllegalMoveError: the start is not a position, or the game is over in it.
        EOFError, KeyboardInterrupt: from `ask`.
    """
    position = Position(game, start)
    check_running(position)
    agent = make(spec, game)
    agent.reset(None)
    name = getattr(agent, "called", agent.name)
    terminal.say(f"You play {SIDES[1 - side]}, {spec_text(spec)} plays {SIDES[side]}. {HELP}")
    shown: list[int] | None = None
    try:
        while True:
            if shown != position.moves:
                terminal.say(f"\n{position}")
                shown = position.moves[:]
            if position.is_over:
                if not terminal.can_wait or not _goes_on(position, side, terminal):
                    break
            elif position.side == side:
                terminal.say(f"{name} thinks …")
                analysis = agent.analyse(position.copy())
                terminal.say(f"{name} plays {position.move_text(analysis.move)}   ({_thought(position, analysis)})")
                position.push(analysis.move)
            elif not _answer(position, terminal.ask(f"{SIDES[position.side]}: ").strip(), terminal.say):
                break
    except (EOFError, KeyboardInterrupt):
        terminal.say("")  # ends the line of a question
        raise
    finally:
        terminal.say(_farewell(position, start, terminal.command))
    return position


def _thought(position: Position, analysis: Analysis) -> str:
    """Returns an analysis in one line that says from whose view its score is."""
    view = f"; the score is as {SIDES[position.side]} sees it" if analysis.score is not None else ""
    return f"{thought_text(position, analysis)}{view}"


def _farewell(position: Position, start: str, command: str) -> str:
    """Returns the moves so far, and the command that goes on from there."""
    moves = position.notation
    has_board = bool(start) and len(Position(position.game, start).moves) == 0
    go_on = position.text if has_board else moves
    lines = [f"moves: {moves or 'none'}{f', from {start}' if has_board else ''}"]
    if not position.is_over:
        lines.append(f"go on with: {command}{f' --position {go_on!r}' if go_on else ''}")
    return "\n".join(lines)


def _goes_on(position: Position, side: int, terminal: Terminal) -> bool:
    """Lets a person take back the last move of a finished game; returns False if the game stays finished."""
    line = COMMANDS.get(terminal.ask("The game is over; 'undo', or Enter to end: ").strip().lower())
    if line == "undo":
        _undo(position, 1 - side, terminal.say)
    return line == "undo"


def _undo(position: Position, person: int, say: Callable[[str], None]) -> None:
    """Takes back a person's last move and the agent's answer."""
    count = 2 if position.side == person else 1
    if len(position.moves) < count:
        say("you have no move to take back")
        return
    for _ in range(count):
        position.pop()


def _answer(position: Position, line: str, say: Callable[[str], None]) -> bool:
    """Carries out a person's line; returns False for "quit"."""
    command = COMMANDS.get(line.lower())
    if command == "quit":
        return False
    if command == "help":
        example = position.move_text(position.legal_moves[0])
        columns = f", {_columns(position)}" if _columns(position) else ""
        say(f"{rules_of(position.game)}\n{HELP} You play {SIDES[position.side]}; a move is written as in {example!r}{columns}.")
    elif command == "moves":
        say(" ".join(position.move_text(move) for move in position.legal_moves))
    elif command == "undo":
        _undo(position, position.side, say)
    elif line:
        try:
            position.push(line.lower())
        except NotationError as error:
            columns = f"; a move is {_columns(position)}" if _columns(position) else ""
            say(f"{error}{columns}; 'help' lists the commands")
        except IllegalMoveError as error:
            say(f"{error}; 'help' lists the commands")
    return True


def _columns(position: Position) -> str:
    """Returns how moves are written in a game with gravity, empty for other games."""
    if position.game.kind.style(position.state) != "drop":
        return ""
    first, last = position.move_text(0), position.move_text(position.game.width - 1)
    return f"a column from {first} to {last}"


def rules_of(game: Game) -> str:
    """Returns the rules of a game in a few sentences, from the docstring of its environment."""
    module, _, name = GAMES[game.id].entry_point.partition(":")
    text = inspect.getdoc(getattr(importlib.import_module(module), name)) or ""
    description = text.partition("## Description")[2].partition("##")[0].replace("`", "")
    sentences = re.split(r"(?<=[.]) ", " ".join(description.split()))
    return " ".join([text.partition("\n")[0], *sentences[:2]])
