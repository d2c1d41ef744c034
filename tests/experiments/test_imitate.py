"""Imitations: a network learns a teacher's moves, is measured on games it did not learn from, and is the same after a kill."""

import json

import numpy as np
import pytest
from sparring import Game, Position, agents
from sparring.envs.rules.errors import ConfigError
from sparring.experiments.kinds import checked
from sparring.experiments.run import run

pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
pytest.importorskip("polars", reason="needs the extra `parquet`")
import polars as pl
import torch
from sparring.experiments.kinds.imitate.data import Batch, Symmetries, read_rows
from sparring.experiments.kinds.imitate.results import Epoch
from sparring.experiments.kinds.imitate.run import Learner, held_out_rows
from sparring.experiments.run_folder import RunFolder

NETWORK = {"net_arch": [32], "channels": 8, "blocks": 1, "head_channels": 4}
CONFIG = {
    "kind": "imitate",
    "name": "it",
    "game": "TicTacToe",
    "network": NETWORK,
    "batch_size": 32,
    "held_out": 0.2,
    "learning_rate": 0.01,
}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """A small data set."""
    folder = tmp_path_factory.mktemp("imitate") / "data"
    settings = {"agents": "random", "teacher": "alphabeta:depth=2", "positions": 400, "executor": {"workers": 0}}
    run(checked({"kind": "dataset", "name": "data", "game": "TicTacToe", **settings}), folder)
    return folder / "dataset.parquet"


@pytest.fixture(scope="module")
def whole(dataset, tmp_path_factory):
    """The folder of a finished imitation."""
    return run(checked(CONFIG | {"dataset": str(dataset), "epochs": 12, "patience": 12}), tmp_path_factory.mktemp("it") / "whole")


def test_it_learns_what_the_teacher_plays(whole, dataset):
    results, table = json.loads(whole.results.read_text()), pl.read_parquet(dataset)
    epochs = results["epochs"]
    assert results["learned"] + results["held_out"] == 400
    assert epochs[-1]["loss"] < epochs[0]["loss"] * 0.75
    kept = epochs[results["best"] - 1]
    assert kept["held_out_loss"] == min(epoch["held_out_loss"] for epoch in epochs)
    assert kept["accuracy"] > 0.5
    assert kept["value_loss"] < table["expected"].var()
    network = agents.make(f"policy:path={whole.model}", "TicTacToe")
    same = [network.act(Position("TicTacToe", row["position"])) == row["move"] for row in table.iter_rows(named=True)]
    assert np.mean(same) > 0.6
    held_out = held_out_rows(table["game"].to_numpy(), 0.2, 0)
    assert np.mean(np.array(same)[held_out]) == pytest.approx(kept["accuracy"])
    assert kept["accuracy"] != epochs[-1]["accuracy"]  # so that the line before can tell them apart
    assert "It plays the teacher" in whole.report.read_text(encoding="utf-8")


def test_a_killed_imitation_ends_at_the_same_network(whole, dataset, tmp_path, monkeypatch):
    config = checked(CONFIG | {"dataset": str(dataset), "epochs": 12, "patience": 12})
    with monkeypatch.context() as patched:
        measured = Learner._measured
        patched.setattr(Learner, "_measured", lambda learner, number, *rest: 1 / 0 if number == 4 else measured(learner, number, *rest))
        with pytest.raises(ZeroDivisionError):
            run(config, tmp_path / "part")
    part = run(config, tmp_path / "part")
    assert json.loads(part.results.read_text()) == json.loads(whole.results.read_text())
    assert part.model.read_bytes() == whole.model.read_bytes()


def test_it_stops_when_the_loss_no_longer_falls(dataset, tmp_path):
    folder = RunFolder(tmp_path)
    learner = Learner(checked(CONFIG | {"dataset": str(dataset), "epochs": 9, "patience": 2}), folder, Game("TicTacToe"))
    for number, (loss, is_finished) in enumerate([(3, False), (2, False), (2.5, False), (2, True)], start=1):
        assert not learner.is_finished
        learner.epochs.append(Epoch(number=number, loss=0.0, policy_loss=0.0, value_loss=0.0, held_out_loss=float(loss), accuracy=0.0))
        assert learner.is_finished == is_finished
    assert learner.best == 2


