"""Files that one process at a time holds, with the system's locks and without them."""

import errno
import os
import subprocess
import sys

import pytest
from sparring.envs.file_lock import FileHeldError, held

HOLD = "import sys, time; from pathlib import Path; from sparring.envs.file_lock import held\n"
WITHOUT_LOCKS = """
import errno, fcntl
def flock(file, operation):
    raise OSError(errno.ENOSYS, "Function not implemented")
fcntl.flock = flock
"""


@pytest.fixture(params=["locks", "ENOSYS", "ENOTSUP", "ENOLCK"])
def system(request, monkeypatch):
    """A system with locks, or one whose locks fail with an error."""
    if request.param != "locks":
        refuse_locks(monkeypatch, getattr(errno, request.param))
    return request.param


def refuse_locks(monkeypatch, number):
    fcntl = pytest.importorskip("fcntl", reason="the locks of this system are others")

    def flock(file, operation):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)


def test_one_at_a_time_and_again(system, tmp_path):
    for _ in range(2):
        with held(tmp_path / "lock", 0):
            with pytest.raises(FileHeldError), held(tmp_path / "lock", 0):
                pass
            with pytest.raises(FileHeldError), held(tmp_path / "lock", 0.1):
                pass


def test_another_process_is_waited_for(tmp_path):
    code = f"{HOLD}with held(Path(sys.argv[1]), 0): print(flush=True); time.sleep(0.5)"
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "lock")], stdout=subprocess.PIPE)
    process.stdout.read(1)
    with held(tmp_path / "lock", 30):
        pass
    process.communicate()


def test_a_marker_of_a_killed_process_is_taken_over(monkeypatch, tmp_path):
    code = f"{WITHOUT_LOCKS}{HOLD}with held(Path(sys.argv[1]), 0): print(flush=True); time.sleep(600)"
    process = subprocess.Popen([sys.executable, "-W", "error", "-c", code, str(tmp_path / "lock")], stdout=subprocess.PIPE)
    process.stdout.read(1)
    refuse_locks(monkeypatch, errno.ENOSYS)
    with pytest.raises(FileHeldError, match=f"^process {process.pid} of "), held(tmp_path / "lock", 0):
        pass
    process.kill()
    process.communicate()
    assert (tmp_path / "lock.holder").exists()
    with held(tmp_path / "lock", 0):
        pass
    assert not (tmp_path / "lock.holder").exists()


def test_a_marker_of_another_machine_is_named_with_the_file(monkeypatch, tmp_path):
    refuse_locks(monkeypatch, errno.ENOSYS)
    (tmp_path / "lock.holder").write_text("12\nelsewhere\n")
    with pytest.raises(FileHeldError) as caught, held(tmp_path / "lock", 0.1):
        pass
    assert str(caught.value) == "process 12 of elsewhere"
    assert caught.value.remedy() == f"; if it is not, delete {tmp_path / 'lock.holder'}"


def test_what_cannot_be_locked_is_told(tmp_path):
    with pytest.raises(IsADirectoryError), held(tmp_path, 0):
        pass
