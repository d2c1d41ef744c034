"""How each kind of board looks: the empty board, and the symbols that go on its squares, as shapes.

The colours are those of Okabe and Ito (2008), told apart by colour-blind eyes; where pieces could still be mistaken they carry x and o.
"""

from __future__ import annotations

from typing import NamedTuple

from .shapes import Box, Disc, Label, Line, Shape

ORANGE, BLUE, VERMILLION, YELLOW, WHITE, BLACK = "#e69f00", "#0072b2", "#d55e00", "#f0e442", "#ffffff", "#18181a"
PAPER, INK, GRID_LINE = "--paper", "--faint", "--grid"
WOOD, WOOD_LINE, BLACK_STONE, WHITE_STONE = "#e0b878", "#543c20", "#1e1e21", "#dedcd5"
SLATE, GONE, TILE, TILE_EDGE, TILE_RING = "#3a4250", "#262c37", "#e9e3d4", "#cdc5b2", "#9e947c"
LIGHTS = {VERMILLION: "#e58a45", YELLOW: "#f7f0a0", BLUE: "#4a9fce", BLACK_STONE: "#77777b", WHITE_STONE: WHITE}
EDGES = {VERMILLION: "#994300", YELLOW: "#aca430", BLUE: "#00527f", BLACK_STONE: BLACK_STONE, WHITE_STONE: "#787064"}
RIM = 0.14  # of a cell, around the squares of a tray


class Layout(NamedTuple):
    """The measures of a picture: the style of the board, cells across and up, the side of a cell, and the margin all around."""

    style: str
    width: int
    height: int
    cell: int
    margin: int

    @property
    def size(self) -> tuple[int, int]:
        """Returns the width and height of the picture."""
        return self.width * self.cell + 2 * self.margin, self.height * self.cell + 2 * self.margin

    def corner(self, square: int) -> tuple[int, int]:
        """Returns the x and y of the upper left corner of a square (row-major, row 0 at the bottom)."""
        row, column = divmod(square, self.width)
        return self.margin + column * self.cell, self.margin + (self.height - 1 - row) * self.cell

    def middle(self, square: int) -> tuple[float, float]:
        """Returns the x and y of the middle of a square."""
        x, y = self.corner(square)
        return x + self.cell / 2, y + self.cell / 2


# ---------------------------------------------------------------------------------------------------------- The board


def board_shapes(layout: Layout, columns: str) -> list[Shape]:
    """Returns what lies under the squares, with the names of the columns below and the numbers of the rows to the left."""
    draw, ink = {"drop": (tray, INK), "grid": (grid, INK), "stones": (crossings, WOOD_LINE), "tiles": (tray, INK)}[layout.style]
    edge = (layout.margin - RIM * layout.cell) / 2
    size = layout.cell * min(max(0.28, 0.024 * layout.width, 0.024 * layout.height), 0.38)  # a large board is shown smaller
    low = layout.size[1] - edge - 0.1 * size  # letters go down below their line, numbers do not
    names = [Label(layout.middle(i)[0], low, columns[i], size, ink) for i in range(layout.width)]
    numbers = [Label(edge, layout.middle(i * layout.width)[1], str(i + 1), size, ink) for i in range(layout.height)]
    return [*draw(layout), *names, *numbers]


def winning_line(x0: float, y0: float, x1: float, y1: float, cell: float) -> list[Shape]:
    """Returns a white line with a dark edge between the middles of two squares."""
    return [Line(x0, y0, x1, y1, 0.17 * cell, BLACK), Line(x0, y0, x1, y1, 0.09 * cell, WHITE)]


def tray(layout: Layout) -> list[Shape]:
    """Draws a plate under all squares."""
    edge, (width, height) = layout.margin - RIM * layout.cell, layout.size
    return [Box(edge, edge, width - 2 * edge, height - 2 * edge, 0.2 * layout.cell, BLUE if layout.style == "drop" else SLATE)]


def grid(layout: Layout) -> list[Shape]:
    """Draws the lines between the squares; all boards but tic-tac-toe have an outer line too."""
    outer = 1 if layout.width == layout.height == 3 else 0
    margin, (right, bottom), thickness = layout.margin, layout.size, 0.03 * layout.cell * (1 + outer)
    upright = [margin + i * layout.cell for i in range(outer, layout.width + 1 - outer)]
    level = [margin + i * layout.cell for i in range(outer, layout.height + 1 - outer)]
    return [
        *(Line(x, margin, x, bottom - margin, thickness, GRID_LINE) for x in upright),
        *(Line(margin, y, right - margin, y, thickness, GRID_LINE) for y in level),
    ]


