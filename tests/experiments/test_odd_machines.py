"""Runs on machines that lack something: locks, process groups, a home, a backend of Matplotlib."""

import errno
import os
import subprocess
import sys

import pytest
from sparring.experiments.files import RunFolderError
from sparring.experiments.kinds.match import MatchConfig
from sparring.experiments.run_folder import opened

MATCH = "kind: match\ngame: TicTacToe\nagents: [greedy, random]\ngames: 4\n"
CLI = "from sparring.experiments.commands.cli import main; main()"
AS_ON_WINDOWS = """
import os, signal, sys
for name in ("fork", "forkpty", "killpg", "pread", "pwrite", "geteuid", "getuid", "sched_getaffinity"):
    delattr(os, name)
for name in ("SIGKILL", "SIGHUP"):
    delattr(signal, name)
for name in ("fcntl", "pwd", "grp", "resource", "termios"):
    sys.modules[name] = None
"""
IMPORT_ALL = """
import importlib, pkgutil, sparring
names = [module.name for module in pkgutil.walk_packages(sparring.__path__, "sparring.") if not module.name.startswith("sparring.tests")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""


def start(code, *words, folder, **environment):
    """Runs code in a new process whose current folder holds match.yaml."""
    (folder / "match.yaml").write_text(MATCH)
    command = [sys.executable, "-W", "error", "-c", code, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, **environment})


def test_every_module_loads_without_what_windows_lacks(tmp_path):
    done = start(AS_ON_WINDOWS + IMPORT_ALL, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100


def test_a_system_that_cannot_watch_workers_plays_in_the_calling_process_and_says_so(tmp_path):
    done = start(AS_ON_WINDOWS + CLI, "run", "match.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (
        "executor: this system cannot watch workers, so all games are played in this process, which an agent that hangs would stop\n"
        in done.stderr
    )
    assert "report: runs/match-" in done.stdout
    refused = start(AS_ON_WINDOWS + CLI, "run", "match.yaml", "executor.workers=2", "--out", "two", folder=tmp_path)
    assert (refused.returncode, refused.stderr.splitlines()[-1]) == (
        2,
        "executor: workers: expected 0, as this system cannot watch workers, got 2",
    )


def test_a_backend_that_is_missing_keeps_nobody_from_a_report(tmp_path):
    backend = "module://matplotlib_inline.absent"
    ask = "import matplotlib"
    assert start(ask, folder=tmp_path, MPLBACKEND="absent").returncode, "Matplotlib refuses it"
    for name in ("absent", backend):
        done = start(CLI, "run", "match.yaml", "--out", name[:4], folder=tmp_path, MPLBACKEND=name)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / name[:4] / "report.html").stat().st_size > 10_000


@pytest.fixture
def config():
    return MatchConfig(name="m", game="TicTacToe", agents=["random", "random"], games=2)


@pytest.fixture
def no_locks(monkeypatch):
    """A file system whose locks fail."""
    fcntl = pytest.importorskip("fcntl", reason="the locks of this system are others")

    def flock(file, operation):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(fcntl, "flock", flock)


@pytest.mark.usefixtures("no_locks")
def test_a_run_on_a_file_system_without_locks_is_one_process_at_a_time(config, tmp_path):
    held = rf"run: process {os.getpid()} of \S+ is using this run; if it is not, delete .*lock.holder"
    for is_fresh in (False, False, True):
        with opened(tmp_path / "run", config, is_fresh), pytest.raises(RunFolderError, match=held), opened(tmp_path / "run", config):
            pass
    assert not list(tmp_path.rglob("*.holder"))
    assert (tmp_path / "run.old-1" / "run.json").exists()


@pytest.mark.usefixtures("no_locks")
def test_a_marker_of_another_machine_is_named_with_the_file(config, tmp_path):
    (tmp_path / "lock.holder").write_text("12\nelsewhere\n")
    with pytest.raises(RunFolderError) as caught, opened(tmp_path, config):
        pass
    assert str(caught.value) == f"{tmp_path}: process 12 of elsewhere is using this run; if it is not, delete {tmp_path}/lock.holder"
