"""Every method and every combination of exact switches gives plain minimax's score at equal depth, with a legal line."""

import itertools

import pytest
from sparring import Game, Position, agents
from sparring.agents.search.mtdf import Answer, converge
from sparring.envs.rules.errors import AgentError

from .slow_search import minimax, random_position

BOARDS = {
    "ConnectFour": (Game("ConnectFour"), 3),
    "ConnectK 5x4 k4": (Game("ConnectK", width=5, height=4, k=4), 2),
    "Gomoku 6": (Game("Gomoku", size=6), 2),
    "Isola 5x5": (Game("Isola", width=5, height=5), 3),
    "Isola 4x4 any": (Game("Isola", rules="sevens", width=4, height=4), 2),
}
SWITCHES = {
    "table_mib": (0, 1),
    "killers": (True, False),
    "history": (True, False),
    "promise": (True, False),
    "deepening": (True, False),
    "aspiration": (0, 10),
}
COMBINATIONS = [dict(zip(SWITCHES, values, strict=True)) for values in itertools.product(*SWITCHES.values())]


@pytest.mark.parametrize("method", ["pvs", "alphabeta", "mtdf", "minimax"])
@pytest.mark.parametrize("board", BOARDS)
def test_every_combination_equals_minimax(board, method):
    game, depth = BOARDS[board]
    positions = [random_position(game, seed) for seed in range(10)]
    scores = [{reached: minimax(position, reached) for reached in range(1, depth + 1)} for position in positions]
    for settings in COMBINATIONS:
        agent = agents.make({"name": "alphabeta", "depth": depth, "method": method, **settings}, game)
        for position, score in zip(positions, scores, strict=True):
            found = agent.analyse(position)
            assert found.score == score[found.depth], f"{position!r} with {settings}"
            line = position.copy()
            for move in found.pv:
                line.push(move)
            assert found.pv[0] == found.move


def test_switches_change_the_work():
    position, nodes = Position("ConnectFour", "4435"), {}
    for name, settings in {
        "all": {},
        "no scouting": {"method": "alphabeta"},
        "no table": {"table_mib": 0},
        "no killers": {"killers": False},
        "no history": {"history": False},
        "no promise": {"promise": False},
        "no pruning": {"method": "minimax", "table_mib": 0},
        "reductions": {"reductions": True},
        "mtdf": {"method": "mtdf"},
    }.items():
        nodes[name] = agents.make({"name": "alphabeta", "depth": 6, **settings}, "ConnectFour").analyse(position).nodes
    assert len(set(nodes.values())) == len(nodes), nodes
    assert nodes["no pruning"] == max(nodes.values())


def test_minimax_enters_every_position():
    agent = agents.make("alphabeta:depth=4,method=minimax,table_mib=0,deepening=false", "ConnectFour")
    assert agent.analyse(Position("ConnectFour")).nodes == 1 + 7 + 49 + 343 + 2401


def test_reductions_still_see_a_win_in_one():
    position = Position("ConnectFour", "415161")
    assert agents.make("alphabeta:depth=5,reductions=true", "ConnectFour").act(position) in (2, 6)


@pytest.mark.parametrize("guess", [-500, 0, 17, 18, 500])
def test_mtdf_converges_from_any_guess(guess):
    windows = []

    def search(alpha, beta):
        windows.append((alpha, beta))
        assert beta == alpha + 1
        return Answer(17, 3, (3,))

    assert converge(search, guess) == Answer(17, 3, (3,))
    assert len(windows) <= 3


def test_straight_to_a_depth_needs_one():
    with pytest.raises(AgentError, match="deepening: expected a depth to go straight to, got false without one"):
        agents.make("alphabeta:nodes=100,deepening=false", "ConnectFour")
