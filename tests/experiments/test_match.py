"""Matches: openings, pairs, seeds, results that come from the log alone, and agents that break the rules."""

import json
import math
import pickle
import time
from types import SimpleNamespace

import pytest
import sparring
from sparring import Position
from sparring.agents.search.scores import MAX_PLY, WIN
from sparring.envs.game import Game
from sparring.envs.rules.errors import ConfigError
from sparring.experiments.games.log import GamesLog
from sparring.experiments.games.openings import draw_openings, judged_by, read_openings
from sparring.experiments.games.play import play_game
from sparring.experiments.games.task import SEATS, Conditions, Pairing, Player, name_players
from sparring.experiments.kinds.match import MatchConfig, run_match
from sparring.experiments.run_folder import RunFolder
from sparring.experiments.workers.executors import InProcess
from sparring.experiments.workers.game_runner import GameRunner

from .results import match_of, plain
from .test_openings import slow_result

SMALL = {"id": "sparring/ConnectK-v0", "parameters": {"width": 4, "height": 4, "k": 3, "gravity": True}}
RANDOM, GREEDY = Player("random", {"name": "random"}), Player("greedy", {"name": "greedy"})


def small_pairing(games=12, seed=5, players=(GREEDY, RANDOM)):
    return Pairing(SMALL, players, games, opening_plies=2, seed=seed)


def without_seconds(games):
    return [{**game, "seconds": None} for game in games]


@pytest.mark.parametrize(("game", "plies", "count"), [("ConnectFour", 2, 49), ("TicTacToe", 1, 9), ("Gomoku", 3, 60), ("Isola", 2, 60)])
def test_openings_lead_to_different_positions_while_there_are_enough(game, plies, count):
    openings = draw_openings(Game.of(game), plies, count, seed=1)
    positions = set()
    for opening in openings:
        position = Position(game)
        for move in opening:
            position.push(move)
        assert not position.is_over
        assert position.ply == plies
        positions.add(position)
    assert len(positions) == count


def test_openings_start_anew_when_they_are_used_up():
    openings = draw_openings(Game.of("TicTacToe"), 1, 27, seed=1)
    assert [len(set(openings[start : start + 9])) for start in (0, 9, 18)] == [9, 9, 9]


def test_more_games_begin_with_the_same_openings():
    assert draw_openings(Game.of("Gomoku"), 4, 30, seed=2)[:10] == draw_openings(Game.of("Gomoku"), 4, 10, seed=2)
    assert draw_openings(Game.of("Gomoku"), 4, 10, seed=2) != draw_openings(Game.of("Gomoku"), 4, 10, seed=3)


def test_an_opening_stops_short_of_moves_that_end_the_game():
    game = Game.of("ConnectK", width=3, height=1, k=1)
    assert draw_openings(game, 2, 1, seed=0) == [()]
    full = Game.of("ConnectK", width=2, height=1, k=2)
    assert all(len(opening) == 1 for opening in draw_openings(full, 5, 4, seed=0))


def test_each_opening_is_played_once_from_each_seat():
    games = [play_game(task) for task in small_pairing().tasks()]
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first["first"], first["second"]) == (second["second"], second["first"]) == ("greedy", "random")
        assert first["pair"] == second["pair"]
        assert first["moves"][:2] == second["moves"][:2]
    assert [game["id"] for game in games] == list(range(12))
    assert [game["pair"] for game in games[::2]] == list(range(6))


def test_equal_seeds_give_equal_games_and_others_differ():
    games = [play_game(task) for task in small_pairing().tasks()]
    assert without_seconds(play_game(task) for task in small_pairing().tasks()) == without_seconds(games)
    assert without_seconds(play_game(task) for task in small_pairing(seed=6).tasks()) != without_seconds(games)


def test_a_game_does_not_depend_on_the_games_before_it():
    tasks = small_pairing(players=(RANDOM, RANDOM)).tasks()
    in_order = [play_game(task) for task in tasks]
    assert without_seconds(reversed([play_game(task) for task in reversed(tasks)])) == without_seconds(in_order)


def test_two_random_players_do_not_move_alike():
    tasks = Pairing(SMALL | {"parameters": {"width": 9, "height": 9, "k": 9, "gravity": True}}, (RANDOM, RANDOM), 2, 0, 1).tasks()
    moves = Position(SMALL["id"], play_game(tasks[0])["moves"], width=9, height=9, k=9, gravity=True).moves
    assert moves[:10:2] != moves[1:10:2]


