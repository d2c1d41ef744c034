"""System A: its scores against plain minimax, the tree that it keeps, and pondering."""

import copy
import gc
import os
import pickle
import random
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from sparring import Game, Position, agents
from sparring.agents.search import tree_alphabeta
from sparring.agents.search.kept_tree import moves_between
from sparring.agents.search.scores import is_decisive
from sparring.envs.rules.errors import AgentError, IllegalMoveError

from . import slow_search
from .slow_search import minimax, random_position

BOARDS = {
    "ConnectFour": (Game("ConnectFour"), 3),
    "TicTacToe": (Game("TicTacToe"), 4),
    "5x4 k4": (Game("ConnectK", width=5, height=4, k=4), 2),
    "6x5 k5 gravity": (Game("ConnectK", width=6, height=5, k=5, gravity=True), 3),
    "9x2 k7": (Game("ConnectK", width=9, height=2, k=7), 2),
    "1x6 k2 gravity": (Game("ConnectK", width=1, height=6, k=2, gravity=True), 6),
    "20x20 k6": (Game("ConnectK", width=20, height=20, k=6), 1),
}


@pytest.fixture(autouse=True)
def no_thread_is_left():
    yield
    if ponderers():
        gc.collect()
    deadline = time.monotonic() + 5
    while ponderers() and time.monotonic() < deadline:
        time.sleep(0.001)
    assert not ponderers()


def ponderers():
    return [thread for thread in threading.enumerate() if thread.name == "pondering"]


def searcher_of(agent):
    return agent._searcher[1]


def nodes_in_tree(agent):
    return int(searcher_of(agent).progress[0]["used"])


def first_best_move(position, depth):
    """Returns the first move worth the most, and its worth, by plain minimax."""
    best, best_move = -slow_search.WIN - 1, -1
    for move in position.legal_moves:
        position.push(move)
        score = -minimax(position, depth - 1, 1)
        position.pop()
        if score > best:
            best, best_move = score, move
    return best_move, best


def plays_out(position, moves):
    """Tells whether all moves of a line are legal, played one after the other."""
    line = position.copy()
    for move in moves:
        line.push(move)
    return bool(moves)


@pytest.mark.parametrize("pruning", [True, False])
@pytest.mark.parametrize("board", BOARDS)
def test_equals_minimax_at_each_depth(board, pruning, monkeypatch):
    monkeypatch.setitem(slow_search.EVALUATIONS, "connect_k", slow_search.window_scan)
    game, deepest = BOARDS[board]
    for depth in range(1, deepest + 1):
        agent = agents.make({"name": "window_scan", "depth": depth, "pruning": pruning}, game)
        for seed in range(7 if board != "20x20 k6" else 1):
            position = random_position(game, seed)
            found = agent.analyse(position)
            assert (found.move, found.score) == first_best_move(position, found.depth), f"{position!r} at depth {found.depth}"
            assert found.pv[0] == found.move
            assert plays_out(position, found.pv)
            if found.depth < depth:
                assert found.score == minimax(position, depth), "only a game seen to its end ends the deepening"
            elif abs(found.score) < 10**8:
                assert len(found.pv) == depth or not position_after(position, found.pv).legal_moves


def position_after(position, moves):
    """Returns the position after some moves, given as numbers or as text."""
    position = position.copy()
    for move in moves:
        position.push(move)
    return position


@pytest.mark.parametrize("pruning", [True, False])
@pytest.mark.parametrize("board", ["ConnectFour", "5x4 k4", "6x5 k5 gravity", "TicTacToe"])
def test_kept_tree_gives_the_same_moves_for_fewer_nodes(board, pruning):
    game = BOARDS[board][0]
    spec = {"name": "window_scan", "depth": 4, "pruning": pruning}
    keeping, chance, nodes = agents.make(spec, game), random.Random(1), [0, 0]
    for seed in range(6):
        position, is_first = random_position(game, seed, most=4), True
        while not position.is_over:
            found, fresh = keeping.analyse(position), agents.make(spec, game).analyse(position)
            assert (found.move, found.score) == (fresh.move, fresh.score), repr(position)
            assert plays_out(position, found.pv)
            if not is_first:
                nodes[0] += found.nodes
                nodes[1] += fresh.nodes
            is_first = False
            position.push(found.move)
            if not position.is_over:
                position.push(chance.choice(position.legal_moves))
    assert nodes[0] < nodes[1] if pruning else nodes[0] <= nodes[1], nodes  # minimax looks at the same moves in any order


