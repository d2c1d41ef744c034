"""The command line: what it prints, and that a user's mistake is one line, exit code 2 and no traceback."""

import io
import json
import re
import subprocess
import sys

import pytest
from sparring import __version__

MATCH = "kind: match\ngame: TicTacToe\nagents: [greedy, random]\ngames: 8\n"


@pytest.fixture
def sparring(command_line, tmp_path):
    """Returns the command line in an empty folder with `match.yaml`."""
    (tmp_path / "match.yaml").write_text(MATCH)
    return command_line


def test_run_prints_the_result_and_where_the_report_is(sparring, tmp_path):
    code, out, err = sparring("run", "match.yaml", "seed=3", "games=6")
    assert (code, err) == (0, [])
    assert out[0].startswith("match: match of greedy and random at TicTacToe, 6 games; in runs/match-")
    assert out[1].startswith("match: greedy - random: ")
    assert "6 games" in out[1]
    report = tmp_path / out[-1].removeprefix("report: ")
    assert report.is_file()
    assert json.loads((report.parent / "run.json").read_text())["command"] == "sparring run match.yaml seed=3 games=6"


def test_analyse_shows_each_depth(sparring):
    code, out, err = sparring("analyse", "ConnectK:width=5,height=4,k=4,gravity=true", "33", "alphabeta:depth=3", "greedy")
    assert (code, err) == (0, [])
    assert "x to move, ply 2" in out
    depths = [line.split()[1] for line in out if line.startswith("│")]
    assert depths == ["1", "2", "3", "1"]


def test_a_position_may_be_a_file_of_one_game(sparring, monkeypatch, tmp_path):
    (tmp_path / "game.sgf").write_text("(;SZ[3];B[bb];W[aa])")
    (tmp_path / "games.sgf").write_text("(;SZ[3];B[bb])(;SZ[3])")
    code, out, err = sparring("analyse", "TicTacToe", "game.sgf", "greedy")
    assert (code, err) == (0, [])
    assert "x to move, ply 2" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert sparring("play", "TicTacToe", "greedy", "--position", "game.sgf")[1][-2].endswith("moves: b2 a3")
    assert sparring("analyse", "TicTacToe", "games.sgf")[2] == ["games.sgf: expected one game, got 2"]
    assert sparring("analyse", "Gomoku", "game.sgf")[2] == ["game.sgf:1: expected a board of 15x15, as Gomoku has it, got 3x3"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("analyse", "ConnectFour", "4x"), "expected a move such as '1', got 'x' (ply 1: 4)"),
        (("analyse", "TicTacToe", "a1 b1 a2 b2 a3"), "expected a position whose game goes on, got one that is over (line: x2/xo1/xo1 o)"),
        (("analyse", "Gomoku:size=4", ""), "size: expected a whole number from 5 to 20, got 4"),
        (("analyse", "ConnectFour", "", "mobility"), "agent 'mobility' does not play ConnectFour; it plays isola"),
        (("play", "Isola", "greedy", "--seconds", "1"), "agent 'greedy': has no time limit, got seconds=1.0"),
        (("play", "chess"), "unknown game 'chess'"),
    ],
)
def test_mistakes_at_the_board_are_one_line(sparring, words, message):
    code, out, err = sparring(*words)
    assert (code, out, len(err)) == (2, [], 1)
    assert err[0].startswith(message)


def test_play_ends_where_the_input_ends(sparring, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("b2\n"))
    code, out, err = sparring("play", "TicTacToe", "greedy")
    assert (code, err) == (0, [])
    assert out[0].startswith("You play x, greedy plays o. Write a move, or ")
    assert any("greedy plays " in line and "depth 1" in line for line in out)
    assert out[-1].startswith("go on with: sparring play TicTacToe greedy --position 'b2 ")


