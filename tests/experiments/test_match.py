"""Matches: openings, pairs, seeds, results that come from the log alone, and agents that break the rules."""

import json
import pickle
from types import SimpleNamespace

import pytest
from sparring import Position
from sparring.envs.game import Game
from sparring.envs.rules.errors import AgentError
from sparring.experiments.config import Match
from sparring.experiments.games_log import GamesLog
from sparring.experiments.match import match_results, name_players, run_match
from sparring.experiments.playing import Pairing, Player, draw_openings, play_game, play_missing
from sparring.experiments.run_folder import RunFolder

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

    def play(task):
        played.append(task.id)
        return play_game(task)

    with GamesLog(tmp_path / "games.jsonl") as log:
        log.append(play_game(tasks[4]))
        games = play_missing(tasks, log, shown.append, play)
    assert played == [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11]
    assert [game["id"] for game in games] == list(range(12))
    assert shown == list(range(1, 13))


@pytest.mark.parametrize("answer", [99, -1, None, "a", 1.0])
def test_an_illegal_move_names_agent_seat_game_and_moves(answer):
    cheat = SimpleNamespace(act=lambda position: answer, reset=lambda seed: None)
    task = small_pairing().tasks()[1]
    with pytest.raises(AgentError) as caught:
        play_game(task, [None, cheat])
    opening = Position(SMALL["id"], **SMALL["parameters"])
    for move in task.opening:
        opening.push(move)
    assert str(caught.value).startswith(
        f"game 1 of sparring/ConnectK-v0: greedy in the second seat: expected a legal move, got {answer!r} (ply 3: {opening.notation}"
    )


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
    results = match_results(games, ("a", "b"))
    assert results["outcomes"] == {"first": {"win": 1, "draw": 1, "loss": 0}, "second": {"win": 1, "draw": 0, "loss": 1}}
    assert results["score"] == 0.625
    assert results["terminations"] == {"line": 3, "full": 1}
    assert results["plies"] == {"mean": 10.75, "min": 8, "max": 16}
    assert results["seconds_per_move"] == pytest.approx({"a": 0.1, "b": 1.0})
    assert results["warnings"] == []


def test_results_warn_of_games_that_repeat():
    games = [play_game(task) for task in small_pairing(games=4).tasks()]
    repeated = [{**game, "id": game["id"] + 4 * n, "pair": game["pair"] + 2 * n} for n in range(3) for game in games]
    assert "only 4 of 12 games are distinct" in match_results(repeated, ("greedy", "random"))["warnings"][0]


def test_an_agent_against_itself_has_two_names():
    first, second = name_players([{"name": "greedy"}, {"name": "greedy"}])
    assert (first.name, second.name) == ("greedy", "greedy (2)")


def test_greedy_beats_random(tmp_path):
    config = Match(game=SMALL["parameters"] | {"id": SMALL["id"]}, agents=["greedy", "random"], games=40, seed=1, name="m")
    results = run_match(config, RunFolder(tmp_path))
    assert results["low"] > 0.6
    assert sum(sum(seat.values()) for seat in results["outcomes"].values()) == 40
