"""Opponents as people have them: a model that is still learning, and a plain function."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from sparring import Position, agents
from sparring.envs.rules.errors import AgentError

pytest.importorskip("stable_baselines3")
from sb3_contrib import MaskablePPO
from sparring.envs.sb3 import BoardVecEnv
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.vec_env import DummyVecEnv

ID = "sparring/ConnectFour-v0"


def last_legal(position):
    return position.legal_moves[-1]


@pytest.fixture(scope="module")
def models():
    """Untrained networks, by algorithm."""
    environments = BoardVecEnv(ID, 4, opponent="random")
    made = {
        "MaskablePPO": MaskablePPO("MlpPolicy", environments, n_steps=8, batch_size=32, seed=1),
        "PPO": PPO("MlpPolicy", environments, n_steps=8, batch_size=32, seed=1),
        "DQN": DQN("MlpPolicy", environments, buffer_size=100, seed=1),
    }
    yield made
    environments.close()


def single_games(opponent, seeds, **words):
    """Returns the notations of games that a first legal action's learner plays in single environments."""
    texts = []
    for seed in seeds:
        env = gymnasium.make(ID, opponent=opponent, **words).unwrapped
        _, info = env.reset(seed=seed)
        terminated = False
        while not terminated:
            *_, terminated, _, info = env.step(int(info["action_mask"].argmax()))
        texts.append(env.position.notation)
    return texts


def batch_games(opponent, count, **words):
    """Returns the same of a batch, whose game i has seed 1 + i."""
    envs = gymnasium.make_vec(ID, num_envs=count, opponent=opponent, autoreset_mode="Disabled", **words)
    _, infos = envs.reset(seed=1)
    texts = [""] * count
    while not all(texts):
        _, _, terminated, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        for i in np.flatnonzero(terminated).tolist():
            texts[i] = texts[i] or envs.games.position(i).notation
        if terminated.any() and not all(texts):
            _, again = envs.reset(options={"reset_mask": terminated})
            infos["action_mask"][terminated] = again["action_mask"][terminated]
    envs.close()
    return texts


@pytest.mark.parametrize("algorithm", ["MaskablePPO", "PPO", "DQN"])
def test_a_model_plays_the_same_games_in_one_and_in_many(models, algorithm):
    model = models[algorithm]
    assert batch_games(model, 6, seat="random") == single_games(model, range(1, 7), seat="random")
    by_hand = agents.make(model, ID)
    assert by_hand.act(Position(ID, "44")) == agents.make({"model": model}, ID).act(Position(ID, "44"))


def test_draws_of_a_model_come_from_the_games_own_stream(models):
    import torch

    drawing = {"model": models["MaskablePPO"], "deterministic": False}
    first = single_games(drawing, range(1, 7))
    state = torch.get_rng_state()
    assert batch_games(drawing, 6) == first
    assert torch.equal(torch.get_rng_state(), state)
    assert len(set(first)) > 1
    pool = [{"opponent": drawing, "weight": 2}, "greedy", last_legal]
    assert batch_games(pool, 6) == single_games(pool, range(1, 7))


def test_a_model_plays_as_it_is_now(models):
    model, position = models["MaskablePPO"], Position(ID, "4435")
    agent = agents.make({"model": model, "deterministic": True}, ID)
    before = model.policy.state_dict()
    best = agent.act(position)
    weights = {name: weight.clone() for name, weight in before.items()}
    weights["action_net.bias"][(best + 3) % 7] = 1e3
    kept = {name: weight.clone() for name, weight in before.items()}
    model.policy.load_state_dict(weights)
    assert agent.act(position) == (best + 3) % 7
    model.policy.load_state_dict(kept)


def test_a_learner_plays_itself_in_ones_own_loop():
    environments = BoardVecEnv(ID, 16, opponent="random", seat="random")
    model = MaskablePPO("MlpPolicy", environments, n_steps=16, batch_size=64, n_epochs=1, seed=1)
    environments.env_method("set_opponent", model)
    model.learn(512)
    environments.set_attr("opponent", {"model": model, "deterministic": False})
    model.learn(512)
    assert environments.get_attr("opponent")[0] == {"model": model, "deterministic": False}
    environments.close()


def test_opponents_are_set_from_the_next_game_on(models):
    env = gymnasium.make(ID, opponent=last_legal, seat="first").unwrapped
    env.reset(seed=1)
    env.set_opponent(lambda position: position.legal_moves[0])
    assert env.step(3)[-1]["opponent_move"] == 6
    env.reset(seed=1)
    assert env.step(3)[-1]["opponent_move"] == 0
    envs = gymnasium.make_vec(ID, num_envs=2, opponent=last_legal)
    envs.reset(seed=1)
    envs.set_opponent(models["DQN"])
    assert envs.step(np.array([3, 3]))[-1]["opponent_move"].tolist() == [6, 6]
    envs.close()
    dummy = DummyVecEnv([lambda: gymnasium.make(ID)])
    dummy.env_method("set_opponent", models["MaskablePPO"])
    dummy.reset()
    assert dummy.get_attr("opponent")[0].model is models["MaskablePPO"]


def test_copies_share_a_model_and_pickles_refuse_it(models):
    model = models["MaskablePPO"]
    env = gymnasium.make(ID, opponent="random").unwrapped
    env.set_opponent({"model": model, "deterministic": False})
    env.reset(seed=3)
    env.step(3)
    twin = copy.deepcopy(env)
    assert twin.opponent.model is model
    moves = [(each.step(2)[-1]["opponent_move"], each.step(1)[-1]["opponent_move"]) for each in (env, twin)]
    assert moves[0] == moves[1]
    made = gymnasium.make(ID, opponent=[model, "greedy"])
    assert copy.deepcopy(made).unwrapped.opponents[0].model is model
    assert made.spec.kwargs["opponent"][0]["opponent"].model is model
    with pytest.raises(TypeError, match=r"^Object of type ModelAgent is not JSON serializable$"):
        made.spec.to_json()
    assert '"greedy:' not in gymnasium.make(ID, opponent={"name": "greedy"}).spec.to_json()
    with pytest.raises(AgentError, match=r"^agent 'policy': a model in memory cannot be pickled; save it and name its file"):
        pickle.dumps(env)


@pytest.mark.parametrize(
    ("opponent", "message"),
    [
        (3, "expected a name, a dict, an object with act"),
        ({"model": 3}, "model: expected one of Stable-Baselines3 or sb3-contrib, got 3"),
        ({"model": None, "deterministc": True}, "unknown parameter 'deterministc'"),
        ({"model": None, "deterministic": "no"}, "deterministic: expected true or false, got 'no'"),
    ],
)
def test_what_is_no_opponent_is_refused(opponent, message):
    with pytest.raises(AgentError, match=message):
        gymnasium.make(ID, opponent=opponent)


def test_a_model_for_another_board_is_refused(models):
    with pytest.raises(AgentError, match="expected a network for TicTacToe with observations"):
        gymnasium.make("sparring/TicTacToe-v0", opponent=models["PPO"])
