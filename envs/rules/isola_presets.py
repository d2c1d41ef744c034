"""The named rule sets of Isola, and the named start squares."""

from .errors import RulesError, check_choice, shown
from .notation import read_square

NOWHERE = 255  # the square of a piece that is not placed yet
STARTS = ("corners", "left_right", "bottom_top", "none")
PRESETS = {
    "queen": {"width": 8, "height": 8, "step": "queen", "removal": "vacated", "starts": "corners", "fixed": False},
    "classic": {"width": 8, "height": 6, "step": "king", "removal": "any", "starts": "left_right", "fixed": True},
    "sevens": {"width": 7, "height": 7, "step": "king", "removal": "any", "starts": "bottom_top", "fixed": False},
    "nines": {"width": 9, "height": 9, "step": "king", "removal": "any", "starts": "left_right", "fixed": False},
    "knight": {"width": 7, "height": 7, "step": "knight", "removal": "vacated", "starts": "none", "fixed": False},
    "knight_wide": {"width": 11, "height": 9, "step": "knight", "removal": "vacated", "starts": "none", "fixed": False},
}


def start_squares(starts, width, height):
    """Returns the start squares of the two sides, NOWHERE for free placement."""
    named = {
        "corners": ((0, height - 1), (width - 1, 0)),
        "left_right": ((0, (height - 1) // 2), (width - 1, height // 2)),
        "bottom_top": (((width - 1) // 2, 0), (width // 2, height - 1)),
    }
    if isinstance(starts, str):
        if check_choice("starts", starts, STARTS) == "none":
            return NOWHERE, NOWHERE
        first, second = (row * width + column for column, row in named[starts])
    else:
        first, second = listed_squares(starts, width, height)
    if first == second:
        raise RulesError(f"starts: expected two different squares on a {width}x{height} board, got {shown(starts)}")
    return first, second


def listed_squares(starts, width, height):
    """Returns the two squares of a list of two names such as ["a3", "h4"]."""
    names = list(starts) if isinstance(starts, (list, tuple)) else []
    squares = [square for name in names if (square := read_square(name, width, height)) is not None]
    if len(names) != 2 or len(squares) != 2:
        raise RulesError(f"starts: expected one of {', '.join(STARTS)} or two squares of a {width}x{height} board, got {shown(starts)}")
    return squares
