"""Trainings: they learn, measure what they should, write what they promise, and depend on nothing but their seed."""

import json
from pathlib import Path

import gymnasium
import pytest
from sb3_contrib import MaskablePPO
from sparring.agents import make
from sparring.experiments.config import Train
from sparring.experiments.config_file import check
from sparring.experiments.run_folder import RunFolder
from sparring.experiments.train import make_environments, run_train

SETTINGS = {
    "kind": "train",
    "name": "t",
    "game": "TicTacToe",
    "opponent": "random",
    "timesteps": 6144,
    "environments": 8,
    "algorithm": {"learning_rate": 3e-3, "n_steps": 64, "batch_size": 128, "n_epochs": 8, "net_arch": [64]},
    "evaluate": {"opponents": ["random", "greedy"], "every": 3000, "games": 20, "final_games": 60, "opening_plies": 1},
}


def settings(**changes) -> Train:
    config, mistakes = check(SETTINGS | changes)
    assert mistakes == []
    assert isinstance(config, Train)
    return config


def trained(folder: Path, **changes):
    folder.mkdir()
    return run_train(settings(**changes), RunFolder(folder))


@pytest.fixture(scope="module")
def training(tmp_path_factory):
    """A short training: its folder and results."""
    folder = tmp_path_factory.mktemp("training") / "run"
    return folder, trained(folder)


def test_it_learns_to_beat_random(training):
    _, results = training
    assert [match["agents"] for match in results["final"]] == [["MaskablePPO", "random"], ["MaskablePPO", "greedy"]]
    assert results["final"][0]["low"] > 0.5
    assert results["final"][0]["score"] > results["final"][1]["score"]


def test_the_curve_has_each_opponent_at_each_evaluation(training):
    curve = [json.loads(line) for line in (training[0] / "curve.jsonl").read_text().splitlines()]
    assert [(entry["timesteps"], entry["opponent"]) for entry in curve] == [
        (steps, opponent) for steps in (0, 3072, 6144) for opponent in ("random", "greedy")
    ]
    assert all(entry["wins"] + entry["draws"] + entry["losses"] == entry["games"] == 20 for entry in curve)
    assert all(entry["low"] <= entry["score"] <= entry["high"] for entry in curve)
    assert curve[-2]["score"] > curve[0]["score"]


def test_checkpoints_model_and_tensorboard_are_there(training):
    folder, results = training
    assert sorted(path.name for path in (folder / "checkpoints").iterdir()) == ["0000000000.zip", "0000003072.zip", "0000006144.zip"]
    assert MaskablePPO.load(folder / results["model"], device="cpu").num_timesteps == 6144
    assert b"evaluation/greedy" in next((folder / "tensorboard").iterdir()).read_bytes()


def test_the_final_games_are_in_the_log(training):
    games = [json.loads(line) for line in (training[0] / "games.jsonl").read_text().splitlines()]
    assert [game["id"] for game in games] == list(range(120))
    assert {game["stage"] for game in games} == {"final"}
    assert {frozenset((game["first"], game["second"])) for game in games[:60]} == {frozenset(("MaskablePPO", "random"))}
    assert len({game["pair"] for game in games}) == 60


def test_the_model_plays_as_an_agent(training):
    agent = make({"name": "policy", "path": str(training[0] / "model.zip")}, "TicTacToe")
    environment = gymnasium.make("sparring/TicTacToe-v0", opponent=agent)
    _, info = environment.reset(seed=1)
    assert environment.step(int(info["action_mask"].argmax()))[4]["opponent_move"] >= 0


def test_equal_seeds_give_equal_networks_and_others_differ(tmp_path):
    def weights(folder):
        return [value.tolist() for value in MaskablePPO.load(folder / "model.zip", device="cpu").policy.state_dict().values()]

    short = {"timesteps": 256, "algorithm": {"n_steps": 32, "batch_size": 64}, "evaluate": {"games": 2, "final_games": 2}}
    for name, seed in (("one", 0), ("same", 0), ("other", 1)):
        trained(tmp_path / name, seed=seed, **short)
    assert weights(tmp_path / "one") == weights(tmp_path / "same")
    assert weights(tmp_path / "one") != weights(tmp_path / "other")


def test_the_settings_reach_the_environments():
    config = settings(opponent="alphabeta:depth=1", seat="second", opening_plies=2, opponent_epsilon=0.25, environments=2, game="Gomoku")
    config = config.model_copy(update={"game": {"id": "sparring/Gomoku-v0", "size": 7, "rule": "standard"}})
    environments = make_environments(config)
    first, second = environments.env_method("get_wrapper_attr", "opponent")
    assert first is not second
    assert first.depth == 1
    assert environments.get_attr("seat_choice") == ["second", "second"]
    assert environments.get_attr("opening_plies") == [2, 2]
    assert environments.get_attr("opponent_epsilon") == [0.25, 0.25]
    assert environments.get_attr("game")[0].parameters == {"size": 7, "rule": "standard"}
    environments.close()


def test_a_missing_extra_is_told_before_anything_runs(monkeypatch):
    monkeypatch.setattr("sparring.experiments.config.find_spec", lambda package: None)
    _, mistakes = check(SETTINGS)
    assert mistakes == [(("kind",), "a training needs the extra 'train'; install it with: pip install 'sparring[train]'")]
