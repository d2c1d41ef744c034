"""Evaluations: a rung comes back to its own rating, killed runs end alike, and whatever can play can be measured."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest
import sparring
from gymnasium.spaces import Box, Discrete
from sparring import agents
from sparring.agents.ladder import Ladder, Rung, read_ladder
from sparring.envs.game import Game
from sparring.envs.rules.errors import AgentError, ConfigError
from sparring.experiments.games.log import read_games
from sparring.experiments.games.play import play_game
from sparring.experiments.kinds import checked
from sparring.experiments.kinds.evaluate.run import OTHER_OPENINGS, LadderMeasurement, run_evaluate
from sparring.experiments.kinds.ladder.run import ratings_of_ladder, run_ladder
from sparring.experiments.kinds.tournament.results import OpeningsRecord
from sparring.experiments.run_folder import RunFolder
from sparring.experiments.statistics.estimate import Placement
from sparring.experiments.statistics.game_results import results_of_counts
from sparring.experiments.statistics.rating import Ratings, place_on_scale

from .results import plain

WRONG_BOARD = SimpleNamespace(policy=SimpleNamespace(), observation_space=Box(0, 1, (2, 6, 7)), action_space=Discrete(7))  # of a model
GAME = {"id": "sparring/TicTacToe-v0", "parameters": {"width": 3, "height": 3, "k": 3, "gravity": False}}
RUNGS = ["random", "alphabeta:depth=1", "greedy", "alphabeta:depth=2", "good"]


@pytest.fixture(scope="module")
def ladder(tmp_path_factory):
    """The file of a quick ladder."""
    folder = RunFolder(tmp_path_factory.mktemp("ladder"))
    words = {"agents": RUNGS, "games": 60, "reach": 4, "opening_plies": 2, "name": "quick", "executor": {"workers": 0}}
    run_ladder(checked({"kind": "ladder", "game": "TicTacToe", **words}), folder)
    return str(folder.ladder)


def evaluate(agent, ladder, **words):
    return sparring.evaluate(agent, "TicTacToe", ladder=ladder, **{"opening_plies": 2, "games": 80, **words})


@pytest.mark.parametrize("name", ["random", "alphabeta:depth=1", "greedy", "good"])
def test_a_rung_comes_back_to_its_own_rating(ladder, name):
    [rung] = [rung for rung in read_ladder(Path(ladder)).rungs if rung.name == name]
    found = evaluate(name, ladder, games=200, seed=9)
    assert found.outer_low <= rung.high
    assert rung.low <= found.outer_high
    if name == "random":
        assert found.high < min(other.elo for other in found.rungs if other.rung)


def model_ladder(seed):
    """Returns true ratings, and a ladder that knows them but for an error as large as its covariance says."""
    true = np.array([0.0, 150.0, 300.0, 450.0, 600.0])
    covariance = np.diag([0.0, 400.0, 400.0, 400.0, 400.0, 25.0, 0.01])
    elo = true + np.random.default_rng(seed).normal(0, [0, 20, 20, 20, 20])
    rungs = tuple(
        Rung(f"alphabeta:depth={n + 1}", {"name": "alphabeta", "depth": n + 1}, *[float(elo[n])] * 3, 9, 0.5, 0.5, "", []) for n in range(5)
    )
    openings = {"plies": 0, "judge": None, "seed": 0}
    ladder = Ladder(GAME, 1, "0.1.0", rungs, rungs[0].name, openings, "davidson", 40.0, 0.2, covariance.tolist())
    names = (*(rung.name for rung in rungs), "me")
    return true, ladder, lambda strength: Ratings(names, np.append(true, strength), 40.0, 0.2, np.zeros((8, 8)), 0.0, "davidson")


def test_the_interval_covers_the_truth_where_the_model_holds():
    within, inside, errors = 0, 0, []
    for seed in range(60):
        true, ladder, ratings_with = model_ladder(seed)
        strength = true[seed % 5]
        ratings, chance = ratings_with(strength), np.random.default_rng(1000 + seed)

        def play(batch, ratings=ratings, chance=chance):
            for task in batch:
                chances = ratings.probabilities(
                    *(player.name if player.name in ratings.players else "me" for player in (task.first, task.second)), "first"
                )
                result = chance.choice(["first", "draw", "second"], p=chances)
                yield {
                    "id": task.id,
                    "pair": task.pair,
                    "first": task.first.name,
                    "second": task.second.name,
                    "result": str(result),
                    "moves": str(task.id),
                }

        config = checked({"kind": "evaluate", "game": "TicTacToe", "agent": "random", "games": 160, "width": 1.0})
        measurement = LadderMeasurement(config, ladder, {"name": "mcts"})
        measurement.run(play)
        _, rating = measurement.rating()
        within += rating.outer_low <= strength <= rating.outer_high
        inside += rating.low <= strength <= rating.high
        errors.append(rating.value - strength)
    assert 54 <= within <= 60
    assert inside <= within
    assert abs(np.mean(errors)) < 15


@pytest.mark.parametrize("file", ["ConnectFour", "TicTacToe", "Isola-rules=queen"])
def test_results_that_a_strength_predicts_lead_back_to_it(file):
    """Against shipped ladders, whose errors are large and hang together: results exactly as expected, so that the maximum is known."""
    known = ratings_of_ladder(read_ladder(Path(sparring.__file__).parent / "agents" / "ladders" / f"{file}.json"))
    for strength in (known.elo[2] + 30, known.elo.mean(), known.elo[-1] + 50):
        both = Ratings((*known.players, "me"), np.append(known.elo, strength), known.advantage_elo, known.draw, np.eye(1), 0.0, "davidson")
        rivals = sorted(known.players, key=lambda name: abs(known.elo[known.players.index(name)] - strength))[:4]
        counts = {seats: 400 * both.probabilities(*seats, "first") for rival in rivals for seats in (("me", rival), (rival, "me"))}
        _, found = place_on_scale(results_of_counts(counts), "me", known)
        assert found.value == pytest.approx(strength, abs=2)
        assert found.outer_low < found.low < found.value < found.high < found.outer_high
        assert found.high - found.low < 60


def test_it_ends_at_the_width_or_after_all_games(ladder):
    found = evaluate("alphabeta:depth=1", ladder, width=400.0, games=2000)
    assert found.high - found.low <= 400
    assert found.games < 2000
    assert not any("interval is" in warning or "narrow" in warning for warning in found.warnings)
    found = evaluate("alphabeta:depth=1", ladder, width=1, games=20)
    assert found.games == 20
    assert found.warnings[0] == "the interval is wider than 1 after all 20 games"
    assert sum(rung.games for rung in found.rungs) == 20
    assert evaluate("alphabeta:depth=1", ladder, games=2).games == 2


@pytest.mark.parametrize(("power", "batches"), [(0.5, 1250), (0.1, 1250), (0.01, 13), (0.0, 13), (-0.1, 13)])
def test_it_gives_up_only_where_games_tell_next_to_nothing(monkeypatch, power, batches):
    """However many there are already: by the usual power of a half, the last of 1250 batches narrow the interval by a thousandth."""
    config = checked(
        {
            "kind": "evaluate",
            "game": "TicTacToe",
            "agent": "random",
            "games": 20000,
            "width": 1.0,
            "opening_plies": 0,
            "opening_judge": None,
        }
    )
    measurement = LadderMeasurement(config, model_ladder(0)[1], {"name": "mcts"})
    played = []

    def rating():
        reach = 1000 * len(played) ** -power
        return None, Placement(0, -reach, reach, -reach, reach)

    def next_batch():
        played.append(1)
        measurement._played["random"] += 8
        return []

    monkeypatch.setattr(measurement, "rating", rating)
    monkeypatch.setattr(measurement, "_next_batch", next_batch)
    measurement.run(iter)
    assert len(played) == batches
    assert ("hardly narrow" in measurement._warnings[-1]) == (batches == 13)


def test_a_run_that_was_cut_off_ends_with_the_same_results(ladder, tmp_path):
    words = {"agent": "alphabeta:depth=1", "games": 80, "ladder": ladder, "opening_plies": 2, "name": "cut", "executor": {"workers": 0}}
    config = checked({"kind": "evaluate", "game": "TicTacToe", **words})
    whole, cut = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "cut")
    for folder in (whole, cut):
        folder.path.mkdir()
    expected, lines = run_evaluate(config, whole), whole.games.read_bytes().splitlines(keepends=True)
    cut.games.write_bytes(b"".join(lines[20:33] + lines[:9]) + lines[40][:30])
    assert untimed(run_evaluate(config, cut)) == untimed(expected)
    assert games_of(cut) == games_of(whole)
    workers = RunFolder(tmp_path / "workers")
    workers.path.mkdir()
    assert untimed(run_evaluate(checked({**config.model_dump(), "executor": {"workers": 2}}), workers)) == untimed(expected)
    assert games_of(workers) == games_of(whole)


def games_of(folder):
    return sorted(({**game, "seconds": None} for game in read_games(folder.games)), key=lambda game: game["id"])


def untimed(results):
    return json.loads(json.dumps(plain(results)), object_hook=lambda found: {key: found[key] for key in found if key != "seconds_per_move"})


def first_move(position):
    return position.legal_moves[0]


class First:
    def act(self, position):
        return position.legal_moves[0]


class Policied(First):
    policy = "an attribute that models have, too"


def test_functions_objects_and_classes_are_measured_alike(ladder):
    found = [evaluate(agent, ladder, games=40) for agent in (first_move, First(), First, Policied())]
    assert len({(round(one.elo, 3), round(one.low, 3), round(one.high, 3)) for one in found}) == 1
    assert found[0].losses.keys() <= {"line"}
    assert str(found[0]).splitlines()[0] == (
        f"Elo {found[0].elo:.0f} (95 %: {found[0].low:.0f} to {found[0].high:.0f}, "
        f"with the ladder's own error {found[0].outer_low:.0f} to {found[0].outer_high:.0f}), 40 games"
    )


def test_a_spec_is_measured_like_its_agent_and_anywhere(ladder):
    one, other, third = (
        evaluate("greedy", ladder, games=40),
        evaluate(agents.make("greedy", "TicTacToe"), ladder, games=40),
        evaluate({"name": "greedy"}, ladder, games=40, executor={"workers": 1}),
    )
    assert (
        (one.elo, one.low, one.high, one.games)
        == (other.elo, other.low, other.high, other.games)
        == (third.elo, third.low, third.high, third.games)
    )


def test_an_agent_that_breaks_is_at_the_bottom_and_says_why(ladder):
    def breaks(position):
        raise RuntimeError("no idea")

    found = evaluate(breaks, ladder, games=20)
    assert found.losses == {"crash": 20}
    assert found.high < 0
    assert "it lost all games: its rating is an upper bound, and the interval does not say how much lower it is" in found.warnings
    assert found.warnings[-1] == "breaks lost 20 games by an error or the end of its process: RuntimeError: no idea"
    assert evaluate(lambda position: 99, ladder, games=20).losses == {"illegal": 20}


@pytest.mark.parametrize("game", ["sparring/ConnectK-v0", "Isola", "Isola:rules=classic", Game("Isola", width=8, height=8)])
def test_games_with_a_width_are_measured_by_id(game):
    assert sparring.evaluate("random", game, games=2, width=4000).games == 2


def test_a_host_that_ends_is_no_forfeit(ladder):
    def ends(position):
        sys.exit("asked to stop")

    with pytest.raises(SystemExit, match="asked to stop"):
        evaluate(ends, ladder, games=20)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rungs": []}, "expected rungs with numbers as ratings"),
        ({"covariance": [[1.0]]}, "expected a covariance of 7 rows and columns, for the rungs, the advantage and the draw parameter"),
        ({"advantage": "much"}, "advantage: expected a number, got 'much'"),
        ({"model": "elo"}, "expected a ladder whose model of draws is one of davidson, rao-kupper, got 'elo'"),
    ],
)
def test_a_ladder_that_is_none_is_one_line(ladder, tmp_path, changes, message):
    data = json.loads(Path(ladder).read_text())
    (tmp_path / "other.json").write_text(json.dumps(data | changes))
    with pytest.raises(ConfigError, match=f"ladder: .*{message}"):
        sparring.evaluate("greedy", "TicTacToe", ladder=str(tmp_path / "other.json"))


@pytest.mark.parametrize("every", [0, -1, 2.5, "often"])
def test_measurements_are_some_time_steps_apart(every):
    pytest.importorskip("stable_baselines3", reason="needs the extra `train`")
    from sparring.experiments.kinds.evaluate.callback import LadderCallback

    with pytest.raises(ConfigError, match=rf"^every: expected a whole number of time steps, at least 1, got {every!r}$"):
        LadderCallback("TicTacToe", every=every)


def test_a_model_is_measured_and_its_training_does_not_notice(ladder):
    sb3 = pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
    from sparring.experiments.kinds.evaluate.callback import LadderCallback

    weights = []
    for callback in (None, LadderCallback("TicTacToe", every=64, games=4, ladder=ladder)):
        env = gymnasium.make("sparring/TicTacToe-v0", opponent="random")
        model = sb3.MaskablePPO(
            "MlpPolicy", env, n_steps=32, batch_size=32, n_epochs=1, seed=1, device="cpu", policy_kwargs={"net_arch": [8]}
        )
        model.learn(128, callback=callback)
        weights.append(np.concatenate([weight.detach().numpy().ravel() for weight in model.policy.parameters()]))
        env.close()
    assert np.array_equal(*weights)
    assert list(callback.evaluations) == [64, 128]
    callback.evaluations.clear()
    model.learn(64, callback=callback)
    assert list(callback.evaluations) == [64]
    found = evaluate(model, ladder, games=20)
    assert found.games == 20
    assert "illegal" not in found.losses


@pytest.mark.parametrize(
    ("agent", "game", "words", "message"),
    [
        ("greedy", "Gomoku:size=9", {}, r"ladder: no ladder for Game\('sparring/Gomoku-v0'.*; there are some for Game"),
        ("gredy", "TicTacToe", {}, "unknown agent 'gredy'.*did you mean 'greedy'"),
        ("mobility", "TicTacToe", {}, "agent 'mobility' does not play TicTacToe"),
        (
            7,
            "TicTacToe",
            {},
            r"expected a name, a dict, an object with act\(position\) or its class, a model, or a function of a Position, got 7",
        ),
        (WRONG_BOARD, "TicTacToe", {}, "agent 'policy': expected a network for TicTacToe"),
        (lambda position: 0, "TicTacToe", {"executor": {"workers": 1}}, "executor: expected none for an object"),
        ("greedy", "TicTacToe", {"games": 3}, "games: expected a multiple of 2, got 3"),
        ("greedy", "TicTacToe", {"games": "3"}, "games: expected a whole number, got '3'"),
        ("greedy", "TicTacToe", {"width": "60"}, "width: expected a number, got '60'"),
        ("greedy", "TicTacToe", {"width": 0}, "width: expected more than 0, got 0"),
        (
            "greedy",
            "ConnectK",
            {"width": 9},
            "width: expected the width of an interval in Elo, more than 20, got 9; .*: 'ConnectK:width=9'",
        ),
        ("greedy", Game("Isola"), {"width": 6.0}, "write a board's with the game: 'Isola:width=6.0'"),
        ("greedy", "Isola", {"height": 6}, "height: expected no parameter of the game here, got 6; .*: 'Isola:height=6'"),
        ("greedy", "TicTacToe", {"wdth": 3}, "wdth: unknown key 'wdth'.*did you mean 'width'"),
        ("greedy", "TicTacToe", {"ladder": "absent.json"}, "ladder: expected the file of a ladder, got 'absent.json'"),
        ("greedy", "TicTacToe", {"executor": {"name": "rey"}}, "executor.name: expected 'local' or 'ray', got 'rey'"),
    ],
)
def test_mistakes_are_one_line(agent, game, words, message):
    with pytest.raises((AgentError, ConfigError), match=message) as error:
        sparring.evaluate(agent, game, **words)
    assert "\n" not in str(error.value)


def test_a_ladder_of_another_game_is_refused(ladder):
    with pytest.raises(ConfigError, match=r"ladder: expected a ladder of Game.*, got one of"):
        sparring.evaluate("greedy", "ConnectFour", ladder=ladder)


def test_the_first_games_are_against_rungs_from_all_over_the_ladder(ladder):
    config = checked({"kind": "evaluate", "game": "TicTacToe", "agent": "random", "ladder": ladder})
    measurement = LadderMeasurement(config, read_ladder(Path(ladder)), {"name": "random"})
    assert measurement.agent == "random"
    assert len(measurement._next_batch()) == 16
    assert set(measurement._played) == {"random (rung 0)", *RUNGS[1:]}


def test_an_agent_keeps_its_name_beside_the_rung_that_it_is(ladder):
    found = evaluate("greedy", ladder, games=32)
    names = [rung.agents for rung in found.rungs]
    place = [rung.name for rung in read_ladder(Path(ladder)).rungs].index("greedy")
    assert {agent for agent, _ in names} == {"greedy"}
    assert f"greedy (rung {place})" in {rung for _, rung in names}
    assert not any("(2)" in name for pair in names for name in pair)


def test_rungs_that_play_otherwise_than_when_they_were_rated_are_named(ladder, tmp_path):
    assert not any("older version" in warning for warning in evaluate("alphabeta:depth=1", ladder, games=16).warnings)
    changed = json.loads(Path(ladder).read_text())
    for rung in changed["rungs"]:
        if rung["name"] in ("greedy", "random"):
            rung["answers"] = rung["answers"][::-1][1:]
    older = tmp_path / "older.json"
    older.write_text(json.dumps(changed))
    warning = "rungs of an older version, that play otherwise now than when they were rated: random, greedy"
    assert warning in evaluate("alphabeta:depth=1", str(older), games=32).warnings


def test_openings_are_the_ladders_unless_a_config_says_otherwise(ladder):
    def results(**words):
        config = checked({"kind": "evaluate", "game": "TicTacToe", "agent": "greedy", "ladder": ladder, "games": 16, **words})
        measurement = LadderMeasurement(config, read_ladder(Path(ladder)), config.agent)
        measurement.run(lambda batch: map(play_game, batch))
        return measurement.results()

    found = results()
    assert found.openings == OpeningsRecord(plies=2, judge="alphabeta:nodes=5000", seed=0)
    assert OTHER_OPENINGS not in found.warnings
    for words in ({"opening_plies": 3}, {"opening_plies": 2, "opening_judge": None}):
        assert OTHER_OPENINGS in results(**words).warnings
