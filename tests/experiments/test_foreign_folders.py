"""run.json, results.json and the files of finished runs that are damaged or of another run: one line that names the file and the key."""

import json

import pytest
from sparring.envs.rules.errors import SparringError
from sparring.experiments.config_file import checked, load
from sparring.experiments.report import write_report
from sparring.experiments.run import run
from sparring.experiments.run_folder import RunFolder

MATCH = {"kind": "match", "game": "TicTacToe", "agents": ["random", "greedy"], "games": 2, "name": "a", "executor": {"workers": 0}}


@pytest.fixture
def folder(tmp_path):
    return run(checked(MATCH), tmp_path / "run")


def refusals(folder):
    """Returns how going on with a run and reporting it are refused, empty if they are not."""
    found = []
    for call in (lambda: run(load(folder.config), folder.path), lambda: write_report(folder.path)):
        try:
            call()
            found.append("")
        except SparringError as error:
            found.append(str(error))
            assert found[-1].isprintable()
            assert len(found[-1]) < 500
    return found


CONTENTS = ["{}", "[]", "null", "7", "", "{", "[" * 100_000, '"\\u001b[31m"', "\udcff", "1" * 5000]


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("name", ["run.json", "results.json"])
def test_a_file_that_holds_something_else(folder, name, content):
    (folder.path / name).write_bytes(content.encode(errors="surrogateescape"))
    assert all(text.startswith(f"{folder.path / name}: ") for text in refusals(folder))


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("finished", 7, "finished: expected text, got 7"),
        ("seconds", None, "seconds: expected a number, got None"),
        ("seconds", 10**400, "seconds: expected a finite number"),
        ("versions", {"python": 3}, "versions.python: expected text, got 3"),
        ("machine", {"system": [], "cores": 2}, "machine.system: expected text, got"),
        ("git", {"commit": 5, "dirty": True}, "git.commit: expected text, got 5"),
        ("files", [], "files: expected a mapping, got"),
        ("outputs", {"../../x": ""}, "outputs"),
    ],
)
def test_a_key_of_the_record_with_another_value(folder, key, value, told):
    record = json.loads(folder.record.read_text())
    folder.record.write_text(json.dumps({**record, key: value}))
    assert all(text.startswith(f"{folder.record}: {told}") for text in refusals(folder))


def test_results_of_another_run(folder, tmp_path):
    other = run(checked({**MATCH, "seed": 5}), tmp_path / "other")
    folder.results.write_bytes(other.results.read_bytes())
    assert all(f"{folder.results}: expected the file that the" in text for text in refusals(folder))


@pytest.mark.parametrize("content", [None, b"", b"nonsense\n"])
def test_a_finished_run_whose_games_are_gone_is_not_taken_for_finished(folder, content):
    folder.games.unlink() if content is None else folder.games.write_bytes(content)
    going_on, _ = refusals(folder)
    assert going_on.startswith(f"{folder.games}: expected the file that the finished run wrote, got ")


def test_an_untouched_run_is_finished_already(folder, capsys):
    assert refusals(folder) == ["", ""]
    assert "finished already" in capsys.readouterr().out
    assert RunFolder(folder.path).read_results()["games"] == 2
