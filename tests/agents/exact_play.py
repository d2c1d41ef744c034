"""Exact play on small boards, by plain search of whole games with the oracles' rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from sparring import Game

from ..oracles import ConnectKOracle, GomokuOracle, IsolaOracle, RenjuOracle

STEP_AND_REMOVAL = {"queen": ("queen", "vacated"), "sevens": ("king", "any"), "knight": ("knight", "vacated")}  # of the rules used here


class Exact(NamedTuple):
    """What a position is worth to the side to move under best play, and the plies to the end: few for the winner, many for the loser."""

    value: int
    plies: int


def oracle_of(game: Game, text: str) -> Any:
    """Returns the oracle of a board text of a game."""
    parameters = game.parameters
    if game.kind.name == "connect_k":
        return ConnectKOracle.from_text(parameters["width"], parameters["height"], parameters["k"], parameters["gravity"], text)
    if parameters.get("rule") == "renju":
        return RenjuOracle.from_text(parameters["size"], text)
    if game.kind.name == "gomoku":
        return GomokuOracle.from_text(parameters["size"], parameters["rule"], text)
    step, removal = STEP_AND_REMOVAL[parameters["rules"]]
    rules = parameters.get("step", step), parameters.get("removal", removal)
    return IsolaOracle.from_text(game.width, game.height, *rules, None, False, text)


class ExactTable:
    """The exact value of every position of a game that was asked for, and of all that follow from it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[str, Exact] = {}

    def __getitem__(self, text: str) -> Exact:
        """Returns the value of a board text."""
        return self.known[text] if text in self.known else self._solved(oracle_of(self.game, text), text)

    def _solved(self, position: Any, text: str) -> Exact:
        """Solves a position that is not known yet; a stack in the place of recursion keeps what waits for its replies."""
        waiting: list[tuple[str, Any, Iterator[int], list[Exact]]] = [(text, position, iter(position.legal()), [])]
        while True:
            text, position, moves, replies = waiting[-1]
            move = None if position.is_over() else next(moves, None)
            if move is not None:
                after = position.play(move)
                text = after.board_text()
                if text in self.known:
                    replies.append(self.known[text])
                else:
                    waiting.append((text, after, iter(after.legal()), []))
                continue
            found = self.known[text] = ended(position) if position.is_over() else best_of(replies)
            waiting.pop()
            if not waiting:
                return found
            waiting[-1][3].append(found)


def ended(position: Any) -> Exact:
    """Returns the value of a finished game."""
    winner = position.winner()
    return Exact(0 if winner is None else 1 if winner == position.side else -1, 0)


def best_of(replies: list[Exact]) -> Exact:
    """Returns the value of a position from those of all positions after it."""
    value = -min(reply.value for reply in replies)
    plies = [reply.plies + 1 for reply in replies if reply.value == -value]
    return Exact(value, min(plies) if value > 0 else max(plies))