def test_a_task_and_its_entry_are_plain_data():
    task = small_pairing().tasks()[3]
    entry = play_game(pickle.loads(pickle.dumps(task)))
    assert json.loads(json.dumps(entry)) == entry


def test_an_entry_replays_to_its_result():
    for task in small_pairing(games=20).tasks():
        entry = play_game(task)
        position = Position(entry["game"]["id"], entry["moves"], **entry["game"]["parameters"])
        assert position.is_over
        assert entry["result"] == {0: "first", 1: "second", None: "draw"}[position.winner]
        assert (entry["termination"], entry["plies"], entry["opening"]) == (position.termination, position.ply, 2)


def test_only_missing_games_are_played(tmp_path):
    tasks = small_pairing().tasks()
    played, shown = [], []

    class Noting(InProcess):
        def run(self, tasks):
            for entry in super().run(tasks):
                played.append(entry["id"])
                yield entry

    with GamesLog(tmp_path / "games.jsonl") as log:
        log.append(play_game(tasks[4]))
        games = GameRunner(log, Noting(), shown.append).entries(tasks)
    assert played == [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11]
    assert [game["id"] for game in games] == list(range(12))
    assert shown == [*range(2, 13), 12]


def agent(act):
    return SimpleNamespace(act=act)


@pytest.mark.parametrize("answer", [99, -1, None, "a", 1.0, math.nan])
def test_an_illegal_move_loses_the_game_by_name(answer):
    task = small_pairing().tasks()[1]
    entry = play_game(task, [None, agent(lambda position: answer)])
    assert (entry["second"], entry["result"], entry["termination"]) == ("greedy", "first", "illegal")
    assert entry["reason"] == f"expected a legal move, got {answer!r}"
    assert entry["plies"] == 3
    assert json.loads(json.dumps(entry, allow_nan=False)) == entry


def test_an_agent_that_raises_loses_the_game_by_name():
    def raises(position):
        raise RuntimeError("lost my mind\n  twice")

    entry = play_game(small_pairing().tasks()[0], [agent(raises), None])
    assert (entry["result"], entry["termination"], entry["plies"]) == ("second", "crash", 2)
    assert entry["reason"] == "RuntimeError: lost my mind twice"


@pytest.mark.parametrize(
    ("conditions", "plies", "reason"),
    [
        (Conditions(move_seconds=2.0), 3, "took more than 2 s"),
        (Conditions(move_seconds=2.0, game_seconds=9.0), 3, "took more than 2 s"),
        (Conditions(game_seconds=5.0), 5, "used up its 5 s for the game"),
        (Conditions(move_seconds=4.0, game_seconds=5.0), 5, "used up its 5 s for the game"),
        (Conditions(move_seconds=4.0, game_seconds=90.0), None, None),
    ],
)
def test_a_move_or_a_game_that_takes_too_long_is_lost(monkeypatch, conditions, plies, reason):
    def slow(position):
        clock.seconds += 3.0
        return position.legal_moves[0]

    clock = SimpleNamespace(seconds=0.0)
    monkeypatch.setattr(time, "perf_counter", lambda: clock.seconds)
    task = small_pairing().tasks()[0]._replace(conditions=conditions)
    entry = play_game(task, [agent(lambda position: position.legal_moves[0]), agent(slow)])
    if reason is None:
        assert entry["termination"] in ("line", "full")
    else:
        assert (entry["result"], entry["termination"], entry["reason"], entry["plies"]) == ("first", "timeout", reason, plies)


def test_a_proven_position_ends_the_game_with_its_result():
    conditions = Conditions(adjudicator={"name": "alphabeta", "depth": 4})
    whole = [play_game(task) for task in small_pairing(players=(GREEDY, GREEDY)).tasks()]
    games = [play_game(task._replace(conditions=conditions)) for task in small_pairing(players=(GREEDY, GREEDY)).tasks()]
    assert any(game["termination"] == "adjudicated" for game in games)
    for short, long in zip(games, whole, strict=True):
        assert long["moves"].startswith(short["moves"])
        if short["termination"] == "adjudicated":
            position = Position(SMALL["id"], short["moves"], **SMALL["parameters"])
            score = slow_result(position)
            assert short["result"] == {0: "draw", 1: SEATS[position.side], -1: SEATS[1 - position.side]}[score]


def test_an_adjudicator_leaves_alone_a_player_with_its_spec():
    spec = {"name": "alphabeta", "depth": 1, "tie_break": "random"}
    tasks = small_pairing(players=(Player("search", spec), RANDOM)).tasks()
    games = [
        [play_game(task._replace(conditions=Conditions(adjudicator=adjudicator)))["moves"] for task in tasks]
        for adjudicator in (spec, {**spec, "tie_break": "first"})
    ]
    assert games[0] == games[1]