def test_second_move_searches_on_what_the_first_one_found():
    agent, position = agents.make("window_scan:depth=7", "ConnectFour"), Position("ConnectFour", "44")
    found = agent.analyse(position)
    for move in found.pv[:2]:
        position.push(move)
    second = agent.analyse(position)
    fresh = agents.make("window_scan:depth=7", "ConnectFour").analyse(position)
    assert (second.move, second.score, second.depth) == (fresh.move, fresh.score, fresh.depth)
    assert second.nodes < fresh.nodes


@pytest.mark.parametrize(
    ("text", "is_kept"), [("44", True), ("443", True), ("4433", True), ("443356", True), ("4", False), ("3344", False), ("55", False)]
)
def test_tree_is_kept_only_for_what_follows(text, is_kept):
    agent, position = agents.make("window_scan:depth=5,pruning=false", "ConnectFour"), Position("ConnectFour", text)
    agent.act(Position("ConnectFour", "44"))
    searcher_of(agent).kept.move_root(position, None)
    assert (nodes_in_tree(agent) > 1) == is_kept


def test_best_child_stands_first():
    agent = agents.make("window_scan:depth=6", "ConnectFour")
    for seed in range(20):
        found = agent.analyse(random_position("ConnectFour", seed))
        tree = searcher_of(agent).kept.nodes
        assert tree[int(tree[0]["first"])]["move"] == found.move


SIGNATURES = {  # fixed positions, fixed depth: a refactoring leaves the nodes as they are, any other change states the new ones
    ("ConnectFour", "", 8): 53780,
    ("ConnectFour", "444333", 7): 11623,
    ("ConnectK", "e4 e5 d4 f4", 3): 6332,
}


@pytest.mark.parametrize(("game", "text", "depth"), SIGNATURES)
def test_node_signature(game, text, depth):
    nodes = agents.make({"name": "window_scan", "depth": depth}, game).analyse(Position(game, text)).nodes
    assert nodes == SIGNATURES[game, text, depth]


def test_known_win_is_no_answer_before_its_depth():
    agent, position = agents.make("window_scan:depth=8", "ConnectFour"), Position("ConnectFour", "73515672314462")
    found = agent.analyse(position)
    assert (found.score, found.depth) == (slow_search.WIN - 7, 7)
    searcher_of(agent).kept.nodes["depth"][0] = 0  # as if only a part of the deepest search had been made: others may win sooner
    again = agent.analyse(position)
    assert (again.move, again.score, again.depth) == (found.move, found.score, found.depth)


def test_moving_to_the_front_keeps_the_others_in_order():
    tree = np.zeros(5, tree_alphabeta.NODE).view(np.recarray)
    tree.first[0], tree.next[1:] = 1, (2, 3, 4, 0)
    frame = np.zeros(1, tree_alphabeta.FRAME).view(np.recarray)[0]
    frame.last, frame.child = 2, 3
    tree_alphabeta.bring_to_front(tree, frame)
    order, child = [], tree[0].first
    while child:
        order.append(int(child))
        child = tree[child].next
    assert order == [3, 1, 2, 4]
    assert frame.last == 2


