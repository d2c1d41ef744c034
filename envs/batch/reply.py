"""The placeholder for an opponent's kernel, see `batch_opponent`."""

from ..chance import NO_MOVE


def answer(state, workspace, stream):
    """Returns a legal move of a running game, or NO_MOVE if the move has to come from Python.

    Args:
        state: of the game, on cells or on bitboards; unchanged at the end.
        workspace: the opponent's.
        stream: its stream of random numbers, see `chance`; seeded for each game.
    """
    return NO_MOVE
