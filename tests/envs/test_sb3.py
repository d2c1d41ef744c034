"""The batch as a Stable-Baselines3 environment: what it tells, what learners make of it, and games shown turned."""

import gymnasium
import numpy as np
import pytest
from sparring import Position
from sparring.envs.observation import observe

pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from sparring.envs.registration import GAMES
from sparring.envs.rules.errors import RulesError
from sparring.envs.sb3 import BoardVecEnv, TurnedVecEnv
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.callbacks import BaseCallback

LARGE = [("Gomoku", {}), ("Gomoku", {"size": 19}), ("Isola", {"rules": "classic"})]  # 225, 361 and 384 actions


class Count(BaseCallback):
    """Counts lost games and the transitions that pay -1."""

    def __init__(self):
        super().__init__()
        self.games = self.losses = self.paid = self.illegal = 0

    def _on_step(self):
        self.paid += int((self.locals["rewards"] == -1).sum())
        ends = [info for info in self.locals["infos"] if info]
        self.games += len(ends)
        self.losses += sum(info["outcome"] == "loss" for info in ends)
        self.illegal += sum(info["termination"] == "illegal" for info in ends)
        return True


def test_it_tells_what_a_vector_environment_tells():
    environments = BoardVecEnv("ConnectFour", 6, opponent="greedy", seat="random")
    other = gymnasium.make_vec("sparring/ConnectFour-v0", num_envs=6, opponent="greedy", seat="random", autoreset_mode="SameStep")
    environments.seed(4)
    seen, (expected, _) = environments.reset(), other.reset(seed=4)
    lengths = np.zeros(6, int)
    for _ in range(60):
        assert np.array_equal(seen, expected)
        assert np.array_equal(get_action_masks(environments), other.action_masks())
        actions = other.random_actions()
        seen, rewards, dones, infos = environments.step(actions)
        expected, right_rewards, right_dones, _, told = other.step(actions)
        lengths += 1
        assert np.array_equal(rewards, right_rewards)
        assert np.array_equal(dones, right_dones)
        for i, info in enumerate(infos):
            assert bool(info) == dones[i]
            if info:
                assert np.array_equal(info["terminal_observation"], told["final_obs"][i])
                assert (info["episode"]["r"], info["episode"]["l"], info["TimeLimit.truncated"]) == (rewards[i], lengths[i], False)
                assert info["outcome"] == told["final_info"]["outcome"][i]
                lengths[i] = 0


@pytest.mark.parametrize("algorithm", [MaskablePPO, PPO, DQN], ids=lambda algorithm: algorithm.__name__)
def test_learners_train_on_it(algorithm):
    settings = {"buffer_size": 1000, "learning_starts": 50} if algorithm is DQN else {"n_steps": 16, "batch_size": 32}
    environments = BoardVecEnv("TicTacToe", 8, opponent="greedy", seat="random")
    assert is_masking_supported(environments)
    counts = Count()
    model = algorithm("MlpPolicy", environments, policy_kwargs={"net_arch": [16]}, seed=1, device="cpu", **settings)
    model.learn(1000, callback=counts)
    assert counts.games == len(model.ep_info_buffer) or counts.games > 100
    assert counts.paid == counts.losses > 0
    assert algorithm is not MaskablePPO or counts.illegal == 0


@pytest.mark.parametrize(("id", "words"), LARGE, ids=str)
def test_many_actions_train_without_a_mask_error(id, words, all_games):
    torch.set_num_threads(1)
    steps, counts = 100_000 if all_games else 4096, Count()
    environments = BoardVecEnv(id, 64, opponent="random", seat="random", **words)
    model = MaskablePPO("MlpPolicy", environments, n_steps=32, batch_size=512, n_epochs=1, policy_kwargs={"net_arch": [16]}, device="cpu")
    model.learn(steps, callback=counts)
    assert model.num_timesteps >= steps
    assert counts.illegal == 0
    assert counts.paid == counts.losses
    assert counts.games > 10


@pytest.mark.parametrize("id", GAMES)
def test_turned_games_are_the_games_turned(id):
    words = {"opponent": "random", "seat": "random"}
    turned, plain = TurnedVecEnv(BoardVecEnv(id, 5, **words)), BoardVecEnv(id, 5, **words)
    turned.seed(9)
    plain.seed(9)
    seen, expected = turned.reset(), plain.reset()
    symmetries = plain.batch_env.games.game.symmetries
    used = set()
    for _ in range(40):
        drawn = turned._symmetry.copy()
        used |= set(drawn.tolist())
        actions = plain.batch_env.random_actions()
        masks, turned_masks = plain.action_masks(), get_action_masks(turned)
        moved = []
        for i, symmetry in enumerate(drawn):
            cells, moves = symmetries[symmetry]
            image = np.empty_like(expected[i]).reshape(len(expected[i]), -1)
            image[:, cells] = expected[i].reshape(len(expected[i]), -1)
            assert np.array_equal(seen[i], image.reshape(seen[i].shape))
            assert np.array_equal(turned_masks[i][moves], masks[i])
            moved.append(moves[actions[i]])
        seen, rewards, dones, infos = turned.step(np.array(moved))
        expected, right_rewards, right_dones, _ = plain.step(actions)
        assert np.array_equal(rewards, right_rewards)
        assert np.array_equal(dones, right_dones)
        assert all("terminal_observation" in info for info, done in zip(infos, dones, strict=True) if done)
    assert len(used) > min(1, len(symmetries) - 1)


def test_a_network_can_be_asked_about_a_position():
    model = MaskablePPO("MlpPolicy", BoardVecEnv("TicTacToe", 2), n_steps=8, batch_size=8, device="cpu")
    position = Position("TicTacToe", "b2")
    action, _ = model.predict(observe(position), action_masks=[cell != 4 for cell in range(9)], deterministic=True)
    assert position.is_legal(int(action))


