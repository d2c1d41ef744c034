"""Games in other processes: the same entries from any of them, and agents and processes that hang, break or are killed."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sparring.experiments import executors
from sparring.experiments.config import Executor
from sparring.experiments.executors import InProcess, Local, WorkerError, executor_of
from sparring.experiments.playing import Conditions, Pairing, Player
from sparring.experiments.watch import Watch, new_file

SMALL = {"id": "sparring/ConnectK-v0", "parameters": {"width": 4, "height": 4, "k": 3, "gravity": True}}
RANDOM, GREEDY = Player("random", {"name": "random"}), Player("greedy", {"name": "greedy"})
BAD_AGENTS = """
import os, signal, time

def bad(*, ply, act):
    return lambda position: act(position) if position.ply >= ply else position.legal_moves[-1]

def fail(position):
    raise RuntimeError("no idea")

raises = bad(ply=4, act=fail)
hangs = bad(ply=4, act=lambda position: time.sleep(600))
illegal = bad(ply=4, act=lambda position: 99)
nan = bad(ply=4, act=lambda position: float("nan"))
exits = bad(ply=4, act=lambda position: os._exit(3))
dies = bad(ply=4, act=lambda position: os.kill(os.getpid(), signal.SIGSEGV))
killed = bad(ply=4, act=lambda position: os.kill(os.getpid(), signal.SIGKILL))
"""
ENDS = {
    "raises": ("crash", "RuntimeError: no idea"),
    "hangs": ("timeout", "took more than 0.5 s"),
    "illegal": ("illegal", "expected a legal move, got 99"),
    "nan": ("illegal", "expected a legal move, got nan"),
    "exits": ("crash", "its process ended with exit code 3"),
    "dies": ("crash", "its process ended by signal SIGSEGV"),
    "killed": ("crash", "its process was killed 3 times by signal SIGKILL"),
}


def tasks(games, players=(GREEDY, RANDOM), **changes):
    return [task._replace(**changes) for task in Pairing(SMALL, players, games, opening_plies=2, seed=3).tasks()]


def by_id(entries):
    """Returns entries without what the clock decides, by id; each may stand there once."""
    found = {}
    for entry in entries:
        assert entry["id"] not in found
        found[entry["id"]] = {**entry, "seconds": None}
    return found


@pytest.fixture(scope="module")
def expected():
    return by_id(InProcess().run(tasks(60)))


@pytest.fixture
def bad_agents(tmp_path, monkeypatch):
    (tmp_path / "bad_agents.py").write_text(BAD_AGENTS)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_entries_are_the_same_from_any_number_of_workers(expected, workers):
    with Local(workers) as games:
        assert by_id(games.run(tasks(60))) == expected
        assert by_id(games.run(tasks(10))) == {id: expected[id] for id in range(10)}, "the same workers again"


def test_whoever_stops_listening_can_begin_anew(expected):
    with Local(2) as games:
        some = by_id(entry for entry, _ in zip(games.run(tasks(60)), range(7), strict=False))
        assert len(some) == 7
        assert by_id(games.run(tasks(60))) == expected


def test_workers_that_are_killed_lose_and_double_nothing(expected):
    chance, found = random.Random(5), []
    with Local(2) as games:
        for entry in games.run(tasks(60)):
            found.append(entry)
            if len(found) % 3 == 0:
                chance.choice(games._workers).process.send_signal(chance.choice([signal.SIGKILL, signal.SIGTERM]))
    assert by_id(found) == expected


@pytest.mark.parametrize("name", ENDS)
def test_an_agent_that_breaks_loses_its_games_by_name_and_the_others_go_on(bad_agents, name, monkeypatch):
    monkeypatch.setattr(executors, "MOST_DEATHS", 3)
    bad = Player(name, {"name": "python", "target": f"bad_agents:{name}"})
    todo = [*tasks(4, (bad, GREEDY), conditions=Conditions(move_seconds=0.5)), *(task._replace(id=task.id + 4) for task in tasks(8))]
    with Local(2) as games:
        found = by_id(games.run(todo))
    assert sorted(found) == list(range(12))
    lost = [entry for entry in found.values() if entry["termination"] in ("crash", "timeout", "illegal")]
    assert {entry["id"] for entry in lost} <= set(range(4))
    assert lost
    for entry in lost:
        assert (entry["termination"], entry["reason"]) == ENDS[name]
        assert entry["first" if entry["result"] == "second" else "second"] == name
        assert entry["plies"] >= 4


def test_no_workers_are_this_process():
    assert isinstance(executor_of(Executor(workers=0)), InProcess)
    assert isinstance(executor_of(Executor()), Local)


def test_workers_end_when_their_driver_is_killed():
    code = (
        "from sparring.experiments.executors import Local; import test_executors as t, time\n"
        "with Local(2) as games:\n"
        "    run = games.run(t.tasks(4)); next(run); print(*(w.process.pid for w in games._workers), flush=True); time.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    driver = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment)
    workers = [int(word) for word in driver.stdout.readline().split()]
    driver.kill()
    driver.communicate()
    assert len(workers) == 2
    assert wait_for(lambda: not any(is_running(pid) for pid in workers))


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


def wait_for(is_true, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_true():
            return True
        time.sleep(0.05)
    return False


def test_a_worker_that_cannot_begin_is_named(monkeypatch, capfd):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with Local(1) as games, pytest.raises(WorkerError, match="a worker ended with exit code 1 before its first game"):
        list(games.run(tasks(2)))


def test_a_watch_tells_another_mapping_what_was_noted():
    file = new_file()
    mine, theirs = Watch(file), Watch(file)
    os.close(file)
    assert theirs.read().game == -1
    mine.ask(7, 1, [3, 300, 2], (0.5, 0.25), 9.0)
    asked = theirs.read()
    assert (asked.game, asked.seat, asked.moves, asked.seconds) == (7, 1, [3, 300, 2], (0.5, 0.25))
    assert asked.deadline - asked.since == pytest.approx(9.0)
