"""The search against plain minimax, its limits, and its node signature."""

import copy
import pickle
import time

import pytest
import sparring
from sparring import Game, Position, agents
from sparring.agents.search.scores import MAX_PLY, WIN, from_table, is_decisive, to_table
from sparring.envs.rules.errors import IllegalMoveError

from .slow_search import minimax, random_position

BOARDS = {
    "ConnectFour": (Game("ConnectFour"), 3),
    "TicTacToe": (Game("TicTacToe"), 4),
    "ConnectK 5x4 k4": (Game("ConnectK", width=5, height=4, k=4), 2),
    "ConnectK 6x5 k5 gravity": (Game("ConnectK", width=6, height=5, k=5, gravity=True), 3),
    "Gomoku 6": (Game("Gomoku", size=6), 2),
    "Gomoku 7 standard": (Game("Gomoku", size=7, rule="standard"), 2),
    "Isola 5x5": (Game("Isola", width=5, height=5), 3),
    "Isola 4x4 any": (Game("Isola", rules="sevens", width=4, height=4), 2),
    "Isola 5x5 knight": (Game("Isola", rules="knight", width=5, height=5), 3),
}


@pytest.mark.parametrize("board", BOARDS)
def test_equals_minimax(board, at_length):
    game, depth = BOARDS[board]
    search = agents.make({"name": "alphabeta", "depth": depth}, game)
    for seed in range(50 if at_length else 15):
        position = random_position(game, seed)
        found = search.analyse(position)
        expected = minimax(position, found.depth)
        assert found.score == expected, f"{position!r} at depth {found.depth}"
        line = position.copy()
        for move in found.pv:
            line.push(move)
        assert found.pv[0] == found.move
        if found.depth < depth:
            assert is_decisive(found.score) or found.score == minimax(position, depth), "only a game searched to its end ends the deepening"


@pytest.mark.parametrize("board", BOARDS)
def test_answer_depends_on_the_position_alone(board):
    game, depth = BOARDS[board]
    used, position = agents.make({"name": "alphabeta", "depth": depth}, game), random_position(game, 5)
    for seed in range(20):
        used.act(random_position(game, seed))
    fresh = agents.make({"name": "alphabeta", "depth": depth}, game)
    for one, other in zip(_without_time(used.analyse(position)), _without_time(fresh.analyse(position)), strict=True):
        assert one == other


def _without_time(analysis):
    return analysis.move, analysis.score, analysis.depth, analysis.nodes, analysis.pv


SIGNATURES = {  # fixed positions, fixed depth: a refactoring leaves the nodes as they are, any other change states the new ones
    ("ConnectFour", "", 8): 18824,
    ("ConnectFour", "444333", 8): 11703,
    ("ConnectK", "e4 e5 d4 f4", 3): 4503,
    ("Gomoku", "h8 h9 i8 g8", 4): 1843,
    ("Isola", "", 5): 20546,
}


@pytest.mark.parametrize(("game", "text", "depth"), SIGNATURES)
def test_node_signature(game, text, depth):
    nodes = agents.make({"name": "alphabeta", "depth": depth}, game).analyse(Position(game, text)).nodes
    assert nodes == SIGNATURES[game, text, depth]


def test_solves_tic_tac_toe():
    analysis = agents.make("alphabeta:depth=9", "TicTacToe").analyse(Position("TicTacToe"))
    assert (analysis.score, analysis.depth) == (0, 9)


@pytest.mark.parametrize(
    ("game", "parameters", "value"),
    [
        ("ConnectK", {"width": 4, "height": 3, "k": 3}, 1),
        ("ConnectK", {"width": 4, "height": 4, "k": 4, "gravity": True}, 0),
        ("ConnectK", {"width": 5, "height": 4, "k": 4, "gravity": True}, 0),
        ("ConnectK", {"width": 4, "height": 5, "k": 4, "gravity": True}, 0),
        ("ConnectK", {"width": 4, "height": 4, "k": 4}, 0),
        ("Isola", {"width": 5, "height": 5, "step": "king"}, 1),
        ("ConnectK", {"width": 4, "height": 4, "k": 3, "gravity": True}, 1),
        ("Isola", {"width": 2, "height": 2}, -1),
        ("Isola", {"width": 3, "height": 3}, 1),
        ("Isola", {"width": 4, "height": 3}, -1),
        ("Isola", {"width": 4, "height": 4}, 1),
        ("Isola", {"width": 5, "height": 4}, -1),
        ("Isola", {"width": 3, "height": 3, "step": "king"}, 1),
        ("Isola", {"width": 4, "height": 4, "step": "king"}, -1),
        ("Isola", {"rules": "knight", "width": 4, "height": 4}, -1),
        ("Isola", {"rules": "sevens", "width": 3, "height": 4}, 1),
    ],
)
def test_solved_values(game, parameters, value):
    position = Position(game, **parameters)
    score = agents.make({"name": "alphabeta", "depth": 40}, position.game).analyse(position).score
    assert (score > WIN - MAX_PLY) - (score < MAX_PLY - WIN) == value


