"""Position: a game's state with its moves, in text and as integers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .game import Game
from .observation import action_mask, observe
from .rules.errors import IllegalMoveError, NotationError, shown, whole_number
from .rules.interface import RUNNING, WON
from .rules.notation import SIDES, board_text, is_board_text
from .rules.state import State


class Position:
    """A position of a game, with the moves that led to it.

    Made from an id and a text: the moves from the start, or a board with the side to move (see `envs.rules.notation`).

    >>> position = Position("sparring/ConnectFour-v0", "4453")
    >>> print(position.text)
    7/7/7/7/3o3/2oxx2 x
    >>> position.legal_moves
    [0, 1, 2, 3, 4, 5, 6]
    >>> position.push("6")
    5
    >>> position.push(0), position.push(6)
    (0, 6)
    >>> position.is_over, position.winner, position.termination
    (True, 0, 'line')
    >>> position.pop()
    6
    >>> position.notation
    '445361'
    >>> Position("Isola", "a8-b7 h1-h3").text
    '#7/1x6/8/8/8/7o/8/7# x'
    >>> Position("Isola", "a8-b7 h1-h3") == Position("Isola", "#7/1x6/8/8/8/7o/8/7# x")
    True

    Positions are equal if their games, boards and sides to move are equal; how they were reached does not matter.

    Attributes:
        game: the Game.
        state: the plain State of the rules; to be read, not written.
        moves: the moves since the start, or since the board of the text.
    """

    def __init__(self, game: str | Game, text: str = "", **parameters: Any) -> None:
        """Sets up a position.

        Args:
            game: an id such as "sparring/Gomoku-v0", a short name ("Gomoku"), or a Game.
            text: moves from the start, or a board text; empty for the start.
            parameters: of the rules, as in `gymnasium.make`.

        Raises:
            UnknownGameError, RulesError: no such game or board.
            NotationError: the text is neither moves nor a board, or the board breaks a rule that can be checked without searching.
            IllegalMoveError: a move of the text is not legal in its position.
        """
        self.game = Game.of(game, **parameters)
        self.state: State = self.game.initial()
        self.moves: list[int] = []
        self._start: str | None = None
        if not isinstance(text, str):
            raise NotationError(f"position: expected moves or a board as text, got {shown(text)}")
        if is_board_text(text):
            self.game.rules.set_board(self.state, text)
            self._start = board_text(self.state)
        else:
            self._push_all(text)

    def _push_all(self, text: str) -> None:
        """Plays the moves of a text; an error about notation shows an example of several moves."""
        for token in self.game.rules.split_moves(self.state, text):
            try:
                self.push(token)
            except NotationError as error:
                raise NotationError(f"{error}; moves are written one after the other, as in {_example(self.game)!r}") from None

    @property
    def side(self) -> int:
        """The side to move, 0 or 1; when the game is over, the side that would be."""
        return self.state.side

    @property
    def ply(self) -> int:
        """The number of moves since the start of the game; after a board text, counted by its pieces."""
        return self.state.ply

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.status != RUNNING

    @property
    def winner(self) -> int | None:
        """The side that has won, or None."""
        return 1 - self.state.side if self.state.status == WON else None

    @property
    def termination(self) -> str | None:
        """How the game ended, one of its kind's endings ("line", "full", "blocked"); None while it goes on."""
        return self.game.endings[int(self.game.rule("ending")(self.state))] if self.is_over else None

    @property
    def legal_moves(self) -> list[int]:
        """The legal moves in ascending order; none when the game is over."""
        if self.is_over:
            return []
        out = [0] * self.game.action_count
        return out[: self.game.rules.moves(self.state, out, 0)]

    @property
    def mask(self) -> NDArray[np.int8]:
        """int8[actions]: 1 for legal moves; all ones when the game is over, as no learner accepts an empty mask."""
        return action_mask(self)

    def observation(self, seat: int | None = None) -> NDArray[np.int8]:
        """Returns the board as a side sees it, None for the side to move: int8[planes, height, width], row 0 at the bottom.

        Plane 0 shows its own stones or piece, plane 1 the other side's; in Isola plane 2 shows the gone squares.
        """
        return observe(self, seat)

    def is_legal(self, move: int) -> bool:
        """Tells whether a move may be played now."""
        number = whole_number(move)
        return number is not None and not self.is_over and self.game.rules.is_legal(self.state, number)

    def push(self, move: int | str) -> int:
        """Plays a move, given as an integer or as text, and returns it.

        Raises:
            NotationError: the text is not a move of this board.
            IllegalMoveError: the move is not legal here.
        """
        number = self.read_move(move) if isinstance(move, str) else whole_number(move)
        if number is None:
            expected = "expected a whole number or a text"
            raise IllegalMoveError(f"illegal move {shown(move)} for {SIDES[self.side]}: {expected} ({self._where()})")
        if not self.is_legal(number):
            reason = "the game is over" if self.is_over else self.game.rules.why_illegal(self.state, number)
            raise IllegalMoveError(f"illegal move {shown(move)} for {SIDES[self.side]}: {reason} ({self._where()})")
        self.game.rules.play(self.state, number)
        self.moves.append(number)
        return number

    def pop(self) -> int:
        """Takes back the last move and returns it.

        Raises:
            IllegalMoveError: no move was played since the position was set up.
        """
        if not self.moves:
            raise IllegalMoveError(f"no move to take back ({self._where()})")
        move = self.moves.pop()
        self.game.rules.undo(self.state, move)
        return move

    def copy(self) -> Position:
        """Returns an independent copy."""
        twin = object.__new__(Position)
        twin.game, twin.state, twin.moves, twin._start = self.game, self.state.copy(), self.moves[:], self._start
        return twin

    @property
    def text(self) -> str:
        """The board text: rows from the top, then the side to move."""
        return board_text(self.state)

    @property
    def notation(self) -> str:
        """The moves as text, since the start or since the board of the text."""
        replay = Position(self.game, self._start or "")
        tokens: list[str] = []
        for move in self.moves:
            tokens.append(replay.move_text(move))
            replay.game.rules.play(replay.state, move)
        return self.game.rules.join_moves(self.state, tokens)

    def move_text(self, move: int) -> str:
        """Returns a legal move of this position as text."""
        return self.game.rules.move_text(self.state, move)

    def read_move(self, text: str) -> int:
        """Returns the move that a text means in this position, legal or not.

        Raises:
            NotationError: it is not a move of this board.
        """
        move = self.game.rules.read_move(self.state, text.strip())
        if move is None:
            legal = self.legal_moves
            example = f"a move such as {self.move_text(legal[0])!r}" if legal else "no move, as the game is over"
            raise NotationError(f"expected {example}, got {shown(text)} ({self._where()})")
        return move

    def _where(self) -> str:
        """Returns the ply and the moves so far, for messages."""
        moves = self.notation
        return f"ply {self.ply}: {self._start or ''}{' ' if self._start and moves else ''}{moves}".rstrip(": ")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and self.state.side == other.state.side and self.state.cells == other.state.cells

    def __hash__(self) -> int:
        return hash((self.game, self.state.side, bytes(self.state.cells)))

    def __str__(self) -> str:
        from .drawing.rendering import draw_text

        return draw_text(self)

    def __repr__(self) -> str:
        text = self.notation if self._start is None else self.text
        return f"Position({self.game!r}, {text!r})"


def _example(game: Game) -> str:
    """Returns the first moves of a game as text, to show how moves are written."""
    position = Position(game)
    while len(position.moves) < 2 and position.legal_moves:
        position.push(position.legal_moves[0])
    return position.notation
