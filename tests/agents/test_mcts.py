"""Monte Carlo tree search: proven values against exact ones, determinism, the tree that it keeps, and its room."""

import copy
import math
import pickle

import numpy as np
import pytest
from sparring import Game, Position, agents
from sparring.agents.search import mcts
from sparring.agents.search.mcts_searcher import random_state, score_of
from sparring.envs.rules.errors import IllegalMoveError

from .slow_search import random_position

GAMES = {
    "ConnectFour": Game("ConnectFour"),
    "TicTacToe": Game("TicTacToe"),
    "ConnectK 5x4 k4": Game("ConnectK", width=5, height=4, k=4),
    "Gomoku 7 standard": Game("Gomoku", size=7, rule="standard"),
    "Isola queen": Game("Isola"),
    "Isola 4x4 any": Game("Isola", rules="sevens", width=4, height=4),
    "Isola knight": Game("Isola", rules="knight", width=5, height=5),
}
SMALL = {
    "TicTacToe": Game("TicTacToe"),
    "ConnectK 4x3 k3 gravity": Game("ConnectK", width=4, height=3, k=3, gravity=True),
    "ConnectK 3x4 k3": Game("ConnectK", width=3, height=4, k=3),
    "Isola 4x3 queen": Game("Isola", width=4, height=3),
    "Isola 3x3 any": Game("Isola", rules="sevens", width=3, height=3),
    "Isola 4x3 knight": Game("Isola", rules="knight", width=4, height=3),
}


def make(game, seed=1, **parameters):
    agent = agents.make({"name": "mcts", **parameters}, game)
    agent.reset(seed)
    return agent


def told(analysis):
    return analysis.move, analysis.score, analysis.depth, analysis.nodes, analysis.pv


def after(position, *moves):
    position = position.copy()
    for move in moves:
        position.push(move)
    return position


def exact_value(position, known):
    """Returns 1, 0 or -1 for the side to move, by searching the game to its end."""
    if position.is_over:
        return 0 if position.winner is None else -1
    if position not in known:
        known[position.copy()] = max(-exact_value(after(position, move), known) for move in position.legal_moves)
    return known[position]


@pytest.mark.parametrize("board", SMALL)
def test_proven_values_are_exact(board):
    game, known, proven = SMALL[board], {}, 0
    agent = make(game, simulations=20_000, reuse=False)
    for seed in range(15):
        position = random_position(game, seed, least=2 if game.kind.name == "isola" else 4)
        found = agent.analyse(position)
        value = exact_value(position, known)
        if found.nodes < 20_000:  # only a proof ends the search
            assert found.score == 1000 * value, repr(position)
            assert -exact_value(after(position, found.move), known) == value, "the move keeps what is proven"
            proven += 1
        else:
            assert abs(found.score) < 1000
    assert proven > 8


def test_proves_that_tic_tac_toe_is_a_draw():
    found = make("TicTacToe", simulations=10**6).analyse(Position("TicTacToe"))
    assert found.score == 0
    assert found.nodes < 200_000
    assert len(found.pv) == 9


def test_wins_in_one_in_two_and_lost():
    one = make("ConnectFour").analyse(Position("ConnectFour", "415161"))
    assert one.move in (2, 6)
    assert (one.score, one.depth) == (1000, 1)
    assert one.nodes < 100
    assert make("ConnectFour", simulations=5000).analyse(Position("ConnectFour", "4455")).score == 1000
    lost = make("ConnectFour", simulations=20_000).analyse(Position("ConnectFour", "44553"))
    assert lost.score == -1000
    assert lost.move in (1, 5), "the most stubborn defence takes one of the two winning cells"


@pytest.mark.parametrize("board", GAMES)
def test_equal_seeds_give_equal_answers(board):
    game, position = GAMES[board], random_position(GAMES[board], 3, most=2)
    used = make(game, seed=9, simulations=300)
    for seed in range(5):
        used.act(random_position(game, seed))
    answers = []
    for seed in range(8):
        used.reset(seed)
        answers.append(told(used.analyse(position)))
        assert told(make(game, seed, simulations=300).analyse(position)) == answers[-1]
    assert len(set(answers)) > 1


def test_answer_without_reuse_depends_on_the_position_alone():
    agent = make("ConnectFour", simulations=200, reuse=False)
    position = Position("ConnectFour", "4435")
    expected = told(agent.analyse(position))
    for seed in range(5):
        agent.act(random_position("ConnectFour", seed))
        assert told(agent.analyse(position)) == expected


SIGNATURE = {"": (5, 184, 4), "4435": (4, 176, 5)}


def test_signature():
    """The same on every machine; a change of the search states the new numbers."""
    found = {text: told(make("ConnectFour", 7, simulations=500).analyse(Position("ConnectFour", text)))[:3] for text in ("", "4435")}
    assert found == SIGNATURE


