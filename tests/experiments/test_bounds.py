"""Numbers that no machine keeps: refused when an agent is made or a config is checked, before memory is asked for."""

import pytest
from sparring import agents
from sparring.agents.agent import machine_mib
from sparring.envs.rules.errors import AgentError, ConfigError
from sparring.experiments.kinds import checked

MATCH = {"kind": "match", "game": "Isola", "agents": ["random", "greedy"]}
TRAIN = {"kind": "train", "game": "Gomoku", "opponent": "random", "timesteps": 1000}


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("alphabeta:nodes=100000000000000000000000", "nodes: expected at most 1000000000000000, got 1"),
        ("window_scan:nodes=100000000000000000000000", "nodes: expected at most"),
        ("alphabeta:weights.steps=100000000000000000000000", "weights: expected whole numbers up to 1,000,000 by name"),
        ("alphabeta:seconds=inf", "seconds: expected at most 1000000, got inf"),
        ("mcts:seconds=1e300", "seconds: expected at most 1000000, got 1e\\+300"),
        ("mcts:seconds=nan", "seconds: expected at least 0, got nan"),
        ({"name": "alphabeta", "seconds": 10**400}, "seconds: expected at most 1000000, got 1000.*401 characters"),
        ("best:table_mib=100000000", "table_mib: expected at most"),
        ("mcts:exploration=inf", "exploration: expected at most 100, got inf"),
    ],
)
def test_parameters_of_agents(spec, told):
    with pytest.raises(AgentError, match=told):
        agents.parse_spec(spec)


@pytest.mark.parametrize("spec", ["best:table_mib", "mcts:tree_mib", "window_scan:tree_mib"])
def test_memory_beyond_the_machine_s(spec, monkeypatch):
    monkeypatch.setattr("sparring.agents.spec.machine_mib", lambda: 100)
    agents.parse_spec(f"{spec}=100")
    with pytest.raises(AgentError, match="mib: expected at most 100, this machine's memory, got 101"):
        agents.parse_spec(f"{spec}=101")
    assert machine_mib() > 100


@pytest.mark.parametrize(
    ("config", "changes", "told"),
    [
        (MATCH, {"games": 10**30}, "games: expected at most 100000, got 1"),
        (MATCH, {"move_seconds": 1e300}, r"move_seconds: expected at most 1e\+06, got 1e\+300"),
        (MATCH, {"executor": {"workers": 10**9}}, "executor.workers: expected at most 1024"),
        (MATCH, {"agents": ["random", "best:nodes=1000000000000000000000"]}, "nodes: expected at most"),
        (MATCH, {"game": {"id": "ConnectK", "width": 10**30}}, "width: expected a whole number from 1 to 20"),
        (TRAIN, {"timesteps": 10**30}, "timesteps: expected at most"),
        (TRAIN, {"environments": 10**9}, "environments: expected at most 65536"),
        (TRAIN, {"threads": 10**9}, "threads: expected at most 1024"),
        (TRAIN, {"environments": 65_536, "algorithm": {"n_steps": 65_536}}, r"n_steps: n_steps \* environments need [0-9]+ MiB, this"),
        (TRAIN, {"algorithm": {"net_arch": [10**9]}}, "algorithm.net_arch.0: expected at most 4096"),
        (TRAIN, {"algorithm": {"net_arch": [8] * 100}}, "algorithm.net_arch: expected at most 8 entries"),
        (TRAIN, {"algorithm": {"channels": 10**9}}, "algorithm.channels: expected at most 512"),
        (TRAIN, {"algorithm": {"learning_rate": 1e300}}, "algorithm.learning_rate: expected at most 10"),
        ({"kind": "tune", "game": "Isola", "agent": "alphabeta"}, {"challenges": 10**30}, "challenges: expected at most"),
        ({"kind": "bench"}, {"repeats": 10**30}, "repeats: expected at most"),
        ({"kind": "bench"}, {"environments": {"a": {"game": "Isola", "games": 10**9}}}, "environments.a.games: expected at most 65536"),
    ],
)
def test_numbers_in_configs(config, changes, told):
    with pytest.raises(ConfigError, match=told):
        checked({**config, **changes})


def test_a_weight_that_is_tuned_stays_within_its_bound():
    from sparring.experiments.kinds.tune.run import drawn_change

    config = checked({"kind": "tune", "game": "Isola", "agent": "alphabeta", "step": 10, "name": "x"})
    assert {abs(drawn_change({"steps": 900_000}, config, number)[1]) for number in range(20)} == {10**6}
