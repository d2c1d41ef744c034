"""What an opponent gives to the batch: a placeholder, see `inside`."""

from ..chance import NO_MOVE


def answer(state, workspace, stream):
    """Returns a legal move of a running game, or NO_MOVE if the opponent is to be asked outside the batch.

    Args:
        state: of the game, on cells or on machine words; left as it is.
        workspace: the opponent's.
        stream: its stream of random numbers, see `chance`; seeded for each game.
    """
    return NO_MOVE
