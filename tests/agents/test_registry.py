"""Specs of agents as strings and dicts, and what is wrong with the wrong ones."""

import pytest
import sparring
from sparring import agents
from sparring.envs.rules.errors import AgentError, MissingExtraError


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("random", {"name": "random"}),
        ("alphabeta:depth=4", {"name": "alphabeta", "depth": 4}),
        ("alphabeta: depth=4, seconds=1", {"name": "alphabeta", "depth": 4, "seconds": 1.0}),
        ({"name": "alphabeta", "nodes": 300, "depth": None}, {"name": "alphabeta", "nodes": 300, "depth": None}),
        ("alphabeta:nodes=2e4,depth=3.0,seconds=2", {"name": "alphabeta", "nodes": 20_000, "depth": 3, "seconds": 2.0}),
        ("alphabeta:nodes=2_000,weights.mobility=1e1", {"name": "alphabeta", "nodes": 2000, "weights": {"mobility": 10}}),
        ("alphabeta:evaluation=mobility", {"name": "alphabeta", "evaluation": "mobility"}),
    ],
)
def test_specs(spec, expected):
    assert agents.parse_spec(spec) == expected
    assert agents.parse_spec(agents.spec_text(spec)) == expected


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("alphabet", r"unknown agent 'alphabet'; expected one of random, greedy, .*; did you mean 'alphabeta'\?"),
        ({"depth": 3}, r"agent: expected its name under the key 'name', got \{'depth': 3\}"),
        ("", "unknown agent ''"),
        ("alphabeta:deth=3", r"agent 'alphabeta': unknown parameter 'deth'; expected one of depth, .*; did you mean 'depth'\?"),
        ("alphabeta:depth", "expected key=value after the name, got 'depth'"),
        ("alphabeta:depth=0", "agent 'alphabeta': depth: expected at least 1, got 0"),
        ("alphabeta:depth=65", "agent 'alphabeta': depth: expected at most 64, got 65"),
        ({"name": ["x"]}, r"unknown agent \['x'\]"),
        ("alphabeta:evaluation=treats", r"evaluation: expected one of threats, .* for ConnectFour, got 'treats'; did you mean 'threats'\?"),
        ("alphabeta:method=minimx", r"method: expected one of pvs, alphabeta, mtdf, minimax, got 'minimx'; did you mean 'minimax'\?"),
        ("alphabeta:depth=two", "agent 'alphabeta': depth: expected int or none, got 'two'"),
        ("alphabeta:depth=2.5", "agent 'alphabeta': depth: expected int or none, got 2.5"),
        ("alphabeta:depth=true", "agent 'alphabeta': depth: expected int or none, got True"),
        ("alphabeta:seconds=nan", "agent 'alphabeta': seconds: expected at least 0, got nan"),
        ("random:seed=3", "agent 'random': it takes no parameters, got 'seed'"),
        ("policy:path=nowhere.zip", "path: expected a saved network, got 'nowhere.zip', which is no file"),
        ("c4_b.zip", r"^unknown agent 'c4_b.zip'; a saved model is written policy:path=c4_b.zip,trust=true$"),
        ("run/model.safetensors", r"; a saved model is written policy:path=run/model.safetensors$"),
        ("mine:Centre", r"^unknown agent 'mine:Centre'; your own code is written python:target=mine:Centre$"),
        ("greddy:x", r"; your own code is written python:target=greddy:x; did you mean 'greedy'\?$"),
        ("greedy:x", r"expected key=value after the name, got 'x'$"),
        ("nobody", r"unknown agent 'nobody'; expected one of [^;]*$"),
        ("policy", r"^agent 'policy': path: missing; a network in a file is written policy:path=FILE$"),
        ("policy:path=/", r"got '/', which is a folder; name its file: '/model.safetensors'$"),
        (f"policy:path={__file__}", r"which is neither .safetensors nor a zip file$"),
        (lambda position, seat: 0, r"^agent '<lambda>': expected a function of one Position, got one of \(position, seat\)$"),
        (lambda: 0, r"expected a function of one Position, got one of \(\)$"),
        (17, r"agent: expected a name, a dict, an object with act\(position\) or its class, a model, or a function of a Position, got 17$"),
        (None, r"a dict, an object with act\(position\) or its class, a model, or a function of a Position, got None$"),
    ],
)
def test_unusable_specs(spec, message):
    with pytest.raises(AgentError, match=message) as caught:
        agents.make(spec, "ConnectFour")
    assert "\n" not in str(caught.value)


def test_objects_are_handed_through():
    class Mine:
        def act(self, position):
            return position.legal_moves[0]

    mine = Mine()
    assert agents.make(mine, "ConnectFour") is mine
    assert agents.spec_text(mine) == "Mine"


def test_functions_of_a_position_and_more_that_need_not_be_given():
    for function in (lambda position, seat=0: 3, lambda *positions: 3, lambda position, **words: 3):
        assert agents.make(function, "ConnectFour").act(sparring.Position("ConnectFour")) == 3


def test_every_agent_describes_its_parameters():
    for name, entry in agents.AGENTS.items():
        assert entry.summary
        assert set(entry.kinds or ()) <= {"connect_k", "gomoku", "isola"}
        for parameter in agents.parameters_of(name):
            assert parameter.doc, f"{name}.{parameter.name}"
            assert agents.type_text(parameter.type)


def test_agents_follow_the_protocol():
    for name in ("random", "greedy", "alphabeta"):
        agent = agents.make(name, "ConnectFour")
        assert isinstance(agent, agents.Agent)
        assert agent.name == name
        position = sparring.Position("ConnectFour", "44")
        assert agent.analyse(position).move in position.legal_moves


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_equal_seeds_give_equal_moves(name):
    position = sparring.Position("Gomoku", "h8 h9")
    moves = []
    for seed in (1, 1, 2):
        agent = agents.make(name, "Gomoku")
        agent.reset(seed)
        moves.append([agent.act(position) for _ in range(8)])
    assert moves[0] == moves[1] != moves[2]


def test_missing_extra_is_one_line(monkeypatch):
    from sparring.agents import policy_agent

    monkeypatch.setitem(__import__("sys").modules, "sb3_contrib", None)
    with pytest.raises(MissingExtraError, match=r"agent 'policy' needs sb3_contrib; install it with: pip install 'sparring\[train\]'"):
        policy_agent.imported("sb3_contrib")
