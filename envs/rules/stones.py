"""Boards of stones as text: which of them are impossible at sight. Whether some game leads to a board is not searched.

Shared by Connect-K and Gomoku, where stones are only added.
"""

from .errors import NotationError, shown
from .interface import DRAWN, RUNNING, WON


def check_counts(cells, side, text):
    """Raises NotationError unless the numbers of stones fit the side to move."""
    first, second = cells.count(1), cells.count(2)
    if first - second != side:
        expected = "one more x than o" if side else "as many x as o"
        raise NotationError(f"board text {shown(text)}: expected {expected} with {'xo'[side]} to move, got {first} x and {second} o")


def settle(state, won_through, text):
    """Sets the status of a state whose stones stand; raises NotationError if both sides, or the side to move, have a line.

    Args:
        state: all fields but `status` are set.
        won_through: tells whether the stone on a cell is part of a winning line.
        text: for the message.
    """
    squares = range(state.width * state.height)
    winners = {state.cells[cell] for cell in squares if state.cells[cell] and won_through(state, cell)}
    if len(winners) == 2:
        raise NotationError(f"board text {shown(text)}: expected a line of one side at most, got lines of both")
    if 1 + state.side in winners:
        mover = "xo"[state.side]
        raise NotationError(f"board text {shown(text)}: expected no line of {mover} with {mover} to move, the game was over before")
    state.status = WON if winners else DRAWN if state.ply == len(squares) else RUNNING
