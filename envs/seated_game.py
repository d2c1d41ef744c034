"""SeatedGame: a game in which a learner has one seat and an opponent the other, without Gymnasium."""

from __future__ import annotations

from typing import Any

from .chance import NO_MOVE, begin, draw, draw_event, stream_of
from .game import Game
from .options import SEATS, EnvOptions, no_move_for, no_move_from, over_at_start
from .pool import Opponents, wrong_answer
from .position import Position
from .rules.errors import whole_number

OPENING_TRIES = 50


class SeatedGame:
    """Seats, openings and the opponent's moves; `BoardEnv` adds the learner's.

    Attributes:
        game: what is played.
        options: the same for all games.
        position: of the present game.
        seat: the learner's side, 0 or 1.
    """

    def __init__(self, game: Game, opponent: Any, options: EnvOptions) -> None:
        """Makes the opponent, or the pool; arguments and errors as for `BoardEnv`."""
        self.game, self.options = game, options
        self.position = Position(game)
        self.seat = 0
        self._opponents = Opponents(opponent, game)
        self._opponent_move = NO_MOVE
        self._episode = 0
        self._stream = stream_of()
        self._out = [0] * game.action_count

    @property
    def opponents(self) -> list[Any]:
        """The agents of the pool, a single one without a pool."""
        return self._opponents.agents

    @property
    def opponent(self) -> Any:
        """The opponent of this game; another one, or a pool, plays from the next game on."""
        return self._opponents.current

    @opponent.setter
    def opponent(self, opponent: Any) -> None:
        self.set_opponent(opponent)

    def set_opponent(self, opponent: Any) -> None:
        """Lets an opponent, or a pool, play from the next game on.

        Raises:
            AgentError: the opponent is unknown, or does not play this game.
        """
        self._opponents.set_next(opponent)

    def _seed(self, seed: int) -> None:
        """Lets the random numbers, and the seats that alternate, begin anew."""
        begin(self._stream, seed)
        self._episode = 0

    def _start(self, text: str | None) -> None:
        """Starts a game from a position given as text, None for an opening; the opponent moves if it is its turn."""
        self.seat = self._draw_seat()
        self._episode += 1
        self._opponents.begin(self._stream)
        if text is None:
            self._start_with_opening()
        else:
            self._start_from(text)

    def _draw_seat(self) -> int:
        if self.options.seat == "random":
            return draw(self._stream, 2)
        return self._episode % 2 if self.options.seat == "alternate" else SEATS.index(self.options.seat)

    def _start_from(self, text: str) -> None:
        """Sets the position; the opponent moves if it is its turn, and must leave the learner a move."""
        self.position = Position(self.game, text)
        if self.position.is_over:
            raise over_at_start(text, self.position.termination)
        if not self._learner_can_begin():
            raise no_move_from(text)

    def _start_with_opening(self) -> None:
        """Draws an opening after which the learner has a move; after many failures takes back moves of the last one until it has."""
        for _ in range(OPENING_TRIES):
            self.position = Position(self.game)
            self._play_opening()
            if self._learner_can_begin():
                return
        while self.position.moves:
            self.position.pop()
            if self._learner_can_begin():
                return
        raise no_move_for(SEATS[self.seat], self.game)

    def _play_opening(self) -> None:
        """Plays random moves that do not end the game; fewer, where all moves would."""
        for _ in range(self.options.opening_plies):
            move = self.game.chance.random_opening_move(self.position.state, self._out, self._stream)
            if move == NO_MOVE:
                return
            self.position.push(move)

    def _learner_can_begin(self) -> bool:
        """Lets the opponent move if it is its turn; takes that move back and returns False if it leaves the learner none."""
        self._opponent_move, self._opponents.analysis = NO_MOVE, None
        if not self.position.is_over and self.position.side != self.seat:
            self._opponent_plays()
            if self.position.is_over:
                self.position.pop()
                return False
        return not self.position.is_over

    def _opponent_plays(self) -> None:
        """Lets the opponent make its move, or makes a random one in its place."""
        self._opponents.analysis = None
        if self.options.epsilon and draw_event(self._stream, self.options.epsilon):
            move = self.game.chance.random_move(self.position.state, self._out, self._stream)
        else:
            answer = self._opponents.answer(self.position, self.options.opponent_info)
            move = whole_number(answer)
            if move is None or not self.position.is_legal(move):
                raise wrong_answer(self.opponent, answer, f"ply {self.position.ply}: {self.position.notation}".rstrip(": "))
        self._opponent_move = self.position.push(move)
