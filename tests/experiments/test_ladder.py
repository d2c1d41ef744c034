"""Ladders as a tournament writes them: rungs in order, seats, the anchor, and ratings that come back from the file."""

import json
from importlib.resources import files

import numpy as np
import pytest
from sparring.agents.ladder import FOLDER, ladder_of, read_ladder
from sparring.envs.rules.errors import ConfigError
from sparring.experiments.games.log import read_games
from sparring.experiments.games.task import game_from
from sparring.experiments.kinds import checked
from sparring.experiments.kinds.ladder.run import answers_of, ratings_of_ladder, run_ladder
from sparring.experiments.kinds.tournament.results import RatingsRecord
from sparring.experiments.run_folder import RunFolder

from .results import plain

CONFIG = {
    "kind": "ladder",
    "game": "TicTacToe",
    "agents": ["random", "greedy", "alphabeta:depth=1", "mcts:simulations=20", "alphabeta:depth=3"],
    "games": 20,
    "reach": 2,
    "opening_plies": 2,
    "version": 3,
    "seed": 1,
    "name": "small",
    "executor": {"workers": 0},
}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Results, ladder and games of a quick ladder."""
    folder = RunFolder(tmp_path_factory.mktemp("ladder"))
    results = plain(run_ladder(checked(CONFIG), folder))
    return results, read_ladder(folder.ladder), list(read_games(folder.games))


def test_rungs_stand_from_the_weakest_to_the_strongest(played):
    results, ladder, _ = played
    assert [rung.name for rung in ladder.rungs] == [row["agent"] for row in results["standings"]][::-1]
    assert [rung.elo for rung in ladder.rungs] == sorted(rung.elo for rung in ladder.rungs)
    assert ladder.rungs[0] == ladder.rungs[0]._replace(name="random", spec={"name": "random"}, elo=0.0, low=0.0, high=0.0)
    assert (ladder.anchor, ladder.version, results["version"], results["kind"]) == ("random", 3, 3, "ladder")
    assert ladder.openings == {"plies": 2, "judge": "alphabeta:nodes=5000", "seed": 1}


def test_scores_are_those_of_each_seat(played):
    _, ladder, games = played
    for rung in ladder.rungs:
        for seat, score in (("first", rung.first), ("second", rung.second)):
            own = [game for game in games if game[seat] == rung.name]
            points = sum(0.5 if game["result"] == "draw" else game["result"] == seat for game in own)
            assert score == pytest.approx(points / len(own), abs=1e-4)
        assert rung.games == sum(rung.name in (game["first"], game["second"]) for game in games)
        assert bool(rung.floating) == (rung.spec["name"] == "mcts")


def test_ratings_come_back_from_the_file(played):
    results, ladder, _ = played
    before, after = RatingsRecord(**results["ratings"]).as_ratings, ratings_of_ladder(ladder)
    for one in before.players:
        for other in before.players:
            expected, found = before.difference(one, other), after.difference(one, other)
            assert found == pytest.approx(expected, abs=0.2)
            assert after.expected(one, other, "first") == pytest.approx(before.expected(one, other, "first"), abs=1e-3)
    assert after.advantage == pytest.approx(before.advantage, abs=1e-3)
    assert np.allclose(after.covariance, after.covariance.T)


def test_a_ladder_played_by_workers_is_the_same_file(played, tmp_path):
    folder = RunFolder(tmp_path)
    run_ladder(checked({**CONFIG, "executor": {"workers": 2}}), folder)
    assert read_ladder(folder.ladder) == played[1]
    assert json.loads(folder.ladder.read_text())["rungs"][0]["name"] == "random"


@pytest.mark.parametrize(
    ("agents", "message"),
    [
        (["random", "alphabeta:seconds=0.1"], "agents.1: expected an agent that plays the same everywhere"),
        (["random", "python:target=math:sqrt"], "agents.1: expected an agent that plays the same everywhere"),
        (["random", "ladder:1"], "agents.1: expected an agent that plays the same everywhere"),
        (["random", "window_scan:nodes=5000,ponder=true"], "agents.1: expected an agent that plays the same everywhere"),
        (["random", "greedy", "random"], "agents.2: expected every agent once, got random, the same as agents.0"),
        (["random", "good", "alphabeta:depth=2", "good"], "agents.3: expected every agent once, got good, the same as agents.1"),
        (["random", "greedy", "poor"], "agents.2: expected every agent once, got poor, the same as agents.0"),
        (["good", "alphabeta:depth=3"], "agents.1: expected every agent once, got alphabeta:depth=3, the same as agents.0"),
        (["mcts:simulations=9", "mcts:simulations=9,reuse=true"], "agents.1: expected every agent once"),
    ],
)
def test_agents_that_make_no_ladder_are_named(agents, message):
    with pytest.raises(ConfigError, match=f"^{message}"):
        checked({**CONFIG, "agents": agents})


def test_parameters_that_are_written_out_make_no_mistake():
    agents = ["random", "good", "best:depth=3", "alphabeta:depth=3,seconds=none,tie_break=random", "window_scan:ponder=false"]
    assert len(checked({**CONFIG, "agents": agents}).agents) == len(agents)


QUICK = {"depth": 4, "nodes": 5000, "simulations": 1000}  # budgets up to which a rung is asked here


OLDER = {  # by ladder: rungs that play otherwise than when they were rated
    "ConnectK-width=9-height=7-k=5-gravity=False": ("best:nodes=5000",),
    "ConnectK-width=9-height=7-k=5-gravity=True": ("best:nodes=5000",),
    "Gomoku-size=15-rule=freestyle": (
        "alphabeta:depth=1,weights.open_three=0",
        "alphabeta:depth=1,weights.win=0,weights.attack=0,weights.lesser_attack=0",
        "alphabeta:depth=1,weights.burden=0",
        "alphabeta:depth=1",
        "alphabeta:depth=2",
        "alphabeta:depth=4",
        "good",
        "best:nodes=1000",
        "best:nodes=5000",
    ),
    "Isola-rules=queen": ("best:nodes=1000", "best:nodes=5000"),
}


@pytest.mark.parametrize("name", sorted(entry.name for entry in (files("sparring.agents") / FOLDER).iterdir()))
def test_shipped_rungs_still_play_as_they_were_rated(name):
    """If this fails, the search plays otherwise than before: play the ladder anew, with the next version.

    The rungs of OLDER do so since they were rated; evaluations say so. None may be left once their ladders are played anew.
    """
    found = ladder_of(json.loads((files("sparring.agents") / FOLDER / name).read_text(encoding="utf-8")))
    quick = [rung for rung in found.rungs if all(rung.spec.get(word, 0) <= most for word, most in QUICK.items())]
    assert len(quick) > len(found.rungs) / 2
    for rung in quick:
        is_older = rung.name in OLDER.get(name.partition(".")[0], ())
        assert (answers_of(rung.spec, game_from(found.game)) != rung.answers) == is_older, rung.name
