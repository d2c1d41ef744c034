"""Data sets: every position once, with what the teacher thinks of it; the same rows after a kill; readable by polars and Minari."""

import itertools
import json
import shutil

import numpy as np
import pytest
from sparring import Game, Position, agents
from sparring.agents.search.scores import LIMIT, WIN, is_decisive
from sparring.experiments.games.log import read_games
from sparring.experiments.games.play import play_game
from sparring.experiments.kinds import checked
from sparring.experiments.kinds.dataset import rows as dataset_rows
from sparring.experiments.kinds.dataset.rows import expected_of, rows_of, scale_of
from sparring.experiments.kinds.dataset.run import task_of
from sparring.experiments.run import run

pl = pytest.importorskip("polars", reason="needs the extra `parquet`")
CONFIG = {
    "kind": "dataset",
    "name": "it",
    "game": "TicTacToe",
    "agents": ["random", "alphabeta:depth=2"],
    "teacher": "alphabeta:depth=2",
    "positions": 100,
    "opening_plies": 1,
    "executor": {"workers": 0},
    "seed": 3,
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a finished run."""
    pytest.importorskip("minari", reason="needs the extra `minari`")
    return run(checked(CONFIG | {"minari": True}), tmp_path_factory.mktemp("dataset") / "whole").path


def images(planes):
    """Returns the eight images of a square board as bytes."""
    turned = [np.rot90(planes, quarters, (1, 2)) for quarters in range(4)]
    return {image.tobytes() for board in turned for image in (board, board[:, :, ::-1])}


def test_every_position_comes_once_with_all_its_images(whole):
    table = pl.read_parquet(whole / "dataset.parquet")
    boards = table["observation"].to_numpy()
    assert boards.shape == (100, 2, 3, 3)
    assert boards.dtype == np.int8
    for one, other in itertools.combinations(zip(table["seat"], boards, strict=True), 2):
        assert one[0] != other[0] or other[1].tobytes() not in images(one[1])


def test_rows_say_what_the_teacher_and_the_game_say(whole):
    table, teacher = pl.read_parquet(whole / "dataset.parquet"), agents.make("alphabeta:depth=2", "TicTacToe")
    games = {game["id"]: game for game in read_games(whole / "games.jsonl")}
    for row in table.iter_rows(named=True):
        game = games[row["game"]]
        position = Position("TicTacToe", " ".join(game["moves"].split()[: row["ply"]]))
        assert (position.text, position.side) == (row["position"], row["seat"])
        assert np.array_equal(position.observation(), row["observation"])
        assert np.array_equal(position.mask, row["mask"])
        found = teacher.analyse(position)
        assert (found.move, found.score, found.is_final) == (row["move"], row["score"], row["is_proven"])
        assert row["scores"] is None
        assert position.move_text(row["played"]) == game["moves"].split()[row["ply"]]
        assert row["result"] == {"draw": 0, "first": 1, "second": -1}[game["result"]] * (1 if row["seat"] == 0 else -1)
        assert np.sign(row["expected"]) == np.sign(row["score"])
        assert (abs(row["expected"]) == 1) == is_decisive(row["score"])
    assert {game["opening"] for game in games.values()} == {1}
    results = json.loads((whole / "results.json").read_text())
    assert results["agreement"] == (table["played"] == table["move"]).mean()
    assert results["games"] <= len(games)
    assert "100 positions of" in (whole / "report.html").read_text(encoding="utf-8")


def test_a_killed_run_ends_at_the_same_rows_on_workers(whole, tmp_path):
    part = tmp_path / "part"
    shutil.copytree(whole, part)
    (part / "run.json").write_text(json.dumps(json.loads((part / "run.json").read_text()) | {"finished": None}))
    for path in (part / "results.json", part / "dataset.parquet"):
        path.unlink()
    lines = (whole / "games.jsonl").read_text().splitlines(keepends=True)
    (part / "games.jsonl").write_text(lines[6] + "".join(lines[:4]) + lines[4][:50])  # as workers and a kill leave it
    run(checked(CONFIG | {"minari": True, "executor": {"workers": 2}}), part)
    assert (part / "results.json").read_text() == (whole / "results.json").read_text()
    assert pl.read_parquet(part / "dataset.parquet").equals(pl.read_parquet(whole / "dataset.parquet"))


def test_minari_loads_it(whole, monkeypatch):
    minari = pytest.importorskip("minari", reason="needs the extra `minari`")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(whole / "minari"))
    dataset, table = minari.load_dataset("sparring/it-v0"), pl.read_parquet(whole / "dataset.parquet")
    assert (dataset.total_steps, dataset.total_episodes) == (100, table["game"].n_unique())
    episodes = list(dataset.iterate_episodes())
    for name, column in (("move", "actions"), ("result", "result"), ("expected", "expected"), ("mask", "mask")):
        found = np.concatenate([episode.actions if column == "actions" else episode.infos[column] for episode in episodes])
        assert np.array_equal(found, table[name].to_numpy())
    boards = np.concatenate([episode.observations[:-1] for episode in episodes])
    assert np.array_equal(boards, table["observation"].to_numpy())
    assert all(np.flatnonzero(episode.terminations).tolist() == [len(episode) - 1] for episode in episodes)
    assert dataset.recover_environment().unwrapped.spec.id == "sparring/TicTacToe-v0"


def test_a_game_without_new_positions_is_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr(dataset_rows, "LAST_TRIES", 40)
    config = CONFIG | {"game": "ConnectK:width=2,height=2,k=2,gravity=true", "agents": "random", "teacher": "random", "opening_plies": 0}
    folder = run(checked(config), tmp_path / "small")
    results = json.loads(folder.results.read_text())
    assert results["positions"] == 4  # the empty board, a stone, one beside it or on top of it; the next one wins
    assert results["scale"] is None
    assert results["warnings"] == ["96 positions are missing, as the last games had no new ones"]


def test_scores_of_all_moves_become_a_column(tmp_path):
    folder = run(checked(CONFIG | {"agents": "random", "teacher": "mcts:simulations=60", "positions": 20}), tmp_path / "mcts")
    table = pl.read_parquet(folder.path / "dataset.parquet")
    for row in table.iter_rows(named=True):
        known = [move for move, score in enumerate(row["scores"]) if score is not None]
        assert known
        assert all(row["mask"][move] for move in known)
        assert row["scores"][row["move"]] == row["score"]


def test_moves_are_drawn_at_random_as_often_as_asked():
    config = checked(CONFIG | {"agents": "alphabeta:depth=2", "random_moves": 0.5, "opening_plies": 0})
    rows = [row for number in range(60) for row in rows_of(Game("TicTacToe"), play_game(task_of(config, number)))]
    assert 0.5 < np.mean([row.played == row.move for row in rows]) < 0.8  # of the random ones some are the teacher's as well
    assert {row.played for row in rows if row.ply == 0} == set(range(9))


def test_the_scale_is_the_one_that_made_the_results():
    entry = play_game(task_of(checked(CONFIG), 0))
    row, chance = next(rows_of(Game("TicTacToe"), entry)), np.random.default_rng(1)
    scores = chance.integers(-900, 900, 20_000)
    results = np.where(chance.random(20_000) < (1 + np.tanh(scores / 300)) / 2, 1, -1)
    rows = [row._replace(score=int(score), result=int(result), is_proven=False) for score, result in zip(scores, results, strict=True)]
    lost_after_all = [row._replace(score=1000, result=-1, is_proven=True)] * 20_000
    assert scale_of([*rows, *lost_after_all]) == pytest.approx(300, rel=0.05)
    proven = [row._replace(score=score, is_proven=True) for score in (-5, 0, 7)]
    assert expected_of([*proven, row._replace(score=None)], None) == [-1, 0, 1, None]


def test_a_win_seen_by_a_search_that_a_limit_cut_short_is_proven():
    entry = play_game(task_of(checked(CONFIG), 0))
    entry["labels"] |= {"scores": [WIN - 5, LIMIT] + [0] * (entry["plies"] - 2), "final": [False] * entry["plies"]}
    assert [row.is_proven for row in rows_of(Game("TicTacToe"), entry)][:3] == [True, False, False]


def test_what_cannot_be_a_row_is_refused(tmp_path, monkeypatch):
    (tmp_path / "bad.py").write_text(
        "def illegal(position):\n    return 99\n\n\ndef legal(position):\n    return position.legal_moves[0]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    for key, message in (
        ("agents", r"^game 0: expected one that the rules decide, got a loss: expected a legal move, got 99$"),
        ("teacher", r"^teacher: expected a legal move, got 99 after "),
    ):
        config = checked(CONFIG | {"agents": "random", key: "python:target=bad:illegal", "random_moves": 0.0})
        with pytest.raises(ValueError, match=message):
            run(config, tmp_path / key)


def test_labels_of_another_run_are_refused(whole, tmp_path):
    game = next(iter(read_games(whole / "games.jsonl")))
    for change, message in (
        ({"labels": None}, "labels: missing"),
        ({"labels": game["labels"] | {"moves": [0]}}, "labels.moves: expected"),
        ({"labels": game["labels"] | {"moves": [0] * game["plies"]}}, "labels: expected legal moves at ply"),
    ):
        part = tmp_path / str(len(list(tmp_path.iterdir())))
        shutil.copytree(whole, part)
        (part / "run.json").write_text(json.dumps(json.loads((part / "run.json").read_text()) | {"finished": None}))
        (part / "games.jsonl").write_text(json.dumps(game | change) + "\n")
        with pytest.raises(ValueError, match=message):
            run(checked(CONFIG | {"minari": True}), part)
