"""Games in other processes: the same entries from any of them, and agents and processes that hang, break or are killed."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from array import array
from pathlib import Path

import pytest
from sparring.envs.rules.errors import AgentError
from sparring.experiments.config.parts import Executor
from sparring.experiments.games import kept_agents
from sparring.experiments.games import play as playing
from sparring.experiments.games.task import Conditions, Pairing, Player
from sparring.experiments.games.waiting import NO_NUMBER, Waiting, Watch, new_file
from sparring.experiments.workers import executors
from sparring.experiments.workers.executors import InProcess, Local, Worker, WorkerError, executor_of

SMALL = {"id": "sparring/ConnectK-v0", "parameters": {"width": 4, "height": 4, "k": 3, "gravity": True}}
RANDOM, GREEDY, OTHER = (Player(name, {"name": name.split()[0]}) for name in ("random", "greedy", "random (2)"))
BAD_AGENTS = """
import os, resource, signal, sys, time

class Unlike(BaseException):
    def __str__(self):
        raise ValueError("no words")

class NoNumber:
    def __index__(self):
        raise RuntimeError("no number")

class InReset:
    def reset(self, seed):
        raise KeyError(seed and "reset")
    def act(self, position):
        return position.legal_moves[0]

class InConstructor:
    def __init__(self):
        raise OSError("no weights")
    def act(self, position):
        return 0

class HangsInConstructor(InConstructor):
    def __init__(self):
        time.sleep(600)

class ExitsInConstructor(InConstructor):
    def __init__(self):
        os._exit(7)

def bad(*, ply, act):
    return lambda position: act(position) if position.ply >= ply else position.legal_moves[-1]

def escape(position):
    raise RuntimeError("\x1b[2J\x07 \u202e")

def fail(position):
    raise RuntimeError("no idea")

def fail_unlike(position):
    raise Unlike

def interrupt(position):
    raise KeyboardInterrupt

def fail_strangely(position):
    raise RuntimeError("\\ud800")

def leave_a_child(position):
    if os.fork() == 0:
        time.sleep(600)
    os._exit(5)

def close_all(position):
    os.closerange(3, 256)
    time.sleep(600)

def ignore_sigterm(position):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)

def eat(position):
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 2**27, before[1]))
    kept = []
    try:
        while True:
            kept.append(bytearray(2**24))
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)

def print_much(position):
    print("x" * 100_000, flush=True)
    os.write(1, b"raw")
    return 99