def test_plain_python_gives_the_same(monkeypatch):
    positions = [Position("ConnectFour", "4435"), Position("TicTacToe", "b2"), Position("ConnectK", "e4 e5")]
    found = [agents.make("window_scan:depth=2", position.game).analyse(position) for position in positions]
    monkeypatch.setenv("SPARRING_JIT", "0")
    plain = [agents.make("window_scan:depth=2", position.game).analyse(position) for position in positions]
    assert [(a.move, a.score, a.nodes, a.pv) for a in found] == [(a.move, a.score, a.nodes, a.pv) for a in plain]


@pytest.mark.parametrize("board", ["ConnectFour", "5x4 k4", "6x5 k5 gravity"])
def test_takes_wins_and_blocks_losses(board):
    game, wins, blocks = BOARDS[board][0], 0, 0
    agent = agents.make("window_scan:depth=2", game)
    for seed in range(200):
        position = random_position(game, seed, least=4)
        winning = [move for move in position.legal_moves if position_after(position, [move]).winner is not None]
        safe = [move for move in position.legal_moves if not loses_at_once(position, move)]
        move = agent.act(position)
        if winning:
            assert move in winning
            wins += 1
        elif 0 < len(safe) < len(position.legal_moves):
            assert move in safe
            blocks += 1
    assert wins > 3
    assert blocks > 3


def loses_at_once(position, move):
    after = position_after(position, [move])
    return any(position_after(after, [reply]).winner is not None for reply in after.legal_moves)


def test_node_limit_is_exact():
    for nodes in (1999, 2000, 2001, 54321):
        agent = agents.make({"name": "window_scan", "nodes": nodes}, "ConnectFour")
        assert agent.analyse(Position("ConnectFour")).nodes == nodes


@pytest.mark.parametrize("limit", ["nodes=1", "seconds=0"])
def test_depth_one_is_always_searched(limit):
    found = agents.make(f"window_scan:{limit}", "ConnectK").analyse(Position("ConnectK", "e4"))
    assert found.depth == 1
    assert found.move == agents.make("window_scan:depth=1", "ConnectK").act(Position("ConnectK", "e4"))


@pytest.mark.parametrize("nodes", [140_000, 400_000, 740_000])
def test_limit_on_a_kept_node_makes_no_lost_game_of_it(nodes):
    position = Position("ConnectK", "c5 f5", k=5)
    agent = agents.make({"name": "window_scan", "nodes": nodes}, position.game)
    agent.analyse(position)
    agent.analyse(position_after(position, "e4 e5".split()))
    found = agent.analyse(position_after(position, "e4 e5 f3 g5".split()))
    assert not is_decisive(found.score)
    assert position.game.rules.move_text(position.state, found.move) == "d5"


def test_limits_give_the_score_of_a_whole_depth_or_a_better_one():
    game, chance, deeper = Game("ConnectK", width=5, height=5, k=4), random.Random(1), 0
    for _ in range(60):
        agent = agents.make({"name": "window_scan", "nodes": chance.randint(50, 3000), "pruning": chance.random() < 0.5}, game)
        position = random_position(game, chance.getrandbits(30), most=6)
        while not position.is_over and position.ply < 14:
            found = agent.analyse(position)
            whole = agents.make({"name": "window_scan", "depth": found.depth}, game).analyse(position)
            assert found.score >= whole.score, repr(position)
            assert found.score == whole.score or is_decisive(found.score) or len(found.pv) == found.depth + 1, repr(position)
            deeper += found.score > whole.score
            position.push(found.move)
            if not position.is_over:
                position.push(chance.choice(position.legal_moves))
    assert deeper


def test_deadline_ends_the_search():
    agent, position = agents.make("window_scan:seconds=0.1", "ConnectK"), Position("ConnectK", "e4")
    agent.act(position)  # compiles
    agent.reset()
    begin = time.perf_counter()
    found = agent.analyse(position)
    assert time.perf_counter() - begin < 0.6
    assert found.depth >= 2
    assert plays_out(position, found.pv)


