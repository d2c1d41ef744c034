"""Paints shapes with Pillow. Empty boards, symbols and winning lines are painted once a size and kept."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw, ImageFont

from .board_art import PAPER, SYMBOLS, Layout, board_shapes, winning_line
from .shapes import PAGE_COLOURS, Box, Disc, Label, Line, Shape

FINE = 4  # shapes are painted this many times as large and then shrunk, which makes their edges soft
THINNEST, SMALLEST = 1.2, 8  # pixels of a line and of a font


class Sprite(NamedTuple):
    """What is laid on a picture, uint16[height, width, 3]: its colours times its cover, from 0 to 255, and the cover that it leaves."""

    colours: NDArray[np.uint16]
    rest: NDArray[np.uint16]


@functools.lru_cache(maxsize=16)
def empty_board(layout: Layout, columns: str, fixed: tuple[int, ...]) -> NDArray[np.uint8]:
    """Returns the board without pieces, not to be written to; `fixed` are the squares that never go (Isola)."""
    image = np.array(painted(board_shapes(layout, columns), layout.size, 1, PAGE_COLOURS[PAPER]))
    for square in range(layout.width * layout.height):
        put_symbol(image, layout, "square", square)
    for square in fixed:
        put_symbol(image, layout, "fixed", square)
    return image


def put_symbol(image: NDArray[np.uint8], layout: Layout, name: str, square: int) -> None:
    """Lays a symbol on a square."""
    put(image, symbol(layout.style, name, layout.cell), *layout.corner(square))


def put_line(image: NDArray[np.uint8], layout: Layout, first: int, last: int) -> None:
    """Lays a winning line over the squares from one to another."""
    (x0, y0), (x1, y1) = layout.corner(first), layout.corner(last)
    put(image, line(x1 - x0, y1 - y0, layout.cell), min(x0, x1), min(y0, y1))


def put(image: NDArray[np.uint8], sprite: Sprite, left: int, top: int) -> None:
    """Lays a sprite on a picture, its upper left corner at (left, top)."""
    height, width, _ = sprite.rest.shape
    region = image[top : top + height, left : left + width]
    region[:] = (region * sprite.rest + sprite.colours) // 255


@functools.lru_cache(maxsize=128)
def symbol(style: str, name: str, cell: int) -> Sprite:
    """Returns a symbol for a square of this side."""
    return sprite_of(painted(SYMBOLS[style][name], (cell, cell), cell / 100))


@functools.lru_cache(maxsize=8)
def line(across: int, down: int, cell: int) -> Sprite:
    """Returns a winning line that goes this far across and down, with half a square around its ends."""
    x, y = cell / 2 + max(0, -across), cell / 2 + max(0, -down)
    return sprite_of(painted(winning_line(x, y, x + across, y + down, cell), (abs(across) + cell, abs(down) + cell), 1))


def sprite_of(picture: Image.Image) -> Sprite:
    """Returns a transparent picture as a sprite."""
    pixels = np.array(picture, np.uint16)
    cover = np.repeat(pixels[:, :, 3:], 3, axis=2)
    return Sprite(pixels[:, :, :3] * cover + 127, 255 - cover)


def painted(shapes: Iterable[Shape], size: tuple[int, int], unit: float, ground: str = "") -> Image.Image:
    """Returns shapes one over the other.

    Args:
        shapes: the lowest first; those on a ground neither lit nor transparent.
        size: of the picture in pixels, width and height.
        unit: of the shapes, in pixels.
        ground: the colour of an empty picture; by default it is transparent.
    """
    whole, scale = (FINE * size[0], FINE * size[1]), FINE * unit
    image = Image.new("RGB", whole, ground) if ground else Image.new("RGBA", whole)
    pen = ImageDraw.Draw(image)
    for shape in shapes:
        colour = PAGE_COLOURS.get(shape.colour, shape.colour)
        if isinstance(shape, Disc) and (shape.light or shape.opacity < 1):
            mask = Image.new("L", whole)
            draw(ImageDraw.Draw(mask), shape, scale, round(255 * shape.opacity))
            layer = lit(shape, colour, whole, scale) if shape.light else Image.new("RGB", whole, colour)
            layer.putalpha(mask)
            image.alpha_composite(layer)
        else:
            draw(pen, shape, scale, colour)
    return image.reduce(FINE)


def draw(pen: ImageDraw.ImageDraw, shape: Shape, scale: float, ink: int | str) -> None:
    """Draws one shape."""

    def thick(thickness: float) -> int:
        return round(max(scale * thickness, FINE * THINNEST)) if thickness else 0

    def edge(left: float, top: float, right: float, bottom: float, thickness: float) -> list[float]:
        """Returns the outer edge of a line along an edge; Pillow's last pixel is inside."""
        reach = thick(thickness) / 2
        return [scale * left - reach, scale * top - reach, scale * right + reach - 1, scale * bottom + reach - 1]

    match shape:
        case Disc(x, y, radius, _, thickness):
            pen.ellipse(edge(x - radius, y - radius, x + radius, y + radius, thickness), None if thickness else ink, ink, thick(thickness))
        case Box(left, top, width, height, corner, _, thickness):
            box, radius = edge(left, top, left + width, top + height, thickness), scale * corner + thick(thickness) / 2
            pen.rounded_rectangle(box, radius, None if thickness else ink, ink, thick(thickness))
        case Line(x0, y0, x1, y1, thickness):
            pen.line([scale * x0, scale * y0, scale * x1, scale * y1], ink, thick(thickness))
            for x, y in ((x0, y0), (x1, y1)):
                pen.ellipse(edge(x, y, x, y, thickness), ink)
        case Label(x, y, text, size):
            height = max(scale * size, FINE * SMALLEST)
            pen.text((scale * x, scale * y + 0.35 * height), text, ink, ImageFont.load_default(height), anchor="ms")


def lit(disc: Disc, colour: str, size: tuple[int, int], scale: float) -> Image.Image:
    """Returns a picture of the colour of a disc, brighter towards the disc's upper left."""
    y, x = np.ogrid[0.5 : size[1], 0.5 : size[0]]
    away = np.hypot(x / scale - disc.x + 0.3 * disc.radius, y / scale - disc.y + 0.4 * disc.radius) / (1.2 * disc.radius)
    light, dark = (np.array(ImageColor.getrgb(name)) for name in (disc.light, colour))
    return Image.fromarray((light + np.minimum(away, 1)[:, :, None] * (dark - light)).astype(np.uint8))
