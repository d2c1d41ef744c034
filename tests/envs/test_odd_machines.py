"""Machines on which something is missing or damaged (homes, locks, files of the kernel cache, the compiler), and first use in threads."""

import os
import shutil
import subprocess
import sys

import pytest

COUNT = """
import sys
from sparring import Position
from sparring.envs.perft import count
print(count(Position("TicTacToe"), 3), "numba" in sys.modules)
"""
TOGETHER = """
import threading, gymnasium, sparring
def vector():
    gymnasium.make_vec("sparring/TicTacToe-v0", num_envs=2, opponent="greedy").reset(seed=1)
def single():
    gymnasium.make("sparring/TicTacToe-v0", opponent="alphabeta:depth=2", seat="second").reset(seed=1)
def agent():
    sparring.agents.make("alphabeta:depth=2", "TicTacToe").act(sparring.Position("TicTacToe"))
faults = []
def use(what):
    begin.wait()
    try:
        what()
    except Exception as fault:
        faults.append(fault)
uses = [vector, vector, single, single, agent, agent]
begin = threading.Barrier(len(uses))
threads = [threading.Thread(target=use, args=[what]) for what in uses]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(faults)
"""
WITHOUT_HOME = """
import os, pwd
def nobody(uid):
    raise KeyError(uid)
pwd.getpwuid = nobody
del os.environ["HOME"], os.environ["XDG_CACHE_HOME"]
"""
WITHOUT_LOCKS = """
import errno, fcntl, os
def flock(file, operation):
    raise OSError(errno.{0}, os.strerror(errno.{0}))
fcntl.flock = flock
"""
IMPATIENT = "from sparring.envs.compiled import cache\ncache._patience[0] = 0.2\n"
FULL_DISK = """
import errno
from numba.core.caching import IndexDataCacheFile
def fail(*_):
    raise OSError(errno.ENOSPC, "No space left on device")
IndexDataCacheFile._save_data = fail
"""


def run(code, cache, **environment):
    """Runs code in a new process with a cache folder of its own; returns what it prints and what it says on standard error."""
    settings = {**os.environ, "XDG_CACHE_HOME": str(cache), **environment}
    settings.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env=settings)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """A cache folder that holds all that the code above uses, and the count."""
    cache = tmp_path_factory.mktemp("warm")
    counts, said = run(COUNT, cache)
    assert said == ""
    run(TOGETHER, cache)
    return cache, counts


def kernels(cache):
    """Returns the files of a kernel cache."""
    found = sorted(file for file in cache.rglob("*.nb?"))
    assert {file.suffix for file in found} == {".nbi", ".nbc"}
    return found


def locks_of(cache):
    """Returns the locks of a kernel cache, one for each binding."""
    return sorted((cache / "sparring").glob("*/*/lock"))


def test_threads_that_use_everything_first_together(warm):
    for _ in range(2):
        assert run(TOGETHER, warm[0]) == ("[]\n", "")


def test_a_user_without_a_home_compiles_in_each_process_and_is_told(warm):
    counts, said = run(WITHOUT_HOME + COUNT, warm[0])
    assert counts == warm[1]
    [line] = said.splitlines()
    assert line.startswith("sparring: compiled code cannot be kept, so each process compiles anew (could not determine the home directory")
    assert line.endswith("; NUMBA_CACHE_DIR may name a folder for it")


def test_a_cache_that_cannot_be_written_is_told(warm, tmp_path):
    (tmp_path / "blocked").write_text("a file where the cache folder would be")
    counts, said = run(COUNT, tmp_path / "blocked")
    assert counts == warm[1]
    assert said.count("\n") == 1
    assert "compiled code cannot be kept" in said


@pytest.mark.parametrize("error", ["ENOSYS", "ENOTSUP", "ENOLCK"])
def test_a_cache_on_a_file_system_without_locks(warm, error):
    cache, counts = warm
    assert run(WITHOUT_LOCKS.format(error) + COUNT, cache) == (counts, "")
    assert not list(cache.rglob("*.holder"))


def test_a_marker_of_another_machine_holds_nobody_up_for_ever(warm, tmp_path):
    cache = shutil.copytree(warm[0], tmp_path / "cache")
    markers = [lock.with_name("lock.holder") for lock in locks_of(cache)]
    for marker in markers:
        marker.write_text("12\nelsewhere\n")
    counts, said = run(WITHOUT_LOCKS.format("ENOSYS") + IMPATIENT + COUNT, cache)
    assert counts == warm[1]
    assert set(said.splitlines()) <= {
        f"sparring: compiling without waiting any longer: process 12 of elsewhere is compiling, too; if it is not, delete {marker}"
        for marker in markers
    }
    assert said


def test_a_lock_that_is_not_given_up_holds_nobody_up_for_ever(warm):
    hold = f"import fcntl, os\nfor lock in {[*map(str, locks_of(warm[0]))]!r}:\n    fcntl.flock(os.open(lock, os.O_RDWR), fcntl.LOCK_EX)\n"
    counts, said = run(hold + IMPATIENT + COUNT, warm[0])
    assert counts == warm[1]
    assert set(said.splitlines()) == {"sparring: compiling without waiting any longer: another process is compiling, too"}


@pytest.mark.parametrize(("suffix", "size"), [(".nbi", 0), (".nbc", 20)])
def test_damaged_files_of_the_cache_are_compiled_anew_in_silence(warm, tmp_path, suffix, size):
    cache = shutil.copytree(warm[0], tmp_path / "cache")
    damaged = [file for file in kernels(cache) if file.suffix == suffix]
    for file in damaged:
        file.write_bytes(file.read_bytes()[:size])
    assert run(COUNT, cache) == (warm[1], "")
    mended = {file: file.stat().st_mtime_ns for file in kernels(cache)}
    assert run(COUNT, cache) == (warm[1], "")
    assert {file: file.stat().st_mtime_ns for file in kernels(cache)} == mended, "loaded the second time"


def test_a_disk_that_is_full(warm, tmp_path):
    assert run(FULL_DISK + COUNT, tmp_path) == (warm[1], "")


def test_numba_that_is_told_not_to_compile(warm):
    leaves = warm[1].split()[0]
    assert run(COUNT, warm[0], NUMBA_DISABLE_JIT="1") == (f"{leaves} False\n", "")
    assert run(COUNT, warm[0], NUMBA_DISABLE_JIT="0") == (f"{leaves} True\n", "")
