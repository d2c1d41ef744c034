"""Every method and every combination of exact switches gives plain minimax's score at equal depth, with a legal line."""

import functools
import itertools
import random
from types import SimpleNamespace

import pytest
from sparring import Game, Position, agents
from sparring.agents.evaluation.interface import LIMIT
from sparring.agents.search import deepening
from sparring.agents.search.scores import WIN
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
    "table": ({"table_mib": 0}, {"table_mib": 1}, {"table_mib": 1, "cutoffs": False}),
    "killers": ({}, {"killers": False}),
    "history": ({}, {"history": False}),
    "order_score": ({}, {"order_score": False}),
    "deepening": ({}, {"deepening": False}),
    "aspiration": ({}, {"aspiration": 10}),
    "quiescence": ({}, {"quiescence": True}),
    "tie_break": ({}, {"tie_break": "random"}),
}
METHODS = ("pvs", "alphabeta", "mtdf", "minimax")
COMBINATIONS = [
    {"method": method, **{name: value for choice in choices for name, value in choice.items()}}
    for method in METHODS
    for choices in itertools.product(*SWITCHES.values())
    if not (method == "mtdf" and choices[-1])
]
POSITIONS, POSITIONS_AT_LENGTH = 270, 500  # five combinations each: every one has its turn
BY_ORACLE = 4  # of these, the plain searches too are held against minimax in Python


def check(agent, position, scores):
    """Checks an agent's score and its line: legal, begun by the move, and ended where the evaluation is the score."""
    found = agent.analyse(position)
    assert found.score == scores(position, found.depth, agent.quiescence), f"{position!r} with {agent}"
    end = position.copy()
    for move in found.pv:
        end.push(move)
    assert found.pv[0] == found.move
    assert end.is_over or len(found.pv) == found.depth or (agent.quiescence and len(found.pv) > found.depth), f"{position!r} with {agent}"
    assert minimax(end, 0, len(found.pv), agent.quiescence) == (found.score if len(found.pv) % 2 == 0 else -found.score), (
        f"{position!r} with {agent}"
    )


@pytest.mark.parametrize("board", BOARDS)
def test_every_combination_equals_minimax(board, every_switch, at_length):
    """Each position with a few of the combinations in turn, or with --every-switch with all of them."""
    game, depth = BOARDS[board]
    made = [agents.make({"name": "alphabeta", "depth": depth, **settings}, game) for settings in COMBINATIONS]
    turn = itertools.cycle(made)
    plain = {
        (reached, quiescence): agents.make(
            f"alphabeta:depth={reached},method=minimax,table_mib=0,deepening=false,quiescence={quiescence}", game
        )
        for reached in range(1, depth + 1)
        for quiescence in (False, True)
    }
    for seed in range(POSITIONS_AT_LENGTH if every_switch or at_length else POSITIONS):
        position = random_position(game, seed)
        scores = functools.cache(lambda position, *reached: plain[reached].analyse(position).score)
        for quiescence in (False, True) if seed < BY_ORACLE else ():
            assert scores(position, depth, quiescence) == minimax(position, depth, quiescence=quiescence), repr(position)
        for agent in made if every_switch else itertools.islice(turn, 5):
            check(agent, position, scores)


