"""Ladders: package data that is what it says it is, rungs as agents, and files that are none."""

import itertools
import json
from importlib.resources import files

import gymnasium
import numpy as np
import pytest
from sparring import Game, agents
from sparring.agents.ladder import FOLDER, Ladder, Rung, ladder, ladder_file, ladder_of, read_ladder
from sparring.envs.rules.errors import AgentError

SHIPPED = sorted(entry.name for entry in (files("sparring.agents") / FOLDER).iterdir())
LADDERS = {  # the games that must have one, with the systems that play them
    "ConnectFour": ({}, {"window_scan", "ways_to_win", "four_patterns"}),
    "ConnectK": ({"width": 9, "height": 7, "k": 5, "gravity": False}, {"window_scan", "ways_to_win"}),
    "ConnectK with gravity": ({"width": 9, "height": 7, "k": 5, "gravity": True}, {"window_scan", "ways_to_win"}),
    "TicTacToe": ({}, {"window_scan", "ways_to_win"}),
    "Gomoku": ({}, {"pattern_table"}),
    "Isola with queens": ({"rules": "queen"}, {"mobility"}),
    "Isola classic": ({"rules": "classic"}, {"mobility"}),
}
STEP = 200  # Elo between neighbours at most
WIDER = {("Gomoku", "mcts:simulations=1700"): 210, ("Gomoku", "mcts:simulations=10000"): 210}  # by the rung below
SMALL = Ladder(
    game={"id": "sparring/TicTacToe-v0", "parameters": {"width": 3, "height": 3, "k": 3, "gravity": False}},
    version=1,
    package_version="0.1.0",
    rungs=(Rung("random", {"name": "random"}, 0.0, 0.0, 0.0, 8, 0.5, 0.25, "", ["b2"]),),
    anchor="random",
    openings={"plies": 2, "judge": None, "seed": 0},
    model="davidson",
    advantage=30.0,
    draw=0.5,
    covariance=[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
)


def plain(of):
    return of._asdict() | {"rungs": [rung._asdict() for rung in of.rungs]}


def game_of(label):
    return Game.of(label.split()[0], **LADDERS[label][0])


def test_the_games_with_a_ladder_are_those_that_must_have_one():
    assert sorted(ladder_file(game_of(label)) for label in LADDERS) == SHIPPED


@pytest.mark.parametrize("label", LADDERS)
def test_a_ladder_begins_with_random_play_and_holds_every_sort_of_agent(label):
    found = ladder(game_of(label))
    assert len(found.rungs) >= 8
    assert (found.rungs[0].name, found.rungs[0].elo, found.anchor) == ("random", 0.0, "random")
    assert {rung.spec["name"] for rung in found.rungs} >= {"greedy", *LADDERS[label][1]}
    assert {rung.spec.get("simulations") for rung in found.rungs} >= {100, 1_000, 10_000}
    assert agents.identity_of("good") in [agents.identity_of(rung.spec) for rung in found.rungs]


@pytest.mark.parametrize("label", LADDERS)
def test_neighbours_on_a_ladder_are_close(label):
    steps = {(low.name, high.name): round(high.elo - low.elo) for low, high in itertools.pairwise(ladder(game_of(label)).rungs)}
    assert {names: step for names, step in steps.items() if step >= WIDER.get((label, names[0]), STEP)} == {}


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_ladder_is_of_its_game_and_its_rungs_can_play(name):
    data = json.loads((files("sparring.agents") / FOLDER / name).read_text(encoding="utf-8"))
    free = Game.free_parameters(data["game"]["id"])
    game = Game.of(data["game"]["id"], **{key: value for key, value in data["game"]["parameters"].items() if key in free})
    found = ladder(game)
    assert ladder_file(game) == name
    assert found == ladder_of(data)
    assert found.game == {"id": game.id, "parameters": game.parameters}
    assert [rung.elo for rung in found.rungs] == sorted(rung.elo for rung in found.rungs)
    assert len({rung.name for rung in found.rungs}) == len(found.rungs)
    assert all(rung.low <= rung.elo <= rung.high and rung.games > 0 for rung in found.rungs)
    assert {len(row) for row in found.covariance} == {len(found.covariance)} == {len(found.rungs) + 2}
    assert found.anchor in [rung.name for rung in found.rungs]
    for rung in found.rungs:
        assert agents.spec_text(rung.spec) == rung.name
        assert not {"seconds", "path", "target"} & set(rung.spec), "plays the same everywhere"
        agents.make(rung.spec, game)


def test_a_game_has_its_ladder_however_its_parameters_are_written():
    assert ladder("Isola", width=8, height=8, starts=None) == ladder("Isola")
    with pytest.raises(AgentError, match=r"no ladder for Game\('sparring/Isola-v0', .*width=7.*; an evaluation's `ladder` can be a file"):
        ladder("Isola", width=7)


def test_a_rung_is_an_agent_by_its_place():
    rungs = ladder("TicTacToe").rungs
    for place, rung in enumerate(rungs):
        for spec in (f"ladder:{place}", f"ladder:rung={place}", {"name": "ladder", "rung": place}):
            agent = agents.make(spec, "TicTacToe")
            assert agent.name == rung.spec["name"]
            assert type(agent) is type(agents.make(rung.spec, "TicTacToe"))


def games_against(opponent, count):
    """Returns what a few moves show of games against an opponent, one by one (`count` 0) or in a batch."""
    words = {"opponent": opponent, "seat": "second"}
    env = gymnasium.make_vec("sparring/TicTacToe-v0", count, **words) if count else gymnasium.make("sparring/TicTacToe-v0", **words)
    random, seen = np.random.default_rng(1), []
    for seed in range(3):
        observations, info = env.reset(seed=seed)
        for _ in range(3):
            seen.append(np.array(observations))
            masks = np.atleast_2d(info["action_mask"])
            actions = [random.choice(np.flatnonzero(mask)) for mask in masks]
            observations, _, over, _, info = env.step(actions if count else actions[0])
            if np.any(over):
                break
    env.close()
    return np.concatenate([observation.ravel() for observation in seen])


@pytest.mark.parametrize("count", [0, 4], ids=["make", "make_vec"])
@pytest.mark.parametrize("place", [3, 4])
def test_a_rung_is_an_opponent(place, count):
    found = games_against(f"ladder:{place}", count)
    assert np.array_equal(found, games_against(ladder("TicTacToe").rungs[place].spec, count))
    assert not np.array_equal(found, games_against("ladder:0", count))


@pytest.mark.parametrize(
    ("spec", "game", "message"),
    [
        ("ladder:99", "TicTacToe", r"agent 'ladder': rung: expected 0 to \d+ for TicTacToe, got 99"),
        ("ladder:rung=-1", "TicTacToe", "rung: expected at least 0, got -1"),
        ("ladder:-1", "TicTacToe", "rung: expected at least 0, got -1"),
        ("ladder:x", "TicTacToe", "expected key=value after the name, got 'x'"),
        ("ladder:1", "ConnectK:width=4,height=4,k=4", "no ladder for Game"),
    ],
)
def test_a_rung_that_is_not_there_is_named(spec, game, message):
    name, _, words = game.partition(":")
    parameters = {key: int(value) for key, _, value in (word.partition("=") for word in words.split(",") if word)}
    with pytest.raises(AgentError, match=message):
        agents.make(spec, name, **parameters)


def test_a_ladder_comes_back_from_its_file(tmp_path):
    path = tmp_path / "ladder.json"
    path.write_text(json.dumps(plain(SMALL)))
    assert read_ladder(path) == SMALL


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "7", '{"rungs": [7]}', json.dumps(plain(SMALL) | {"more": 1}), json.dumps(plain(SMALL) | {"rungs": [{}]}), "\ud800"],
)
def test_a_file_that_is_no_ladder_is_one_line(tmp_path, text):
    path = tmp_path / "ladder.json"
    path.write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(AgentError, match=r"expected the file of a ladder, got '.*ladder\.json': ") as error:
        read_ladder(path)
    assert "\n" not in str(error.value)
    with pytest.raises(AgentError, match="expected the file of a ladder"):
        read_ladder(tmp_path)


def test_files_are_named_by_what_can_be_chosen():
    assert ladder_file(Game.of("ConnectFour")) == "ConnectFour.json"
    assert ladder_file(Game.of("Gomoku", size=9)) == "Gomoku-size=9-rule=freestyle.json"
