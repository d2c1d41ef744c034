"""Saved networks as agents: always legal moves, the right class, the right board."""

import json

import gymnasium
import numpy as np
import pytest
from sparring import Game, Position, agents
from sparring.envs.rules.errors import AgentError

pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
import sb3_contrib as contrib
import stable_baselines3 as sb3
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from sparring.agents.network import Network, parameter_count, save_network
from sparring.agents.policy_agent import ModelAgent

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


def policy_of(saved, deterministic):
    """The agent of a saved model; a network of values is always deterministic, and says so."""
    spec = {"name": "policy", "path": str(saved), "trust": True}
    if saved.stem in ("DQN", "QRDQN") and not deterministic:
        with pytest.raises(AgentError, match=r"deterministic: expected true for a network of values, which draws no moves, got"):
            agents.make({**spec, "deterministic": False}, "ConnectFour")
        deterministic = True
    return agents.make({**spec, "deterministic": deterministic}, "ConnectFour")


@pytest.mark.parametrize("deterministic", [True, False])
def test_plays_only_legal_moves(saved, deterministic):
    agent = policy_of(saved, deterministic)
    agent.reset(3)
    chance = agents.make("random", "ConnectFour")
    chance.reset(4)
    for _ in range(5):
        position = Position("ConnectFour")
        while not position.is_over:
            position.push((agent if position.ply % 2 else chance).act(position))


def test_equal_seeds_draw_equal_moves(saved):
    agent = policy_of(saved, deterministic=False)
    draws = []
    for _ in range(2):
        agent.reset(9)
        draws.append([agent.act(Position("ConnectFour", "4")) for _ in range(10)])
    assert draws[0] == draws[1]


def test_other_board_is_refused(saved):
    with pytest.raises(
        AgentError, match=r"expected a network for TicTacToe with observations \(2, 3, 3\) and 9 actions, got one with \(2, 6, 7\) and 7"
    ):
        agents.make({"name": "policy", "path": str(saved), "trust": True}, "TicTacToe")


def test_other_file_is_refused(tmp_path):
    path = tmp_path / "model.zip"
    path.write_text("no zip")
    with pytest.raises(AgentError, match="expected a model of MaskablePPO, PPO, DQN, QRDQN, got"):
        agents.make({"name": "policy", "path": str(path), "trust": True}, "ConnectFour")


def test_a_zip_file_needs_trust(saved):
    got = r"as a zip file may execute code when it is read, got false; if you trust it, write policy:path=.*\.zip,trust=true$"
    with pytest.raises(AgentError, match="trust: expected true for .*, " + got):
        agents.make({"name": "policy", "path": str(saved)}, "ConnectFour")


NETWORKS = {
    "layers": Network((16,)),
    "whole board": Network((16, 8), channels=4, window=3, blocks=1, head_channels=2),
}


@pytest.fixture(scope="module", params=NETWORKS.values(), ids=NETWORKS)
def network(request, tmp_path_factory):
    """A network, and the file that it was saved to."""
    model = contrib.MaskablePPO(
        "MlpPolicy",
        gymnasium.make("sparring/ConnectFour-v0"),
        n_steps=8,
        batch_size=8,
        seed=1,
        policy_kwargs=request.param.policy_options(),
    )
    path = tmp_path_factory.mktemp("networks") / "model.safetensors"
    save_network(path, model.policy, request.param, Game("ConnectFour"))
    return model, path


def test_a_saved_network_plays_as_the_one_in_memory(network):
    model, path = network
    agent, other = agents.make({"name": "policy", "path": str(path)}, "ConnectFour"), ModelAgent(model)
    chance = agents.make("random", "ConnectFour")
    chance.reset(4)
    for _ in range(5):
        position = Position("ConnectFour")
        while not position.is_over:
            assert agent.act(position) == other.act(position)
            position.push(chance.act(position))


def test_a_network_answers_in_a_batch_as_alone(network):
    spec = {"name": "policy", "path": str(network[1]), "deterministic": False}
    batch = gymnasium.make_vec("sparring/ConnectFour-v0", num_envs=6, opponent=spec, seat="random")
    single = gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make("sparring/ConnectFour-v0", opponent=spec, seat="random", disable_env_checker=True) for _ in range(6)]
    )
    observations, expected = batch.reset(seed=2)[0], single.reset(seed=2)[0]
    for _ in range(60):
        assert np.array_equal(observations, expected)
        actions = batch.random_actions()
        observations, expected = batch.step(actions)[0], single.step(actions)[0]


def test_a_damaged_network_is_refused(network, tmp_path):
    whole = network[1].read_bytes()
    for name, content in (("cut", whole[:-100]), ("text", b"no network"), ("empty", b"")):
        path = tmp_path / f"{name}.safetensors"
        path.write_bytes(content)
        with pytest.raises(AgentError, match="expected a network that sparring has saved, got"):
            agents.make({"name": "policy", "path": str(path)}, "ConnectFour")


def test_weights_that_do_not_fit_their_description_are_refused(network, tmp_path):
    model, _ = network
    path = tmp_path / "model.safetensors"
    save_network(path, model.policy, Network((99,)), Game("ConnectFour"))
    with pytest.raises(AgentError, match=r"expected a network that sparring has saved, got .* \(expected [0-9,]+ weights"):
        agents.make({"name": "policy", "path": str(path)}, "ConnectFour")


@pytest.mark.parametrize("window", [3, 4, 9])
@pytest.mark.parametrize("head_channels", [0, 2])
def test_features_and_weights_are_as_many_as_they_say(window, head_channels):
    game, network = Game("ConnectFour"), Network((5, 3), channels=4, window=window, blocks=2, head_channels=head_channels)
    environment = gymnasium.make(game.id)
    model = contrib.MaskablePPO("MlpPolicy", environment, n_steps=8, batch_size=8, policy_kwargs=network.policy_options())
    features = model.policy.features_extractor
    assert features(torch.zeros(7, 2, 6, 7)).shape == (7, features.features_dim)
    if head_channels:
        assert features.features_dim == 2 * {3: 6 * 7, 4: 7 * 8, 9: 7 * 8}[window]
    weights = {id(weight): weight.numel() for weight in model.policy.parameters()}
    assert parameter_count(network, game) == sum(weights.values())


def test_a_network_of_values_learns_on_the_same_features():
    environment = gymnasium.make("sparring/ConnectFour-v0", opponent="random")
    options = NETWORKS["whole board"].policy_options()
    model = sb3.DQN("MlpPolicy", environment, learning_starts=8, batch_size=8, buffer_size=64, policy_kwargs=options)
    before = model.policy.q_net.features_extractor.head.weight.clone()
    model.learn(32)
    assert not torch.equal(model.policy.q_net.features_extractor.head.weight, before)
    position = Position("ConnectFour", "1111")
    assert position.is_legal(ModelAgent(model).act(position))


def test_a_file_from_before_the_whole_board_is_read(tmp_path):
    path, network = tmp_path / "model.safetensors", Network((16, 8), channels=4, blocks=1)
    options = network.policy_options()
    model = contrib.MaskablePPO("MlpPolicy", gymnasium.make("sparring/ConnectFour-v0"), n_steps=8, batch_size=8, policy_kwargs=options)
    save_network(path, model.policy, network, Game("ConnectFour"))
    with safe_open(path, "pt") as file:
        described = json.loads(file.metadata()["sparring"])
    del described["network"]["head_channels"]
    save_file(load_file(path), path, {"sparring": json.dumps(described)})
    position = Position("ConnectFour")
    assert agents.make({"name": "policy", "path": str(path)}, "ConnectFour").act(position) == ModelAgent(model).act(position)
