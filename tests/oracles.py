"""Slow, plain implementations of the rules, against which the fast ones are tested.

Nothing here is shared with the package: only the standard library is used, a square is a pair (column, row), a board is a dict or a set
of squares, and every question is answered by looking at the whole board again. Where an answer seems wrong, read the rule next to it.

All three classes have the same surface. An oracle never changes; `play` returns the position after the move.

    side           0 or 1, the side to move (it alternates after the last move of a game too)
    winner()       0, 1 or None
    is_over()      whether the game has ended
    termination()  "line", "full", "forbidden", "blocked" or None
    legal()        the set of legal actions, empty once the game is over
    play(action)   the next oracle; raises ValueError for an action that is not legal
    board_text()   rows from the top, then the side to move: "7/7/7/7/3o3/2xxo2 x"
    from_text(...) the position of a board text; takes the constructor's arguments, then the text; validates nothing

Row 0 is at the bottom, and the index of a square is row * width + column. For width 3 and height 2:

    row 1 | 3 4 5
    row 0 | 0 1 2
    column  0 1 2
"""

from __future__ import annotations

import re
from copy import copy
from functools import cache, cached_property
from typing import NamedTuple, TypeVar

Square = tuple[int, int]  # (column, row)
AnyLineOracle = TypeVar("AnyLineOracle", bound="LineOracle")

MARKS = "xo"  # the stone or piece of side 0 and of side 1
GONE = "#"
EMPTY = "."  # inside this module only: a board text counts empty squares

# (columns, rows) of one step, clockwise from north: N NE E SE S SW W NW
COMPASS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
# the same for a knight: NNE ENE ESE SSE SSW WSW WNW NNW
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


@cache
def all_squares(width: int, height: int) -> set[Square]:
    """Returns every square of the board."""
    return {(column, row) for row in range(height) for column in range(width)}


def write_board(marks: dict[Square, str], width: int, height: int, side: int) -> str:
    """Returns the board text of the marked squares; squares without a mark are empty."""
    rows = []
    for row in reversed(range(height)):
        squares = "".join(marks.get((column, row), EMPTY) for column in range(width))
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), squares))
    return "/".join(rows) + " " + MARKS[side]


def read_board(text: str) -> tuple[dict[Square, str], int]:
    """Returns the marks of a board text and the side to move."""
    board, mover = text.split()
    marks: dict[Square, str] = {}
    for row, line in enumerate(reversed(board.split("/"))):
        column = 0
        for token in re.findall(r"\d+|[xo#]", line):
            if token.isdigit():
                column += int(token)
            else:
                marks[column, row] = token
                column += 1
    return marks, MARKS.index(mover)


@cache
def lines_of_board(width: int, height: int) -> list[Square | None]:
    """Returns the squares of every row, column and diagonal, each from one edge of the board to another, with None after each line."""
    squares = all_squares(width, height)
    lines: list[Square | None] = []
    for columns, rows in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for column, row in sorted(squares):
            if (column - columns, row - rows) in squares:
                continue  # this square is inside a line; lines are followed from their first square
            while (column, row) in squares:
                lines.append((column, row))
                column, row = column + columns, row + rows
            lines.append(None)
    return lines