def test_full_tree_answers_with_the_last_finished_depth():
    game = Game("ConnectK")
    agent = agents.make("window_scan:depth=64,tree_mib=1", game)
    position = Position(game, "e4")
    for _ in range(6):
        found = agent.analyse(position)
        assert nodes_in_tree(agent) <= len(searcher_of(agent).kept.nodes) < 2**20 // 2 // 20 + 1
        assert 1 <= found.depth < 8
        shallow = agents.make({"name": "window_scan", "depth": found.depth, "tree_mib": 512}, game).analyse(position)
        assert (found.move, found.score) == (shallow.move, shallow.score)
        position.push(found.move)
        position.push(position.legal_moves[-1])


def test_tree_that_is_begun_anew_keeps_the_deeper_answer():
    game, chance = Game("ConnectFour"), random.Random(1)
    for _ in range(40):
        spec = {"name": "window_scan", "nodes": chance.randint(5000, 30_000), "tree_mib": 1}
        agent, position = agents.make(spec, game), Position(game)
        while not position.is_over and position.ply < 20:
            found = agent.analyse(position)
            assert found.depth >= agents.make(spec, game).analyse(position).depth - 1, repr(position)
            position.push(found.move)
            if not position.is_over:
                position.push(chance.choice(position.legal_moves))


@pytest.mark.parametrize("most", [8, 30, 100, 10**6])
def test_copied_tree_is_whole(most):
    agent = agents.make("window_scan:depth=5", "ConnectFour")
    line = np.array(agent.analyse(Position("ConnectFour", "44")).pv[:2])
    kept = searcher_of(agent).kept
    copied = kept.copy_below(kept.nodes, kept.spare, line, most)
    assert 1 < copied <= most
    assert reached_in(kept.spare) == list(range(copied))
    assert kept.copy_below(kept.nodes, kept.spare, np.array([7]), most) == 0


def reached_in(tree):
    """Returns the nodes of a tree in the order of their indices, and checks that each node's children are all moves or none."""
    waiting, reached = [0], []
    while waiting:
        node = waiting.pop()
        reached.append(node)
        child, siblings = int(tree[node]["first"]), 0
        while child:
            waiting.append(child)
            child, siblings = int(tree[child]["next"]), siblings + 1
        assert siblings in (0, 7)
    return sorted(reached)


@pytest.mark.parametrize("sleep", [0.0, 0.004])
@pytest.mark.parametrize("board", ["ConnectFour", "5x4 k4"])
def test_pondering_changes_no_move(board, sleep):
    game, chance, moves = BOARDS[board][0], random.Random(5), 0
    pondering, plain = (agents.make({"name": "window_scan", "depth": 5, "ponder": ponder}, game) for ponder in (True, False))
    while moves < 100:
        position = random_position(game, moves, most=6)
        pondering.reset()
        while not position.is_over:
            move = pondering.act(position)
            assert move == plain.act(position), repr(position)
            moves += 1
            position.push(move)
            time.sleep(chance.random() * sleep)
            if not position.is_over:
                position.push(chance.choice(position.legal_moves))
        assert len(ponderers()) <= 1
    pondering.reset()
    assert not ponderers()


def test_pondering_against_the_clock_plays_legal_moves():
    game, chance = Game("ConnectK"), random.Random(3)
    seated = [agents.make({"name": "window_scan", "seconds": 0.002, "ponder": True, "tree_mib": 2}, game) for _ in range(2)]
    for number in range(10):
        position = random_position(game, number, most=4)
        while not position.is_over and position.ply < 34:
            position.push(seated[position.side].act(position))
            if chance.random() < 0.1:
                seated[0].reset()
    for agent in seated:
        agent.reset()


