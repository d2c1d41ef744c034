"""The random player inside a batch. A template."""

from ...envs.chance import random_move


def answer(state, workspace, stream):
    """Returns a random legal move of a running game; workspace: int64[2 * actions], room for its moves."""
    return random_move(state, workspace, stream)
