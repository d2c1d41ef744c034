"""Tournaments: the same games wherever they are played and however often the run is killed, and what their results say."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sparring.experiments.games.log import read_games
from sparring.experiments.kinds import checked
from sparring.experiments.kinds.paired_games import Evidence
from sparring.experiments.kinds.tournament.results import RatingsRecord
from sparring.experiments.kinds.tournament.run import run_tournament
from sparring.experiments.run_folder import RunFolder
from sparring.experiments.statistics.game_results import results_of_games
from sparring.experiments.statistics.rating import fit
from sparring.experiments.statistics.sprt import sprt

from .results import plain

PLAYERS = ["random", "greedy", "alphabeta:depth=2", "mcts:simulations=20", "window_scan:depth=2"]
MIXED = {"kind": "tournament", "game": "TicTacToe", "agents": PLAYERS, "games": 6, "seed": 3, "name": "mixed"}
SPRT = {"elo0": 0.0, "elo1": 150.0, "alpha": 0.2, "beta": 0.2}
SLOW_AGENTS = """
import time

def slow(position):
    time.sleep(0.002)
    return position.legal_moves[hash(tuple(position.moves)) % len(position.legal_moves)]
"""
SLOW = {
    "kind": "tournament",
    "game": "TicTacToe",
    "agents": ["random", "python:target=slow_agents:slow", "random", "poor"],
    "opening_judge": None,
    "games": 60,
    "seed": 3,
    "name": "slow",
}
DRIVER = """
import json, sys
from pathlib import Path
from sparring.experiments.kinds import checked
from sparring.experiments.run_folder import RunFolder
from sparring.experiments.kinds.tournament.run import run_tournament
run_tournament(checked(json.loads(sys.argv[1])), RunFolder(Path(sys.argv[2])))
"""


def play(folder, **changes):
    """Returns results and games of a tournament."""
    folder.mkdir(exist_ok=True)
    config = checked({**MIXED, "executor": {"workers": 0}, **changes})
    return plain(run_tournament(config, RunFolder(folder))), games_of(folder)


def games_of(folder):
    """Returns the lines of a log by id, without what the clock decides."""
    games = sorted(read_games(folder / "games.jsonl"), key=lambda game: game["id"])
    assert len({game["id"] for game in games}) == len(games)
    return [json.dumps({**game, "seconds": None}) for game in games]


def untimed(results):
    return json.loads(json.dumps(results), object_hook=lambda found: {key: found[key] for key in found if key != "seconds_per_move"})


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    return play(tmp_path_factory.mktemp("mixed"))


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_seed_gives_the_same_games_from_any_number_of_workers(mixed, tmp_path, workers):
    results, games = play(tmp_path, executor={"workers": workers})
    assert games == mixed[1]
    assert untimed(results) == untimed(mixed[0])


def test_another_seed_gives_other_games(mixed, tmp_path):
    assert play(tmp_path, seed=4)[1] != mixed[1]


def test_a_tournament_that_goes_on_plays_only_what_is_missing(mixed, tmp_path):
    kept = random.Random(1).sample(mixed[1], 23)
    (tmp_path / "games.jsonl").write_text("".join(f"{json.dumps({**json.loads(game), 'seconds': [1, 2]})}\n" for game in kept) + '{"id": 3')
    results, games = play(tmp_path)
    assert games == mixed[1]
    assert [json.dumps({**game, "seconds": None}) for game in list(read_games(tmp_path / "games.jsonl"))[:23]] == kept
    assert untimed(results) == untimed(mixed[0])


def test_tests_leave_exactly_the_games_up_to_each_verdict(tmp_path):
    words = {"agents": ["random", "greedy", "alphabeta:depth=1"], "games": 40, "opening_plies": 2}
    _, whole = play(tmp_path / "whole", **words)
    results, games = play(tmp_path / "test", sprt=SPRT, **words)
    expected = []
    for place, pairing in enumerate(results["pairings"]):
        one, own = pairing["agents"][0], [game for game in map(json.loads, whole) if game["id"] // 2 % 3 == place]
        counts, seen, verdict = np.zeros(5), set(), None
        for first, second in zip(own[::2], own[1::2], strict=True):
            expected += [first, second]
            counts[round(2 * sum(0.5 if game["result"] == "draw" else game[game["result"]] == one for game in (first, second)))] += 1
            seen.add((first["moves"], second["moves"]))
            verdict = sprt(counts * len(seen) / counts.sum(), **SPRT).verdict
            if verdict:
                break
        assert pairing["sprt"]["verdict"] == verdict
    assert any(pairing["sprt"]["verdict"] for pairing in results["pairings"])
    assert len(expected) < len(whole)
    assert [json.loads(game) for game in games] == sorted(expected, key=lambda game: game["id"])


def test_pairs_that_repeat_each_other_weigh_little_but_what_they_say():
    """One agent wins nine tenths of a hundred pairs by the same two games; the other deviates ten times, each time otherwise, and wins."""
    evidence = Evidence()
    for number in range(100):
        is_upset = number % 10 == 9
        evidence.add(0.0 if is_upset else 2.0, number if is_upset else -1)
    assert evidence.weights() == pytest.approx(np.array([10, 0, 0, 0, 90]) * 11 / 100)
    assert sprt(evidence.weights(), -100, 100).verdict == "accepted"
    evidence = Evidence()
    for _ in range(100):
        evidence.add(2.0, -1)
    assert sprt(evidence.weights(), 0, 50).verdict is None, "one pair, a hundred times"


def test_tests_end_at_the_same_games_from_any_number_of_workers(tmp_path):
    words = {"agents": ["random", "greedy", "poor"], "games": 60, "opening_plies": 2, "sprt": SPRT}
    expected, games = play(tmp_path / "here", **words)
    results, others = play(tmp_path / "workers", executor={"workers": 2}, **words)
    assert others == games
    assert untimed(results) == untimed(expected)
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "games.jsonl").write_text("".join(f"{game}\n" for game in games[5:20]).replace("null", "[1, 1]", 15))
    assert play(tmp_path / "again", **words)[1] == games


def test_results_come_from_the_log(mixed):
    results, games = json.loads(json.dumps(mixed[0], allow_nan=False)), [json.loads(game) for game in mixed[1]]
    ratings = fit(results_of_games(games))
    assert results["ratings"]["players"] == list(ratings.players)
    assert RatingsRecord(**results["ratings"]).as_ratings.elo == pytest.approx(ratings.elo, abs=1e-3)
    assert [row["elo"]["value"] for row in results["standings"]] == sorted(
        (row["elo"]["value"] for row in results["standings"]), reverse=True
    )
    for row in results["standings"]:
        own = [game for game in games if row["agent"] in (game["first"], game["second"])]
        points = sum(0.5 if game["result"] == "draw" else game[game["result"]] == row["agent"] for game in own)
        assert (row["games"], row["value"]) == (len(own), pytest.approx(points / len(own)))
        assert sum(sum(outcomes.values()) for outcomes in row["outcomes"].values()) == len(own)
        wins = sum(game["result"] == "first" and game["first"] == row["agent"] for game in own)
        assert row["outcomes"]["first"]["win"] == wins


def test_an_agent_that_breaks_is_named_and_the_tournament_goes_on(tmp_path, monkeypatch):
    (tmp_path / "breaking_agents.py").write_text("def breaks(position):\n    raise RuntimeError\n")
    monkeypatch.chdir(tmp_path)
    results, games = play(tmp_path / "run", agents=["random", "python:target=breaking_agents:breaks", "poor"], opening_judge=None)
    assert len(games) == 18
    last = results["standings"][-1]
    assert (last["agent"], last["forfeits"], last["value"]) == ("python:target=breaking_agents:breaks", {"crash": 12}, 0.0)
    assert results["warnings"][0].startswith("python:target=breaking_agents:breaks lost 6 games against random by an error ")
    assert all(not row["forfeits"] for row in results["standings"][:-1])


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds a driver's workers in /proc")
def test_a_tournament_whose_workers_and_driver_are_killed_ends_as_one_in_one_go(tmp_path, monkeypatch):
    (tmp_path / "slow_agents.py").write_text(SLOW_AGENTS)
    monkeypatch.chdir(tmp_path)
    _, expected = play(tmp_path / "whole", **SLOW)
    chance, victims = random.Random(2), ["worker", "driver", "worker", "worker", "driver"]
    log = tmp_path / "run" / "games.jsonl"
    log.parent.mkdir()
    driver = started(tmp_path)
    for moment, victim in zip(sorted(chance.sample(range(1, 300), len(victims))), victims, strict=True):
        while not log.exists() or log.read_bytes().count(b"\n") < moment or not workers_of(driver):
            assert driver.poll() is None, "has to be killed while it plays"
            time.sleep(0.002)
        if victim == "driver":
            driver.kill()
            driver.wait()
            driver = started(tmp_path)
        else:
            os.kill(chance.choice(workers_of(driver)), signal.SIGKILL)
    assert driver.wait(60) == 0
    assert games_of(tmp_path / "run") == expected


def started(folder):
    """Returns the process that plays the slow tournament in a folder."""
    words = json.dumps({**SLOW, "executor": {"workers": 2}})
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([sys.executable, "-c", DRIVER, words, str(folder / "run")], cwd=folder, env=environment)


def workers_of(driver):
    return [int(word) for word in Path(f"/proc/{driver.pid}/task/{driver.pid}/children").read_text().split()]
