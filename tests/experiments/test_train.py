"""Trainings: they learn, measure what they should, write what they promise, and depend on nothing but their seed."""

import json
from pathlib import Path

import gymnasium
import pytest
import torch
from sb3_contrib import MaskablePPO
from sparring import Game, Position
from sparring.agents import make
from sparring.agents.network import load_network, save_network
from sparring.envs.options import EnvOptions
from sparring.envs.sb3 import TurnedVecEnv
from sparring.experiments.config.file import check
from sparring.experiments.games.log import read_games
from sparring.experiments.kinds import MODELS, checked
from sparring.experiments.kinds.train.config import TrainConfig
from sparring.experiments.kinds.train.learner import (
    Kickstart,
    device_of,
    make_environments,
    network_of,
    new_model,
    opponents_of,
    rung_after,
    set_rates,
)
from sparring.experiments.kinds.train.run import Training, run_train
from sparring.experiments.run_folder import RunFolder

from .results import plain

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


def settings(**changes) -> TrainConfig:
    config, mistakes = check(SETTINGS | changes, MODELS)
    assert mistakes == []
    assert isinstance(config, TrainConfig)
    return config


def trained(folder: Path, **changes):
    folder.mkdir()
    return plain(run_train(settings(**changes), RunFolder(folder)))


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
    assert sorted(path.name for path in (folder / "checkpoints").iterdir()) == [
        f"{steps:010d}.{suffix}" for steps in (0, 3072, 6144) for suffix in ("safetensors", "zip")
    ]
    assert MaskablePPO.load(folder / "checkpoints/0000006144.zip", device="cpu").num_timesteps == 6144
    best = folder / "checkpoints" / f"{results['best_timesteps']:010d}.safetensors"
    assert (folder / results["model"]).read_bytes() == best.read_bytes()
    assert b"evaluation/greedy" in next((folder / "tensorboard").iterdir()).read_bytes()


def test_the_final_games_are_in_the_log(training):
    games = [json.loads(line) for line in (training[0] / "games.jsonl").read_text().splitlines()]
    assert [game["id"] for game in games] == list(range(120))
    assert {game["stage"] for game in games} == {"final"}
    assert {frozenset((game["first"], game["second"])) for game in games[:60]} == {frozenset(("MaskablePPO", "random"))}
    assert len({game["pair"] for game in games}) == 60


def test_the_model_plays_as_an_agent(training):
    agent = make({"name": "policy", "path": str(training[0] / "model.safetensors")}, "TicTacToe")
    environment = gymnasium.make("sparring/TicTacToe-v0", opponent=agent)
    _, info = environment.reset(seed=1)
    assert environment.step(int(info["action_mask"].argmax()))[4]["opponent_move"] >= 0


def test_equal_seeds_give_equal_networks_and_others_differ(tmp_path):
    def weights(folder):
        last = max((folder / "checkpoints").glob("*.safetensors"))
        return [value.tolist() for value in load_network(str(last)).policy.state_dict().values()]

    short = {"timesteps": 256, "algorithm": {"n_steps": 32, "batch_size": 64}, "evaluate": {"games": 2, "final_games": 2}}
    for name, seed in (("one", 0), ("same", 0), ("other", 1)):
        trained(tmp_path / name, seed=seed, **short)
    assert weights(tmp_path / "one") == weights(tmp_path / "same")
    assert weights(tmp_path / "one") != weights(tmp_path / "other")


def test_the_settings_reach_the_environments():
    pool = ["alphabeta:depth=1", {"opponent": "greedy", "weight": 3}]
    config = settings(opponent=pool, seat="second", opening_plies=2, opponent_epsilon=0.25, environments=4, symmetry=True, threads=2)
    config = config.model_copy(update={"game": {"id": "sparring/Gomoku-v0", "size": 7, "rule": "standard"}})
    environments = make_environments(config, opponents_of(config, 0, []))
    assert isinstance(environments, TurnedVecEnv)
    games = environments.venv.batch_env.games
    specs = [member["opponent"] for member in games.opponent]
    assert (games.count, games.threads, specs) == (4, 2, [{"name": "alphabeta", "depth": 1}, {"name": "greedy"}])
    assert games.batch.bounds.tolist() == [2**29, 2**31]
    assert games.options == EnvOptions("second", "lose", 2, 0.25, False)
    assert games.game.parameters == {"size": 7, "rule": "standard"}
    environments.close()


