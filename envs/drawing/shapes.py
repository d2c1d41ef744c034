"""What a picture is made of: discs, boxes, lines and labels, which `pixels` paints and `symbols` writes as SVG.

In one picture all lengths have the same unit; x goes to the right and y down. A colour is "#rrggbb" or a name of `PAGE_COLOURS`.
"""

from __future__ import annotations

from typing import NamedTuple

PAGE_COLOURS = {  # those that follow a page from light to dark, as its CSS names them, and what they are on light paper and in pixels
    "--paper": "#fafaf7",
    "--faint": "#5a616b",
    "--grid": "#969aa0",
    "--hole-shade": "#c4cdd6",
    "--x": "#d55e00",
    "--o": "#0072b2",
}


class Disc(NamedTuple):
    """A disc around (x, y), lit from the upper left if it has a light; with a thickness a ring whose line has this radius."""

    x: float
    y: float
    radius: float
    colour: str
    thickness: float = 0
    light: str = ""
    opacity: float = 1


class Box(NamedTuple):
    """A box with round corners; with a thickness its frame, drawn along the edge."""

    left: float
    top: float
    width: float
    height: float
    corner: float
    colour: str
    thickness: float = 0


class Line(NamedTuple):
    """A straight line with round ends."""

    x0: float
    y0: float
    x1: float
    y1: float
    thickness: float
    colour: str


class Label(NamedTuple):
    """A text around (x, y); `size` is that of its font."""

    x: float
    y: float
    text: str
    size: float
    colour: str


Shape = Disc | Box | Line | Label
