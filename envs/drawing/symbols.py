"""Writes shapes as SVG: the board and all that lies on it as symbols, which a page's script only places."""

from __future__ import annotations

from collections.abc import Iterable

from .board_art import SYMBOLS, Layout, board_shapes, winning_line
from .shapes import PAGE_COLOURS, Box, Disc, Label, Line, Shape


def page_layout(style: str, width: int, height: int) -> Layout:
    """Returns the measures of a board on a page."""
    return Layout(style, width, height, cell=100, margin=62)


def symbols(layout: Layout, columns: str, fixed: Iterable[int], prefix: str) -> str:
    """Returns the contents of an SVG element that shows nothing itself.

    `PREFIX-board` is the symbol of the empty board, `PREFIX-x`, `-o`, `-gone`, `-last` and `-ground`, which lies under a piece that stands
    alone, are symbols of the size of a square. `PREFIX-line` is a group of lines, to be copied with the ends of a winning line.

    Args:
        layout: see `page_layout`.
        columns: the columns' names, one character each.
        fixed: the squares that never go (Isola).
        prefix: of the ids, unique on the page.
    """
    pictures, size, squares = SYMBOLS[layout.style], layout.cell, range(layout.width * layout.height)
    placed = [("square", square) for square in squares if pictures["square"]] + [("fixed", square) for square in fixed]
    corners = [(name, *layout.corner(square)) for name, square in placed]
    uses = [f'<use href="#{prefix}-{name}" x="{x}" y="{y}" width="{size}" height="{size}"/>' for name, x, y in corners]
    own = [_symbol(f"{prefix}-{name}", (100, 100), svg(shapes, f"{prefix}-{name}")) for name, shapes in pictures.items()]
    board = _symbol(f"{prefix}-board", layout.size, "".join([svg(board_shapes(layout, columns)), *uses]))
    line = f'<g id="{prefix}-line" class="winning">{svg(winning_line(0, 0, 0, 0, size))}</g>'
    return "".join([*own, board, line])


def _symbol(id: str, size: tuple[int, int], content: str) -> str:
    return f'<symbol id="{id}" viewBox="0 0 {size[0]} {size[1]}">{content}</symbol>'


def svg(shapes: Iterable[Shape], id: str = "") -> str:
    """Returns shapes as SVG, one over the other; the light of a disc, one at most, takes an id."""
    return "".join(_shape(shape, f"{id}-light") for shape in shapes)


def _shape(shape: Shape, light_id: str) -> str:
    match shape:
        case Disc(x, y, radius, colour, thickness, light, opacity):
            stops = f'<stop offset="0" stop-color="{light}"/><stop offset=".75" stop-color="{css(colour)}"/>'  # as `pixels.lit`
            gradient = f'<radialGradient id="{light_id}" cx=".35" cy=".3" r=".8">{stops}</radialGradient>' if light else ""
            paint = f'fill="url(#{light_id})"' if light else _paint(colour, thickness)
            return f'{gradient}<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {paint} opacity="{opacity:g}"/>'
        case Box(left, top, width, height, corner, colour, thickness):
            edge = f'x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="{corner:g}"'
            return f"<rect {edge} {_paint(colour, thickness)}/>"
        case Line(x0, y0, x1, y1, thickness, colour):
            return f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke-linecap="round" {_paint(colour, thickness)}/>'
        case Label(x, y, text, size, colour):
            place = f'x="{x:g}" y="{y + 0.35 * size:g}" font-size="{size:g}" text-anchor="middle"'
            return f'<text {place} fill="{css(colour)}">{text}</text>'


def _paint(colour: str, thickness: float) -> str:
    return f'fill="none" stroke="{css(colour)}" stroke-width="{thickness:g}"' if thickness else f'fill="{css(colour)}"'


def css(colour: str) -> str:
    """Returns a colour as CSS has it."""
    return f"var({colour})" if colour in PAGE_COLOURS else colour
