"""How far something has come: lines where there is no terminal, and a bar that says what it waits for where there is one."""

import io
import time

import pytest
from rich.console import Console
from sparring import Game
from sparring.agents.solver import exact
from sparring.agents.solver.connect_four import can_solve
from sparring.experiments.terminal import progress as module
from sparring.experiments.terminal.progress import progress


@pytest.fixture
def terminal(monkeypatch):
    """A terminal that the bar is shown on."""
    shown = io.StringIO()
    monkeypatch.setattr(module, "ERR", Console(file=shown, force_terminal=True, width=140, color_system=None))
    return shown


def test_without_a_terminal_there_is_a_line_a_minute(monkeypatch, capsys):
    monkeypatch.setattr(module, "MINUTE", 0.05)
    with progress("games", 1200) as show:
        show(1100)
        time.sleep(0.2)
    lines = capsys.readouterr().err.splitlines()
    assert 1 <= len(lines) <= 4
    assert set(lines) == {"games: 1,100 of 1,200 after 0:00:00"}


def test_a_line_has_the_time_left_where_it_is_known(monkeypatch, capsys):
    monkeypatch.setattr(module, "MINUTE", 0.05)
    with progress("compiling", 33) as show:
        show(3, 200.0)
        time.sleep(0.1)
    assert capsys.readouterr().err.splitlines()[0] == "compiling: 3 of 33 after 0:00:00, about 0:03:20 left"


def test_nothing_is_said_of_what_is_quickly_done(capsys):
    with progress("games", 2) as show:
        show(2)
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")


def test_a_bar_without_a_result_says_what_it_waits_for(monkeypatch, terminal):
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    with progress("games", 2):
        time.sleep(0.3)
    assert module.WAITING in terminal.getvalue()


def test_a_bar_shows_the_time_left_that_it_is_told(terminal):
    with progress("compiling", 3) as show:
        show(1, 200.0)
        time.sleep(0.3)
    assert "left 0:03:20" in terminal.getvalue()
    assert module.WAITING not in terminal.getvalue()


def test_a_warm_up_tells_the_time_left_by_what_the_last_ones_took(monkeypatch):
    from sparring.agents import warming

    clock, told = iter([0.0, 8.0, 8.0, 8.1, 8.1, 20.1]), []
    monkeypatch.setattr(warming.time, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(warming.WarmUp, "compile", lambda self: None)
    monkeypatch.setattr(warming, "warm_ups", lambda: [warming.WarmUp({}, None, seconds) for seconds in (4.0, 10.0, 6.0)])
    warming.warmup(lambda done, left: told.append((done, left)))
    assert told == [(1, 32.0), (2, 12.0), (3, 0.0)]


def test_all_kernels_of_the_solvers_are_warmed_up():
    from sparring.agents import warming

    games = [each.game for each in warming.warm_ups() if each.spec == {"name": "perfect", "nodes": 1}]
    warmed = {(can_solve(game), *exact._parts_of(game)) for game in games}
    assert len(warmed) == len(games)
    for text in ("ConnectFour", "TicTacToe", "ConnectK:width=4,height=4,k=4", "Isola:rules=queen,width=5,height=5", "Gomoku:size=7"):
        game = Game.of(text)
        assert (can_solve(game), *exact._parts_of(game)) in warmed


def test_a_game_without_an_evaluation_is_warmed_up_without_a_search(monkeypatch):
    from sparring.agents import warming

    game = warming.GAMES["sparring/TicTacToe-v0"]
    kind = game.kind._replace(evaluations=(), warm_boards=("TicTacToe",))
    monkeypatch.setitem(warming.GAMES, game.id, game._replace(kind=kind))
    monkeypatch.setattr(warming, "GAMES", {game.id: warming.GAMES[game.id]})
    assert [each.spec for each in warming.warm_ups()] == [
        {"name": "window_scan"},
        {"name": "mcts"},
        {"name": "perfect", "nodes": 1},
        {"opponent": "random"},
        {"opponent": "greedy"},
    ]
