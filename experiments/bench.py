"""A benchmark of the search: nodes a second of processor time."""

from __future__ import annotations

import time
from typing import Any

from ..agents import make, spec_text
from ..envs.position import Position
from .config import Bench, Search, game_of, game_record
from .run_folder import RunFolder
from .screen import progress

MILLION = 1e6


def run_bench(config: Bench, folder: RunFolder) -> dict[str, Any]:
    """Times every search and returns the speeds; a benchmark that was cut off starts over, as its rounds belong together."""
    made = {
        name: (make(search.agent, game_of(search.game)), Position(game_of(search.game), search.position))
        for name, search in config.searches.items()
    }
    speeds: dict[str, list[float]] = {name: [] for name in made}
    with progress(config.name, config.repeats * len(made)) as show:
        for agent, position in made.values():
            agent.analyse(position)  # a first search may have to compile
        for _ in range(config.repeats):
            for name, (agent, position) in made.items():
                speeds[name].append(_speed(agent, position))
                show(sum(map(len, speeds.values())))
    searches = {name: _results(search, speeds[name]) for name, search in config.searches.items()}
    return {"kind": "bench", "searches": searches, "warnings": []}


def _speed(agent: Any, position: Position) -> float:
    """Returns the nodes a second of one search."""
    agent.reset(0)
    start = time.process_time()
    nodes = agent.analyse(position).nodes
    return nodes / (time.process_time() - start)


def _results(search: Search, speeds: list[float]) -> dict[str, Any]:
    ordered = sorted(speeds)
    return {
        "game": game_record(search.game),
        "agent": spec_text(search.agent),
        "position": search.position,
        "best": ordered[-1],
        "median": ordered[len(ordered) // 2],
        "worst": ordered[0],
        "claim": None if search.claim is None else search.claim * MILLION,
    }