def test_pondering_searches_ahead():
    position, nodes = Position("ConnectK", "e4 e5"), {}
    for ponder in (True, False):
        agent = agents.make({"name": "window_scan", "depth": 3, "ponder": ponder}, "ConnectK")
        line = position_after(position, [agent.act(position)])
        for thread in ponderers():
            thread.join()
        reply = agents.make("window_scan:depth=2", "ConnectK").act(line)
        nodes[ponder] = agent.analyse(position_after(line, [reply])).nodes
    assert nodes[True] < nodes[False]


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))])
def test_copies_leave_the_thread_behind(clone):
    agent, position = agents.make("window_scan:depth=3,ponder=true", "ConnectK"), Position("ConnectK", "e4")
    move = agent.act(position)
    twin = clone(agent)
    assert twin._searcher is None
    assert twin.act(position) == move
    twin.reset()
    agent.reset()


def test_pondering_ends_with_its_agent():
    agent = agents.make("window_scan:nodes=3000,ponder=true,tree_mib=8192", "ConnectK")
    agent.act(Position("ConnectK", "e4"))
    assert ponderers()
    del agent  # the fixture sees the thread end


def test_games_and_positions_in_turn():
    agent = agents.make("window_scan:depth=3,ponder=true", "ConnectFour")
    for seed in range(30):
        for game in (Game("ConnectFour"), Game("TicTacToe"), Game("ConnectK", width=5, height=5, k=4)):
            position = random_position(game, seed)
            assert agent.act(position) == agents.make("window_scan:depth=3", game).act(position)
    agent.reset()


def test_reset_ends_pondering_at_any_time():
    agent, chance = agents.make("window_scan:nodes=2500,ponder=true", "ConnectFour"), random.Random(2)
    for _ in range(100):
        agent.act(Position("ConnectFour", "44"))
        time.sleep(chance.random() * 0.003)
        agent.reset()
        assert not ponderers()
        assert searcher_of(agent).kept.root is None


EXIT = """
import threading
from sparring import Position, agents
agent = agents.make("window_scan:nodes=3000,ponder=true,tree_mib=2000", "ConnectK")
agent.act(Position("ConnectK", "e4"))
print([thread.name for thread in threading.enumerate()])
"""
FORK = """
import os, threading
from sparring import Position, agents
agent, position = agents.make("window_scan:nodes=20000,ponder=true,tree_mib=500", "ConnectK"), Position("ConnectK", "e4")
plain = agents.make("window_scan:depth=3", "ConnectK")
position.push(agent.act(position))
child = os.fork()
assert not [thread for thread in threading.enumerate() if thread.name == "pondering"], "every tree is whole"
position.push("a1")
for _ in range(3):
    position.push(agent.act(position))
    position.push(plain.act(position))
agent.reset()
if child:
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    print("done")
"""


@pytest.mark.parametrize("code", [EXIT, FORK])
def test_processes_end_and_fork_while_pondering(code):
    if code is FORK and not hasattr(os, "fork"):
        pytest.skip("this system has no fork")
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert "pondering" in done.stdout if code is EXIT else done.stdout == "done\n"


def test_only_connect_k_and_running_games():
    with pytest.raises(AgentError, match="agent 'window_scan' does not play Gomoku; it plays connect_k"):
        agents.make("window_scan", "Gomoku")
    with pytest.raises(AgentError, match="agent 'window_scan' does not play Isola; it plays connect_k"):
        agents.make("window_scan", "ConnectFour").act(Position("Isola"))
    with pytest.raises(IllegalMoveError, match="expected a position whose game goes on"):
        agents.make("window_scan", "TicTacToe").act(Position("TicTacToe", "a1 b1 a2 b2 a3"))


@pytest.mark.parametrize(
    ("earlier", "later", "moves"),
    [
        ("", "", []),
        ("44", "4433", [2, 2]),
        ("44", "4", None),
        ("44", "3344", None),
        ("7/7/7/7/3o3/3x3 x", "44", None),
        ("7/7/7/7/3o3/3x3 x", "7/7/7/7/3o3/3x3 x", []),
        ("7/7/7/7/7/3ox2 x", "7/7/7/7/3o3/3x3 x", None),
    ],
)
def test_what_follows_is_told_by_the_moves(earlier, later, moves):
    assert moves_between(Position("ConnectFour", earlier), Position("ConnectFour", later)) == moves
