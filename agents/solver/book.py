"""Books: exact scores and best moves of positions of Connect Four, solved ahead.

A file is a line of text, and behind it compressed numbers:

    sparring-book 1 7x6 1234 SHA-256        format, version, board, number of positions, hash of all that follows
    zlib data of int64[3, positions]        keys in ascending order, each less the one before; scores; best moves, a bit for each column

The bytes of the numbers are sorted by their rank: first the lowest byte of each number, at last the highest, as equal bytes compress well.

A position has the key that `bound_table` describes. A position and its mirror image are one: that of the smaller key.
"""

from __future__ import annotations

import functools
import hashlib
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.game import Game
from ...envs.position import Position
from ...envs.rules.connect_k_bitboards import record_of
from ...envs.rules.errors import AgentError, shown
from .connect_four import Best, can_solve
from .four_lines import Board, board_of, mirrored

FOLDER = Path(__file__).parent / "books"
MAGIC, VERSION = "sparring-book", 1
MOST_POSITIONS = 10**7
MOST_BYTES = 2**26


class Stones(NamedTuple):
    """A position as bits: the stones of the side to move, and all stones."""

    own: int
    filled: int


def integer_board(width: int, height: int) -> Board:
    """Returns the constants of a board as Python's integers."""
    return Board._make(map(int, board_of(width, height)))


def key_of(board: Board, stones: Stones) -> int:
    """Returns the key that a position shares with its mirror image."""
    key = stones.own + stones.filled + board.bottom
    return min(key, mirrored(board, key))


def stones_of(board: Board, key: int) -> Stones:
    """Returns the position of a key: the highest bit of each column lies above its stones."""
    filled, tall = 0, board.height + 1
    for shift in range(0, board.width * tall, tall):
        column = key >> shift & (1 << tall) - 1
        filled |= (1 << column.bit_length() - 1) - 1 << shift
    return Stones(key - filled - board.bottom, filled)


class Book:
    """Best positions of one board.

    Attributes:
        width, height: of the board.
    """

    def __init__(self, width: int, height: int, numbers: NDArray[np.int64]) -> None:
        """Takes int64[3, n]: ascending keys, scores, and bits of the best moves."""
        self.width, self.height = width, height
        self._keys, self._scores, self._moves = numbers
        self._board = integer_board(width, height)

    @classmethod
    def of(cls, width: int, height: int, solved: Mapping[int, Best]) -> Book:
        """Returns the book of some positions by their keys."""
        rows = [(key, solved[key].score, sum(1 << move for move in solved[key].moves)) for key in sorted(solved)]
        return cls(width, height, np.array(rows, np.int64).reshape(-1, 3).T)

    def find(self, position: Position) -> Best | None:
        """Returns what the book has on a position of its board, None if it has nothing."""
        record = record_of(position.state)[0]
        stones = Stones(int(record["own"]), int(record["filled"]))
        key = key_of(self._board, stones)
        solved = self.solved(key)
        if solved is None or stones_of(self._board, key) == stones:
            return solved
        return Best(solved.score, tuple(self.width - 1 - column for column in reversed(solved.moves)))

    def solved(self, key: int) -> Best | None:
        """Does the same for the position of a key."""
        index = int(np.searchsorted(self._keys, key))
        if index == len(self) or self._keys[index] != key:
            return None
        columns = (column for column in range(self.width) if self._moves[index] >> column & 1)
        return Best(int(self._scores[index]), tuple(columns))

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[int]:
        """Yields the keys."""
        return iter(self._keys.tolist())

    def to_bytes(self) -> bytes:
        """Returns the content of a file."""
        numbers = np.stack([np.diff(self._keys, prepend=0), self._scores, self._moves])
        data = zlib.compress(numbers.astype("<i8").reshape(-1, 1).view(np.uint8).T.tobytes(), 9)
        return f"{MAGIC} {VERSION} {self.width}x{self.height} {len(self)} {hashlib.sha256(data).hexdigest()}\n".encode() + data


def read_book(path: Path) -> Book:
    """Returns the book in a file.

    Raises:
        AgentError: the file cannot be read, is no book, or has been damaged.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES)
        return _parsed(content)
    except OSError as error:
        raise AgentError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise AgentError(f"{path}: {error}") from None


def _parsed(content: bytes) -> Book:
    """Returns the book of a file's content, or raises ValueError."""
    line, _, data = content.partition(b"\n")
    words = line[:200].decode("ascii", "replace").split()
    if len(words) != 5 or words[0] != MAGIC:
        raise ValueError(f"expected a book that begins with {MAGIC!r}, got {shown(line[:40].decode('ascii', 'replace'))}")
    if words[1] != str(VERSION):
        raise ValueError(f"expected a book of version {VERSION}, got {shown(words[1])}")
    sizes = words[2].split("x")
    if len(sizes) != 2 or not all(number.isdecimal() for number in (*sizes, words[3])):
        raise ValueError(f"expected board and number of positions, such as '7x6 1000', got {shown(' '.join(words[2:4]))}")
    if hashlib.sha256(data).hexdigest() != words[4]:
        raise ValueError("expected a whole book, got one that was cut or changed: its hash is another")
    width, height, positions = int(sizes[0]), int(sizes[1]), int(words[3])
    if positions > MOST_POSITIONS:
        raise ValueError(f"expected at most {MOST_POSITIONS:,} positions, got {positions:,}")
    numbers = _numbers(data, positions)
    if not (np.diff(numbers[0]) > 0).all() or not (numbers[2] > 0).all():
        raise ValueError("expected ascending keys and a best move of each position, got others")
    return Book(width, height, numbers)


def _numbers(data: bytes, positions: int) -> NDArray[np.int64]:
    """Returns int64[3, positions] from compressed bytes, or raises ValueError."""
    length = 3 * positions * 8
    try:
        plain = zlib.decompressobj().decompress(data, length + 1)
    except zlib.error as error:
        raise ValueError(f"expected compressed numbers, got others: {error}") from None
    if len(plain) != length:
        raise ValueError(f"expected numbers of {positions:,} positions, got others")
    numbers = np.frombuffer(plain, np.uint8).reshape(8, -1).T.copy().view("<i8").astype(np.int64).reshape(3, positions)
    numbers[0] = numbers[0].cumsum()
    return numbers


def has_book(game: Game) -> bool:
    """Tells whether the package has a book for a game."""
    return can_solve(game) and (game.width, game.height) == (7, 6)


@functools.cache
def shipped_book() -> Book:
    """Returns the package's book of 7x6.

    Raises:
        AgentError: the file is missing or damaged, or holds another board.
    """
    path = FOLDER / "7x6.book"
    book = read_book(path)
    if (book.width, book.height) != (7, 6):
        raise AgentError(f"{path}: expected a book for 7x6, got one for {book.width}x{book.height}")
    return book