class LineOracle:
    """What Connect-K and Gomoku have in common: stones, alternating sides, lines that win, and a full board that draws."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.side = 0
        self._stones: dict[Square | None, str] = {}
        self._winner = self._find_winner()

    def is_winning_run(self, run: str, ends: str) -> bool:
        """Returns whether a run of stones wins; `ends` are what stands before and after it: the other stone or EMPTY, also for the edge."""
        raise NotImplementedError

    def landing_squares(self) -> dict[int, Square]:
        """Returns where each action would put its stone, whether or not the game is over."""
        raise NotImplementedError

    def winner(self) -> int | None:
        return self._winner

    def is_over(self) -> bool:
        return self.termination() is not None

    def termination(self) -> str | None:
        # A line comes first: the stone that fills the board may win.
        if self._winner is not None:
            return "line"
        return "full" if len(self._stones) == self.width * self.height else None

    def legal(self) -> set[int]:
        return set() if self.is_over() else set(self.landing_squares())

    def play(self: AnyLineOracle, action: int) -> AnyLineOracle:
        if action not in self.legal():
            raise ValueError(f"illegal action {action!r} in {self.board_text()!r}")
        return self._at(self._stones | {self.landing_squares()[action]: MARKS[self.side]}, 1 - self.side)

    def board_text(self) -> str:
        return write_board(self._stones, self.width, self.height, self.side)

    def _at(self: AnyLineOracle, stones: dict[Square, str], side: int) -> AnyLineOracle:
        """Returns the position of the same game with these stones and this side to move."""
        other = copy(self)
        other._stones, other.side = stones, side
        other._winner = other._find_winner()
        return other

    def _find_winner(self) -> int | None:
        text = "".join([self._stones.get(square, EMPTY) for square in lines_of_board(self.width, self.height)])
        for run in re.finditer("x+|o+", text):  # no run crosses the end of a line: no stone stands on None
            before, after = text[run.start() - 1] if run.start() else EMPTY, text[run.end()]
            if self.is_winning_run(run[0], before + after):
                return MARKS.index(run[0][0])
        return None


class ConnectKOracle(LineOracle):
    """Connect-K: `k` or more in a row wins; with gravity a stone falls to the lowest empty cell of its column."""

    def __init__(self, width: int, height: int, k: int, gravity: bool) -> None:
        self.k = k
        self.gravity = gravity
        super().__init__(width, height)

    @classmethod
    def from_text(cls, width: int, height: int, k: int, gravity: bool, text: str) -> ConnectKOracle:
        return cls(width, height, k, gravity)._at(*read_board(text))

    def is_winning_run(self, run: str, ends: str) -> bool:
        return len(run) >= self.k

    def landing_squares(self) -> dict[int, Square]:
        empty = all_squares(self.width, self.height) - set(self._stones)
        if not self.gravity:
            return {row * self.width + column: (column, row) for column, row in empty}
        return {column: min((c, row) for c, row in empty if c == column) for column in {c for c, _ in empty}}


class GomokuOracle(LineOracle):
    """Gomoku: five or more wins under the rule "freestyle"; exactly five, a longer run being nothing, under "standard" and "caro".

    Under "caro" five are also nothing if the other side's stones stand at both ends.
    """

    def __init__(self, size: int, rule: str) -> None:
        if rule not in ("freestyle", "standard", "caro"):
            raise ValueError(f"expected rule freestyle, standard or caro, got {rule!r}")
        self.rule = rule
        super().__init__(size, size)

    @classmethod
    def from_text(cls, size: int, rule: str, text: str) -> GomokuOracle:
        return cls(size, rule)._at(*read_board(text))

    def is_winning_run(self, run: str, ends: str) -> bool:
        if self.rule == "freestyle":
            return len(run) >= 5
        return len(run) == 5 and (self.rule == "standard" or EMPTY in ends)

    def landing_squares(self) -> dict[int, Square]:
        empty = all_squares(self.width, self.height) - set(self._stones)
        return {row * self.width + column: (column, row) for column, row in empty}


class RenjuOracle(GomokuOracle):
    """Renju: x wins with exactly five and makes no fouls, o wins with five or more; the game is drawn when x has nothing but fouls left."""

    def __init__(self, size: int) -> None:
        super().__init__(size, "freestyle")

    @classmethod
    def from_text(cls, size: int, text: str) -> RenjuOracle:
        return cls(size)._at(*read_board(text))

    def is_winning_run(self, run: str, ends: str) -> bool:
        return len(run) == 5 or (len(run) > 5 and run[0] == "o")

    def termination(self) -> str | None:
        return super().termination() or (None if self._allowed() else "forbidden")

    def legal(self) -> set[int]:
        return set() if super().termination() else self._allowed()

    def _allowed(self) -> set[int]:
        return {action for action, square in self.landing_squares().items() if self.side == 1 or self.foul(square) is None}

    def foul(self, square: Square, look_deep: bool = True) -> str | None:
        """Returns which foul a stone of x on an empty square is, or None.

        Args:
            square: an empty one.
            look_deep: a three counts only if its straight four is no foul; else it counts however that is made.
        """
        return self._foul(dict(self._stones), square, look_deep)

    def _foul(self, stones: dict[Square | None, str], square: Square, look_deep: bool) -> str | None:
        stones = stones | {square: "x"}
        runs = [self._run(stones, square, step) for step in COMPASS[:4]]
        if 5 in runs:
            return None
        if max(runs) > 5:
            return "overline"
        if len({four for four, _ in self._nearly_full(stones, square, 5, self._is_five)}) > 1:
            return "double four"
        threes = set()
        for three, gap in self._nearly_full(stones, square, 4, self._is_straight_four):
            makes_five = any(self._run(stones | {gap: "x"}, gap, step) == 5 for step in COMPASS[:4])
            if not makes_five and (not look_deep or self._foul(stones, gap, look_deep) is None):
                threes.add(three)
        return "double three" if len(threes) > 1 else None

    def _nearly_full(self, stones, square, length, is_wanted):
        """Yields the stones of x and the gap of each row of squares through a square where one more stone makes what is wanted."""
        column, row = square
        for columns, rows in COMPASS[:4]:
            for back in range(length):
                squares = [(column + (i - back) * columns, row + (i - back) * rows) for i in range(length)]
                gaps = [each for each in squares if stones.get(each) != "x"]
                if len(gaps) != 1 or not self._is_empty(stones, gaps[0]):
                    continue
                if is_wanted(stones | {gaps[0]: "x"}, squares, (columns, rows)):
                    yield frozenset(squares) - {gaps[0]}, gaps[0]

    def _is_five(self, stones, squares, step) -> bool:
        return self._run(stones, squares[0], step) == 5

    def _is_straight_four(self, stones, squares, step) -> bool:
        """Returns whether four stones can become five on either side."""
        (first, low), (last, high) = squares[0], squares[-1]
        ends = (first - step[0], low - step[1]), (last + step[0], high + step[1])
        return all(self._is_empty(stones, end) and self._run(stones | {end: "x"}, end, step) == 5 for end in ends)

    def _is_empty(self, stones, square) -> bool:
        return square in all_squares(self.width, self.height) and square not in stones

    def _run(self, stones, square, step) -> int:
        """Returns how many stones of x stand in an unbroken row through one of them."""
        length = 1
        for sign in (1, -1):
            column, row = square[0] + sign * step[0], square[1] + sign * step[1]
            while stones.get((column, row)) == "x":
                length, column, row = length + 1, column + sign * step[0], row + sign * step[1]
        return length


class IsolaMove(NamedTuple):
    """Where the mover's piece will stand, and which square goes (None: none does)."""

    destination: Square
    removed: Square | None


