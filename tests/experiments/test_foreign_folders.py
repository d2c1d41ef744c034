"""run.json, results.json and the files of finished runs that are damaged or of another run: one line that names the file and the key."""

import json
import shutil

import pytest
from sparring.envs.rules.errors import SparringError
from sparring.experiments.kinds import checked, load
from sparring.experiments.pages import write_page, write_report
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
    assert all(f"{folder.results}: has changed since the run finished" in text for text in refusals(folder))


@pytest.mark.parametrize("content", [None, b"", b"nonsense\n"])
def test_a_finished_run_whose_games_are_gone_is_not_taken_for_finished(folder, content):
    folder.games.unlink() if content is None else folder.games.write_bytes(content)
    assert all(
        text.startswith((f"{folder.games}: has changed since the run finished", f"{folder.games}: is missing; "))
        for text in refusals(folder)
    )


def test_an_untouched_run_is_finished_already(folder, capsys):
    assert refusals(folder) == ["", ""]
    assert "finished already" in capsys.readouterr().out
    assert RunFolder(folder.path).read_results()["games"] == 2


@pytest.fixture(scope="module")
def training(tmp_path_factory):
    """The folder of a tiny training, and its config."""
    pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
    settings = {
        "kind": "train",
        "name": "t",
        "game": "TicTacToe",
        "opponent": "random",
        "timesteps": 64,
        "environments": 8,
        "algorithm": {"n_steps": 8, "batch_size": 64, "n_epochs": 1, "net_arch": [4]},
        "evaluate": {"games": 2, "final_games": 2, "every": 64},
    }
    return run(checked(settings), tmp_path_factory.mktemp("training") / "run"), checked(settings)


@pytest.fixture
def broken_off(training, tmp_path):
    """The folder of the training as if it had been broken off before its end."""
    path = shutil.copytree(training[0].path, tmp_path / "run")
    record = json.loads((path / "run.json").read_text())
    (path / "run.json").write_text(json.dumps(record | {"finished": None}))
    (path / "model.safetensors").unlink()
    return RunFolder(path)


def test_a_damaged_checkpoint(broken_off, training):
    last = max(broken_off.checkpoints.glob("*.zip"))
    last.write_bytes(last.read_bytes()[:-500])
    with pytest.raises(SparringError, match=rf"{last.name}: the checkpoint is damaged \(.*remove it"):
        run(training[1], broken_off.path)


def test_games_of_another_training_are_refused_before_it_trains(broken_off, training):
    lines = broken_off.games.read_text().splitlines()
    broken_off.games.write_text("".join(json.dumps({**json.loads(line), "seed": 5}) + "\n" for line in lines))
    shutil.rmtree(broken_off.checkpoints)
    with pytest.raises(SparringError, match=r"games\.jsonl:1: seed: expected [0-9]+, got 5"):
        run(training[1], broken_off.path)
    assert not broken_off.checkpoints.exists()


@pytest.mark.parametrize(("key", "value"), [("opponent", "mcts"), ("games", 4)])
def test_a_curve_of_another_training_is_refused(broken_off, training, key, value):
    lines = broken_off.curve.read_text().splitlines()
    broken_off.curve.write_text("".join(json.dumps({**json.loads(line), key: value}) + "\n" for line in lines))
    with pytest.raises(SparringError, match=rf"curve\.jsonl:1: {key}: expected .*, got {value!r}; --fresh starts over"):
        run(training[1], broken_off.path)


def test_control_characters_of_a_foreign_config_are_escaped_on_the_page(folder):
    folder.config.write_bytes(b"kind: match # \x1b[2J\n")
    assert "\x1b" not in write_report(folder.path).read_text()
    folder.config.write_bytes(b"\xff\xfe")
    with pytest.raises(SparringError, match=r"config\.yaml: expected UTF-8 text, got byte 0xff at 0"):
        write_report(folder.path)


@pytest.mark.parametrize("kind", ["match", "evaluate", "train", "ablation", "nonsense"])
def test_results_that_nobody_vouches_for(folder, kind):
    record = json.loads(folder.record.read_text())
    folder.record.write_text(json.dumps({**record, "outputs": {}}))
    folder.results.write_text(json.dumps({"kind": kind}))
    folder.report.unlink()
    expected = "agents: missing" if kind == "match" else f"kind: expected 'match', as run.json has it, got {kind!r}"
    assert all(text == f"{folder.results}: {expected}" for text in refusals(folder))


def test_a_config_that_was_damaged_since_is_told_by_a_comparison(folder, tmp_path):
    other = run(checked({**MATCH, "seed": 5}), tmp_path / "other")
    for text in ("a: [", "\n".join(["a0: &a0 [0, 0]", *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9))])):
        other.config.write_text(text)
        with pytest.raises(SparringError, match=r"config\.yaml: "):
            write_page([folder.path, other.path], tmp_path / "page.html")