@pytest.mark.parametrize("board", GAMES)
def test_plain_python_gives_the_same(board, monkeypatch):
    game = GAMES[board]
    position = random_position(game, 2)
    compiled = told(make(game, simulations=60).analyse(position))
    monkeypatch.setenv("SPARRING_JIT", "0")
    assert told(make(game, simulations=60).analyse(position)) == compiled


@pytest.mark.parametrize("board", GAMES)
def test_games_to_their_end_with_a_sane_tree(board):
    game = GAMES[board]
    agent, chance = make(game, simulations=200), agents.make("random", game)
    chance.reset(4)
    made = moves = 0
    for seed in range(4):
        position = random_position(game, seed, most=4)
        agent.reset(seed)
        while not position.is_over:
            found = agent.analyse(position)
            assert after(position, *found.pv).ply == position.ply + found.depth
            assert -1000 <= found.score <= 1000
            check_tree(agent, position)
            made, moves = made + found.nodes, moves + 1
            position.push(found.move)
            if not position.is_over:
                position.push(chance.act(position))
    assert made < 200 * moves, "kept simulations and proofs save some"


def check_tree(agent, position):
    """Checks that visits and results of the children add up to those of their parent, and that the moves are legal and different."""
    searcher = agent._searcher[1]
    tree, used = searcher.kept.nodes, int(searcher.progress[0]["used"])
    seen, waiting = 0, [(0, position)]
    while waiting:
        index, at = waiting.pop()
        seen += 1
        children, child = [], int(tree[index]["first"])
        while child:
            children.append(child)
            child = int(tree[child]["next"])
        if children and tree[index]["value"] < mcts.LOSS:
            own = int(tree[index]["visits"]) - sum(int(tree[child]["visits"]) for child in children)
            assert own == 1 or (index == 0 and own == 0)
        moves = [int(tree[child]["move"]) for child in children]
        assert len(set(moves)) == len(moves) == tree[index]["children"] <= len(at.legal_moves)
        assert 0 <= tree[index]["points"] <= 2 * tree[index]["visits"]
        waiting += [(child, after(at, move)) for child, move in zip(children, moves, strict=True)]
    assert seen == used


def test_tree_is_kept_only_if_told_to():
    position = Position("ConnectFour", "44")
    for reuse in (True, False):
        agent = make("ConnectFour", simulations=2000, reuse=reuse)
        line = agent.analyse(position).pv
        second = agent.analyse(after(position, *line[:2]))
        assert (second.nodes < 2000) == reuse
        assert agent.analyse(after(position, *line[:2])).nodes == (0 if reuse else 2000), "asked again"
        agent.reset(1)
        assert agent.analyse(position).nodes == 2000


def test_full_tree_goes_on_without_growing():
    agent = make("Gomoku", simulations=20_000, tree_mib=1)
    found = agent.analyse(Position("Gomoku", "h8"))
    searcher = agent._searcher[1]
    assert found.nodes == 20_000
    assert searcher.progress[0]["used"] == len(searcher.kept.nodes) <= 2**19 // mcts.NODE.itemsize
    again = agent.analyse(after(Position("Gomoku", "h8"), *found.pv[:2]))
    assert again.nodes > 0


def test_kept_tree_cut_short_stays_sane():
    agent, position = make("ConnectFour", simulations=3000), Position("ConnectFour", "44")
    line = agent.analyse(position).pv
    searcher = agent._searcher[1]
    searcher.kept.least = 20
    searcher.kept.move_root(after(position, *line[:2]), 0.0)
    assert 1 < searcher.progress[0]["used"] <= 20
    assert agent.analyse(after(position, *line[:2])).move in after(position, *line[:2]).legal_moves


@pytest.mark.parametrize("board", ["TicTacToe", "ConnectK 4x3 k3 gravity", "Isola 4x3 queen", "Isola 4x3 knight"])
def test_full_tree_proves_nothing_wrong(board):
    game, known = SMALL[board], {}
    agent = make(game, simulations=500)
    for seed in range(60):
        position = random_position(game, seed, least=2)
        agent.reset(seed)
        agent.analyse(position)
        searcher, room = agent._searcher[1], 2 + seed // 2
        searcher.kept.nodes, searcher.kept.spare = searcher.kept.nodes[:room], searcher.kept.spare[:room]
        agent.reset(seed)
        found = agent.analyse(position)
        assert abs(found.score) < 1000 or found.score == 1000 * exact_value(position, known), repr(position)
        agent = make(game, simulations=500)