def test_a_schedule_goes_on_when_the_score_is_high_enough():
    config = settings(opponent=None, schedule={"rungs": ["random", "greedy", "alphabeta:depth=2"], "promote": 0.6})

    def curve(*scores):
        return [{"timesteps": steps, "opponent": opponent, "score": score} for steps, (opponent, score) in enumerate(scores)]

    assert rung_after(config, []) == 0
    assert rung_after(config, curve(("random", 0.5), ("greedy", 0.9))) == 0
    assert rung_after(config, curve(("random", 0.6), ("random", 0.9))) == 1
    assert rung_after(config, curve(("random", 0.7), ("greedy", 0.7), ("alphabeta:depth=2", 0.9))) == 2
    assert opponents_of(config, 0, []) == [{"opponent": {"name": "random"}, "weight": 1}]
    pool = opponents_of(config, 2, [])
    assert [member["weight"] for member in pool] == [0.75, 0.125, 0.125]
    assert [member["opponent"]["name"] for member in pool] == ["alphabeta", "random", "greedy"]


def test_self_play_takes_its_share_once_there_is_an_earlier_state():
    config = settings(opponent=["random", "greedy"], self_play={"share": 0.25, "keep": 2})
    assert [member["opponent"]["name"] for member in opponents_of(config, 0, [])] == ["random", "greedy"]
    pool = opponents_of(config, 0, [Path("a.safetensors"), Path("b.safetensors"), Path("c.safetensors")])
    assert [member["weight"] for member in pool] == [0.375, 0.375, 0.125, 0.125]
    assert [member["opponent"].get("path") for member in pool] == [None, None, "b.safetensors", "c.safetensors"]


def test_rates_fall_from_stretch_to_stretch(training):
    config = settings(algorithm={**SETTINGS["algorithm"], "final_learning_rate": 1e-3, "ent_coef": 0.04, "final_ent_coef": 0.0})
    model = MaskablePPO.load(training[0] / "checkpoints/0000006144.zip", device="cpu")
    set_rates(model, config, 3072)
    assert model.lr_schedule(0.5) == pytest.approx(2e-3)
    assert model.ent_coef == pytest.approx(0.02)


def test_a_schedule_with_self_play_and_residual_blocks_trains(tmp_path):
    algorithm = {"n_steps": 32, "batch_size": 64, "n_epochs": 1, "net_arch": [16], "channels": 4, "blocks": 1, "head_channels": 2}
    folder = tmp_path / "run"
    results = trained(
        folder,
        opponent=None,
        schedule={"rungs": ["random", "greedy"], "promote": 0.0},
        self_play={"share": 0.5},
        symmetry=True,
        timesteps=768,
        algorithm=algorithm,
        evaluate={"opponents": ["random"], "every": 256, "games": 4, "final_games": 2},
    )
    assert (results["rung"], results["opponent"]) == (1, "a schedule up to greedy and itself")
    curve = [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]
    assert [entry["opponent"] for entry in curve] == ["random", "random", "greedy", "random", "greedy", "random", "greedy"]


def saved_network(folder):
    """Returns the file of a new network of a training's shape."""
    config = settings(seed=5)
    environments = make_environments(config, config.opponent)
    path = folder / "start.safetensors"
    save_network(path, new_model(config, environments).policy, network_of(config), Game("TicTacToe"))
    environments.close()
    return path


def test_a_training_goes_on_from_a_start_and_stays_near_it(tmp_path):
    start, far = saved_network(tmp_path), []
    for weight in (0.0, 50.0):
        folder = tmp_path / f"run-{weight:g}"
        evaluations = {"opponents": ["random"], "every": 512, "games": 2, "final_games": 2}
        trained(folder, start=str(start), start_weight=weight, timesteps=512, evaluate=evaluations)
        first, last = (load_network(str(folder / "checkpoints" / f"{steps:010d}.safetensors")).policy for steps in (0, 512))
        expected = load_network(str(start)).policy.state_dict()
        assert all(torch.equal(tensor, expected[name]) for name, tensor in first.state_dict().items())
        observation = torch.tensor(Position("TicTacToe").observation()[None]).float()
        before, after = (policy.get_distribution(observation).distribution for policy in (first, last))
        far.append((before.probs * (before.logits - after.logits)).sum().item())
    assert far[1] < far[0] / 3


def test_a_killed_training_with_a_start_ends_at_the_same_network(tmp_path, monkeypatch):
    evaluations = {"opponents": ["random"], "every": 512, "games": 2, "final_games": 2}
    changes = {"start": str(saved_network(tmp_path)), "timesteps": 1024, "evaluate": evaluations}
    trained(tmp_path / "whole", **changes)
    stretch = Training._stretch
    with monkeypatch.context() as patched:
        patched.setattr(Training, "_stretch", lambda self, show: 1 / 0 if self.model.num_timesteps else stretch(self, show))
        with pytest.raises(ZeroDivisionError):
            trained(tmp_path / "part", **changes)
    run_train(settings(**changes), RunFolder(tmp_path / "part"))
    assert (tmp_path / "part" / "model.safetensors").read_bytes() == (tmp_path / "whole" / "model.safetensors").read_bytes()