def crossings(layout: Layout) -> list[Shape]:
    """Draws a wooden board whose stones go on the crossings of its lines, with star points."""
    width, height, cell = layout.width, layout.height, layout.cell
    (left, bottom), (right, top) = layout.middle(0), layout.middle(width * height - 1)
    across = [(left + i * cell, 0.05 if i in (0, width - 1) else 0.026) for i in range(width)]
    down = [(top + i * cell, 0.05 if i in (0, height - 1) else 0.026) for i in range(height)]
    return [
        Box(0, 0, *layout.size, 0, WOOD),
        *(Line(x, top, x, bottom, thickness * cell, WOOD_LINE) for x, thickness in across),
        *(Line(left, y, right, y, thickness * cell, WOOD_LINE) for y, thickness in down),
        *(Disc(across[column][0], down[row][0], 0.085 * cell, WOOD_LINE) for column, row in star_points(width, height)),
    ]


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


# ---------------------------------------------------------------------------------------------------------- In a square of 100 x 100


def disc(radius: float, colour: str, thickness: float = 0, opacity: float = 1) -> Shape:
    """Draws a disc or ring in the middle."""
    return Disc(50, 50, radius, colour, thickness, opacity=opacity)


def box(inset: float, corner: float, colour: str, thickness: float = 0) -> Shape:
    """Draws a box or frame."""
    return Box(inset, inset, 100 - 2 * inset, 100 - 2 * inset, corner, colour, thickness)


def cross(reach: float, thickness: float, colour: str) -> list[Shape]:
    """Draws an x."""
    low, high = 50 - reach, 50 + reach
    return [Line(low, low, high, high, thickness, colour), Line(low, high, high, low, thickness, colour)]


def piece(radius: float, colour: str, edge: float) -> list[Shape]:
    """Draws a round piece, lit, with an edge."""
    return [disc(radius, EDGES[colour]), Disc(50, 50, radius - edge, colour, light=LIGHTS[colour])]


def chip(colour: str) -> list[Shape]:
    """Draws a flat chip, seen through its hole."""
    return [*piece(40.5, colour, 3), disc(26.5, EDGES[colour], 3.5, 0.5)]


def stone(colour: str) -> list[Shape]:
    """Draws a stone with its shadow."""
    return [Disc(52.5, 54, 45, BLACK, opacity=0.25), *piece(45.5, colour, 1.5)]


def pawn(colour: str, letter: list[Shape]) -> list[Shape]:
    """Draws a piece that carries a letter, with its shadow."""
    return [Disc(50, 53, 37.5, BLACK, opacity=0.3), *piece(36.5, colour, 3), *letter]


FRAME = box(8, 10, ORANGE, 6.5)
COLOURS = {"drop": (VERMILLION, YELLOW), "grid": ("--x", "--o"), "stones": (BLACK_STONE, WHITE_STONE), "tiles": (VERMILLION, BLUE)}
SYMBOLS: dict[str, dict[str, list[Shape]]] = {
    style: {"square": [], "gone": [box(3, 12, SLATE), box(8.5, 10, GONE)], "fixed": [disc(29, TILE_RING, 5)], **own}
    for style, own in {
        "drop": {
            "ground": [disc(50, BLUE)],
            "square": [disc(43, "#005d92"), disc(40, "--hole-shade"), Disc(50, 52, 38, PAPER)],
            "x": chip(VERMILLION),
            "o": chip(YELLOW),
            "last": [disc(14.5, BLACK, 6)],
        },
        "grid": {
            "ground": [],
            "x": cross(23, 14, "--x"),
            "o": [disc(25, "--o", 13)],
            "last": [FRAME],
        },
        "stones": {
            "ground": [disc(50, WOOD)],
            "x": stone(BLACK_STONE),
            "o": stone(WHITE_STONE),
            "last": [disc(13, VERMILLION)],
        },
        "tiles": {
            "ground": [disc(50, TILE)],
            "square": [box(4.5, 12, TILE_EDGE), box(8.5, 10, TILE)],
            "x": pawn(VERMILLION, cross(11, 8.5, WHITE)),
            "o": pawn(BLUE, [disc(12.5, WHITE, 8)]),
            "last": [FRAME],
        },
    }.items()
}
