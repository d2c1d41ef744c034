"""A game of a person against an agent, in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...agents import make, parameters_of, spec_text
from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules.errors import AgentError, IllegalMoveError, NotationError
from ..terminal.analysis import thought_text

SIDES = ("x", "o")
HELP = "Write a move, or 'moves' (all that are legal), 'undo' (your last move), 'help' or 'quit'."


def opponent_spec(game: Game, spec: dict[str, Any] | None, seconds: float | None) -> dict[str, Any]:
    """Returns the agent to play against: the game's own unless one is named, with a time for each move if one is given.

    Raises:
        AgentError: a time for an agent that knows none.
    """
    spec = spec or {"name": game.kind.system}
    if seconds is None:
        return spec
    if "seconds" not in {parameter.name for parameter in parameters_of(spec["name"])}:
        raise AgentError(f"agent {spec['name']!r}: expected no seconds, as it does not think by the clock, got {seconds}")
    return {**spec, "seconds": seconds}


def play(game: Game, spec: dict[str, Any], side: int, ask: Callable[[str], str], say: Callable[[str], None]) -> Position:
    """Plays one game and returns its last position.

    Args:
        game: what is played.
        spec: the agent.
        side: the agent's, 0 or 1.
        ask: shows a question and returns the person's line; EOFError or KeyboardInterrupt ends the game.
        say: shows a text.
    """
    agent, position = make(spec, game), Position(game)
    agent.reset(None)
    say(f"You play {SIDES[1 - side]}, {spec_text(spec)} plays {SIDES[side]}. {HELP}")
    shown = None
    while not position.is_over:
        if shown != len(position.moves):
            say(f"\n{position}")
            shown = len(position.moves)
        if position.side == side:
            say(f"{agent.name} thinks …")
            analysis = agent.analyse(position.copy())
            say(f"{agent.name} plays {position.move_text(analysis.move)}   ({thought_text(position, analysis)})")
            position.push(analysis.move)
        elif not _answer(position, ask(f"{SIDES[position.side]}: ").strip(), say):
            return position
    say(f"\n{position}\n{position.notation}")
    return position


def _answer(position: Position, line: str, say: Callable[[str], None]) -> bool:
    """Carries out what the person wrote; returns False if it was to stop."""
    if line == "quit":
        return False
    if line == "help":
        example = position.move_text(position.legal_moves[0])
        say(f"{HELP} You play {SIDES[position.side]}; a move is written as in {example!r}.")
    elif line == "moves":
        say(" ".join(position.move_text(move) for move in position.legal_moves))
    elif line == "undo":
        if len(position.moves) < 2:
            say("there is no move of yours to take back")
        else:
            position.pop()
            position.pop()
    elif line:
        try:
            position.push(line)
        except (IllegalMoveError, NotationError) as error:
            say(str(error))
    return True
