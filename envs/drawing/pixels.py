"""Paints shapes with Pillow. Empty boards and symbols are painted once a size and kept."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import numpy as np
from PIL import Image, ImageColor, ImageDraw, ImageFont

from .board_art import PAPER, SYMBOLS, Layout, board_shapes, winning_line
from .shapes import PAGE_COLOURS, Box, Disc, Label, Line, Shape

FINE = 4  # shapes are painted this many times as large and then shrunk, which makes their edges soft
THINNEST, SMALLEST = 1.2, 8  # pixels of a line and of a font


@functools.lru_cache(maxsize=16)
def empty_board(layout: Layout, columns: str, fixed: tuple[int, ...]) -> Image.Image:
    """Returns the board without pieces, not to be painted on; `fixed` are the squares that never go (Isola)."""
    image = painted(board_shapes(layout, columns), layout.size, 1, PAGE_COLOURS[PAPER])
    for square in range(layout.width * layout.height):
        put_symbol(image, layout, "square", square)
    for square in fixed:
        put_symbol(image, layout, "fixed", square)
    return image


def put_symbol(image: Image.Image, layout: Layout, name: str, square: int) -> None:
    """Lays a symbol on a square."""
    picture = symbol(layout.style, name, layout.cell)
    image.paste(picture, layout.corner(square), picture)


def put_line(image: Image.Image, layout: Layout, first: int, last: int) -> None:
    """Lays a winning line over the squares from one to another."""
    (x0, y0), (x1, y1), cell = layout.corner(first), layout.corner(last), layout.cell
    left, top, half = min(x0, x1), min(y0, y1), cell / 2
    shapes = winning_line(x0 - left + half, y0 - top + half, x1 - left + half, y1 - top + half, cell)
    picture = painted(shapes, (abs(x1 - x0) + cell, abs(y1 - y0) + cell), 1)
    image.paste(picture, (left, top), picture)


@functools.lru_cache(maxsize=128)
def symbol(style: str, name: str, cell: int) -> Image.Image:
    """Returns the picture of a symbol."""
    return painted(SYMBOLS[style][name], (cell, cell), cell / 100)


def painted(shapes: Iterable[Shape], size: tuple[int, int], unit: float, ground: str = "") -> Image.Image:
    """Returns shapes one over the other, on a picture of one colour or on a transparent one; `unit` is that of the shapes, in pixels."""
    whole, scale = (FINE * size[0], FINE * size[1]), FINE * unit
    image = Image.new("RGB", whole, ground) if ground else Image.new("RGBA", whole)
    pen = ImageDraw.Draw(image)
    for shape in shapes:
        if isinstance(shape, Disc) and (shape.light or shape.opacity < 1):
            mask = Image.new("L", whole)
            draw(ImageDraw.Draw(mask), shape, scale, round(255 * shape.opacity))
            layer = lit(shape, whole, scale) if shape.light else Image.new("RGB", whole, shape.colour)
            layer.putalpha(mask)
            image.alpha_composite(layer)
        else:
            draw(pen, shape, scale, PAGE_COLOURS.get(shape.colour, shape.colour))
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


def lit(disc: Disc, size: tuple[int, int], scale: float) -> Image.Image:
    """Returns a picture of the colour of a disc, brighter towards its upper left."""
    y, x = np.ogrid[0.5 : size[1], 0.5 : size[0]]
    away = np.hypot(x / scale - disc.x + 0.3 * disc.radius, y / scale - disc.y + 0.4 * disc.radius) / (1.2 * disc.radius)
    light, colour = (np.array(ImageColor.getrgb(name)) for name in (disc.light, disc.colour))
    return Image.fromarray((light + np.minimum(away, 1)[:, :, None] * (colour - light)).astype(np.uint8))
