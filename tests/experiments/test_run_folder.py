"""Run folders: one per config, one process at a time, never another run's, and written so that no half file is seen."""

import json
import subprocess
import sys

import pytest
from sparring.experiments.config.file import dump
from sparring.experiments.files import RunFolderError, write_text
from sparring.experiments.kinds import load
from sparring.experiments.kinds.match import MatchConfig
from sparring.experiments.kinds.series import SeriesResults
from sparring.experiments.run_folder import default_folder, opened
from sparring.experiments.run_record import git_state


@pytest.fixture
def config():
    return MatchConfig(name="m", game="TicTacToe", agents=["random", "random"], games=2)


def test_equal_configs_have_one_folder_and_others_another(config):
    assert default_folder(config) == default_folder(config.model_copy())
    assert default_folder(config) != default_folder(config.model_copy(update={"seed": 1}))
    assert default_folder(config).name.startswith("m-")


def test_a_new_folder_records_how_the_run_came_about(config, tmp_path):
    with opened(tmp_path / "a" / "b", config) as folder:
        assert not folder.is_finished
        record = json.loads(folder.record.read_text())
    assert load(folder.config) == config
    assert (record["name"], record["kind"], record["seed"], record["finished"]) == ("m", "match", 0, None)
    assert {"python", "numpy", "gymnasium"} <= set(record["versions"])
    assert record["machine"]["cores"] >= 1


def test_time_adds_up_over_interruptions(config, tmp_path):
    for _ in range(2):
        with opened(tmp_path, config) as folder:
            write_text(folder.record, folder.record.read_text().replace('"seconds": 0.0', '"seconds": 7.0'))
            with pytest.raises(KeyboardInterrupt), folder.timed():
                raise KeyboardInterrupt
    record = json.loads(folder.record.read_text())
    assert 7.0 <= record["seconds"] < 8.0
    assert record["finished"] is None


def test_a_finished_run_is_known(config, tmp_path):
    with opened(tmp_path, config) as folder:
        folder.finish(SeriesResults(kind="match"))
    with opened(tmp_path, config) as folder:
        assert folder.is_finished
        assert json.loads(folder.results.read_text())["kind"] == "match"


def test_another_config_is_refused(config, tmp_path):
    with opened(tmp_path, config):
        pass
    with (
        pytest.raises(RunFolderError, match=r"holds a run with games 2, this one has 4; choose another folder"),
        opened(tmp_path, config.model_copy(update={"games": 4})),
    ):
        pass


def test_a_run_whose_files_have_changed_is_refused(config, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {"openings.txt": "b2", "changing_bots.py": "play = len"}
    for file, text in files.items():
        (tmp_path / file).write_text(f"{text}  # as it was")
    agents = [{"name": "python", "target": "changing_bots:play"}, {"name": "random"}]
    config = config.model_copy(update={"opening_file": "openings.txt", "agents": agents})
    with opened(tmp_path / "run", config):
        pass
    with opened(tmp_path / "run", config):
        pass
    for file, text in files.items():
        (tmp_path / file).write_text(text)
        with pytest.raises(RunFolderError, match=f"holds another run, as {file} has changed since"), opened(tmp_path / "run", config):
            pass
        (tmp_path / file).write_text(f"{text}  # as it was")


def test_fresh_moves_the_old_run_aside(config, tmp_path):
    path = tmp_path / "run"
    for number in range(3):
        with opened(path, config.model_copy(update={"seed": number}), is_fresh=True) as folder:
            assert not folder.is_finished
            folder.finish(SeriesResults(kind="match", runs=[str(number)]))
    assert [json.loads((tmp_path / name / "results.json").read_text())["runs"] for name in ("run.old-1", "run.old-2", "run")] == [
        ["0"],
        ["1"],
        ["2"],
    ]


@pytest.mark.parametrize("is_fresh", [False, True])
def test_a_folder_with_other_files_is_refused_and_left_alone(config, tmp_path, is_fresh):
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(RunFolderError, match="expected an empty folder or the folder of a run"), opened(tmp_path, config, is_fresh):
        pass
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_run_that_was_killed_before_its_config_was_written_can_begin_again(config, tmp_path):
    (tmp_path / "lock").touch()
    (tmp_path / ".config.yaml.part").write_text("kind: ma")
    with opened(tmp_path, config) as folder:
        assert load(folder.config) == config


def test_a_file_is_no_folder(config, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFolderError, match="expected a folder, got a file"), opened(tmp_path / "file", config):
        pass


OPEN = """
from pathlib import Path
import sys
from sparring.experiments.config.file import dump
from sparring.experiments.kinds import load
from sparring.experiments.files import RunFolderError
from sparring.experiments.run_folder import opened
try:
    with opened(Path(sys.argv[1]), load(Path(sys.argv[2]))):
        print("opened")
except RunFolderError as error:
    print(error)
"""


def test_a_second_process_is_kept_out(config, tmp_path):
    path, written = tmp_path / "run", tmp_path / "trial.yaml"
    written.write_text(dump(config), encoding="utf-8")

    def other_process():
        return subprocess.run([sys.executable, "-c", OPEN, path, written], capture_output=True, check=True, text=True).stdout

    with opened(path, config):
        assert other_process() == f"{path}: another process is using this run\n"
    assert other_process() == "opened\n"


def test_a_text_that_cannot_be_written_leaves_the_old_one(tmp_path):
    path = tmp_path / "file"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "new \ud800")
    assert path.read_text() == "old"


def test_who_reads_a_file_while_it_is_written_sees_the_old_one_whole(tmp_path):
    path = tmp_path / "file"
    write_text(path, "old")
    with path.open() as reader:
        write_text(path, "new")
        assert reader.read() == "old"
    assert path.read_text() == "new"


def test_git_state_is_that_of_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert git_state() is None

    def git(*words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, capture_output=True)

    git("init")
    (tmp_path / "file").write_text("one")
    git("add", "file")
    git("commit", "-m", "one")
    state = git_state()
    assert state is not None
    assert len(state["commit"]) == 40
    assert not state["dirty"]
    (tmp_path / "file").write_text("two")
    assert git_state() == {**state, "dirty": True}


def test_git_state_of_a_folder_is_that_of_the_checkout_that_tracks_it(tmp_path):
    def git(*arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True, cwd=tmp_path)

    git("init", "-q")
    for name in ("mine", "installed"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    git("add", "mine")
    git("commit", "-qm", "a")
    assert git_state(tmp_path / "mine")["dirty"] is False
    assert git_state(tmp_path / "installed") is None, "an environment in somebody's checkout is not the package's"