def test_the_divergence_is_that_of_the_masked_policies(tmp_path):
    config, start = settings(seed=6), saved_network(tmp_path)
    environments = make_environments(config, config.opponent)
    model = new_model(config, environments)
    with torch.no_grad():
        model.policy.action_net.weight.mul_(100)  # a new policy prefers nothing
    kickstart = Kickstart(model, str(start))
    position = Position("TicTacToe", "a1 b2 c3")
    observation, masks, legal = torch.tensor(position.observation()[None]).float(), position.mask[None].astype(bool), position.legal_moves
    policies = load_network(str(start)).policy, model.policy
    first, second = (policy.get_distribution(observation, masks).distribution.probs[0].detach() for policy in policies)
    expected = sum(float(first[move] * (first[move] / second[move]).log()) for move in legal)
    assert kickstart.divergence(observation, masks).item() == pytest.approx(expected, rel=1e-3)
    set_rates(model, config, 0)
    kickstart.set_weights(model, 2.0)
    term = model.policy.evaluate_actions(observation, torch.tensor([legal[0]]), masks)[2].item()
    entropy = -sum(float(second[move] * second[move].log()) for move in legal)
    assert (model.ent_coef, term) == (1.0, pytest.approx(0.01 * entropy - 2 * expected, rel=1e-3))
    environments.close()


def test_a_start_of_another_game_or_shape_is_refused(tmp_path):
    start = str(saved_network(tmp_path))
    for changes, message in (
        ({"game": "ConnectFour"}, "expected a network for Game('sparring/ConnectFour-v0'), got one for Game('sparring/TicTacToe-v0')"),
        ({"algorithm": SETTINGS["algorithm"] | {"net_arch": [32]}}, "expected the network of the algorithm, Network(layers=(32,), "),
        ({"start": str(tmp_path)}, "expected a network that sparring has saved, got "),
    ):
        _, mistakes = check(SETTINGS | {"start": start} | changes, MODELS)
        assert message in str(mistakes)


def test_only_convolutions_learn_on_a_gpu():
    for channels, device, expected in ((0, "auto", "cpu"), (4, "auto", "auto"), (4, "cpu", "cpu")):
        config = checked({"kind": "train", "game": "TicTacToe", "opponent": "random", "timesteps": 1, "device": device})
        algorithm = config.algorithm.model_copy(update={"channels": channels})
        assert device_of(config.model_copy(update={"algorithm": algorithm})) == expected


def test_whom_to_play_is_said_once():
    for changes in ({"opponent": None}, {"schedule": {"rungs": ["random"]}}):
        _, mistakes = check(SETTINGS | changes, MODELS)
        assert mistakes == [(("opponent",), "expected either an opponent or a schedule")]


def test_a_missing_extra_is_told_before_anything_runs(monkeypatch):
    monkeypatch.setattr("sparring.experiments.kinds.train.config.find_spec", lambda package: None)
    _, mistakes = check(SETTINGS, MODELS)
    assert mistakes == [(("kind",), "a training needs the extra 'train'; install it with: pip install 'sparring[train]'")]


def test_every_evaluation_is_told_as_it_is_done(tmp_path, capsys):
    trained(tmp_path / "run", timesteps=1024, evaluate={**SETTINGS["evaluate"], "every": 512, "games": 2, "final_games": 2})
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("t: after ")]
    assert [line.partition(":")[2].split(" time steps")[0] for line in told] == [" after 0", " after 512", " after 1,024"]
    assert all("against random" in line and "against greedy" in line for line in told)


def test_evaluations_on_workers_are_those_of_one_process(tmp_path, monkeypatch):
    monkeypatch.setattr("sparring.experiments.kinds.train.run.MANY", 0)
    folders = [RunFolder(tmp_path / name) for name in ("alone", "together")]
    for folder, count in zip(folders, (0, 2), strict=True):
        folder.path.mkdir()
        run_train(settings(timesteps=2048, executor={"workers": count}), folder)
    alone, together = folders
    assert alone.curve.read_bytes() == together.curve.read_bytes()
    assert games_of(alone) == games_of(together)


def games_of(folder):
    """Returns the games of a log by id, without what the clock decides."""
    games = sorted(read_games(folder.games), key=lambda game: game["id"])
    return [{key: value for key, value in game.items() if key != "seconds"} for game in games]