def test_scores_and_depths_of_every_move_are_kept():
    search = Player("search", {"name": "alphabeta", "depth": 2})
    entry = play_game(small_pairing(players=(search, RANDOM)).tasks()[0])
    assert len(entry["scores"]) == len(entry["depths"]) == entry["plies"] - 2
    assert all((score is None) == (ply % 2 == 1) for ply, score in enumerate(entry["scores"]))
    assert {depth for depth in entry["depths"] if depth is not None} <= {1, 2}
    assert "scores" not in play_game(small_pairing(players=(RANDOM, RANDOM)).tasks()[0])


def test_openings_are_fair_to_both_sides():
    game = Game.of("ConnectK", width=4, height=4, k=3)
    judge = sparring.agents.make("alphabeta:depth=6", game)
    fair = draw_openings(game, 3, 20, 1, judged_by(judge))
    assert all(abs(judge.analyse(position_after(game, opening)).score) < WIN - MAX_PLY for opening in fair)
    assert any(abs(judge.analyse(position_after(game, opening)).score) > WIN - MAX_PLY for opening in draw_openings(game, 3, 20, 1))
    tiny = Game.of("ConnectK", width=4, height=4, k=2)
    with pytest.raises(ConfigError, match="found no position after 2 random plies in which neither side is lost"):
        draw_openings(tiny, 2, 5, 1, judged_by(sparring.agents.make("alphabeta", tiny)))


def position_after(game, moves):
    position = Position(game)
    for move in moves:
        position.push(move)
    return position


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a line of moves for each opening, got none"),
        ("44\n4x # remark\n", r":2: .*'x'"),
        ("\n44\n4\n\n444444 4", r":5: "),
        ("11223344", r":1: expected moves after which the game goes on, got '11223344'|:1: illegal move"),
    ],
)
def test_a_file_of_openings_names_the_line_of_a_mistake(tmp_path, text, message):
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message):
        read_openings(path, Game.of("ConnectFour"))
    path.write_text("44 # the middle\n\n123\n")
    assert read_openings(path, Game.of("ConnectFour")) == [(3, 3), (0, 1, 2)]


def test_results_count_seats_and_outcomes():
    def entry(number, first, result, plies, seconds):
        second = "b" if first == "a" else "a"
        moves = f"m{number}"
        return {
            "id": number,
            "game": SMALL,
            "pair": number // 2,
            "first": first,
            "second": second,
            "opening": 2,
            "moves": moves,
            "result": result,
            "plies": plies,
            "termination": "full" if result == "draw" else "line",
            "seconds": seconds,
        }

    games = [
        entry(0, "a", "first", 9, [0.4, 3.0]),
        entry(1, "b", "first", 8, [3.0, 0.3]),
        entry(2, "a", "draw", 16, [0.7, 7.0]),
        entry(3, "b", "second", 10, [4.0, 0.4]),
    ]
    results = plain(match_of(games, ("a", "b")))
    assert results["outcomes"] == {"first": {"win": 1, "draw": 1, "loss": 0}, "second": {"win": 1, "draw": 0, "loss": 1}}
    assert results["score"] == 0.625
    assert results["terminations"] == {"line": 3, "full": 1}
    assert results["plies"] == {"mean": 10.75, "min": 8, "max": 16}
    assert results["seconds_per_move"] == pytest.approx({"a": 0.1, "b": 1.0})
    assert results["warnings"] == []


def test_results_warn_of_games_that_repeat():
    games = [play_game(task) for task in small_pairing(games=4).tasks()]
    repeated = [{**game, "id": game["id"] + 4 * n, "pair": game["pair"] + 2 * n} for n in range(3) for game in games]
    assert "only 4 of 12 games against random are distinct" in match_of(repeated, ("greedy", "random")).warnings[0]


def test_agents_with_the_same_spec_have_different_names():
    players = name_players([{"name": "greedy"}, {"name": "random"}, {"name": "greedy"}, {"name": "greedy"}])
    assert [player.name for player in players] == ["greedy", "random", "greedy (2)", "greedy (3)"]


def test_greedy_beats_random(tmp_path):
    config = MatchConfig(
        game=SMALL["parameters"] | {"id": SMALL["id"]}, agents=["greedy", "random"], games=40, seed=1, name="m", executor={"workers": 0}
    )
    results = plain(run_match(config, RunFolder(tmp_path)))
    assert results["low"] > 0.6
    assert sum(sum(seat.values()) for seat in results["outcomes"].values()) == 40
