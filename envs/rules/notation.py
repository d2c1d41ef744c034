"""Squares and boards as text, the same for every game.

A square is a column letter and a row number from 1 at the bottom: `a1` is cell 0. A board is its rows from the top, separated by `/`: `x`
and `o` for what belongs to side 0 and 1, `#` for a gone square, a number for a run of empty cells; then the side to move:

    7/7/7/7/3o3/2xxo2 x
"""

from __future__ import annotations

import re

from .errors import NotationError, shown
from .state import State

SYMBOLS = ".xo#"  # by the value of a cell: empty, side 0, side 1, gone
SIDES = "xo"
JOINED = re.compile(r"(?:[a-z][1-9][0-9]?){2,}")  # squares without spaces between them


def square_text(cell: int, width: int) -> str:
    """Returns the name of a cell, such as "d4"."""
    return f"{chr(ord('a') + cell % width)}{cell // width + 1}"


def read_square(text: object, width: int, height: int) -> int | None:
    """Returns the cell of a name such as "d4", or None if the board has no such square."""
    match = re.fullmatch(r"([a-z])([1-9][0-9]?)", text) if isinstance(text, str) else None
    if match is None:
        return None
    column, row = ord(match[1]) - ord("a"), int(match[2]) - 1
    return row * width + column if column < width and row < height else None


def split_squares(text: str) -> list[str]:
    """Returns the squares of a text, with or without spaces between them: "h8 h9" and "h8h9" are the same."""
    return [square for token in text.split() for square in (re.findall(r"[a-z][1-9][0-9]?", token) if JOINED.fullmatch(token) else [token])]


def is_board_text(text: str) -> bool:
    """Tells whether a text is a board, with rows or the side to move at its end, and not a list of moves."""
    return "/" in text or re.search(r"\s[xo]\s*$", text) is not None


def board_text(state: State) -> str:
    """Returns the board text of a state."""
    rows = []
    for row in reversed(range(state.height)):
        symbols = "".join(SYMBOLS[owner] for owner in state.cells[row * state.width : (row + 1) * state.width])
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), symbols))
    return f"{'/'.join(rows)} {SIDES[state.side]}"


def read_board(text: str, width: int, height: int, symbols: str) -> tuple[list[int], int]:
    """Returns the cell values (row-major, row 0 at the bottom) and the side to move of a board text.

    Args:
        text: a board text.
        width, height: of the board.
        symbols: the symbols of its game, a part of SYMBOLS.

    Raises:
        NotationError: the text is not such a board.
    """
    board, *side = text.split() or [""]
    where = f"board text {shown(text)}"
    if side not in (["x"], ["o"]):
        raise NotationError(f"{where}: expected a board and then the side to move, x or o, got {shown(' '.join(side))} as the side")
    rows = board.split("/")
    if len(rows) != height:
        raise NotationError(f"{where}: expected {height} rows, got {len(rows)}")
    cells = []
    for number, row in zip(range(height, 0, -1), rows, strict=True):
        if re.fullmatch(rf"([{symbols}]|(?<![0-9])[1-9][0-9]?(?![0-9]))+", row) is None:
            raise NotationError(f"{where}: row {number}: expected {', '.join(symbols)} and numbers of empty cells, got {shown(row)}")
        if len(row) > width:  # each cell takes at most one symbol
            raise NotationError(f"{where}: row {number}: expected {width} cells, got {len(row):,} symbols")
        values = [value for run, symbol in re.findall(r"(\d+)|(\D)", row) for value in ([0] * int(run) if run else [SYMBOLS.index(symbol)])]
        if len(values) != width:
            raise NotationError(f"{where}: row {number}: expected {width} cells, got {len(values)} in {shown(row)}")
        cells = values + cells
    return cells, SIDES.index(side[0])
