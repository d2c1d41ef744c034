"""Experiments as functions: a config's keys as keywords, the results as what they return."""

import subprocess
import sys
from pathlib import Path

import pytest
import sparring
from sparring.envs.rules.errors import ConfigError
from sparring.experiments.games.log import read_games

QUIET = {"executor": {"workers": 0}}


def test_a_match_returns_what_it_showed_and_keeps_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    found = sparring.match(game="TicTacToe", agents=("greedy", "random"), games=20, seed=1, **QUIET)
    assert (found.games, found.agents) == (20, ["greedy", "random"])
    assert 0.5 < found.low < found.score <= found.high
    assert not list(tmp_path.iterdir())
    assert not capsys.readouterr().out


def test_a_folder_that_is_named_holds_the_run(tmp_path):
    words = {"game": "TicTacToe", "agents": ["greedy", "random", "poor"], "games": 4, **QUIET}
    found = sparring.tournament(folder=tmp_path / "cup", **words)
    assert found.standings[0].agent == "greedy"
    assert len(list(read_games(tmp_path / "cup" / "games.jsonl"))) == 12
    assert (tmp_path / "cup" / "report.html").exists()
    assert sparring.tournament(folder=str(tmp_path / "cup"), **words) == found


def test_keys_are_refused_as_a_config_refuses_them():
    with pytest.raises(ConfigError, match=r"^gmaes: unknown key 'gmaes'; expected one of .*did you mean 'games'\?$"):
        sparring.match(game="TicTacToe", agents=["greedy", "random"], gmaes=2)
    with pytest.raises(ConfigError, match=r"^agents: missing$"):
        sparring.match(game="TicTacToe")
    with pytest.raises(ConfigError, match=r"^agents\.0\.model: expected an agent, .*name a file or code here: policy:path=FILE"):
        sparring.match(game="TicTacToe", agents=[{"model": object()}, "random"])


def test_a_training_keeps_its_network_where_a_folder_is_named(tmp_path):
    pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
    evaluate = {"every": 1024, "games": 2, "final_games": 4}
    found = sparring.train(folder=tmp_path / "t", game="TicTacToe", opponent="random", timesteps=1024, environments=16, evaluate=evaluate)
    assert found.final[0].games == 4
    agent = sparring.agents.make(f"policy:path={tmp_path / 't' / found.model}", game="TicTacToe")
    assert agent.act(sparring.Position("TicTacToe")) in range(9)


def test_a_script_needs_no_main_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sparring\n"
        "words = {'game': 'TicTacToe', 'agents': ['greedy', 'random'], 'games': 4, 'executor': {'workers': 2}}\n"
        "print('played', sparring.match(**words).games)\n"
    )
    done = subprocess.run([sys.executable, Path(script)], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "played 4\n"), done.stderr
