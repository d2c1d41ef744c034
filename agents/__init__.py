"""Agents: a position in, a move out. Search, chance and trained networks look alike from outside.

>>> import sparring
>>> agent = sparring.agents.make("greedy", game="sparring/ConnectFour-v0")
>>> agent.act(sparring.Position("sparring/ConnectFour-v0", "121212"))
0
"""

from .agent import Agent, Analysis, check_running
from .factory import make
from .ladder import Ladder, Rung, ladder
from .registry import AGENTS, Entry, Parameter, alias_of, parameters_of
from .spec import identity_of, parse_spec, read_spec, spec_text, type_text

__all__ = [
    "AGENTS",
    "Agent",
    "Analysis",
    "Entry",
    "Ladder",
    "Parameter",
    "Rung",
    "alias_of",
    "check_running",
    "identity_of",
    "ladder",
    "make",
    "parameters_of",
    "parse_spec",
    "read_spec",
    "spec_text",
    "type_text",
    "warmup",
]


def warmup() -> None:
    """Compiles every search and batch of every game into the cache folder, so that no first move waits: three to five minutes."""
    from .warming import warmup

    warmup()