class IsolaOracle:
    """Isola: each side moves its one piece, squares go, and the side to move that cannot move has lost.

    Actions, removal "vacated": the index of the destination. Removal "any": step index * (width * height) + index of the removed square.
    The step index is the direction in `COMPASS` (king), the direction in `JUMPS` (knight), or (distance - 1) * 8 + direction in `COMPASS`
    (queen). If nothing can be removed, the action names the destination as its removed square. A placement removes nothing; under "any"
    it has step index 0 and names the square placed on.

    Args:
        width: number of columns.
        height: number of rows.
        step: "queen", "king" or "knight".
        removal: "vacated" or "any".
        starts: the (column, row) of side 0's piece and of side 1's, or None: each side's first move places its piece on any open square.
        fixed: whether the start squares never go; a piece may leave and re-enter them.
    """

    def __init__(self, width: int, height: int, step: str, removal: str, starts: tuple[Square, Square] | None, fixed: bool) -> None:
        if step not in ("queen", "king", "knight"):
            raise ValueError(f"expected step queen, king or knight, got {step!r}")
        if removal not in ("vacated", "any"):
            raise ValueError(f"expected removal vacated or any, got {removal!r}")
        self.width = width
        self.height = height
        self.step = step
        self.removal = removal
        self.side = 0
        self._never_removed: set[Square] = set(starts) if fixed and starts is not None else set()
        self._pieces: dict[int, Square] = {} if starts is None else {0: starts[0], 1: starts[1]}  # side -> square, once placed
        self._gone: set[Square] = set()

    @classmethod
    def from_text(
        cls, width: int, height: int, step: str, removal: str, starts: tuple[Square, Square] | None, fixed: bool, text: str
    ) -> IsolaOracle:
        marks, side = read_board(text)
        pieces = {MARKS.index(mark): square for square, mark in marks.items() if mark != GONE}
        gone = {square for square, mark in marks.items() if mark == GONE}
        return cls(width, height, step, removal, starts, fixed)._at(pieces, gone, side)

    def winner(self) -> int | None:
        return 1 - self.side if self.is_over() else None

    def is_over(self) -> bool:
        return not self._moves

    def termination(self) -> str | None:
        return "blocked" if self.is_over() else None

    def legal(self) -> set[int]:
        return set(self._moves)

    def play(self, action: int) -> IsolaOracle:
        if action not in self._moves:
            raise ValueError(f"illegal action {action!r} in {self.board_text()!r}")
        move = self._moves[action]
        gone = self._gone if move.removed is None else self._gone | {move.removed}
        return self._at(self._pieces | {self.side: move.destination}, gone, 1 - self.side)

    def board_text(self) -> str:
        marks = dict.fromkeys(self._gone, GONE) | {square: MARKS[side] for side, square in self._pieces.items()}
        return write_board(marks, self.width, self.height, self.side)

    def _at(self, pieces: dict[int, Square], gone: set[Square], side: int) -> IsolaOracle:
        """Returns the position of the same game with these pieces, gone squares and side to move."""
        other = copy(self)
        other.__dict__.pop("_moves", None)  # they belong to the old position
        other._pieces, other._gone, other.side = pieces, gone, side
        return other

    def _index(self, square: Square) -> int:
        column, row = square
        return row * self.width + column

    @cached_property
    def _moves(self) -> dict[int, IsolaMove]:
        """The move of each legal action."""
        if self.side not in self._pieces:
            return {self._index(square): IsolaMove(square, None) for square in self._open_squares()}
        if self.removal == "vacated":
            vacated = self._pieces[self.side]
            removed = None if vacated in self._never_removed else vacated
            return {self._index(destination): IsolaMove(destination, removed) for destination in self._steps().values()}
        moves = {}
        for step_index, destination in self._steps().items():
            first_action = step_index * self.width * self.height
            removable = self._removable_squares(destination)
            for square in removable:
                moves[first_action + self._index(square)] = IsolaMove(destination, square)
            if not removable:
                moves[first_action + self._index(destination)] = IsolaMove(destination, None)
        return moves

    def _open_squares(self) -> set[Square]:
        return all_squares(self.width, self.height) - self._gone - set(self._pieces.values())

    def _removable_squares(self, destination: Square) -> set[Square]:
        """Returns what may be removed once the mover stands on `destination`: open squares, the vacated one too, but no fixed start."""
        pieces = self._pieces | {self.side: destination}
        return all_squares(self.width, self.height) - self._gone - set(pieces.values()) - self._never_removed

    def _steps(self) -> dict[int, Square]:
        """Returns the destination of each step that the mover's piece can make, by step index."""
        column, row = self._pieces[self.side]
        open_squares = self._open_squares()
        farthest = max(self.width, self.height) if self.step == "queen" else 1
        steps = {}
        for direction, (columns, rows) in enumerate(JUMPS if self.step == "knight" else COMPASS):
            for distance in range(1, farthest + 1):
                destination = (column + distance * columns, row + distance * rows)
                if destination not in open_squares:
                    break  # neither onto nor through it
                steps[(distance - 1) * 8 + direction] = destination
        return steps
