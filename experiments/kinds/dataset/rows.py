"""The rows of a data set: the positions of its games in order, each once, with what the teacher thought of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....agents.search.scores import is_decisive
from ....envs.game import Game
from ....envs.observation import observation_shape, plane_contents
from ....envs.position import Position
from ....envs.rules.errors import ConfigError
from ...games.task import SEATS

SPAN = 7.0  # of the scale around the median of the scores, in logarithms
LAST_TRIES = 1000  # games without a new position after which there seem to be no more
Array = NDArray[Any]


class Row(NamedTuple):
    """A position of a game with its labels.

    Attributes:
        game: number of the game.
        ply: plies before the position.
        seat: the side to move.
        position: board and side as text; see `envs.rules.notation`.
        cells: uint8[cells], the board as the rules have it.
        mask: bool[actions], the legal moves.
        move: the teacher's.
        score: of this move, in the teacher's units; None for none.
        is_proven: whether the score is proven.
        scores: of the moves that the teacher scored one by one.
        played: the move of the game.
        result: of the game, for the side to move: 1 won, 0 drawn, -1 lost.
    """

    game: int
    ply: int
    seat: int
    position: str
    cells: Array
    mask: Array
    move: int
    score: int | None
    is_proven: bool
    scores: dict[int, int]
    played: int
    result: int


class Rows:
    """Collects rows until there are enough. Games may come in any order; they count in that of their ids, so the rows are always the same.

    Attributes:
        rows: so far.
        games: that were used.
        repeats: positions of these games that had been there.
    """

    def __init__(self, game: Game, positions: int) -> None:
        """Takes the number of positions that is enough."""
        self.rows: list[Row] = []
        self.games, self.repeats = 0, 0
        self._game, self._most = game, positions
        self._waiting: dict[int, dict[str, Any]] = {}  # entries by id, of which an earlier game is missing
        self._seen: set[bytes] = set()
        self._tries = 0  # games since the last new position
        self._inverse = [np.argsort(cells) for cells, _ in game.symmetries] or [np.arange(game.width * game.height)]

    @property
    def is_complete(self) -> bool:
        """Whether no further game is needed: there are enough rows, or there seem to be no other positions."""
        return len(self.rows) >= self._most or self._tries >= LAST_TRIES

    def add(self, entry: dict[str, Any]) -> None:
        """Takes the log entry of a game.

        Raises:
            ConfigError: the game was lost by other means than the rules, or a move of the teacher is not legal.
        """
        self._waiting[entry["id"]] = entry
        while not self.is_complete and self.games in self._waiting:
            self._take(self._waiting.pop(self.games))

    def _take(self, entry: dict[str, Any]) -> None:
        """Adds the new positions of the next game."""
        self.games, before = self.games + 1, len(self.rows)
        for row in rows_of(self._game, entry):
            key = self._key(row)
            if key in self._seen:
                self.repeats += 1
                continue
            self._seen.add(key)
            self.rows.append(row)
            if len(self.rows) == self._most:
                break
        self._tries = self._tries + 1 if len(self.rows) == before else 0

    def _key(self, row: Row) -> bytes:
        """Returns a key that a position shares with its symmetric images alone."""
        return bytes([row.seat]) + min(row.cells[inverse].tobytes() for inverse in self._inverse)


def rows_of(game: Game, entry: dict[str, Any]) -> Iterator[Row]:
    """Yields the rows of all positions of a game.

    Raises:
        ConfigError: as `Rows.add`.
    """
    if "reason" in entry:
        raise ConfigError(f"game {entry['id']}: expected one that the rules decide, got a loss: {entry['reason']}")
    position, labels = Position(game), entry["labels"]
    none = [None] * len(labels["moves"])
    scores, finals, all_scores = (labels.get(name) or none for name in ("scores", "final", "move_scores"))
    winner = None if entry["result"] == "draw" else SEATS.index(entry["result"])
    size = game.width * game.height
    for ply, token in enumerate(game.rules.split_moves(position.state, entry["moves"])):
        seat, text, cells = position.side, position.text, np.frombuffer(bytes(position.state.cells[:size]), np.uint8)
        mask = position.mask.astype(bool)
        moves = dict(all_scores[ply] or ())
        if not all(0 <= move < len(mask) and mask[move] for move in (labels["moves"][ply], *moves)):
            raise ConfigError(f"game {entry['id']}: labels: expected legal moves at ply {ply}, got {labels['moves'][ply]}")
        yield Row(
            game=entry["id"],
            ply=position.ply,
            seat=seat,
            position=text,
            cells=cells,
            mask=mask,
            move=labels["moves"][ply],
            score=scores[ply],
            is_proven=bool(finals[ply]) or is_decisive(scores[ply] or 0),
            scores=moves,
            played=position.push(token),
            result=0 if winner is None else 1 if winner == seat else -1,
        )


def observations_of(game: Game, rows: list[Row]) -> Array:
    """Returns int8[rows, planes, height, width], the boards as the side to move sees them; see `envs.observation`."""
    planes, height, width = observation_shape(game)
    cells = np.array([row.cells for row in rows]).reshape(-1, 1, height, width)
    contents = np.array([plane_contents(planes, seat) for seat in (0, 1)], np.uint8)
    seats = np.array([row.seat for row in rows])
    return (cells == contents[seats].reshape(-1, planes, 1, 1)).astype(np.int8)


def scale_of(rows: list[Row]) -> float | None:
    """Returns the scale for which tanh(score / scale) is nearest to the results of the games, by least squares.

    Proven scores are left out, as they are worth their result. None without others that differ from 0.
    """
    from scipy.optimize import minimize_scalar

    known = [(row.score, row.result) for row in rows if row.score and not row.is_proven]
    if not known:
        return None
    scores, results = np.array(known, float).T
    middle = float(np.log(np.median(np.abs(scores))))

    def error(logarithm: float) -> float:
        return float(np.square(np.tanh(scores / np.exp(logarithm)) - results).mean())

    found: Any = minimize_scalar(error, bounds=(middle - SPAN, middle + SPAN), method="bounded")
    return float(f"{np.exp(found.x):.6g}")


def expected_of(rows: list[Row], scale: float | None) -> list[float | None]:
    """Returns what each position is worth for the side to move by its score: -1 lost, 0 even, 1 won; None without a score."""

    def expected(row: Row) -> float | None:
        if row.score is None:
            return None
        if row.is_proven or scale is None:
            return float(np.sign(row.score))
        return float(np.tanh(row.score / scale))

    return [expected(row) for row in rows]
