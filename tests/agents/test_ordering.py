"""The order of a node's moves: by rank, the earlier of equals first, and the list as it was made."""

import random
from types import SimpleNamespace

import pytest
from sparring.agents.search import ordering

SWITCHES = {"killers": 1, "history": 1, "order_score": 1}


def workspace_of(moves, worth_of, refutations, **switches):
    """Returns what `order_moves` reads, with the moves from index 3 on, at level 1 and for side 1."""
    return SimpleNamespace(
        states=[SimpleNamespace(side=1)],
        memories=[None],
        switches=[SimpleNamespace(**SWITCHES | switches)],
        moves=[0, 0, 0, *moves],
        order_keys=[0] * (3 + len(moves)),
        history={(1, move): worth for move, worth in worth_of.items()},
        killers={(1, 0): refutations[0], (1, 1): refutations[1]},
    )


def order_of(workspace, hash_move=-1):
    """Returns the moves as a node takes them."""
    end = len(workspace.moves)
    ordering.order_moves(workspace, SimpleNamespace(start=3, end=end, hash_move=hash_move), 1)
    return [ordering.next_move(workspace.moves, workspace.order_keys, 3, first, end) for first in range(3, end)]


@pytest.mark.parametrize("seed", range(50))
def test_equals_keep_their_order(seed):
    chance = random.Random(seed)
    moves = chance.sample(range(400), chance.randint(1, 30))
    history = {move: chance.choice((0, 1, 5, ordering.MAX_HISTORY)) for move in moves}
    workspace = workspace_of(moves, history, (-1, -1))
    assert order_of(workspace) == sorted(moves, key=lambda move: -history[move])
    assert workspace.moves[3:] == moves


def test_each_source_has_its_switch_and_the_hash_move_comes_first():
    history = {10: 0, 11: 500, 12: 0, 13: 1500, 14: ordering.MAX_HISTORY}

    def order(hash_move=-1, **switches):
        return order_of(workspace_of([10, 11, 12, 13, 14], history, (12, 11), **switches), hash_move)

    assert order() == [14, 12, 11, 13, 10]
    assert order(hash_move=10) == [10, 14, 12, 11, 13]
    assert order(killers=0) == [14, 13, 11, 10, 12]
    assert order(history=0) == [12, 11, 10, 13, 14]
    assert order(history=0, killers=0) == [10, 11, 12, 13, 14]
