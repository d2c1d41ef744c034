"""How each kind of board looks: the empty boards and the sprites that go on them. Every picture is made once a size and kept.

The colours are those of Okabe and Ito (2008), told apart by colour-blind eyes; where pieces could still be mistaken they carry x and o.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .canvas import Array, Colour, Point, add_layer, box, disc, frame, paint, ring, strokes, write

ORANGE, BLUE, VERMILLION, YELLOW = (230, 159, 0), (0, 114, 178), (213, 94, 0), (240, 228, 66)
PAPER, INK, WHITE, BLACK = (250, 250, 247), (85, 88, 94), (255, 255, 255), (24, 24, 26)
GRID_LINE, WOOD, WOOD_LINE = (150, 154, 160), (224, 184, 120), (84, 60, 32)
SLATE, GONE, TILE, TILE_EDGE, TILE_RING = (58, 66, 80), (38, 44, 55), (233, 227, 212), (205, 197, 178), (158, 148, 124)


class Layout(NamedTuple):
    """The measures of a picture: cells across and up, and pixels of a cell and of the margin on every side."""

    width: int
    height: int
    cell: int
    margin: int

    @property
    def size(self) -> tuple[int, int]:
        """Returns the height and width of the picture in pixels."""
        return self.height * self.cell + 2 * self.margin, self.width * self.cell + 2 * self.margin

    def corner(self, square: int) -> tuple[int, int]:
        """Returns the x and y of the upper left pixel of a square (row-major, row 0 at the bottom)."""
        row, column = divmod(square, self.width)
        return self.margin + column * self.cell, self.margin + (self.height - 1 - row) * self.cell

    def middle(self, square: int) -> tuple[float, float]:
        """Returns the x and y of the middle of a square."""
        x, y = self.corner(square)
        return x + self.cell / 2, y + self.cell / 2


@functools.lru_cache(maxsize=16)
def empty_board(style: str, layout: Layout, columns: str, fixed: tuple[int, ...] = ()) -> Array:
    """Returns the board without pieces, uint8[height, width, 3], not to be written to.

    Args:
        style: one of "drop", "grid", "stones" and "tiles".
        layout: the measures.
        columns: the columns' names, one character each.
        fixed: the squares that never go (Isola).
    """
    image = np.empty((*layout.size, 3), np.float32)
    image[:] = WOOD if style == "stones" else PAPER
    {"drop": draw_drop, "grid": draw_grid, "stones": draw_wood, "tiles": draw_tiles}[style](image, layout)
    for square in fixed:
        left, top = layout.corner(square)
        mark = frame(layout.cell, 0.2 * layout.cell, 0.3 * layout.cell, max(1.5, 0.05 * layout.cell))
        paint(image[top : top + layout.cell, left : left + layout.cell], mark, TILE_RING)
    draw_coordinates(image, layout, columns, WOOD_LINE if style == "stones" else INK)
    return (image + 0.5).astype(np.uint8)


def draw_coordinates(image: Array, layout: Layout, columns: str, colour: Colour) -> None:
    """Writes the names of the columns below the board and the numbers of the rows to its left."""
    size = min(max(0.23 * layout.cell, 6), 13)
    edge = 0.46 * layout.margin
    for column in range(layout.width):
        write(image, columns[column], layout.middle(column)[0], image.shape[0] - edge, size, colour)
    for row in range(layout.height):
        write(image, str(row + 1), edge, layout.middle(row * layout.width)[1], size, colour)


def draw_drop(image: Array, layout: Layout) -> None:
    """Draws an upright blue board with round holes."""
    reach = 0.14 * layout.cell
    paint(image, box(*layout.size, layout.margin - reach, 0.22 * layout.cell), BLUE)
    hole = empty_hole(layout.cell)
    for square in range(layout.width * layout.height):
        left, top = layout.corner(square)
        region = image[top : top + layout.cell, left : left + layout.cell]
        region[:] = region * (1 - hole[:, :, 3:]) + hole[:, :, :3]


@functools.lru_cache(maxsize=8)
def empty_hole(cell: int) -> Array:
    """Returns the sprite of a hole, shaded at its upper edge."""
    sprite = np.zeros((cell, cell, 4), np.float32)
    add_layer(sprite, disc(cell, 0.43 * cell), tuple(0.82 * part for part in BLUE))
    hole = disc(cell, 0.4 * cell)
    add_layer(sprite, hole, (196, 205, 214))
    add_layer(sprite, hole * disc(cell, 0.4 * cell, y=0.54 * cell), PAPER)
    return sprite


def draw_grid(image: Array, layout: Layout) -> None:
    """Draws the lines between the squares; all boards but tic-tac-toe have an outer line too."""
    cell, margin = layout.cell, layout.margin
    outer = 1 if layout.width == layout.height == 3 else 0
    right, bottom = margin + layout.width * cell, margin + layout.height * cell
    lines = [[(margin + i * cell, margin), (margin + i * cell, bottom)] for i in range(outer, layout.width + 1 - outer)]
    lines += [[(margin, margin + i * cell), (right, margin + i * cell)] for i in range(outer, layout.height + 1 - outer)]
    draw_lines(image, lines, max(1.5, 0.03 * cell) * (1 + outer), GRID_LINE)


def draw_lines(image: Array, lines: Sequence[Sequence[Point]], thickness: float, colour: Colour) -> None:
    """Draws upright and level lines, looking only at the pixels around each."""
    for (x0, y0), (x1, y1) in lines:
        left, top = int(x0 - thickness - 1), int(y0 - thickness - 1)
        right, bottom = int(x1 + thickness + 2), int(y1 + thickness + 2)
        mask = strokes(bottom - top, right - left, [[(x0 - left, y0 - top), (x1 - left, y1 - top)]], thickness)
        paint(image[top:bottom, left:right], mask, colour)


def draw_wood(image: Array, layout: Layout) -> None:
    """Draws a wooden board whose stones go on the crossings of its lines, with star points."""
    down, across = np.ogrid[0 : image.shape[0], 0 : image.shape[1]]
    grain = np.sin(down / 3.1 + 2.2 * np.sin(across / 91.0) + np.sin(down / 17.0)) + 0.6 * np.sin(down / 1.3 + across / 140.0)
    image *= 1 + 0.018 * grain[:, :, None]
    width, height = layout.width, layout.height
    columns = [(layout.middle(i), layout.middle((height - 1) * width + i)) for i in range(width)]
    rows = [(layout.middle(i * width), layout.middle(i * width + width - 1)) for i in range(height)]
    lines = [[(x, top), (x, bottom)] for (x, bottom), (_, top) in columns] + [[(left, y), (right, y)] for (left, y), (right, _) in rows]
    draw_lines(image, lines, max(1.1, 0.026 * layout.cell), WOOD_LINE)
    edges = [lines[0], lines[width - 1], lines[width], lines[-1]]
    draw_lines(image, edges, max(1.6, 0.055 * layout.cell), WOOD_LINE)
    for column, row in star_points(width, height):
        left, top = layout.corner(row * width + column)
        paint(image[top : top + layout.cell, left : left + layout.cell], disc(layout.cell, max(2.2, 0.085 * layout.cell)), WOOD_LINE)


def star_points(width: int, height: int) -> list[tuple[int, int]]:
    """Returns the (column, row) of the crossings that are marked with a dot for the eye: corners, centre, and on large boards the sides."""
    if min(width, height) < 7:
        return []
    inset = 3 if min(width, height) >= 12 else 2
    columns, rows = [inset, width - 1 - inset], [inset, height - 1 - inset]
    points = [(column, row) for column in columns for row in rows]
    if width % 2 and height % 2:
        points.append((width // 2, height // 2))
        if min(width, height) >= 17:
            points += [(width // 2, row) for row in rows] + [(column, height // 2) for column in columns]
    return points


def draw_tiles(image: Array, layout: Layout) -> None:
    """Draws a tray full of tiles."""
    reach = 0.14 * layout.cell
    paint(image, box(*layout.size, layout.margin - reach, 0.16 * layout.cell), SLATE)
    edge = box(layout.cell, layout.cell, 0.045 * layout.cell, 0.12 * layout.cell)
    face = box(layout.cell, layout.cell, 0.085 * layout.cell, 0.1 * layout.cell)
    for square in range(layout.width * layout.height):
        left, top = layout.corner(square)
        region = image[top : top + layout.cell, left : left + layout.cell]
        paint(region, edge, TILE_EDGE)
        paint(region, face, TILE)


@functools.lru_cache(maxsize=128)
def sprite(name: str, cell: int) -> Array:
    """Returns a picture to lay on a square, see `canvas`: pieces ("drop 0"), marks of the last move ("grid last"), "gone"."""
    picture = np.zeros((cell, cell, 4), np.float32)
    style, what = name.split()
    if what in "01":
        {"drop": add_chip, "grid": add_letter, "stones": add_stone, "tiles": add_pawn}[style](picture, cell, int(what))
    elif what == "gone":
        add_layer(picture, box(cell, cell, 0.03 * cell, 0.12 * cell), SLATE)
        add_layer(picture, box(cell, cell, 0.085 * cell, 0.1 * cell), GONE)
    elif style == "drop":
        add_layer(picture, ring(cell, 0.145 * cell, 0.09 * cell), WHITE, 0.55)
        add_layer(picture, ring(cell, 0.145 * cell, 0.055 * cell), BLACK)
    elif style == "stones":
        add_layer(picture, disc(cell, 0.13 * cell), VERMILLION)
    else:
        add_layer(picture, frame(cell, 0.05 * cell, 0.12 * cell, max(2, 0.065 * cell)), ORANGE)
    return picture


def lit(size: int, colour: Colour, strength: float) -> Array:
    """Returns float32[size, size, 3]: a colour lit from the upper left."""
    across, down = np.ogrid[0:size, 0:size]
    glow = np.exp(-((across - 0.34 * size) ** 2 + (down - 0.3 * size) ** 2) / (0.1 * size * size))
    return np.asarray(colour, np.float32) + strength * glow[:, :, None] * (255 - np.asarray(colour, np.float32))


def add_chip(picture: Array, cell: int, side: int) -> None:
    """Draws a flat chip with a rim, seen through its hole."""
    colour = np.array((VERMILLION, YELLOW)[side])
    add_layer(picture, disc(cell, 0.405 * cell), 0.72 * colour)
    add_layer(picture, disc(cell, 0.375 * cell), lit(cell, colour, 0.3))
    add_layer(picture, ring(cell, 0.265 * cell, 0.035 * cell), 0.84 * colour)


def add_letter(picture: Array, cell: int, side: int) -> None:
    """Draws a large x or o."""
    if side == 0:
        low, high = 0.27 * cell, 0.73 * cell
        add_layer(picture, strokes(cell, cell, [[(low, low), (high, high)], [(low, high), (high, low)]], 0.14 * cell), VERMILLION)
    else:
        add_layer(picture, ring(cell, 0.25 * cell, 0.13 * cell), BLUE)


def add_stone(picture: Array, cell: int, side: int) -> None:
    """Draws a black or white stone with its shadow."""
    across, down = np.ogrid[0:cell, 0:cell]
    distance = np.hypot(across + 0.5 - 0.53 * cell, down + 0.5 - 0.55 * cell) - 0.44 * cell
    add_layer(picture, np.clip(0.5 - distance / (0.1 * cell), 0, 1), BLACK, 0.32)
    if side == 1:
        add_layer(picture, disc(cell, 0.455 * cell), (120, 112, 100))
    add_layer(picture, disc(cell, 0.445 * cell), lit(cell, (30, 30, 33) if side == 0 else (228, 226, 220), 0.38 if side == 0 else 0.95))


def add_pawn(picture: Array, cell: int, side: int) -> None:
    """Draws a round piece that carries a white x or o."""
    colour = np.array((VERMILLION, BLUE)[side])
    add_layer(picture, disc(cell, 0.375 * cell, y=0.53 * cell), BLACK, 0.3)
    add_layer(picture, disc(cell, 0.365 * cell), 0.75 * colour)
    add_layer(picture, disc(cell, 0.335 * cell), lit(cell, colour, 0.25))
    if side == 0:
        low, high = 0.39 * cell, 0.61 * cell
        add_layer(picture, strokes(cell, cell, [[(low, low), (high, high)], [(low, high), (high, low)]], 0.085 * cell), WHITE)
    else:
        add_layer(picture, ring(cell, 0.125 * cell, 0.08 * cell), WHITE)


def line_mask(layout: Layout, first: int, last: int, thickness: float) -> tuple[Array, slice, slice]:
    """Returns the mask of a straight line over the board between the middles of two squares, and the pixel rows and columns it covers."""
    (x0, y0), (x1, y1) = layout.middle(first), layout.middle(last)
    reach = int(thickness) + 2
    left, right = int(min(x0, x1)) - reach, int(max(x0, x1)) + reach
    top, bottom = int(min(y0, y1)) - reach, int(max(y0, y1)) + reach
    mask = strokes(bottom - top, right - left, [[(x0 - left, y0 - top), (x1 - left, y1 - top)]], thickness)
    return mask, slice(top, bottom), slice(left, right)
