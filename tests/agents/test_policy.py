"""Saved networks as agents: always legal moves, the right class, the right board."""

import gymnasium
import pytest
from sparring import Position, agents
from sparring.envs.rules.errors import AgentError

sb3 = pytest.importorskip("stable_baselines3", reason="needs the extra `train`")
contrib = pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
SETTINGS = {
    "MaskablePPO": {"n_steps": 32, "batch_size": 32},
    "PPO": {"n_steps": 32, "batch_size": 32},
    "A2C": {},
    "DQN": {"buffer_size": 100},
    "QRDQN": {"buffer_size": 100},
}


@pytest.fixture(scope="module", params=SETTINGS)
def saved(request, tmp_path_factory):
    algorithm = getattr(sb3, request.param, None) or getattr(contrib, request.param)
    model = algorithm("MlpPolicy", gymnasium.make("sparring/ConnectFour-v0"), seed=1, device="cpu", **SETTINGS[request.param])
    path = tmp_path_factory.mktemp("models") / f"{request.param}.zip"
    model.save(path)
    return path


@pytest.mark.parametrize("deterministic", [True, False])
def test_plays_only_legal_moves(saved, deterministic):
    agent = agents.make({"name": "policy", "path": str(saved), "deterministic": deterministic}, "ConnectFour")
    agent.reset(3)
    chance = agents.make("random", "ConnectFour")
    chance.reset(4)
    for _ in range(5):
        position = Position("ConnectFour")
        while not position.is_over:
            position.push((agent if position.ply % 2 else chance).act(position))


def test_equal_seeds_draw_equal_moves(saved):
    agent = agents.make({"name": "policy", "path": str(saved), "deterministic": False}, "ConnectFour")
    draws = []
    for _ in range(2):
        agent.reset(9)
        draws.append([agent.act(Position("ConnectFour", "4")) for _ in range(10)])
    assert draws[0] == draws[1]


def test_other_board_is_refused(saved):
    with pytest.raises(
        AgentError, match=r"expected a network for TicTacToe with observations \(2, 3, 3\) and 9 actions, got one with \(2, 6, 7\) and 7"
    ):
        agents.make({"name": "policy", "path": str(saved)}, "TicTacToe")


def test_other_file_is_refused(tmp_path):
    path = tmp_path / "model.zip"
    path.write_text("no zip")
    with pytest.raises(AgentError, match="expected a model of MaskablePPO, PPO, DQN, QRDQN, got"):
        agents.make({"name": "policy", "path": str(path)}, "ConnectFour")
