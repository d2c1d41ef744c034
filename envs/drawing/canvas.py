"""Anti-aliased shapes on NumPy images: masks computed from distances, sprites of several layers, and a small stroke font.

Lengths are pixels, x to the right and y down, pixel centres at halves. A mask is float32[height, width], from 0 outside to 1 inside.
A sprite is float32[height, width, 4], its colours already multiplied by its opacity, so that stamping it is one blend.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Colour = Any  # three numbers, or an array of three numbers a pixel
Point = tuple[float, float]

GLYPH_UNITS = 8.0  # the font's grid: x from 0 to 4, y from 0 (descender) over 2 (baseline) and 6 (top of an x) to 8 (top of a capital)
GLYPHS = {
    "0": "18 38 47 43 32 12 03 07 18",
    "1": "06 28 22",
    "2": "07 18 38 47 46 02 42",
    "3": "07 18 38 47 46 35 44 43 32 12 03, 35 15",
    "4": "32 38 04 44",
    "5": "48 08 05 35 44 43 32 12 03",
    "6": "47 38 18 07 03 12 32 43 44 35 15 04",
    "7": "08 48 12",
    "8": "15 06 07 18 38 47 46 35 15 04 03 12 32 43 44 35",
    "9": "03 12 32 43 47 38 18 07 06 15 35 46",
    "a": "46 42, 45 36 16 05 03 12 32 43",
    "b": "08 02, 05 16 36 45 43 32 12 03",
    "c": "45 36 16 05 03 12 32 43",
    "d": "48 42, 45 36 16 05 03 12 32 43",
    "e": "04 44 45 36 16 05 03 12 32 43",
    "f": "48 38 27 22, 06 46",
    "g": "46 41 30 10 01, 45 36 16 05 03 12 32 43",
    "h": "08 02, 05 16 36 45 42",
    "i": "26 22, 28 28",
    "j": "36 31 20 10, 38 38",
    "k": "08 02, 46 04 42",
    "l": "28 23 32",
    "m": "06 02, 05 16 25 22, 25 36 45 42",
    "n": "06 02, 05 16 36 45 42",
    "o": "16 36 45 43 32 12 03 05 16",
    "p": "06 00, 05 16 36 45 43 32 12 03",
    "q": "46 40, 45 36 16 05 03 12 32 43",
    "r": "06 02, 04 16 36 45",
    "s": "45 36 16 05 14 34 43 32 12 03",
    "t": "28 23 32 42, 06 46",
}


@functools.lru_cache(maxsize=64)
def centres(height: int, width: int) -> tuple[Array, Array]:
    """Returns the pixel centres, x as float32[1, width] and y as float32[height, 1]."""
    y, x = np.ogrid[0:height, 0:width]
    return x.astype(np.float32) + 0.5, y.astype(np.float32) + 0.5


def inside(distance: Array) -> Array:
    """Returns the mask of a shape from the signed distance to its edge (negative inside), one pixel of soft edge."""
    return np.clip(0.5 - distance, 0, 1)


def disc(size: int, radius: float, x: float | None = None, y: float | None = None) -> Array:
    """Returns the mask, size x size, of a disc around (x, y), by default the middle."""
    across, down = centres(size, size)
    middle = size / 2
    return inside(np.hypot(across - (middle if x is None else x), down - (middle if y is None else y)) - radius)


def ring(size: int, radius: float, thickness: float) -> Array:
    """Returns the mask, size x size, of a circle line of this radius and thickness around the middle."""
    across, down = centres(size, size)
    return inside(np.abs(np.hypot(across - size / 2, down - size / 2) - radius) - thickness / 2)


def box_distance(height: int, width: int, inset: float, radius: float) -> Array:
    """Returns float32[height, width]: the signed distance to a box `inset` pixels inside the image, corners rounded by `radius`."""
    across, down = centres(height, width)
    x = np.abs(across - width / 2) - (width / 2 - inset - radius)
    y = np.abs(down - height / 2) - (height / 2 - inset - radius)
    return np.hypot(np.maximum(x, 0), np.maximum(y, 0)) + np.minimum(np.maximum(x, y), 0) - radius


def box(height: int, width: int, inset: float, radius: float) -> Array:
    """Returns the mask of a rounded box."""
    return inside(box_distance(height, width, inset, radius))


def frame(size: int, inset: float, radius: float, thickness: float) -> Array:
    """Returns the mask, size x size, of the outline of a rounded box; the line lies inside the box."""
    return inside(np.abs(box_distance(size, size, inset, radius) + thickness / 2) - thickness / 2)


def strokes(height: int, width: int, lines: Iterable[Sequence[Point]], thickness: float) -> Array:
    """Returns the mask of polylines with round ends.

    Args:
        height, width: the size of the mask.
        lines: sequences of (x, y) corners; two equal corners make a dot.
        thickness: of the line.
    """
    across, down = centres(height, width)
    nearest = np.full((height, width), np.inf, np.float32)
    for line in lines:
        for (x0, y0), (x1, y1) in itertools.pairwise(line):
            dx, dy = x1 - x0, y1 - y0
            along = np.clip(((across - x0) * dx + (down - y0) * dy) / max(dx * dx + dy * dy, 1e-9), 0, 1)
            np.minimum(nearest, np.hypot(across - x0 - along * dx, down - y0 - along * dy), out=nearest)
    return inside(nearest - thickness / 2)


def paint(image: Array, mask: Array, colour: Colour) -> None:
    """Blends a colour into a float image where the mask lies."""
    image += mask[:, :, None] * (np.asarray(colour, np.float32) - image)


def add_layer(sprite: Array, mask: Array, colour: Colour, opacity: float = 1.0) -> None:
    """Lays a coloured mask over a sprite."""
    cover = (mask * opacity)[:, :, None]
    sprite *= 1 - cover
    sprite[:, :, :3] += cover * np.asarray(colour, np.float32)
    sprite[:, :, 3:] += cover


def stamp(image: Array, sprite: Array, left: int, top: int) -> None:
    """Blends a sprite into an uint8 image, its upper left corner at (left, top)."""
    height, width = sprite.shape[:2]
    region = image[top : top + height, left : left + width]
    region[:] = region * (1 - sprite[:, :, 3:]) + sprite[:, :, :3] + 0.5


@functools.lru_cache(maxsize=256)
def text_mask(text: str, size: float) -> Array:
    """Returns the mask of a line of digits and small letters whose capitals are `size` pixels high, without any space around."""
    unit = size / 6
    thickness = max(1.2, size / 7)
    advance = 6 * unit
    pad = thickness
    lines = [
        [(pad + index * advance + int(x) * unit, pad + (GLYPH_UNITS - int(y)) * unit) for x, y in polyline.split()]
        for index, character in enumerate(text)
        for polyline in GLYPHS[character].split(", ")
    ]
    width = int(np.ceil(len(text) * advance - 2 * unit + 2 * pad))
    return strokes(int(np.ceil(GLYPH_UNITS * unit + 2 * pad)), width, lines, thickness)


def write(image: Array, text: str, x: float, y: float, size: float, colour: Colour) -> None:
    """Writes a line of text on a float image, centred on (x, y); what lies outside the image is cut off."""
    mask = text_mask(text, size)
    left, top = round(x - mask.shape[1] / 2), round(y - mask.shape[0] / 2)
    shown = mask[max(-top, 0) : image.shape[0] - top, max(-left, 0) : image.shape[1] - left]
    top, left = max(top, 0), max(left, 0)
    paint(image[top : top + shown.shape[0], left : left + shown.shape[1]], shown, colour)
