"""Two learners: PettingZoo's own checks, and what they do not look at."""

import copy
import pickle
import random
import warnings

import numpy as np
import pytest
from sparring import Game, Position
from sparring.envs.rules.errors import IllegalMoveError, RulesError, UnknownGameError

pytest.importorskip("pettingzoo", reason="needs the extra `pettingzoo`")
from sparring.envs import pettingzoo

with warnings.catch_warnings():  # PettingZoo's checks import an environment of its own in an old way
    warnings.filterwarnings("ignore", "The old environment creation API has been deprecated", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test

GAMES = ["TicTacToe", "ConnectFour", "ConnectK:width=5,height=4,k=3", "Gomoku:size=7", "Isola:width=5,height=5", "Isola:rules=classic"]
EXPECTED = pytest.mark.filterwarnings(
    "ignore:Observation numpy array is all zeros",
    "ignore:Action mask numpy array is all zeros",
    # of a dict as observation; the checks know by name which of PettingZoo's own environments have one
    "ignore:Observation space for each agent probably should be",
    "ignore:Observation is not a NumPy array",
)


@EXPECTED
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_checks(game, monkeypatch, capsys):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr("sparring.envs.drawing.rendering.Window.show", lambda window, image: None)
    api_test(pettingzoo.env(game), num_cycles=100)
    seed_test(lambda: pettingzoo.env(game), num_cycles=50)
    render_test(lambda render_mode=None: pettingzoo.env(game, render_mode=render_mode))


@pytest.mark.parametrize("game", GAMES)
def test_games_are_those_of_the_rules(game):
    env, chance = pettingzoo.env(game), random.Random(game)
    for _ in range(10):
        env.reset()
        position, total = Position(game), {"player_0": 0.0, "player_1": 0.0}
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, info = env.last()
            total[agent] += reward
            seat = int(agent[-1])
            assert np.array_equal(seen["observation"], position.observation(seat))
            assert not truncated
            other = env.observe(f"player_{1 - seat}")
            assert not other["action_mask"].any()
            if terminated:
                assert not seen["action_mask"].any()
                assert info["termination"] == position.termination
                env.step(None)
                continue
            assert seat == position.side
            assert np.flatnonzero(seen["action_mask"]).tolist() == position.legal_moves
            move = chance.choice(position.legal_moves)
            position.push(move)
            env.step(np.int64(move))
        assert position.is_over
        expected = 0 if position.winner is None else 1 if position.winner == 0 else -1
        assert total == {"player_0": expected, "player_1": -expected}


def test_an_illegal_action_pays_the_other():
    env = pettingzoo.env("TicTacToe")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.infos["player_0"] == {"termination": "illegal"}
    strict = pettingzoo.env("TicTacToe", illegal="raise")
    strict.reset()
    strict.step(4)
    with pytest.raises(IllegalMoveError, match=r"illegal move 4 for o"):
        strict.step(4)
    strict.step(0)
    assert strict.position.notation == "b2 a1"


@pytest.mark.parametrize("word", ["opponent", "seat"])
def test_an_opponent_is_for_one_learner(word):
    with pytest.raises(RulesError, match=f"^{word}: not available with two learners; use gymnasium.make for a game against"):
        pettingzoo.env("TicTacToe", **{word: "random"})


def test_long_games_are_truncated():
    env = pettingzoo.env("ConnectFour", max_cycles=3)
    env.reset(options={"position": "44"})
    for column in (1, 2, 3):
        assert not any(env.truncations.values())
        env.step(column)
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}


def test_what_cannot_be_is_refused():
    with pytest.raises(UnknownGameError):
        pettingzoo.env("Chess")
    with pytest.raises(RulesError, match="max_cycles: expected a whole number from 1"):
        pettingzoo.env("TicTacToe", max_cycles=0)
    env = pettingzoo.env(Game("TicTacToe"))
    with pytest.raises(IllegalMoveError, match="expected reset"):
        env.step(0)
    with pytest.raises(IllegalMoveError, match="expected a game that goes on, got one that is over"):
        env.reset(options={"position": "a1 b1 a2 b2 a3"})
    env.reset()
    with pytest.raises(IllegalMoveError, match="action: expected a whole number from 0 to 8, got 9"):
        env.step(9)
    with pytest.raises(IllegalMoveError, match="action: expected a whole number from 0 to 8, got None"):
        env.step(None)


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_are_independent(clone):
    env = pettingzoo.env("TicTacToe")
    env.reset()
    env.step(4)
    twin = clone(env)
    env.step(0)
    assert (twin.agent_selection, twin.position.notation) == ("player_1", "b2")
    twin.step(8)
    assert env.position.notation == "b2 a1"
