"""Runs that are killed and run again: nothing lost, nothing repeated, the same games and the same network as in one go."""

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sparring.agents.network import load_network
from sparring.experiments.kinds import load
from sparring.experiments.run import run

COMMAND = [sys.executable, "-c", "from sparring.experiments.commands.cli import main; main()", "run"]
MATCH = "kind: match\ngame: {id: ConnectK, width: 5, height: 5, k: 4}\nagents: [greedy, greedy]\ngames: 400\nseed: 2\n"
TRAIN = """\
kind: train
game: TicTacToe
opponent: random
timesteps: 768
environments: 2
opening_plies: 1
algorithm: {n_steps: 64, batch_size: 64, n_epochs: 2, net_arch: [16]}
evaluate: {opponents: [random], every: 256, games: 20, final_games: 200}
"""


class Killed:
    """A config in a folder, run by processes that are killed on the way."""

    def __init__(self, folder: Path, text: str, *overrides: str):
        (folder / "experiment.yaml").write_text(text)
        self.config = load(folder / "experiment.yaml")
        self.folder = folder / "killed"
        self.words = [*COMMAND, str(folder / "experiment.yaml"), *overrides, "--out", str(self.folder)]

    def kill_when(self, is_time, how: signal.Signals) -> tuple[int, str]:
        """Runs the config, kills the process when it is time, and returns exit code and standard error."""
        process = subprocess.Popen(self.words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts)
        while process.poll() is None and not is_time():
            time.sleep(0.002)
        process.send_signal(how)
        return process.returncode or process.wait(timeout=60), process.communicate()[1]

    def lines(self, name: str) -> int:
        """Returns the number of lines in a file of the killed run."""
        path = self.folder / name
        return path.read_bytes().count(b"\n") if path.exists() else 0


def heed_interrupts():
    """Makes the process end on SIGINT also where the tests run in the background, whose shell lets them ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def entries(path: Path):
    """Returns the entries of a log without what the clock decides; workers end games in any order, so those with ids stand by them."""
    found = [{**json.loads(line), "seconds": None} for line in path.read_text().splitlines()]
    return sorted(found, key=lambda entry: entry.get("id", 0))


def results(path: Path):
    found = json.loads((path / "results.json").read_text())
    for match in [found, *found.get("final", [])]:
        match.pop("seconds_per_move", None)
    return found


def in_one_go(folder: Path, text: str) -> Path:
    """Returns the folder of a run that nothing disturbed."""
    (folder / "experiment.yaml").write_text(text)
    return run(load(folder / "experiment.yaml"), folder / "run").path


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    return in_one_go(tmp_path_factory.mktemp("match"), MATCH)


@pytest.fixture(scope="module")
def training(tmp_path_factory):
    return in_one_go(tmp_path_factory.mktemp("training"), TRAIN)


ENDS = {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}  # exit codes, those of shells


def last_words(how: signal.Signals, folder: Path) -> str:
    """Returns all that a process and its workers say on standard error if they are ended by a signal."""
    verb = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}.get(how)
    return f"{verb}; go on with: sparring run {folder}\n" if verb else ""


@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("workers", [2, 0])
def test_a_match_killed_at_random_moments_ends_as_one_in_one_go(match, tmp_path, how, workers):
    killed = Killed(tmp_path, MATCH, f"executor.workers={workers}")
    for moment in sorted(random.Random(4).sample(range(1, 380), 2)):
        assert killed.kill_when(lambda moment=moment: killed.lines("games.jsonl") >= moment, how) == (
            ENDS[how],
            last_words(how, killed.folder),
        )
        assert moment <= killed.lines("games.jsonl") < 400
        assert not json.loads((killed.folder / "run.json").read_text())["finished"]
    run(killed.config, killed.folder)
    assert entries(killed.folder / "games.jsonl") == entries(match / "games.jsonl")
    assert results(killed.folder) == results(match)


def test_a_training_killed_twice_ends_as_one_in_one_go(training, tmp_path):
    killed = Killed(tmp_path, TRAIN)
    killed.kill_when(lambda: (killed.folder / "checkpoints" / "0000000512.zip").exists(), signal.SIGKILL)
    assert not killed.lines("games.jsonl")
    ended = killed.kill_when(lambda: killed.lines("games.jsonl") >= 20, signal.SIGTERM)
    assert ended == (ENDS[signal.SIGTERM], last_words(signal.SIGTERM, killed.folder))
    assert 20 <= killed.lines("games.jsonl") < 200
    run(killed.config, killed.folder)
    assert_same_training(killed.folder, training)


def test_a_curve_that_runs_ahead_of_the_last_checkpoint_is_made_anew(training, tmp_path):
    folder = shutil.copytree(training, tmp_path / "run")
    for name in ("model.safetensors", "results.json", "games.jsonl", "checkpoints/0000000768.zip"):
        (folder / name).unlink()
    record = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(record | {"finished": None}))
    run(load(folder / "config.yaml"), folder)
    assert_same_training(folder, training)


def assert_same_training(folder: Path, other: Path) -> None:
    for name in ("games.jsonl", "curve.jsonl"):
        assert entries(folder / name) == entries(other / name)
    assert results(folder) == results(other)
    for name in ("model", "checkpoints/0000000768"):
        networks = [load_network(str(path / f"{name}.safetensors")).policy.state_dict() for path in (folder, other)]
        assert all(weights.equal(networks[1][called]) for called, weights in networks[0].items())
