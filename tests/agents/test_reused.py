"""An agent that has searched before answers like one that has not, wherever a limit has cut the searches before."""

import dataclasses
import random

import pytest
from sparring import Game, Position, agents
from sparring.agents.search import alphabeta_searcher

from .slow_search import random_position

BOARDS = {  # with the evaluations that suit them
    "TicTacToe": (Game("TicTacToe"), ("threats", "ways_to_win", "window_scan")),
    "ConnectFour": (Game("ConnectFour"), ("threats", "ways_to_win", "window_scan", "four_patterns")),
    "ConnectK 5x5 k4": (Game("ConnectK", width=5, height=5, k=4), ("threats", "window_scan", "four_patterns")),
    "ConnectK 9x9 k5": (Game("ConnectK", width=9, height=9, k=5), ("threats",)),  # more cells than a word has bits
    "Gomoku 7": (Game("Gomoku", size=7), ("line_shapes", "pattern_table")),
    "Isola 5x5": (Game("Isola", width=5, height=5), ("territory", "mobility")),
    "Isola 4x4 any": (Game("Isola", rules="sevens", width=4, height=4), ("territory", "mobility")),
    "Isola 9x9": (Game("Isola", width=9, height=9), ("territory",)),
}
SWITCHES = {
    "method": ("pvs", "alphabeta", "mtdf", "minimax"),
    "table_mib": (0, 1, 2),
    "cutoffs": (True, False),
    "killers": (True, False),
    "history": (True, False),
    "order_score": (True, False),
    "aspiration": (0, 3, 40),
    "quiescence": (False, True),
    "null_move": (False, True),
    "reductions": (False, True),
    "extensions": (False, True),
    "late_pruning": (False, True),
    "unfinished": (False, True),
    "tie_break": ("first", "random"),
    "fours": (False, True),
    "threats": (False, True),
}
AGENTS, AGENTS_AT_LENGTH, QUESTIONS = 12, 1500, 8


class Clock:
    """Time that goes on a little with each look at it, so that equal searches are cut at equal places."""

    def __init__(self, step):
        self.now, self.step = 0.0, step

    def __call__(self):
        self.now += self.step
        return self.now


def drawn_agent(board, chance):
    """Returns the spec of a search with all switches drawn by chance that suits a board."""
    game, evaluations = BOARDS[board]
    spec = {"name": "alphabeta", "evaluation": chance.choice(evaluations)}
    return suited(spec | {name: chance.choice(values) for name, values in SWITCHES.items()}, game)


def suited(spec, game):
    """Returns a spec without the switches that do not go with its method, its evaluation or the game."""
    if spec["method"] == "mtdf":
        spec["tie_break"] = "first"
    if spec["evaluation"] != "line_shapes" or game.parameters["rule"] not in ("freestyle", "standard"):
        spec["fours"] = spec["threats"] = False
    if spec["evaluation"] == "pattern_table" and spec["table_mib"] != 0:
        spec["cutoffs"] = False
    if game.rules.has_zugzwang(game.initial()):
        spec["null_move"] = False
    return spec


def drawn_limit(chance):
    """Returns a limit that cuts a search somewhere, and the step of a clock."""
    limit = chance.choice(("nodes", "nodes", "seconds", "depth"))
    if limit == "nodes":
        return {"nodes": int(2 ** chance.uniform(4, 13))}, 0.0
    return ({"depth": chance.randint(1, 4), "nodes": 3000}, 0.0) if limit == "depth" else ({"seconds": chance.uniform(0, 0.004)}, 0.0003)


def answer(agent, position, seed, step, monkeypatch):
    """Returns what an agent finds, but for the time that it takes."""
    clock = Clock(step)
    monkeypatch.setattr(alphabeta_searcher.time, "perf_counter", clock)
    agent.reset(seed)
    found = agent.analyse(position)
    monkeypatch.undo()
    return dataclasses.replace(found, seconds=0.0)


@pytest.mark.parametrize("board", BOARDS)
def test_equals_a_fresh_agent(board, at_length, monkeypatch):
    """Each question is asked with another limit, of the agent that was asked all those before and of a new one."""
    game, chance = BOARDS[board][0], random.Random(board)
    for _ in range(AGENTS_AT_LENGTH if at_length else AGENTS):
        spec = drawn_agent(board, chance)
        reused = agents.make({**spec, "depth": 1}, game)
        reused.get_ready(game)
        for question in range(QUESTIONS):
            limit, step = drawn_limit(chance)
            seed, position = chance.getrandbits(30), random_position(game, chance.getrandbits(30))
            fresh = agents.make({**spec, **limit}, game)
            reused._limits = fresh._limits
            expected = answer(fresh, position, seed, step, monkeypatch)
            assert answer(reused, position, seed, step, monkeypatch) == expected, f"{question}: {position!r} of {spec} with {limit}"


def test_budget_that_ends_inside_a_null_move_leaves_nothing_behind():
    game = Game("TicTacToe")
    agent = agents.make("alphabeta:nodes=265,null_move=true", game)
    agent.analyse(Position(game))
    reused, fresh = (each.analyse(Position(game, "b2")) for each in (agent, agents.make("alphabeta:nodes=265,null_move=true", game)))
    assert (reused.score, reused.move, reused.nodes, reused.is_final) == (fresh.score, fresh.move, fresh.nodes, False)
