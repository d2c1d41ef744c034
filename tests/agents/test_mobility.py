"""System D's evaluation: on cells and on words against a slow version, and its judgement of split boards against exact play."""

import numpy as np
import pytest
from sparring import Game, Position, agents
from sparring.agents.evaluation import mobility
from sparring.agents.evaluation.interface import LIMIT
from sparring.envs import compiled
from sparring.envs.rules import interface

from . import slow_search
from .slow_search import board_of, component, random_position

GAMES = [
    *(Game("Isola", rules=rules) for rules in ("queen", "classic", "sevens", "nines", "knight", "knight_wide")),
    Game("Isola", width=5, height=5),
    Game("Isola", width=6, height=5, step="king"),
    Game("Isola", width=6, height=6, removal="any"),
    Game("Isola", width=5, height=8, fixed=True),
]


def memory_of():
    memory = np.zeros(1, mobility.MEMORY).view(np.recarray)
    memory["weights"] = list(mobility.WEIGHTS.values())
    return memory


def is_split(position):
    board = board_of(position)
    is_filled = 4 * list(board.values()).count("#") >= len(board)
    return is_filled and not component(board, position.game, "x") & component(board, position.game, "o")


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_equals_slow(game):
    memory, split = memory_of(), 0
    for seed in range(100):
        position = random_position(game, seed)
        expected = slow_search.mobility(position)
        assert mobility.evaluate(position.state, memory[0]) == expected, repr(position)
        assert not memory[0].queue.any()
        assert not memory[0].reached.any()
        if game.bitboards:
            state = game.bitboards.record_of(position.state)[0]
            bound = compiled.bind(mobility, (interface, game.bitboards), mobility.ON_BITBOARDS)
            assert compiled.ready(bound.evaluate, state, memory.view(mobility.MEMORY)[0])(state, memory[0]) == expected, repr(position)
        split += is_split(position)
    assert split > 2


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_sign_changes_with_the_side_where_the_board_is_split(game):
    memory, seen = memory_of(), {True: 0, False: 0}
    for seed in range(100):
        position = random_position(game, seed)
        mine = mobility.evaluate(position.state, memory[0])
        position.state.side = 1 - position.state.side
        theirs, split = mobility.evaluate(position.state, memory[0]), is_split(position)
        seen[split] += 1
        assert abs(mine) <= LIMIT
        if split:
            assert mine == -theirs
        else:  # m - 3t and t - 3m, times the filled squares, add up to at most 0
            assert mine + theirs <= 0
    assert min(seen.values()) > 2


def test_an_earlier_decision_weighs_more():
    earlier, later = "#3#3/x3#3/4#3/4#3/4#3/4#2o/4##2/#######1 x", "#3#3/x3#3/4#3/##2#3/4#3/4#2o/4#1##/######## x"
    game, memory = Game("Isola", starts="none"), memory_of()
    scores = [mobility.evaluate(Position(game, text).state, memory[0]) for text in (earlier, later)]
    sizes = [[len(component(board_of(Position(game, text)), game, side)) for side in "xo"] for text in (earlier, later)]
    assert [ours - theirs for ours, theirs in sizes] == [6, 6]
    assert scores[0] > scores[1] > 0


def is_won(position, memo):
    """Tells by exact play whether the side to move wins."""
    key = bytes(position.state.cells), position.side
    if key not in memo:
        memo[key] = False
        for move in position.legal_moves:
            position.push(move)
            memo[key] = memo[key] or position.is_over or not is_won(position, memo)
            position.pop()
    return memo[key]


@pytest.mark.parametrize("step", ["queen", "king"])
@pytest.mark.parametrize(("width", "height"), [(5, 5), (6, 5)])
def test_one_ply_sees_who_wins_a_split_board(width, height, step):
    """The size of a component is not the longest path in it, so a small difference can mislead; a large one must not."""
    game, memo = Game("Isola", width=width, height=height, step=step), {}
    search, positions = agents.make("alphabeta:evaluation=mobility,depth=1", game), set()
    for seed in range(800):
        position = random_position(game, seed, 5)
        if is_split(position):
            positions.add(position)
    right, wrong, large = 0, 0, 0
    for position in positions:
        score, won, board = search.analyse(position).score, is_won(position, memo), board_of(position)
        right, wrong = right + (score != 0 and (score > 0) == won), wrong + (score != 0 and (score > 0) != won)
        if abs(len(component(board, game, "x")) - len(component(board, game, "o"))) > 3:
            assert (score > 0) == won, repr(position)
            large += 1
    assert wrong <= 0.01 * len(positions)
    assert right >= 0.9 * len(positions)
    assert large > 50