def test_node_limit_is_exact():
    position = Position("ConnectFour")
    for nodes in (100, 1999, 2000, 2001, 54321):
        assert agents.make({"name": "alphabeta", "nodes": nodes}, "ConnectFour").analyse(position).nodes == nodes


def test_depth_one_always_completes():
    analysis = agents.make("alphabeta:nodes=1", "Gomoku").analyse(Position("Gomoku", "h8"))
    assert analysis.depth == 1
    analysis = agents.make("alphabeta:seconds=0", "Isola").analyse(Position("Isola", rules="nines"))
    assert analysis.depth == 1


def test_deadline_keeps_the_last_finished_depth():
    agent, position = agents.make("alphabeta:seconds=0.2", "Gomoku"), Position("Gomoku", "h8 h9 i8 g8")
    agent.act(position)  # compiles
    begin = time.perf_counter()
    timed = agent.analyse(position)
    assert time.perf_counter() - begin < 0.6
    again = agents.make({"name": "alphabeta", "depth": timed.depth}, "Gomoku").analyse(position)
    assert (again.move, again.score, again.pv) == (timed.move, timed.score, timed.pv)


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))])
def test_copies_play_the_same(clone):
    agent, position = agents.make("alphabeta:nodes=5000", "ConnectFour"), Position("ConnectFour", "44")
    move = agent.act(position)
    assert clone(agent).act(position) == move


def test_position_is_left_alone():
    position = Position("ConnectFour", "44")
    before = position.state.record().tobytes()
    agents.make("alphabeta:depth=5", "ConnectFour").act(position)
    agents.make("greedy", "ConnectFour").act(position)
    assert position.state.record().tobytes() == before
    assert position.notation == "44"


@pytest.mark.parametrize("score", [0, 17, -17, WIN - 3, 3 - WIN, WIN - MAX_PLY, MAX_PLY - WIN])
def test_table_scores_count_from_their_node(score):
    assert from_table(to_table(score, 5), 5) == score
    if is_decisive(score):
        assert abs(to_table(score, 2)) == abs(score) + 2


def test_quicker_win_is_preferred():
    position = Position("ConnectFour", "4455")  # three in the bottom row with both ends open: a win in three plies
    analysis = agents.make("alphabeta:depth=6", "ConnectFour").analyse(position)
    assert analysis.score == WIN - 3


def test_unusable_evaluation_is_refused():
    expected = r"evaluation: expected one of line_shapes, pattern_table for Gomoku, got 'mobility'"
    with pytest.raises(sparring.envs.rules.errors.AgentError, match=expected):
        agents.make("alphabeta:evaluation=mobility", "Gomoku")


def test_a_game_searched_to_its_end_is_not_searched_deeper():
    position = Position("TicTacToe", "a1 b2 c3 a2 c2 c1 a3 b3")
    found = agents.make("alphabeta:nodes=1000", "TicTacToe").analyse(position)
    assert (found.depth, found.nodes) == (1, 2)


@pytest.mark.parametrize("name", ["random", "greedy", "alphabeta"])
def test_no_agent_moves_in_a_finished_game(name):
    position = Position("TicTacToe", "a1 b1 a2 b2 a3")
    with pytest.raises(IllegalMoveError, match="expected a position whose game goes on, got one that is over"):
        agents.make(name, "TicTacToe").act(position)


@pytest.mark.parametrize(
    "parameters", [{"nodes": 700}, {"nodes": 700, "unfinished": True}, {"depth": 3, "tie_break": "random"}, {"depth": 5}, {"seconds": 1}]
)
def test_a_label_is_the_analysis_without_its_line(parameters):
    one, other = (agents.make({"name": "alphabeta", "depth": 6, **parameters}, "ConnectFour") for _ in range(2))
    for agent in (one, other):
        agent.reset(5)
    for seed in range(40):
        position = random_position(Game("ConnectFour"), seed // 2)
        label, analysis = one.label(position), other.analyse(position)
        for name in ("move", "score", "depth", "is_final", "is_bound"):
            assert getattr(label, name) == getattr(analysis, name), (seed, name)
        assert label.nodes <= analysis.nodes  # which also completes the line
        assert label.pv[0] == label.move
