"""Programs that speak the Gomocup protocol as agents: what they are asked, what is borne, and how each failure is named."""

import copy
import gc
import pickle
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec
from sparring import Position, agents
from sparring.agents import engine_agent
from sparring.agents.engine_process import EngineError, EngineProcess
from sparring.envs.rules.errors import AgentError, SparringError

ENGINE = [sys.executable, "-I", "-S", str(Path(__file__).parent / "misbehaving_engine.py")]
QUICK = {"seconds": 0.05}


def engine(*modes, game="Gomoku", **parameters):
    return agents.make({"name": "engine", "cmd": [*ENGINE, *modes], **QUICK, **parameters}, game)


def group_of(agent):
    """Returns the process group of an agent's program."""
    return agent._process._process.pid


def living(group):
    """Returns the processes of a group that are no zombies."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            state, _, pgrp = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue
        if int(pgrp) == group and state not in "ZX":
            found.append(int(folder.name))
    return found


def wait_until_gone(*groups):
    end = time.monotonic() + 5
    while any(map(living, groups)) and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(map(living, groups))


def test_a_game_is_one_conversation_and_the_next_a_restart():
    agent = engine("log")
    agent.reset(0)
    group, position = group_of(agent), Position("Gomoku")
    position.push(agent.act(position))
    assert position.notation == "a15"
    position.push("c3")
    position.push(agent.act(position))
    assert position.notation == "a15 c3 b15"
    assert "TURN 2,12" in agent._process.last_lines
    assert agent.act(Position("Gomoku", "a15c3b15h8c15d4")) == Position("Gomoku").read_move("d15")  # not what it knows: BOARD
    assert "BOARD" in agent._process.last_lines
    agent.reset(1)
    assert "RESTART" in agent._process.last_lines
    assert agent.act(Position("Gomoku", "a15")) == Position("Gomoku").read_move("b15")
    assert "TURN 0,0" in agent._process.last_lines
    assert "INFO rule 0" in agent._process.last_lines
    assert group_of(agent) == group
    agent.close_program()
    wait_until_gone(group)


@pytest.mark.parametrize(
    ("game", "start", "rule"),
    [
        ("Gomoku:size=7", "START 7", 0),
        ("Gomoku:rule=standard", "START 15", 1),
        ("Gomoku:rule=renju", "START 15", 4),
        ("Gomoku:size=20,rule=caro", "START 20", 8),
        ("ConnectK:width=9,height=9,k=5,gravity=False", "START 9", 0),
        ("ConnectK:width=9,height=7,k=5,gravity=False", "RECTSTART 9,7", 0),
    ],
)
def test_boards_and_rules(game, start, rule, monkeypatch):
    monkeypatch.setattr("sparring.agents.engine_process.LAST_LINES", 20)
    agent = engine("log", game=game, memory_mib=350)
    agent.reset()
    position = Position(game)
    assert position.move_text(agent.act(position)) == f"a{position.game.height}"
    said = list(agent._process._last)
    assert {start, f"INFO rule {rule}", "INFO timeout_turn 50", "INFO timeout_match 0", "INFO max_memory 367001600"} <= set(said)
    agent.close_program()


@pytest.mark.parametrize("game", ["ConnectFour", "TicTacToe", "ConnectK:k=5,gravity=True", "ConnectK:width=9,height=9,k=4,gravity=False"])
def test_other_games_are_refused(game):
    with pytest.raises(AgentError, match=r"does not play .*; it plays Gomoku, and ConnectK with k=5 and gravity=False$"):
        engine(game=game)
    with pytest.raises(AgentError, match=r"agent 'engine' does not play Isola; it plays connect_k, gomoku$"):
        engine(game="Isola")


def test_stones_of_a_text_are_told_in_turn():
    agent = engine("log")
    position = Position("Gomoku:size=5", "5/5/2x2/1o1x1/5 o")
    position.push("a1")
    agent._known = [0] * 25
    assert agent._request(position) == "BOARD\n3,3,1\n1,3,2\n2,2,1\n0,4,2\nDONE\n"


@pytest.mark.parametrize(
    "mode",
    [
        "talks at start",
        "talks before the move",
        "slow first move",
        "suggests",
        "cut short by input",
        "chatters between moves",
        "ignores END",
    ],
)
def test_manners_that_are_borne(mode):
    agent, position = engine(mode), Position("Gomoku")
    agent.reset(0)
    for _ in range(3):
        position.push(agent.act(position))
        position.push(position.legal_moves[0])
    assert position.notation.startswith("a15 a1 b15 b1 c15")
    agent.close_program()


@pytest.mark.parametrize("mode", ["knows no RESTART", "hangs after the game", "ends after the game"])
def test_a_program_that_does_not_restart_is_started_anew(mode, monkeypatch):
    monkeypatch.setattr(engine_agent, "RESTART_SECONDS", 0.2)
    agent = engine(mode)
    agent.reset(0)
    first = group_of(agent)
    for game in range(2):
        agent.reset(game)
        assert agent.act(Position("Gomoku", "a15")) == Position("Gomoku").read_move("b15")
    assert group_of(agent) != first
    wait_until_gone(first)
    agent.close_program()


FAILURES = {  # by the program's mode: how the game is lost, and the reason
    "crashes at start": ("crash", r"^crashed: python\S* was sent START 15 and ended with exit code 1; last lines: 'no licence'$"),
    "error at start": ("crash", r"^no start: python\S* answered START 15 by 'ERROR unsupported size'$"),
    "silent at start": ("timeout", r"^too late: python\S* did not answer START 15 within 0.5 s$"),
    "crashes while thinking": ("crash", r"^crashed: .* was asked for a move and was ended by signal 6 \(Aborted\)"),
    "leaves a child": ("crash", r"^crashed: .* was asked for a move and ended with exit code 7"),
    "crashes between moves": ("crash", r"^crashed: .* was asked for a move and ended with exit code 3; last lines: 'OK \| 0,0 \| 1,0'$"),
    "hangs": ("timeout", r"^too late: python\S* did not answer within 0.05 s and 0.3 s of grace; last lines: 'OK \| 0,0'$"),
    "chatters": ("timeout", r"^too late: .*DEBUG still thinking"),
    "floods": ("timeout", r"^too late: "),
    "floods between moves": ("timeout", r"^too late: "),
    "answers h8": ("illegal", r"^no move: expected a move from python\S* within 0.05 s and 0.3 s of grace, got 'h8'$"),
    "answers \x1b[31m7,7": ("illegal", r"^no move: .*, got '\\x1b\[31m7,7'$"),
    "answers 15,3": ("illegal", r"^illegal move: .* answered '15,3': expected a cell from 0,0 to 14,14, got 15,3 \(ply 2: a15 a1\)$"),
    "answers 0,0": ("illegal", r"^illegal move: .* answered '0,0': .* \(ply 2: a15 a1\)$"),
}


@pytest.fixture
def groups(monkeypatch):
    """The process groups of all programs that the test starts."""
    started = []

    class Noted(EngineProcess):
        def __init__(self, *given):
            super().__init__(*given)
            started.append(self._process.pid)

    monkeypatch.setattr(engine_agent, "EngineProcess", Noted)
    return started


@pytest.mark.parametrize("mode", FAILURES)
def test_failures_are_named(mode, groups, monkeypatch):
    monkeypatch.setattr(engine_agent, "START_SECONDS", 0.5 if mode == "silent at start" else 60)
    agent, position, begin = engine(mode, grace=0.3), Position("Gomoku"), time.monotonic()
    with pytest.raises(EngineError) as caught:  # noqa: PT012 - each mode fails at another call
        agent.reset(0)
        for answer in ("a1", "b1", "c1"):
            position.push(agent.act(position))
            position.push(answer)
    ending, reason = FAILURES[mode]
    assert caught.value.ending == ending
    assert re.search(reason, str(caught.value)), str(caught.value)
    assert str(caught.value).isprintable()
    assert time.monotonic() - begin < 5
    wait_until_gone(*groups)
    assert pickle.loads(pickle.dumps(caught.value)).ending == ending


def test_a_foul_is_an_illegal_move():
    text = "h8a1g8a3f9a5f10a7"  # h8 g8 f9 f10: a stone on f8 makes two threes
    agent = engine("answers 5,7", game="Gomoku:rule=renju")
    agent.reset()
    agent.act(Position("Gomoku", rule="renju"))
    position = Position("Gomoku", text, rule="renju")
    with pytest.raises(EngineError, match=r"^illegal move: .* answered '5,7': .*(three|foul|forbidden)") as caught:
        agent.act(position)
    assert caught.value.ending == "illegal"


def test_a_program_that_failed_is_started_anew(groups):
    agent = engine("crashes while thinking")
    for _ in range(2):
        agent.reset(0)
        assert agent.act(Position("Gomoku")) == Position("Gomoku").read_move("a15")
        with pytest.raises(EngineError):
            agent.act(Position("Gomoku", "a15a1"))
    assert len(groups) == 2


@pytest.mark.parametrize("way", ["close", "collected", "copied"])
def test_nothing_is_left_behind(way, groups):
    agent = engine("ignores END") if way == "close" else engine()
    agent.reset(0)
    agent.act(Position("Gomoku"))
    assert len(living(groups[0])) == 2  # the program and its watcher
    if way == "copied":
        twins = copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))
        assert [twin.act(Position("Gomoku", "a15a1")) for twin in twins] == [agent.act(Position("Gomoku", "a15a1"))] * 2
        assert len(groups) == 3
        del twins
    if way == "close":
        agent.close_program()
    del agent
    gc.collect()
    wait_until_gone(*groups)


HOLDER = """
import os, signal, sys
from sparring import Position, agents
agent = agents.make({"name": "engine", "cmd": sys.argv[2:]}, "Gomoku")
agent.reset(0)
agent.act(Position("Gomoku"))
print(agent._process._process.pid, flush=True)
if sys.argv[1] == "fork":
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        assert agent.act(Position("Gomoku", "a15a1")) == Position("Gomoku").read_move("b15")
    else:
        assert agent.act(Position("Gomoku", "a15a1")) == Position("Gomoku").read_move("b15")  # by a program of its own
