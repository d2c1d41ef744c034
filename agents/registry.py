"""Every agent that has a name, in one table.

An agent is a dataclass. Its fields declared with `agent.parameter` are what users may set; `factory.make` checks them before the agent is
built. Several names can stand for one class, each with defaults of its own.
"""

from __future__ import annotations

import dataclasses
import importlib
import types
import typing
from collections.abc import Mapping
from typing import Any, NamedTuple


class Entry(NamedTuple):
    """One agent of the table."""

    entry_point: str  # "module:Class" in this package
    kinds: tuple[str, ...] | None  # the names of the kinds of game it plays; None for all
    summary: str
    defaults: Mapping[str, Any] = types.MappingProxyType({})  # where they differ from the class's own

    def plays(self, kind: str) -> bool:
        """Tells whether it plays games of a kind."""
        return self.kinds is None or kind in self.kinds


ALL_KINDS = None
SEARCH = "search_agent:SearchAgent"
UNORDERED = {"killers": False, "history": False, "order_score": False}  # the systems' own ordering is what memory gives
WAYS_TO_WIN = {"evaluation": "ways_to_win", "method": "alphabeta", "cutoffs": False, **UNORDERED}
PATTERN_TABLE = {"evaluation": "pattern_table", "method": "alphabeta", "table_mib": 0, **UNORDERED}
MOBILITY = {"evaluation": "mobility", **UNORDERED}
BY_DEPTH = {"method": "alphabeta", "depth": 4, "deepening": False, "table_mib": 0}
FOUR_PATTERNS = {"evaluation": "four_patterns", **BY_DEPTH, **UNORDERED, "order_score": True}  # ordered by the successors' evaluation
BEST = dict.fromkeys(("quiescence", "reductions", "extensions", "late_pruning", "unfinished", "fours", "threats"), True) | {"table_mib": 16}
AGENTS: dict[str, Entry] = {
    "random": Entry("random_agent:RandomAgent", ALL_KINDS, "a random legal move"),
    "greedy": Entry("greedy_agent:GreedyAgent", ALL_KINDS, "wins if it can, blocks if it must, else a random move"),
    "alphabeta": Entry(SEARCH, ALL_KINDS, "alpha-beta search with iterative deepening and a transposition table"),
    "best": Entry(SEARCH, ALL_KINDS, "the strongest search of each game: best with nodes or seconds to spend (four plies without)", BEST),
    "mcts": Entry("mcts_agent:MctsAgent", ALL_KINDS, "Monte Carlo tree search with random rollouts and proven values"),
    "perfect": Entry("perfect_agent:PerfectAgent", ("connect_k", "gomoku", "isola"), "exact play on boards that can be solved"),
    "window_scan": Entry("window_scan_agent:WindowScanAgent", ("connect_k",), "system A: alpha-beta on a tree that is kept, and pondering"),
    "ways_to_win": Entry(SEARCH, ("connect_k",), "system B: deepening alpha-beta that remembers best moves", WAYS_TO_WIN),
    "pattern_table": Entry(SEARCH, ("gomoku",), "system C: the change in score that each placement makes", PATTERN_TABLE),
    "mobility": Entry(SEARCH, ("isola",), "system D: deepening NegaScout with a table", MOBILITY),
    "four_patterns": Entry(SEARCH, ("connect_k",), "system E: alpha-beta, successors ordered by evaluation", FOUR_PATTERNS),
    "poor": Entry("random_agent:RandomAgent", ALL_KINDS, "the courses' weakest opponent: random"),
    "average": Entry("greedy_agent:GreedyAgent", ALL_KINDS, "the courses' middle opponent: greedy"),
    "good": Entry(SEARCH, ALL_KINDS, "the courses' strongest opponent: a short fixed-depth alpha-beta", {"depth": 3}),
    "policy": Entry("policy_agent:PolicyAgent", ALL_KINDS, "a trained network, always given its mask"),
    "ladder": Entry("ladder:LadderAgent", ALL_KINDS, "a rung of the game's ladder; ladder:3 for the fourth"),
    "python": Entry("python_agent:PythonAgent", ALL_KINDS, "an agent written in Python, by module and attribute"),
    "engine": Entry("engine_agent:EngineAgent", ("connect_k", "gomoku"), "a program that speaks the Gomocup protocol"),
}


class Parameter(NamedTuple):
    """One parameter of an agent, as lists and checks need it."""

    name: str
    type: Any
    default: Any
    doc: str
    low: float | None
    high: float | None
    choices: tuple[Any, ...] | None


def agent_class(name: str) -> Any:
    """Returns the class behind a name of the table, imported when it is first asked for."""
    module, _, called = AGENTS[name].entry_point.partition(":")
    return getattr(importlib.import_module(f".{module}", __package__), called)


def parameters_of(name: str) -> list[Parameter]:
    """Returns the parameters that an agent of the table takes."""
    cls = agent_class(name)
    hints, defaults = typing.get_type_hints(cls), AGENTS[name].defaults
    return [
        Parameter(
            field.name,
            hints[field.name],
            defaults.get(field.name, field.default),
            *(field.metadata[key] for key in ("doc", "low", "high", "choices")),
        )
        for field in dataclasses.fields(cls)
        if "doc" in field.metadata
    ]


def alias_of(name: str) -> str | None:
    """Returns the first name with the same class, or None for that name itself."""
    first = next(other for other, entry in AGENTS.items() if entry.entry_point == AGENTS[name].entry_point)
    return None if first == name else first