def test_play_goes_on_from_a_position_and_tells_its_commands(sparring, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    words = ("play", "ConnectFour", "alphabeta:depth=2", "--side", "2", "--seconds", "1", "--position", "443")
    code, out, err = sparring(*words)
    assert (code, err, out[-2].removeprefix("o: ")) == (0, [], "moves: 443")
    assert out[-1] == "go on with: sparring play ConnectFour alphabeta:depth=2 --side 2 --seconds 1 --position '443'"
    assert sparring("play", "ConnectFour", "greedy", "--position", "48")[2][0].startswith("expected a move such as '1', got '8' (ply 1: 4)")
    shown = " ".join(" ".join(sparring("play", "--help")[1]).replace("│", " ").split())
    assert "help, moves, undo and quit" in shown
    assert "alphabeta:depth=6" in shown
    assert "pattern_table at Gomoku" in shown


def test_the_same_command_does_not_play_again(sparring, tmp_path):
    _, first, _ = sparring("run", "match.yaml")
    games = next(tmp_path.glob("runs/*/games.jsonl")).read_bytes()
    code, out, err = sparring("run", "match.yaml")
    assert (code, out[1:], err) == (0, first[1:], [])
    assert out[0].startswith("match: finished already, on 20")
    assert next(tmp_path.glob("runs/*/games.jsonl")).read_bytes() == games
    assert len(list(tmp_path.glob("runs/*"))) == 1


def test_a_run_that_other_code_began_says_so(sparring, tmp_path):
    sparring("run", "match.yaml", "--out", "here")
    record = tmp_path / "here" / "run.json"
    git = {"commit": "0123456789abcdef", "dirty": True}
    record.write_text(json.dumps(json.loads(record.read_text()) | {"package_version": "0.0.1", "package_git": git}))
    _, out, _ = sparring("run", "here")
    assert out[1].startswith("match: began with version 0.0.1 at 0123456789 with changes, this is version ")


def test_a_run_that_began_in_another_checkout_says_how_they_differ(sparring, tmp_path):
    sparring("run", "match.yaml", "--out", "here")
    record = tmp_path / "here" / "run.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"git": {"commit": "0123456789abcdef", "dirty": False}}))
    _, out, _ = sparring("run", "here")
    began, now = re.fullmatch("match: began with (.*), this is (.*)", out[1]).groups()
    assert began == f"{now}{' in a checkout' if ' at ' in now else ''} at 0123456789"


def test_a_run_folder_can_be_run(sparring, tmp_path):
    sparring("run", "match.yaml", "--out", "here")
    whole = (tmp_path / "here" / "games.jsonl").read_bytes()
    kept = b"".join(whole.splitlines(keepends=True)[:3])
    (tmp_path / "here" / "games.jsonl").write_bytes(kept)
    record = tmp_path / "here" / "run.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"finished": None}))
    code, out, _ = sparring("run", "here")
    assert (code, out[-1]) == (0, "report: here/report.html")
    assert (tmp_path / "here" / "games.jsonl").read_bytes().startswith(kept)
    assert (tmp_path / "here" / "games.jsonl").read_bytes().count(b"\n") == 8


def test_fresh_starts_over(sparring, tmp_path):
    sparring("run", "match.yaml", "--out", "here")
    code, *_ = sparring("run", "match.yaml", "seed=9", "--out", "here", "--fresh")
    assert code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here", "here.old-1", "match.yaml"]


def test_a_series_has_a_report_and_folders_inside(sparring, tmp_path):
    run = "{kind: match, game: TicTacToe, agents: [random, random]}"
    (tmp_path / "series.yaml").write_text(f"kind: series\ngames: 2\nruns:\n  - {run}\n  - {run}\n")
    code, out, _ = sparring("run", "series.yaml", "--out", "here", "seed=4")
    assert (code, out[-1]) == (0, "report: here/report.html")
    assert out[0] == "series: 2 runs: TicTacToe-match and TicTacToe-match; in here"
    names = ["1-TicTacToe-match", "2-TicTacToe-match"]
    refused = "here: expected the folder of a run with games, got one of runs: here/1-TicTacToe-match, here/2-TicTacToe-match"
    assert sparring("export", "here", "--sgf") == (2, [], [refused])
    assert json.loads((tmp_path / "here" / "results.json").read_text()) == {"kind": "series", "runs": names, "layout": 1, "warnings": []}
    assert all((tmp_path / "here" / name / "report.html").is_file() for name in names)


def test_report_is_written_anew(sparring, tmp_path):
    sparring("run", "match.yaml", "--out", "here")
    (tmp_path / "here" / "report.html").unlink()
    code, out, _ = sparring("report", "here")
    assert (code, out) == (0, ["report: here/report.html"])
    assert (tmp_path / "here" / "report.html").is_file()


def test_version(sparring):
    assert sparring("--version") == (0, [f"sparring {__version__}"], [])


def test_list_shows_the_ladders(sparring):
    text = "\n".join(sparring("list", "ladders")[1])
    assert all(word in text for word in ("sparring/ConnectFour-v0", "sparring/Isola-v0", "rules=queen", "alphabeta:depth=4", "Elo"))


def test_list_names_everything_with_parameters(sparring):
    text = "\n".join([*sparring("list", "envs")[1], *sparring("list", "agents")[1]])
    for word in ("sparring/ConnectFour-v0", "sparring/Isola-v0", "size=15", "alphabeta", "depth", "int or none", "policy", "deterministic"):
        assert word in text
    assert "alphabeta" not in "\n".join(sparring("list", "envs")[1])
    assert "sparring/" not in "\n".join(sparring("list", "agents")[1])


def test_list_tells_the_keys_of_a_kind_and_of_its_parts(sparring):
    assert "tournament" in "\n".join(sparring("list", "kinds")[1])
    lines = sparring("list", "match")[1]
    assert [line for line in lines if "opening_plies" in line and "whole number, 0 to 20" in line]
    assert [line for line in lines if "workers" in line], "executor is a part of it"
    assert [line for line in lines if "elo0" in line], "and so is sprt"


def test_list_begins_with_an_overview_and_tells_details_by_name(sparring):
    lines = sparring("list")[1]
    assert len(lines) < 45
    for name in ("sparring/Gomoku-v0", "alphabeta", "python"):
        assert sum(line.startswith((f"│ {name} ", f"│ {name}│")) for line in lines) == 1
    assert lines[-1].startswith("sparring list NAME: the parameters of an agent or a game, or a config's keys")
    details = "\n".join(sparring("list", "best")[1])
    assert "table_mib" in details
    assert "window_scan │" not in details
    assert "rule=freestyle" in "\n".join(sparring("list", "Gomoku")[1])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["run", "nothing.yaml"], "nothing.yaml: expected a file, the folder of a run or the name of a shipped config (sparring configs)"),
        (["run", "match.yaml", "gmaes=3"], "override 'gmaes=3': gmaes: unknown key 'gmaes'; expected one of "),
        (["run", "match.yaml", "agents.0=grady"], "override 'agents.0=grady': agents.0: unknown agent 'grady'; expected one of "),
        (["run", "match.yaml", "game=Go"], "override 'game=Go': game: unknown game 'Go'; expected one of "),
        (["run", "match.yaml", "--frehs"], "No such option: --frehs"),
        (["run"], "Missing argument"),
        (["rnu"], "No such command 'rnu'"),
        (["run", "."], ".: expected a config file or the folder of a run, got a folder without config.yaml"),
        (["run", ".", "seed=3"], ".: a run keeps its config and its folder; only executor settings can change, got seed=3"),
        (["run", "match.yaml", "--out", "match.yaml"], "match.yaml: expected a folder, got a file"),
        (["run", "match.yaml", "--out", "."], ".: expected an empty folder or the folder of a run, got a folder with files of"),
        (["run", "match.yaml", "--out", "match.yaml/x"], "match.yaml/x: not a directory"),
        (["run", "configs/quickstrat.yaml"], "; did you mean 'quickstart'?"),
        (["run", "train/connect4"], "; did you mean 'train/connect_four'?"),
        (["train"], "To run a config: sparring run train/connect_four"),
        (["evaluate", "x"], "To run a config: sparring run evaluate/connect_four"),
        (["quickstart"], "To run a config: sparring run quickstart"),
        (["run", "match.yaml", "--games", "4"], "No such option: --games (settings are written without dashes: games=4)"),
        (["run", "match.yaml", "--seed=4"], "(settings are written without dashes: seed=4)"),
        (["play", "Connect4"], "; did you mean 'ConnectFour'?"),
        (["play", "TicTacToe", "mine:Centre"], "unknown agent 'mine:Centre'; your own code is written python:target=mine:Centre"),
        (["configs", "quickstrat"], "; did you mean 'quickstart'?"),
        (["configs", "--out", "here"], "configs: expected the name of the config to copy to here, got none"),
        (["configs", "quickstart", "--out", "match.yaml"], "match.yaml: expected a new file, got one that exists already"),
        (["configs", "quickstart", "--out", "none/x.yaml"], "none/x.yaml: no such file or directory"),
        (["report", "."], ".: expected the folder of a run, got one without run.json"),
        (["list", "environments"], "list: unknown name 'environments'; expected one of envs, agents, ladders, kinds, ConnectFour, "),
        (["list", "environments"], "; did you mean 'envs'?"),
        (["list", "alfabeta"], "; did you mean 'alphabeta'?"),
        (["play", "connect_four"], "unknown game 'connect_four'; expected one of ConnectFour, "),
        (["play", "connect_four"], "; did you mean 'ConnectFour'?"),
        (
            ["convert", "match.yaml", "games.sgf"],
            "match.yaml: expected the folder of a run, its games.jsonl, or a file ",
        ),
        (["export", "match.yaml", "--sgf"], "match.yaml: expected the folder of a run with games, got one without"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(sparring, words, expected):
    code, out, err = sparring(*words)
    assert (code, out) == (2, [])
    assert len(err) == 1
    assert expected in err[0]


def test_damage_in_a_run_folder_is_one_line(sparring, tmp_path):
    sparring("run", "match.yaml", "--out", "here")
    (tmp_path / "here" / "run.json").write_text("{")
    assert sparring("run", "here")[2][0].startswith("here/run.json: expected JSON: ")
    (tmp_path / "here" / "run.json").unlink()
    (tmp_path / "here" / "games.jsonl").write_text("nonsense\n")
    assert sparring("run", "here")[2][0].startswith("here/games.jsonl:1: expected a game as JSON with an id")


def test_help_loads_nothing_heavy():
    code = "import sys; sys.argv = ['sparring', '--help']\nfrom sparring.experiments.commands.cli import main\n"
    code += "try: main()\nexcept SystemExit: pass\n"
    code += "print([name for name in ('numba', 'torch', 'matplotlib', 'pydantic', 'pygame') if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "Commands" in out
    assert out.splitlines()[-1] == "[]"