raises = bad(ply=4, act=fail)
AtOnce = bad(ply=0, act=lambda position: time.sleep(600))
hangs = bad(ply=4, act=lambda position: time.sleep(600))
illegal = bad(ply=4, act=lambda position: 99)
nan = bad(ply=4, act=lambda position: float("nan"))
exits = bad(ply=4, act=lambda position: os._exit(3))
dies = bad(ply=4, act=lambda position: os.kill(os.getpid(), signal.SIGSEGV))
killed = bad(ply=4, act=lambda position: os.kill(os.getpid(), signal.SIGKILL))
leaves_system = bad(ply=4, act=lambda position: sys.exit("bye"))
raises_unlike = bad(ply=4, act=fail_unlike)
raises_strangely = bad(ply=4, act=fail_strangely)
interrupts = bad(ply=4, act=interrupt)
no_number = bad(ply=4, act=lambda position: NoNumber())
far_too_large = bad(ply=4, act=lambda position: 10**5000)
leaves_a_child = bad(ply=4, act=leave_a_child)
answers_twice = bad(ply=4, act=lambda position: (os.fork(), position.legal_moves[0])[1])
escapes = bad(ply=4, act=escape)
closes_all = bad(ply=4, act=close_all)
ignores_sigterm = bad(ply=4, act=ignore_sigterm)
eats = bad(ply=4, act=eat)
prints = bad(ply=4, act=print_much)
"""
ENDS = {
    "raises": ("crash", "RuntimeError: no idea"),
    "AtOnce": ("timeout", "took more than 0.5 s"),
    "hangs": ("timeout", "took more than 0.5 s"),
    "illegal": ("illegal", "expected a legal move, got 99"),
    "nan": ("illegal", "expected a legal move, got nan"),
    "exits": ("crash", "its process ended with exit code 3"),
    "dies": ("crash", "its process ended by signal SIGSEGV"),
    "killed": ("crash", "its process was killed 2 times by signal SIGKILL"),
    "leaves_system": ("crash", "its process ended with exit code 1"),
    "raises_unlike": ("crash", "its process ended with exit code 1"),
    "raises_strangely": ("crash", "RuntimeError: \\ud800"),
    "interrupts": ("crash", "its process ended with exit code 1"),
    "no_number": ("crash", "RuntimeError: no number"),
    "far_too_large": ("crash", "ValueError: Exceeds the limit"),
    "answers_twice": ("crash", "forked the process, and both copies answered"),
    "escapes": ("crash", r"RuntimeError: \x1b[2J\x07 \u202e"),
    "leaves_a_child": ("crash", "its process ended with exit code 5"),
    "closes_all": ("crash", "its process closed the connection to the games"),
    "ignores_sigterm": ("timeout", "took more than 0.5 s"),
    "eats": ("crash", "MemoryError"),
    "prints": ("illegal", "expected a legal move, got 99"),
    "InReset": ("crash", "KeyError: 'reset'"),
    "InConstructor": ("crash", "OSError: no weights"),
    "ExitsInConstructor": ("crash", "its process ended with exit code 7"),
}


SHORT = Conditions(move_seconds=0.5)
ASKED = Waiting(7, 1, 5.5, 9.0, (0.5, 0.25), array("h", [3, 300, 2]), array("q", [-(2**40), NO_NUMBER]), array("q", [4, NO_NUMBER]))


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
def folder(tmp_path, monkeypatch):
    """The current folder, in which the broken agents are."""
    (tmp_path / "bad_agents.py").write_text(BAD_AGENTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def broken():
    """The entries of games by the name of the broken agent in them; those of sound agents, played beside them, by None."""
    todo = []
    for number, name in enumerate([*ENDS, None]):
        players = (RANDOM, OTHER) if name is None else (Player(name, {"name": "python", "target": f"bad_agents:{name}"}), RANDOM)
        todo += [task._replace(id=task.id + 4 * number) for task in tasks(4, players, conditions=SHORT)]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch, Local(3) as games:
        (Path(folder) / "bad_agents.py").write_text(BAD_AGENTS)
        patch.chdir(folder)
        patch.setattr(executors, "MOST_DEATHS", 2)
        found = by_id(games.run(todo))
    assert sorted(found) == list(range(4 * len(ENDS) + 4))
    return {name: [found[id] for id in range(4 * number, 4 * number + 4)] for number, name in enumerate([*ENDS, None])}


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
def test_an_agent_that_breaks_loses_by_name(broken, name):
    lost = [entry for entry in broken[name] if entry["termination"] in ("crash", "timeout", "illegal")]
    assert lost
    for entry in lost:
        assert (entry["termination"], entry["reason"][: len(ENDS[name][1])]) == ENDS[name]
        assert entry["first" if entry["result"] == "second" else "second"] == name
        assert entry["plies"] >= (2 if name[0].isupper() else 4)


@pytest.mark.parametrize("games", [InProcess, lambda: Local(1)])
def test_only_copies_of_a_process_that_answer_lose_the_game(folder, games):
    (folder / "forking.py").write_text(
        "import os\n"
        "def twice(position):\n    os.fork()\n    return position.legal_moves[0]\n"
        "def once(position):\n    child = os.fork()\n    if not child:\n        os._exit(0)\n"
        "    os.waitpid(child, 0)\n    return position.legal_moves[0]\n"
    )
    for name, ends in (("twice", {"crash"}), ("once", {"line", "full"})):
        players = (Player(name, {"name": "python", "target": f"forking:{name}"}), RANDOM)
        with games() as playing_games:
            found = by_id(playing_games.run(tasks(2, players)))
        assert {entry["termination"] for entry in found.values()} <= ends
        assert len(found) == 2


def test_games_of_sound_agents_go_on_beside_broken_ones(broken):
    sound = by_id(InProcess().run(tasks(4, (RANDOM, OTHER)))).values()
    assert [{**entry, "id": entry["id"] % 4} for entry in broken[None]] == list(sound)


def test_a_constructor_that_hangs_loses_the_game_when_its_time_is_over(folder, monkeypatch):
    start_instead(monkeypatch, folder, "playing.PREPARATION = 1.0\n")
    hangs = Player("hangs", {"name": "python", "target": "bad_agents:HangsInConstructor"})
    with Local(1) as games:
        first, second = games.run(tasks(2, (hangs, RANDOM)))
    assert (first["result"], second["result"]) == ("second", "first")
    assert (first["termination"], first["reason"], first["plies"]) == ("timeout", "took more than 1 s", 2)


def test_silence_for_the_rest_of_a_game_is_its_budget_used_up(folder):
    hangs = Player("hangs", {"name": "python", "target": "bad_agents:hangs"})
    with Local(1) as games:
        [entry] = games.run(tasks(2, (hangs, RANDOM), conditions=Conditions(move_seconds=5.0, game_seconds=0.5))[:1])
    assert (entry["result"], entry["termination"], entry["reason"]) == ("second", "timeout", "used up its 0.5 s for the game")
    assert entry["plies"] == 4


def test_a_game_that_is_lost_by_silence_keeps_its_scores(folder):
    search = Player("search", {"name": "alphabeta", "depth": 2})
    with Local(1) as games:
        speaking, silent = (
            next(games.run(tasks(2, (Player(name, {"name": "python", "target": f"bad_agents:{name}"}), search), conditions=SHORT)[:1]))
            for name in ("raises", "hangs")
        )
    assert (speaking["termination"], silent["termination"]) == ("crash", "timeout")
    assert len(silent["scores"]) == silent["plies"] - 2 == 2
    for key in ("moves", "scores", "depths"):
        assert silent[key] == speaking[key]
    assert {type(score) for score in silent["scores"]} == {int, type(None)}


def test_an_answer_after_all_shifts_no_forfeit_to_the_next_game(folder, monkeypatch):
    late = Worker.overdue

    def late_and_gone_on(worker):
        if asked := late(worker):
            worker.watch.record_waiting(asked._replace(game=1, seat=1, moves=[0]))
        return asked

    monkeypatch.setattr(Worker, "overdue", late_and_gone_on)
    hangs = Player("hangs", {"name": "python", "target": "bad_agents:hangs"})
    with Local(1) as games:
        [entry] = games.run(tasks(2, (hangs, RANDOM), conditions=Conditions(move_seconds=0.1))[:1])
    assert (entry["first"], entry["result"], entry["plies"]) == ("hangs", "second", 4)


def test_nothing_that_an_agent_has_started_outlives_its_worker(tmp_path, monkeypatch):
    (tmp_path / "forking_agents.py").write_text(
        "import os, time\n"
        "def forks(position):\n"
        "    if not (child := os.fork()):\n"
        "        time.sleep(600)\n"
        "    open('children', 'a').write(f'{child} ')\n"
        "    return position.legal_moves[0]\n"
    )
    monkeypatch.chdir(tmp_path)
    forks = Player("forks", {"name": "python", "target": "forking_agents:forks"})
    with Local(1) as games:
        assert {entry["termination"] for entry in games.run(tasks(2, (forks, RANDOM)))} <= {"line", "full"}
        children = [int(word) for word in (tmp_path / "children").read_text().split()]
        assert children
    assert wait_for(lambda: not any(is_running(pid) for pid in children))


def test_an_adjudicator_takes_nobodys_time(monkeypatch):
    asked = []
    monkeypatch.setattr(Watch, "record_waiting", lambda watch, noted: asked.append((noted.seat, noted.most)))
    conditions = Conditions(move_seconds=5.0, adjudicator={"name": "alphabeta", "depth": 1})
    list(InProcess().run(tasks(2, (RANDOM, OTHER), conditions=conditions)))
    plies = asked[3 : asked.index((0, playing.PREPARATION), 1)]  # of the first game, after both seats and the adjudicator got ready
    assert set(plies[::2]) == {(-1, playing.ADJUDICATION)}
    assert {most for _, most in plies[1::2]} == {5.0}


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("1 / 0", "a worker ended with exit code 1 while no player was to move"),
        ("os._exit(3)", "a worker ended with exit code 3 while no player was to move"),
        ("os.kill(os.getpid(), 9)", "a worker was killed 2 times by signal SIGKILL while no player was to move"),
        ("time.sleep(600)", "the adjudicator took more than 0.5 s for a position of game 0"),
    ],
)
def test_an_adjudicators_fault_ends_the_run(tmp_path, monkeypatch, fault, message):
    code = "import os, time\nclass Adjudicator:\n    def act(self, position):\n        pass\n    def analyse(self, position):\n        "
    (tmp_path / "search.py").write_text(code + fault)
    start_instead(monkeypatch, tmp_path, "playing.ADJUDICATION = 0.5\n")
    monkeypatch.setattr(executors, "MOST_DEATHS", 2)
    conditions = Conditions(adjudicator={"name": "python", "target": "search:Adjudicator"})
    with Local(1) as games, pytest.raises(WorkerError, match=message):
        list(games.run(tasks(2, (RANDOM, OTHER), conditions=conditions)))


@pytest.mark.parametrize("games", [InProcess(), Local(1)], ids=["here", "worker"])
def test_an_agent_that_cannot_be_made_here_ends_the_run(games):
    absent = Player("absent", {"name": "policy", "path": "absent.safetensors"})
    with games, pytest.raises(AgentError, match=r"^agent 'policy': path: expected a saved network, got 'absent.safetensors', which is no"):
        list(games.run(tasks(2, (RANDOM, absent))))


def test_only_the_agent_that_breaks_is_made_anew(folder, monkeypatch):
    monkeypatch.setattr(playing, "AGENTS", kept_agents.Agents())
    breaks = Player("breaks", {"name": "python", "target": "bad_agents:raises"})
    assert [entry["termination"] for entry in InProcess().run(tasks(2, (RANDOM, breaks)))] == ["crash", "crash"]
    assert [spec for spec, *_ in playing.AGENTS._kept] == [json.dumps(RANDOM.spec)]


def test_no_workers_are_this_process():
    assert isinstance(executor_of(Executor(workers=0)), InProcess)
    assert isinstance(executor_of(Executor()), Local)


def test_workers_end_when_their_driver_is_killed():
    code = (
        "from sparring.experiments.workers.executors import Local; import test_executors as t, time\n"
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
    with (
        Local(1) as games,
        pytest.raises(WorkerError, match=r"a worker ended with exit code 1 while no player was to move; see its output"),
    ):
        list(games.run(tasks(2)))


def test_a_fault_of_ours_is_no_agents(tmp_path, monkeypatch, capfd):
    start_instead(monkeypatch, tmp_path, "def fail(play):\n    raise RuntimeError('ours')\nplaying._Play.entry = fail\n")
    with Local(1) as games, pytest.raises(WorkerError, match="a worker ended with exit code 1 while no player was to move"):
        list(games.run(tasks(2)))
    assert "RuntimeError: ours" in capfd.readouterr().err


IMPORTS = "from sparring.experiments.games import play as playing\nfrom sparring.experiments.workers import worker\n"


def start_instead(monkeypatch, folder, code):
    """Has workers execute some code before they begin."""
    (folder / "altered").mkdir()
    (folder / "altered" / "worker.py").write_text(IMPORTS + f"{code}main = worker.main\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(executors, "__package__", "altered")


def test_a_watch_shows_no_half_written_record():
    """A worker that is interrupted while it writes must not look late: its deadline would be another's, or none."""

    class Memory(bytearray):
        def __setitem__(self, place, value):
            super().__setitem__(place, value)
            seen.append(watch.read())

    watch, seen = Watch(), []
    watch.record_waiting(Waiting(6, 0, 0.5, 3.0, (0.25, 0.25), [1, 2], array("q"), array("q")))
    watch._memory = Memory(watch._memory)
    watch.record_waiting(ASKED)
    assert {asked.game for asked in seen[:-1]} == {-1}
    assert seen[-1] == ASKED


def test_a_watch_tells_another_mapping_what_was_noted():
    file = new_file()
    mine, theirs = Watch(file), Watch(file)
    os.close(file)
    assert theirs.read().game == -1
    mine.record_waiting(ASKED)
    assert theirs.read() == ASKED
    mine.clear()
    assert theirs.read() == ASKED._replace(game=-1)