def test_what_a_batch_has_not_is_refused():
    environments = BoardVecEnv("TicTacToe", 2)
    with pytest.raises(AttributeError, match="have only the methods 'action_masks' and 'set_opponent', got 'fly'"):
        environments.env_method("fly")
    with pytest.raises(AttributeError, match="only 'opponent' can be set in a batch, got 'seat'"):
        environments.set_attr("seat", 1)
    with pytest.raises(RulesError, match="images need"):
        environments.get_images()
    drawn = BoardVecEnv("TicTacToe", 2, render_mode="rgb_array")
    drawn.reset()
    assert [image.shape[2] for image in drawn.get_images()] == [3, 3]


def boards(environments):
    return [environments.batch_env.games.position(i).notation for i in range(environments.num_envs)]


def test_options_are_those_of_each_game():
    environments = BoardVecEnv("TicTacToe", 3, seat="alternate")
    environments.set_options([{"position": "b2 a1"}, {}, {"position": "c3 a1"}])
    environments.seed(1)
    seen = environments.reset()
    assert boards(environments) == ["b2 a1", "", "c3 a1"]
    assert seen.sum((1, 2, 3)).tolist() == [2, 0, 2]
    environments.reset()
    assert "b2 a1" not in boards(environments), "options are for one reset"
    turned = TurnedVecEnv(BoardVecEnv("TicTacToe", 2))
    turned.set_options({"position": "b2 a1"})
    assert turned.reset().sum() == 4


@pytest.mark.parametrize(
    "options", [{"positoin": "b2"}, {"position": "b2 a1", "reset_mask": [True, False]}, ["b2", "a1"], [{"position": "b2 a1"}]]
)
def test_options_that_no_game_has_are_refused(options):
    environments = BoardVecEnv("TicTacToe", 2)
    environments.set_options(options)
    with pytest.raises(RulesError, match=r"^options: (expected only 'position'|position: expected text, or a list of 2)"):
        environments.reset()


def test_a_game_that_its_steps_end_is_truncated():
    environments = BoardVecEnv("Gomoku", 2, seat="random", max_episode_steps=3)
    environments.reset()
    for step in range(1, 10):
        masks = environments.action_masks()
        _, rewards, dones, infos = environments.step(masks.argmax(1))
        assert dones.tolist() == [step % 3 == 0] * 2
        assert rewards.tolist() == [0, 0]
        for info in infos:
            if info:
                assert (info["TimeLimit.truncated"], info["episode"]["l"], "outcome" in info) == (True, 3, False)
                assert info["terminal_observation"].sum() >= 6


class Last:
    """Plays the last legal move, and counts its answers."""

    answers = 0

    def act(self, position):
        self.answers += 1
        return position.legal_moves[-1]


def test_an_opponent_that_is_set_plays_from_the_next_game_on():
    environments, last = BoardVecEnv("TicTacToe", 2, opponent="alphabeta:depth=1", opening_plies=1), Last()
    assert environments.get_attr("opponent") == ["alphabeta:depth=1"] * 2
    kept, ended = BoardVecEnv("TicTacToe", 2, opponent="alphabeta:depth=1", opening_plies=1), [False, False]
    for batch in (environments, kept):
        batch.seed(7)
        batch.reset()
    environments.set_attr("opponent", last)
    while not all(ended):
        actions = kept.action_masks().argmax(1)
        seen, _, dones, _ = environments.step(actions)
        expected, _, _, _ = kept.step(actions)
        ended = [was or is_over for was, is_over in zip(ended, dones.tolist(), strict=True)]
        assert all(over or np.array_equal(a, b) for over, a, b in zip(ended, seen, expected, strict=True)), "the game that goes on"
        assert any(ended) or last.answers == 0
    for _ in range(5):
        environments.step(environments.action_masks().argmax(1))
    assert last.answers > 5
    with pytest.raises(AttributeError, match="set 'opponent' for all of them, not for some"):
        environments.set_attr("opponent", "random", indices=[0])
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        environments.set_attr("opponent", "nobody")
    assert environments.get_attr("opponent") == [last] * 2


def test_opponents_are_forgotten_when_their_last_game_is_over():
    environments = BoardVecEnv("TicTacToe", 4, opponent="greedy")
    environments.reset()
    for opponent in ["random", "greedy"] * 4:
        environments.set_attr("opponent", opponent)
        for _ in range(12):
            environments.step(environments.action_masks().argmax(1))
    assert len(environments.batch_env.games._opponents) == 2
    assert {info["opponent"] for _ in range(12) for info in environments.step(environments.action_masks().argmax(1))[3] if info} == {0}


def test_games_begun_on_machine_words_go_on_beside_an_opponent_that_cannot_play_there(monkeypatch):
    monkeypatch.setenv("SPARRING_JIT", "0")  # saves compiling
    one, other = (BoardVecEnv("ConnectFour", 3, opponent="random", seat="random") for _ in range(2))
    for environments in (one, other):
        environments.seed(3)
        environments.reset()
    for step in range(60):
        if step == 4:
            one.set_attr("opponent", "alphabeta:depth=1,evaluation=four_patterns")
            assert one.batch_env.games._bitboards is None
            assert other.batch_env.games._bitboards is not None
            going = np.ones(3, bool)
        actions = other.action_masks().argmax(1)
        (seen, _, dones, _), (expected, _, right, _) = (
            one.step(np.where(one.action_masks()[range(3), actions], actions, 0)),
            other.step(actions),
        )
        if step >= 4:
            assert np.array_equal(dones[going], right[going])
            going &= ~right
            assert np.array_equal(seen[going], expected[going])
            if not going.any():
                return
    pytest.fail("no game came to its end")
