"""Agents written in Python, by the name of their module: what may be named, and which mistakes are found before a game."""

import sys
import threading

import pytest
from sparring import Position, agents
from sparring.agents import Analysis
from sparring.agents.python_agent import PythonAgent, load
from sparring.envs.rules.errors import AgentError, IllegalMoveError

MODULE = """
from sparring.agents import Analysis

made = []

def last(position):
    return position.legal_moves[-1]

def by_the_book(position):
    import my_opening_book
    return my_opening_book.MOVE

class Counts:
    def __init__(self):
        made.append(self)
        self.seeds = []
    def reset(self, seed):
        self.seeds.append(seed)
    def act(self, position):
        return position.legal_moves[len(self.seeds)]

counter = Counts()

class Thinks:
    def act(self, position):
        return 0
    def analyse(self, position):
        return Analysis(4, score=7)

class Breaks:
    def __init__(self):
        raise OSError("no weights")
    def act(self, position):
        return 0

class Mute:
    pass

class outer:
    inner = last

number = 7
"""
START = Position("TicTacToe")


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module in the current folder, which is not on the import path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "my_agents.py").write_text(MODULE)
    yield "my_agents"
    for name in ("my_agents", "my_opening_book", "unfit_module"):
        sys.modules.pop(name, None)


def python(target):
    return agents.make(f"python:target={target}", "TicTacToe")


def test_a_function_of_a_module_in_the_current_folder_plays(module):
    agent = python("my_agents:last")
    assert (agent.act(START), agent.analyse(START), agent.name) == (8, Analysis(8), "python")
    assert python("my_agents:outer.inner").act(START) == 8
    agent.reset(3)


def test_a_module_may_import_its_neighbours_when_it_plays(module, tmp_path):
    (tmp_path / "my_opening_book.py").write_text("MOVE = 6")
    before = list(sys.path)
    agent, _ = python("my_agents:by_the_book"), python("my_agents:last")
    assert agent.act(START) == 6
    assert sys.path == [*before, str(tmp_path)]


def test_a_module_may_change_the_import_path(module, tmp_path):
    (tmp_path / "unfit_module.py").write_text(f"import sys\nfrom my_agents import last\nsys.path.remove({str(tmp_path)!r})\n")
    assert python("unfit_module:last").act(START) == 8


def test_a_class_is_made_once_for_each_agent_and_told_of_every_game(module):
    one, other = python("my_agents:Counts"), python("my_agents:Counts")
    for seed in (3, 4):
        one.reset(seed)
    assert (one.act(START), other.act(START)) == (2, 0)
    assert [agent.seeds for agent in sys.modules["my_agents"].made[1:]] == [[3, 4], []]


def test_an_object_is_copied_for_each_agent(module):
    one, other = python("my_agents:counter"), python("my_agents:counter")
    one.reset(3)
    assert (one.act(START), other.act(START)) == (1, 0)
    assert sys.modules["my_agents"].counter.seeds == []
    sys.modules["my_agents"].counter.lock = threading.Lock()
    with pytest.raises(AgentError, match=r"target: expected an object that can be copied, or its class, got <my_agents.Counts"):
        python("my_agents:counter")


def test_an_agent_with_thoughts_of_its_own_tells_them(module):
    assert python("my_agents:Thinks").analyse(START) == Analysis(4, score=7)


def test_a_class_that_cannot_be_made_breaks_in_its_game_and_not_before(module):
    agent = python("my_agents:Breaks")
    with pytest.raises(OSError, match="no weights"):
        agent.act(START)
    with pytest.raises(AgentError, match=r"expected a function or an object with act\(position\), got <my_agents.Mute"):
        python("my_agents:Mute").act(START)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("", "expected module:attribute, got ''"),
        ("my_agents", "expected module:attribute, got 'my_agents'"),
        ("my_agents:", "expected module:attribute, got 'my_agents:'"),
        ("my_agents:absent", "got 'my_agents:absent': AttributeError: module 'my_agents' has no attribute 'absent'"),
        ("no_such_module:agent", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("my_agents:number", r"expected a function or an object with act\(position\), got 7"),
    ],
)
def test_a_target_that_is_no_agent_is_named(module, target, message):
    with pytest.raises(AgentError, match=message):
        python(target)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 +", "SyntaxError: invalid syntax"),
        ("raise RuntimeError('two\\nlines')", "RuntimeError: two lines"),
        ("import sys; sys.exit('usage')", "SystemExit: usage"),
    ],
)
def test_a_module_that_cannot_be_imported_is_one_line(module, tmp_path, text, why):
    (tmp_path / "unfit_module.py").write_text(text)
    with pytest.raises(AgentError, match=f"got 'unfit_module:agent': {why}") as error:
        load("unfit_module:agent")
    assert "\n" not in str(error.value)


def test_a_function_is_an_agent_by_its_name():
    def middle(position):
        return 4

    agent = PythonAgent.of(middle)
    assert (agent.name, agent.act(START), agents.make(agent, "TicTacToe")) == ("middle", 4, agent)
    with pytest.raises(AgentError, match="got 7"):
        PythonAgent.of(7)


def test_a_game_that_is_over_is_refused(module):
    with pytest.raises(IllegalMoveError, match="expected a position whose game goes on"):
        python("my_agents:last").act(Position("TicTacToe", "a1 a2 b1 b2 c1"))