@pytest.mark.parametrize("game", ["ConnectFour", "Gomoku:size=5"])
def test_a_turned_row_is_the_row_of_the_turned_game(game):
    game = Game.of(game)
    symmetries, chance = Symmetries(game), np.random.default_rng(2)
    for number, (_, actions) in enumerate(game.symmetries):
        position, image = Position(game), Position(game)
        for _ in range(6):
            move = int(chance.choice(position.legal_moves))
            batch = row_of(position, move)
            turned = symmetries.turned(batch, torch.tensor([number]))
            for part, expected in zip(turned, row_of(image, actions[move]), strict=True):
                assert torch.equal(part, expected)
            position.push(move)
            image.push(actions[move])


def test_turned_rows_of_a_game_with_a_start_of_its_own_are_where_its_symmetries_say():
    game = Game.of("Isola:width=5,height=5")
    position, symmetries = Position(game, "a5-a2 e1-e3"), Symmetries(game)
    for number, (cells, actions) in enumerate(game.symmetries):
        move = position.legal_moves[7]
        row, turned = row_of(position, move), symmetries.turned(row_of(position, move), torch.tensor([number]))
        assert torch.equal(turned.observations[0][:, cells], row.observations[0])
        assert turned.masks[0].nonzero().flatten().tolist() == sorted(actions[legal] for legal in position.legal_moves)
        assert turned.moves.item() == turned.targets.argmax().item() == actions[move]


def row_of(position, move):
    """Returns a position as a batch of one row."""
    observation, mask = torch.tensor(position.observation()), torch.tensor(position.mask)
    target = torch.nn.functional.one_hot(torch.tensor([move]), len(mask))
    return Batch(observation.reshape(1, len(observation), -1), mask[None].bool(), target, torch.tensor([move]), torch.tensor([0.5]))


def test_all_rows_of_a_game_are_held_out_together():
    games = np.repeat(np.arange(50), 7)
    held_out = held_out_rows(games, 0.1, seed=1)
    assert held_out.sum() == 35
    assert not set(games[held_out]) & set(games[~held_out])
    assert not np.array_equal(held_out, held_out_rows(games, 0.1, seed=2))
    with pytest.raises(ConfigError, match="expected rows of at least two games, got 1"):
        held_out_rows(games[:7], 0.1, seed=1)


def test_scores_of_moves_are_soft_targets(dataset, tmp_path):
    table = pl.read_parquet(dataset).head(2)
    scores = pl.Series("scores", [[100, 0, *[None] * 7], None], pl.Array(pl.Int64, 9))
    path = tmp_path / "scored.parquet"
    table.with_columns(scores).write_parquet(path)
    _, rows = read_rows(path, Game("TicTacToe"), 50.0)
    assert rows.targets[0].tolist() == pytest.approx([np.exp(2) / (np.exp(2) + 1), 1 / (np.exp(2) + 1), *[0] * 7])
    assert rows.targets[1].argmax() == rows.moves[1]
    assert read_rows(path, Game("TicTacToe"), None)[1].targets[0].max() == 1


def test_what_is_no_data_set_is_refused(dataset, tmp_path):
    with pytest.raises(ConfigError, match=r"observation: expected Array\(Int8, shape=\(2, 6, 7\)\) as in Game"):
        run(checked(CONFIG | {"game": "ConnectFour", "dataset": str(dataset)}), tmp_path / "other")
    with pytest.raises(ConfigError, match=r"dataset: expected the Parquet file of a data set, got .*, which is no file"):
        checked(CONFIG | {"dataset": str(tmp_path)})
    (tmp_path / "text").write_text("no table")
    pl.DataFrame({"game": [1]}).write_parquet(tmp_path / "table")
    for name in ("text", "table"):
        with pytest.raises(ConfigError, match=f"{name}: expected a data set"):
            run(checked(CONFIG | {"dataset": str(tmp_path / name)}), tmp_path / f"{name}-run")
