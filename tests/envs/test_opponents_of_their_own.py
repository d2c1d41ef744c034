"""Opponents that keep track of a game: each game of a batch has one of its own, whatever stands for it."""

import sys
import threading

import gymnasium
import numpy as np
import pytest
from sparring import Position, agents
from sparring.envs.rules.errors import AgentError

from .batches import CONNECT_FOUR, Repeating, make

COUNT = 64


class Nth:
    """An opponent that counts its own moves, and plays the legal move of that number."""

    name = "nth"

    def reset(self, seed=None):
        self.count = 0

    def act(self, position):
        self.count += 1
        return position.legal_moves[self.count % len(position.legal_moves)]


class Locked(Nth):
    def __init__(self):
        self.lock = threading.Lock()


class Demanding(Nth):
    def __init__(self, depth):
        self.depth = depth


class Called:
    """An opponent without `act`, which is called."""

    def reset(self, seed):
        self.moves = 0

    def __call__(self, position):
        self.moves += 1
        return position.legal_moves[-(self.moves % 2)]


def last(position):
    return position.legal_moves[-1]


def batch_trace(env, count, games):
    """Returns for each game of a batch the notations of its first games, by a learner who plays the first legal move."""
    texts = [[] for _ in range(count)]
    _, infos = env.reset(seed=5)
    while min(map(len, texts)) < games:
        _, _, over, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        for i in np.flatnonzero(over).tolist():
            texts[i].append(env.games.position(i).notation)
    return [each[:games] for each in texts]


def single_trace(opponent, seed, games):
    """Returns the same of a single environment."""
    env, texts = gymnasium.make(CONNECT_FOUR, opponent=opponent, seat="alternate", opening_plies=2).unwrapped, []
    _, info = env.reset(seed=seed)
    while len(texts) < games:
        *_, over, _, info = env.step(info["action_mask"].argmax())
        if over:
            texts.append(env.position.notation)
            _, info = env.reset()
    return texts


@pytest.fixture
def module(monkeypatch):
    """This module under a name that `python:target` finds."""
    monkeypatch.setitem(sys.modules, "their_own", sys.modules[__name__])
    return "their_own"


@pytest.mark.parametrize(
    "spec",
    [
        Nth(),
        Nth,
        Repeating(),
        Repeating,
        Called(),
        Called,
        "python:target=their_own:Nth",
        [Nth(), Nth, {"opponent": Repeating(), "weight": 2}, last],
    ],
    ids=["object", "class", "seeded object", "seeded class", "callable object", "class of callables", "python", "pool"],
)
def test_a_game_of_a_batch_is_that_of_a_single_environment(spec, module):
    env = make(CONNECT_FOUR, COUNT, opponent=spec, seat="alternate", opening_plies=2)
    assert batch_trace(env, COUNT, 3) == [single_trace(spec, 5 + i, 3) for i in range(COUNT)]


def test_opponents_that_are_set_have_one_for_each_game_too():
    env = make(CONNECT_FOUR, COUNT, opponent="random", seat="alternate", opening_plies=2)
    env.set_opponent(["greedy", Nth()])
    env.set_opponent([Nth(), last])
    assert batch_trace(env, COUNT, 2) == [single_trace([Nth(), last], 5 + i, 2) for i in range(COUNT)]


def test_an_object_that_cannot_be_copied_is_refused_by_many_games_alone():
    message = (
        r"^opponent 'nth': one object cannot keep 4 games apart; give its class, or \"python:target=module:Locked\" "
        r"\(TypeError: cannot pickle '_thread.lock' object\)$"
    )
    with pytest.raises(AgentError, match=message):
        make(CONNECT_FOUR, 4, opponent=Locked())
    env = make(CONNECT_FOUR, 4, opponent=Locked)
    with pytest.raises(AgentError, match=message):
        env.set_opponent(["random", Locked()])
    assert batch_trace(env, 4, 1) == batch_trace(make(CONNECT_FOUR, 4, opponent=Nth()), 4, 1)
    make(CONNECT_FOUR, 1, opponent=Locked()).reset(seed=1)


def test_networks_that_an_object_holds_stay_the_same():
    class Network:
        def __deepcopy__(self, memo):
            raise TypeError("a network that is learning")

        def state_dict(self):
            return {}

    class Learned(Repeating):
        asked = set()  # noqa: RUF012 - shared by all objects, as the test wants it

        def __init__(self):
            self.network = Network()

        def act(self, position):
            self.asked.add((self, self.network))
            return super().act(position)

    opponent = Learned()
    env = make(CONNECT_FOUR, 4, opponent=opponent, seat="second")
    env.reset(seed=1)
    assert {network for _, network in Learned.asked} == {opponent.network}
    assert len({agent for agent, _ in Learned.asked}) == 4


def test_functions_and_objects_without_reset_are_shared():
    class First:
        def act(self, position):
            return position.legal_moves[0]

        def __deepcopy__(self, memo):
            raise TypeError

    for opponent in (First(), last, lambda position: position.legal_moves[0]):
        make(CONNECT_FOUR, 4, opponent=opponent, seat="second").reset(seed=1)


def test_a_class_stands_for_an_agent_that_is_made():
    first, second = agents.make(Nth, "ConnectFour"), agents.make(Nth, "ConnectFour")
    assert isinstance(first, Nth)
    assert first is not second
    assert agents.spec_text(Nth) == "nth"
    assert agents.spec_text(Repeating) == "Repeating"
    called = agents.make(Called, "ConnectFour")
    called.reset(1)
    assert called.act(Position("ConnectFour")) == 6
    env = gymnasium.make(CONNECT_FOUR, opponent=[Nth, "random"])
    assert gymnasium.make(env.spec).unwrapped.opponents[0] is not env.unwrapped.opponents[0]
    with pytest.raises(AgentError, match=r"^agent 'Demanding': expected a class that is made without arguments, got TypeError: .*'depth'$"):
        agents.make(Demanding, "ConnectFour")
    with pytest.raises(AgentError, match=r"expected a name, a dict, an object with act\(position\) or its class"):
        agents.make(dict, "ConnectFour")
