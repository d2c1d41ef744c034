"""Agents shared by threads, copied in the middle of a game, and made for a clock."""

import copy
import pickle
import random
import time
from concurrent.futures import ThreadPoolExecutor

import gymnasium
import pytest
from sparring import Game, Position, agents

from .slow_search import random_position

THREADS = 12


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("alphabeta:depth=3", Game("Gomoku")),
        ("alphabeta:nodes=3000,null_move=true", Game("Gomoku")),
        ("best:depth=4", Game("ConnectFour")),
        ("mobility:depth=3", Game("Isola")),
        ("window_scan:depth=4", Game("ConnectFour")),
        ("window_scan:depth=3,keep=false", Game("ConnectK")),
        ("mcts:simulations=300,reuse=false", Game("ConnectFour")),
        ("greedy", Game("TicTacToe")),
    ],
    ids=str,
)
def test_threads_that_share_an_agent_get_its_moves(spec, game):
    if spec == "greedy":  # draws among equals, so that only what it must do is told
        positions = [Position(game, "a1 c3 a2"), Position(game, "b2 a1 c1 a2")]
    else:
        positions = [random_position(game, seed, most=30) for seed in range(40)]
    agent = agents.make(spec, game)
    agent.reset(5)
    alone = [agent.act(position) for position in positions]
    shared = agents.make(spec, game)
    shared.reset(5)
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(shared.act, positions * 3)) == alone * 3


def test_analyses_of_one_agent_may_overlap():
    agent, game = agents.make("alphabeta:depth=5", "ConnectFour"), Game("ConnectFour")
    position, other = Position(game, "44"), Position(game, "443526")
    expected = [found.score for found in agent.deepen(position)]
    scores, alone = [], agent.analyse(other).nodes
    for found in agent.deepen(position):
        scores.append(found.score)
        assert agent.analyse(other).nodes == alone
    assert scores == expected
    thinking = agent.deepen(position)
    next(thinking)  # and is left there
    assert agent.analyse(position).score == expected[-1]


def played_on(env, mask, seed):
    """Returns how a game goes on with moves drawn by a seed."""
    chance, told = random.Random(seed), []
    while True:
        observation, reward, terminated, _, info = env.step(chance.choice([move for move, legal in enumerate(mask) if legal]))
        told.append((observation.tobytes(), reward, env.unwrapped.position.notation))
        if terminated:
            return told
        mask = info["action_mask"]


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize(
    "opponent", ["mcts:simulations=50", "mcts:simulations=200,exploration=0.3", "window_scan:nodes=2000", "best:nodes=500"]
)
def test_copies_of_a_game_go_on_like_their_original(opponent, clone):
    for seed in range(8):
        env = gymnasium.make("sparring/ConnectFour-v0", opponent=opponent, seat="first")
        _, info = env.reset(seed=seed)
        for move in (3, 2, 4):
            *_, info = env.step(move)
        mask = info["action_mask"]
        twin = clone(clone(env))
        assert played_on(twin, mask, seed) == played_on(env, mask, seed)


def test_proven_results_of_simulations_are_final():
    position = Position("TicTacToe", "a1 b1 a2 b2")
    found = agents.make("mcts:simulations=20000", "TicTacToe").analyse(position)
    assert (found.score, found.is_final) == (1000, True)
    assert not agents.make("mcts:simulations=100", "ConnectFour").analyse(Position("ConnectFour")).is_final


@pytest.mark.parametrize("spec", ["best:seconds=0.2", "mcts:seconds=0.2", "window_scan:seconds=0.2"])
def test_agents_with_a_clock_are_ready_when_they_are_made(spec, monkeypatch):
    agent, position = agents.make(spec, "ConnectFour"), Position("ConnectFour", "44")
    monkeypatch.setattr("sparring.envs.compiled.ready_together", lambda *calls: pytest.fail("compiles after it was made"))
    begin = time.perf_counter()
    found = agent.analyse(position)
    assert found.seconds == pytest.approx(time.perf_counter() - begin, abs=0.02)


@pytest.mark.parametrize("name", ["alphabeta:depth=2", "mcts:simulations=20", "window_scan:depth=2"])
def test_what_an_agent_reports_is_what_its_caller_waited(name, monkeypatch):
    agent, position = agents.make(name, "ConnectFour"), Position("ConnectFour", "44")
    make = type(agent)._new_searcher
    monkeypatch.setattr(type(agent), "_new_searcher", lambda *words: time.sleep(0.3) or make(*words))
    assert agent.analyse(position).seconds >= 0.3


def test_a_loss_found_with_reductions_is_told_as_a_bound():
    position = Position("ConnectFour", "614213513")
    found = agents.make("best:nodes=2000000", "ConnectFour").analyse(position)
    exact = agents.make("alphabeta:depth=14", "ConnectFour").analyse(position)
    assert exact.is_final
    assert not exact.is_bound
    assert found.is_final
    assert found.score < 0
    assert found.is_bound or found.score == exact.score
