"""Pictures of a position: as text, as an array of pixels, and in a window. Pillow is loaded for pixels, pygame when a window opens."""

from __future__ import annotations

import os
import weakref
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..rules.connect_k import COLUMN_NAMES
from ..rules.errors import extra
from ..rules.notation import SIDES, SYMBOLS
from .board_art import Layout

if TYPE_CHECKING:
    from ..position import Position

CONTENTS = ("", "x", "o", "gone")  # names of symbols by the value of a cell
LETTERS = "abcdefghijklmnopqrst"
LARGEST = 900  # pixels, the longer side of a picture


def column_names(position: Position) -> str:
    """Returns the columns' names, one character each: 123… where pieces fall, else abc… ."""
    return (COLUMN_NAMES if style_of(position) == "drop" else LETTERS)[: position.state.width]


def style_of(position: Position) -> str:
    """Returns how a position is drawn: "drop", "grid", "stones" or "tiles"."""
    return position.game.kind.style(position.state)


def changed_squares(position: Position) -> list[int]:
    """Returns the squares that the last move changed, in rising order; none if no move was made."""
    if not position.moves:
        return []
    before = position.copy()
    before.pop()
    return [square for square in range(cell_count(position)) if before.state.cells[square] != position.state.cells[square]]


def last_square(position: Position) -> int | None:
    """Returns the square that the last mover's piece went to, or None."""
    mover = 2 - position.side
    return next((square for square in changed_squares(position) if position.state.cells[square] == mover), None)


def cell_count(position: Position) -> int:
    """Returns the number of squares of the board."""
    return position.state.width * position.state.height


def fixed_squares(position: Position) -> tuple[int, ...]:
    """Returns the squares that can never disappear (Isola's fixed start squares)."""
    return position.game.rule("lasting_cells")(position.state)


def winning_lines(position: Position) -> list[tuple[int, int]]:
    """Returns the pairs of end squares of all lines that won the game."""
    return position.game.rule("winning_lines")(position.state)


def draw_text(position: Position, learner: int | None = None) -> str:
    """Returns the board as text: x and o, # for a gone square, + for a free start square that stays, parentheses around the last move.

    A ! stands where the side to move may not place, though the square is empty.

    Args:
        position: the position to draw.
        learner: the side that learns, 0 or 1, which the last line then names.
    """
    state, last, fixed = position.state, last_square(position), fixed_squares(position)
    forbidden = () if position.is_over else position.game.rule("forbidden_cells")(state)
    lines = []
    for row in reversed(range(state.height)):
        line = f"{row + 1:2} "
        for square in range(row * state.width, (row + 1) * state.width):
            mark = "+" if square in fixed and not state.cells[square] else "!" if square in forbidden else SYMBOLS[state.cells[square]]
            line = f"{line[:-1]}({mark})" if square == last else f"{line}{mark} "
        lines.append(line.rstrip())
    whose = "" if learner is None else f"; the learner is {SIDES[learner]}"
    return "\n".join([*lines, f"   {' '.join(column_names(position))}", status_line(position) + whose])


def status_line(position: Position) -> str:
    """Returns who is to move or how the game ended, in words: `x to move, ply 4`."""
    if not position.is_over:
        return f"{SIDES[position.side]} to move, ply {position.ply}"
    how = f"({position.termination}) after {position.ply} {'ply' if position.ply == 1 else 'plies'}"
    return f"draw {how}" if position.winner is None else f"{SIDES[position.winner]} wins {how}"


def draw_image(position: Position, cell_pixels: int = 64) -> NDArray[np.uint8]:
    """Returns the board as a picture.

    Args:
        position: the position to draw.
        cell_pixels: the side of a square; fewer where the picture would grow beyond about 900, and always even, as video encoders ask.

    Returns:
        uint8[height, width, 3], red, green and blue; always of the same size for the same game.
    """
    from . import pixels

    layout, cells = layout_of(position, cell_pixels), position.state.cells
    image = pixels.empty_board(layout, column_names(position), fixed_squares(position)).copy()
    for square in range(cell_count(position)):
        if cells[square]:
            pixels.put_symbol(image, layout, CONTENTS[cells[square]], square)
    for first, end in winning_lines(position):
        pixels.put_line(image, layout, first, end)
    for square in changed_squares(position):
        pixels.put_symbol(image, layout, "last", square)
    return image


def layout_of(position: Position, cell_pixels: int = 64) -> Layout:
    """Returns the measures of a picture whose squares are `cell_pixels` wide, or fewer where the picture would be too large."""
    width, height = position.state.width, position.state.height
    cell = min(cell_pixels, int(LARGEST / (max(width, height) + 1.3)))
    cell = max(8, cell - cell % 2)
    return Layout(style_of(position), width, height, cell, max(12, round(0.62 * cell)))


class Window:
    """A window that shows pictures, for `render_mode="human"`. It cannot be pickled; an environment drops it and opens another.

    Raises:
        MissingExtraError: pygame-ce is not installed.
    """

    _all: ClassVar[weakref.WeakSet[Window]] = weakref.WeakSet()  # those that are open: what the user does to one, any of them may hear

    def __init__(self, title: str = "sparring", frames_per_second: int = 4) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # else importing it prints a greeting
        with extra("render", "render_mode='human'"):
            import pygame
            from pygame.window import Window as SystemWindow
        self.pygame, self._make = pygame, SystemWindow
        self.title, self.frames_per_second = title, frames_per_second
        self.clock = pygame.time.Clock()
        self.surface: Any = None
        self._window: Any = None
        self.is_open = True
        self._all.add(self)

    def show(self, image: NDArray[np.uint8]) -> None:
        """Shows a picture (uint8[height, width, 3]) as long as the frame rate asks; does nothing once the user has closed the window."""
        if not self.is_open:
            return
        self._prepare(image.shape[1], image.shape[0])
        self.pygame.surfarray.blit_array(self.surface, image.swapaxes(0, 1))
        self._window.flip()
        self.process_events()
        self.clock.tick(self.frames_per_second)

    def _prepare(self, width: int, height: int) -> None:
        """Makes the window as large as a picture, anew if somebody else has shut the window system down."""
        if not self.pygame.display.get_init():
            self.pygame.display.init()
            self._window = None
        if self._window is None:
            self._window = self._make(self.title, (width, height))
        elif self._window.size != (width, height):
            self._window.size = width, height
        self.surface = self._window.get_surface()

    def process_events(self) -> None:
        """Answers the window system, so that the windows stay alive between moves; closes those that the user asks to close."""
        if not self.is_open or not self.pygame.display.get_init():
            return
        for event in self.pygame.event.get():
            if event.type in (self.pygame.QUIT, self.pygame.WINDOWCLOSE):
                for window in list(self._all):
                    if event.type == self.pygame.QUIT or window._window is event.window:
                        window.close()

    def close(self) -> None:
        """Closes the window; closing twice is harmless."""
        if not self.is_open:
            return
        self.is_open = False
        self._all.remove(self)
        if self.pygame.display.get_init():
            if self._window is not None:
                self._window.destroy()
            if not self._all:
                self.pygame.display.quit()
        self.surface = self._window = None