def test_node_that_holds_a_draw_counts_no_worse_result():
    for value, expected in ((mcts.HOLDS, 1), (mcts.UNKNOWN, 2)):
        tree = np.zeros(3, mcts.NODE).view(np.recarray)
        tree.first[0], tree.children[0], tree.branching[0], tree.value[0] = 1, 1, 3, value
        mcts.count_result(tree, np.array([0, 1]), 2, 0)  # the mover into node 1, who is to move in node 0, has lost
        assert (tree.points[0], tree.points[1]) == (expected, 0)


@pytest.mark.parametrize(
    ("child", "branching", "expected"),
    [
        (mcts.LOSS, 3, mcts.WIN),
        (mcts.DRAW, 3, mcts.HOLDS),
        (mcts.WIN, 3, mcts.UNKNOWN),
        (mcts.DRAW, 1, mcts.DRAW),
        (mcts.WIN, 1, mcts.LOSS),
    ],
)
def test_children_prove_their_parent(child, branching, expected):
    tree = np.zeros(2, mcts.NODE).view(np.recarray)
    tree.first[0], tree.children[0], tree.branching[0], tree.value[1] = 1, 1, branching, child
    mcts.prove(tree, 0, 1)
    assert tree.value[0] == expected


def test_thousands_of_actions():
    game = Game("Isola", rules="sevens", width=15, height=15, step="queen")
    agent, position = make(game, simulations=300), Position(game)
    found = agent.analyse(position)
    assert game.action_count > 20_000
    assert position.is_legal(found.move)
    assert agent._searcher[1].progress[0]["used"] == 301


def test_time_limit():
    agent, position = make("ConnectFour", seconds=0.05), Position("ConnectFour")
    agent.act(position)  # compiles
    agent.reset(1)
    found = agent.analyse(position)
    assert found.nodes > 100
    assert found.seconds < 0.5
    assert make("Gomoku", seconds=0.0).act(Position("Gomoku")) >= 0


@pytest.mark.parametrize("board", ["ConnectFour", "Isola queen", "Gomoku 7 standard"])
def test_beats_random(board):
    game, wins = GAMES[board], 0
    agent, chance = make(game, simulations=100), agents.make("random", game)
    for number in range(10):
        position = Position(game)
        agent.reset(number)
        chance.reset(number)
        while not position.is_over:
            position.push((agent if position.side == number % 2 else chance).act(position))
        wins += position.winner == number % 2
    assert wins >= 9


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))])
def test_copies_play_the_same(clone):
    agent, position = make("ConnectFour", seed=5), Position("ConnectFour", "44")
    agent.analyse(position)
    twin = clone(agent)
    assert twin._searcher is None
    for move in ("4", "5", "3", "2"):
        assert told(twin.analyse(position)) == told(agent.analyse(position))
        position.push(move)


def test_no_move_in_a_finished_game():
    with pytest.raises(IllegalMoveError, match="expected a position whose game goes on"):
        make("TicTacToe").act(Position("TicTacToe", "a1 b1 a2 b2 a3"))


def test_logarithm():
    for number in [*range(1, 300), 12345, 10**6, 10**9]:
        assert mcts.logarithm(number) == pytest.approx(math.log(number), abs=1e-5)


@pytest.mark.parametrize("count", [1, 2, 7, 12, 225, 12600])
def test_strides_and_draws(count):
    number, drawn = np.int64(random_state(1, 2)), set()
    for _ in range(500):
        number = mcts.mixed(number)
        assert 0 <= mcts.below(number, count) < count
        drawn.add(int(mcts.below(number, count)) * 4 // count)
        step = mcts.stride(number, count)
        assert 1 <= step <= count
        assert math.gcd(int(step), count) == 1
    assert len(drawn) == min(count, 4), "every quarter is drawn from"


def test_scores_and_random_states():
    assert [score_of(value, 1, 2) for value in (mcts.LOSS, mcts.DRAW, mcts.WIN)] == [1000, 0, -1000]
    assert score_of(mcts.UNKNOWN, 20, 10) == 999
    assert score_of(mcts.HOLDS, 0, 10) == -999
    assert score_of(mcts.UNKNOWN, 15, 10) == 500
    states = {random_state(*numbers) for numbers in [(0, 0), (0, 1), (1, 0), (0, -1), (0,), (2**63, 5)]}
    assert len(states) == 6
    assert all(-(2**63) <= state < 2**63 and state for state in states)


def test_every_visited_move_has_its_score():
    position = Position("TicTacToe", "a1 b2 c3")
    found = make(position.game, simulations=200).analyse(position)
    assert set(found.scores) <= set(position.legal_moves)
    assert len(found.scores) > 1
    assert found.scores[found.move] == found.score == max(found.scores.values())
    only = make(position.game, simulations=1).analyse(position)
    assert list(only.scores) == [only.move]