def test_switches_change_the_work():
    position, nodes = Position("ConnectFour", "4435"), {}
    for name, settings in {
        "all": {},
        "no scouting": {"method": "alphabeta"},
        "no table": {"table_mib": 0},
        "no killers": {"killers": False},
        "no history": {"history": False},
        "no order_score": {"order_score": False},
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


def test_null_move_saves_nodes_and_still_sees_wins():
    position = Position("ConnectK", "e4 d4 e5 d5", k=5)
    found = [
        agents.make({"name": "alphabeta", "depth": 5, "null_move": null_move}, position.game).analyse(position)
        for null_move in (False, True)
    ]
    assert found[1].nodes < found[0].nodes
    for seed in range(50):
        position = random_position(Game("ConnectK", width=5, height=5, k=4), seed)
        exact, skipping = (
            agents.make({"name": "alphabeta", "depth": 2, "null_move": null_move}, position.game).analyse(position)
            for null_move in (False, True)
        )
        assert (exact.score > LIMIT) == (skipping.score > LIMIT)


@pytest.mark.parametrize("game", ["ConnectFour", "Isola"])
def test_null_move_is_refused_where_a_game_knows_zugzwang(game):
    with pytest.raises(AgentError, match=r"null_move: expected false for .*, where passing can be better than every move, got true"):
        agents.make("alphabeta:null_move=true", game)


def test_random_tie_break_draws_from_all_equal_moves_and_by_seed():
    game = Game("TicTacToe")
    position = Position(game)
    agent = agents.make("alphabeta:depth=9,tie_break=random", game)
    drawn = set()
    for seed in range(60):
        agent.reset(seed)
        found = agent.analyse(position)
        agent.reset(seed)
        assert agent.act(position) == found.move == found.pv[0]
        assert found.score == 0
        assert len(found.pv) == 9
        drawn.add(found.move)
    assert drawn == set(range(9))  # every first move of tic-tac-toe keeps the draw


@pytest.mark.parametrize("board", BOARDS)
def test_tie_break_draws_only_moves_with_the_best_score(board):
    game, depth = BOARDS[board]
    agent = agents.make({"name": "alphabeta", "depth": depth, "tie_break": "random"}, game)
    for seed in range(20):
        position = random_position(game, seed)
        for draw in range(5):
            agent.reset(draw)
            found = agent.analyse(position)
            after = position.copy()
            after.push(found.move)
            assert -minimax(after, found.depth - 1, 1) == found.score


def test_mtdf_knows_no_ties():
    with pytest.raises(AgentError, match="tie_break: expected 'first' with mtdf, whose null windows do not tell equal moves apart"):
        agents.make("alphabeta:method=mtdf,tie_break=random", "ConnectFour")


def test_reductions_still_see_a_win_in_one():
    position = Position("ConnectFour", "415161")
    assert agents.make("alphabeta:depth=5,reductions=true", "ConnectFour").act(position) in (2, 6)


@pytest.mark.parametrize("guess", [-500, 0, 17, 18, 500])
def test_mtdf_converges_from_any_guess(guess):
    plan, root = SimpleNamespace(mtdf=1, aspiration=0, score=guess, depth=3), SimpleNamespace(line_length=0)
    now = SimpleNamespace(value=17, best_move=3, equals=0)
    deepening.open_first_window(plan)
    windows, is_done = 0, False
    while not is_done:
        assert plan.beta == plan.alpha + 1
        windows, is_done = windows + 1, deepening.narrow(SimpleNamespace(plans=[plan], progress=[now], frames=[root]))
    assert (plan.score, plan.move) == (17, 3)
    assert windows <= 3


def test_straight_to_a_depth_needs_one():
    with pytest.raises(AgentError, match="deepening: expected a depth to go straight to, got false without one"):
        agents.make("alphabeta:nodes=100,deepening=false", "ConnectFour")


def test_only_moves_cost_no_depth():
    """A win by three fours and their only answers takes seven plies, or a depth of four."""
    position = Position("Gomoku", "h8 i7 j8 i9 i8 k8 h7 h9 j9 k10 i6 j5 g6 f5 h6 f6 i5 f8")
    for extensions, least in ((False, 7), (True, 4)):
        *before, last, _ = agents.make({"name": "alphabeta", "depth": least, "extensions": extensions}, position.game).deepen(position)
        assert all(abs(found.score) < LIMIT for found in before)
        assert (last.depth, last.score) == (least, WIN - 7)


def test_late_moves_are_left_out_near_the_leaves_alone():
    position = Position("Gomoku", "h8 i9")
    found = [
        agents.make({"name": "alphabeta", "depth": 4, "late_pruning": late}, position.game).analyse(position) for late in (False, True)
    ]
    assert found[1].nodes < found[0].nodes / 2
    first = [
        agents.make({"name": "alphabeta", "depth": 1, "late_pruning": late}, position.game).analyse(position) for late in (False, True)
    ]
    assert first[0].nodes == first[1].nodes  # the root's own moves all count


@pytest.mark.parametrize("table_mib", [0, 1])
def test_unfinished_depth_answers_with_the_best_of_its_moves_so_far(table_mib):
    """At the depth after the last finished one its move is no worse than that of the last one, and sometimes another."""
    game, chance, changed = Game("ConnectK", width=5, height=5, k=4), random.Random(7), 0
    for _ in range(60):
        position = random_position(game, chance.getrandbits(30))
        agent = agents.make({"name": "alphabeta", "nodes": chance.randint(60, 1500), "table_mib": table_mib, "unfinished": True}, game)
        *finished, last = agent.deepen(position)
        if last.is_final or last.move == finished[-1].move:
            continue
        changed += 1
        scores = []
        for move in (finished[-1].move, last.move):
            after = position.copy()
            after.push(move)
            scores.append(-minimax(after, last.depth, 1))
        assert scores[1] > scores[0]
        assert last.score == scores[1]
    assert (changed > 0) == (table_mib > 0)  # without a table a depth does not begin with the move of the last one