else:
    os.kill(os.getpid(), getattr(signal, sys.argv[1]))
"""


@pytest.mark.parametrize("end", ["fork", "SIGKILL"])
def test_a_program_ends_with_its_manager(end):
    command = [sys.executable, "-c", HOLDER, end, *ENGINE, "ignores END"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as holder:
        output, errors = holder.communicate(timeout=60)
    assert (errors, holder.returncode) == ("", -signal.SIGKILL if end == "SIGKILL" else 0)
    wait_until_gone(int(output))


def test_memory_is_limited(groups):
    agent = engine("eats memory", memory_mib=256, seconds=1.0)
    agent.reset(0)
    agent.act(Position("Gomoku"))
    with pytest.raises(EngineError, match=r"^crashed: .*exit code 1; last lines: '.*MemoryError'$"):
        agent.act(Position("Gomoku", "a15a1"))


def test_an_interrupted_program_is_not_asked_again(groups, monkeypatch):
    agent = engine()
    agent.reset(0)
    agent.act(Position("Gomoku"))
    monkeypatch.setattr(EngineProcess, "read_line", lambda *given: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        agent.act(Position("Gomoku", "a15a1"))
    monkeypatch.undo()
    assert agent.act(Position("Gomoku", "a15a1")) == Position("Gomoku").read_move("b15")
    wait_until_gone(groups[0])
    agent.close_program()


def test_an_environment_tells_what_failed(groups):
    spec = {"name": "engine", "cmd": [*ENGINE, "crashes while thinking"], **QUICK}
    made = gym.make("sparring/Gomoku-v0", opponent=spec, seat="second")
    env = gym.make(EnvSpec.from_json(made.spec.to_json()))
    env.reset(seed=1)
    with pytest.raises(EngineError, match=r"^crashed: .* was ended by signal 6 \(Aborted\); last lines: 'OK \| 0,0'$"):
        env.step(200)
    env.reset(seed=2)
    assert env.unwrapped.position.notation == "a15"
    env.close()
    wait_until_gone(*groups)


def test_each_game_of_a_batch_has_a_program(groups, monkeypatch):
    monkeypatch.setenv("SPARRING_JIT", "0")  # saves compiling
    envs = gym.make_vec("sparring/Gomoku-v0", num_envs=3, opponent={"name": "engine", "cmd": ENGINE, **QUICK}, seat="second")
    observations, _ = envs.reset(seed=1)
    assert observations[:, 1, 14, 0].all()
    observations, *_ = envs.step([200] * 3)
    assert observations[:, 1, 14, 1].all()
    assert len(groups) == 3
    envs.close()
    wait_until_gone(*groups)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("engine", r"^agent 'engine': cmd: missing; a program is written engine:cmd=PROGRAM$"),
        ("engine:cmd=./nowhere", r"^agent 'engine': cmd: expected a program that can be run, got './nowhere'$"),
        ("engine:cmd='a", r"^agent 'engine': cmd: expected a command with its quotes closed, got \"'a\": no closing quotation$"),
        ({"name": "engine", "cmd": ["a", 1]}, r"^agent 'engine': cmd: expected a list of texts, got \['a', 1\]$"),
        ({"name": "engine", "cmd": 3}, r"^agent 'engine': cmd: expected str or list, got 3$"),
        ("engine:cmd=sh,seconds=-1", r"^agent 'engine': seconds: expected at least 0, got -1$"),
    ],
)
def test_unusable_specs(spec, message):
    with pytest.raises(SparringError, match=message):
        agents.make(spec, "Gomoku")


@pytest.mark.parametrize("words", [["bot"], ["./a bot", "c,d", 'it\'s, "so"', "--depth=3", ""], ["bot", "x,y", "z"]])
def test_commands_have_one_text(words):
    spec = agents.parse_spec({"name": "engine", "cmd": words, "seconds": 2.0})
    assert agents.parse_spec(agents.spec_text(spec)) == spec
    assert agents.parse_spec(spec) == spec
    assert engine_agent.command_words(spec["cmd"]) == words
