"""Games on a real Ray cluster. Ray listens on every address and looks for the outside, so it gets a network of its own with `lo` alone."""

import os
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from sparring.envs.rules.errors import MissingExtraError
from sparring.experiments.config.parts import Executor
from sparring.experiments.workers.executors import executor_of

HELD = [
    "an own cluster plays the same games",
    "killed workers lose and double nothing",
    "an adjudicator's fault is one line",
    "an address that is none is one line",
    "a cluster that the process uses already is used and left alone",
    "a killed node loses and doubles nothing",
]


def why_not():
    """Returns why Ray cannot be tested here, or None."""
    if not find_spec("ray"):
        return "needs the extra 'ray'"
    if not shutil.which("ip") or os.geteuid() != 0:
        return "needs `ip netns` (the system's package iproute2) and root, as Ray is only started in a network of its own"
    return None


@pytest.fixture
def network():
    """The name of a network that has only `lo`; whatever runs in it at the end fails the test and is killed."""
    name = f"sparring-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"cannot make a network of its own: {made.stderr.strip()}")
    try:
        yield name
        end = time.monotonic() + 20
        while left := pids_in(name):
            if time.monotonic() > end:
                names = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in left]
                for pid in left:
                    os.kill(pid, 9)
                pytest.fail(f"still running: {names}")
            time.sleep(0.1)
    finally:
        subprocess.run(["ip", "netns", "del", name], check=True)


def pids_in(network):
    return [int(word) for word in subprocess.run(["ip", "netns", "pids", network], capture_output=True, check=True).stdout.split()]


@pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
def test_ray_plays_the_same_games_while_workers_and_a_node_are_killed(network, tmp_path):
    here = Path(__file__).parent
    command = f"ip link set lo up && exec {sys.executable} -W error {here / 'ray_games.py'}"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(here), *sys.path]), "RAY_USAGE_STATS_ENABLED": "0"}
    words = ["ip", "netns", "exec", network, "sh", "-c", command]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    said = [line for line in done.stdout.splitlines() if line in HELD]  # Ray, too, writes there
    assert said == HELD, (done.stdout + done.stderr)[-3000:]
    assert done.returncode == 0


def test_ray_that_is_missing_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"executor: name: ray needs ray; install it with: pip install 'sparring\[ray\]'"):
        executor_of(Executor(name="ray"))
