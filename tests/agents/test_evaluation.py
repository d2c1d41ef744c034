"""The incremental evaluations against slow full-board versions, after play and after undo, with their sign changing with the side."""

import importlib

import numpy as np
import pytest
from sparring import Game, Position, agents
from sparring.envs.rules.errors import AgentError

from .slow_search import BY_NAME, random_position

CASES = {
    "ConnectFour": ("ways_to_win", Game("ConnectFour")),
    "ConnectK 9x7 k5": ("ways_to_win", Game("ConnectK")),
    "ConnectK 12x3 k8": ("ways_to_win", Game("ConnectK", width=12, height=3, k=8)),
    "ConnectK 1x6 k2 gravity": ("ways_to_win", Game("ConnectK", width=1, height=6, k=2, gravity=True)),
    "ConnectK 20x20 k4": ("ways_to_win", Game("ConnectK", width=20, height=20, k=4)),
    "scan ConnectFour": ("window_scan", Game("ConnectFour")),
    "scan 9x7 k7": ("window_scan", Game("ConnectK", k=7)),
    "scan 10x9 k9": ("window_scan", Game("ConnectK", width=10, height=9, k=9)),
    "threats ConnectFour": ("threats", Game("ConnectFour")),
    "threats 9x7 k5": ("threats", Game("ConnectK")),
    "threats 9x7 k5 gravity": ("threats", Game("ConnectK", gravity=True)),
    "threats 4x5 k3 gravity": ("threats", Game("ConnectK", width=4, height=5, k=3, gravity=True)),
    "patterns ConnectFour": ("four_patterns", Game("ConnectFour")),
    "patterns 5x9 free": ("four_patterns", Game("ConnectK", width=5, height=9, k=4)),
    "TicTacToe": ("ways_to_win", Game("TicTacToe")),
    "Gomoku 15": ("line_shapes", Game("Gomoku")),
    "Gomoku 5": ("line_shapes", Game("Gomoku", size=5)),
    "Gomoku 9 standard": ("line_shapes", Game("Gomoku", size=9, rule="standard")),
    "Gomoku 20 standard": ("line_shapes", Game("Gomoku", size=20, rule="standard")),
    "Isola queen": ("mobility", Game("Isola")),
    "Isola classic": ("mobility", Game("Isola", rules="classic")),
    "Isola knight": ("mobility", Game("Isola", rules="knight")),
    "territory queen": ("territory", Game("Isola")),
    "territory nines": ("territory", Game("Isola", rules="nines")),
    "territory knight": ("territory", Game("Isola", rules="knight_wide")),
}


def _memory(evaluation, state):
    memory = np.zeros(1, getattr(evaluation, "MEMORY", [("unused", np.int64)])).view(np.recarray)
    if hasattr(evaluation, "WEIGHTS"):
        memory["weights"] = list(evaluation.WEIGHTS.values())
    if hasattr(evaluation, "prepare"):
        evaluation.set_up(state, memory[0])
        evaluation.prepare(state, memory[0])
    return memory


def _remembered(memory):
    """What a memory says: all fields but the stacks of what to put back, whose upper parts hold what has been put back."""
    return {name: memory[name].tobytes() for name in memory.dtype.names if not name.startswith("past_")}


@pytest.mark.parametrize("case", CASES)
def test_incremental_equals_slow(case):
    called, game = CASES[case]
    evaluation = importlib.import_module(f"sparring.agents.evaluation.{called}")
    slow, compared = BY_NAME[called], 0
    for seed in range(12):
        position = random_position(game, seed)
        memory = _memory(evaluation, position.state)
        assert evaluation.evaluate(position.state, memory[0]) == slow(position)
        moves = position.legal_moves
        for move in moves[:: max(len(moves) // 8, 1)]:
            before = _remembered(memory)
            position.push(move)
            if hasattr(evaluation, "update"):
                evaluation.update(position.state, memory[0], move)
            if not position.is_over:
                assert evaluation.evaluate(position.state, memory[0]) == slow(position), repr(position)
                compared += 1
            if hasattr(evaluation, "revert"):
                evaluation.revert(position.state, memory[0], move)
            position.pop()
            assert _remembered(memory) == before, "revert must restore every byte"
    assert compared > 8


UNEVEN = ("mobility", "line_shapes", "territory")  # one weighs the other side more, the others know whose turn it is


@pytest.mark.parametrize("case", [case for case, (called, _) in CASES.items() if called not in UNEVEN])
def test_evaluation_changes_sign_with_the_side(case):
    called, game = CASES[case]
    evaluation = importlib.import_module(f"sparring.agents.evaluation.{called}")
    position = random_position(game, 3)
    mine = evaluation.evaluate(position.state, _memory(evaluation, position.state)[0])
    position.state.side = 1 - position.state.side
    assert evaluation.evaluate(position.state, _memory(evaluation, position.state)[0]) == -mine


def test_system_e_golden_value():
    """Rows from the top: ....... ....... ...n... ...n... ..xnx.. .xxxn.. with x = max: f = 32 - 41, g = 200 - 100."""
    evaluation = importlib.import_module("sparring.agents.evaluation.four_patterns")
    position = Position("ConnectFour")
    for cells, owner in (((1, 2, 3, 9, 11), 1), ((4, 10, 17, 24), 2)):
        for cell in cells:
            position.state.cells[cell] = owner
    position.state.ply = 9
    stones = [(cell, owner) for cell, owner in enumerate(position.state.cells) if owner]
    assert sum(evaluation.lines_through(position.state, cell) * (3 - 2 * owner) for cell, owner in stones) == 32 - 41
    assert evaluation.first_side_score(position.state) == 91
    position.state.ply = 12  # from then on without f
    assert evaluation.first_side_score(position.state) == 100


def test_system_e_table_of_lines():
    evaluation = importlib.import_module("sparring.agents.evaluation.four_patterns")
    state = Position("ConnectFour").state
    rows = [[evaluation.lines_through(state, row * 7 + column) for column in range(7)] for row in range(3)]
    assert rows == [[3, 4, 5, 7, 5, 4, 3], [4, 6, 8, 10, 8, 6, 4], [5, 8, 11, 13, 11, 8, 5]]


@pytest.mark.parametrize("k", range(2, 10))
def test_system_a_window_scores(k):
    evaluation = importlib.import_module("sparring.agents.evaluation.window_scan")
    assert [evaluation.window_score(c, k) for c in range(1, k)] == [30 * c - 5 * (k - c) for c in range(1, k)]
    assert (evaluation.window_score(1, k) > 0) == (k < 7), "one stone is worth 0 at k = 7, less above"
    if k == 7:
        assert evaluation.window_score(1, k) == 0


def test_patterns_refuse_other_lengths_than_four():
    with pytest.raises(AgentError, match="evaluation: expected one that fits other k than 4 for TicTacToe, got 'four_patterns'"):
        agents.make("alphabeta:evaluation=four_patterns", "TicTacToe")


def test_a_gap_counts_as_much_as_a_row():
    evaluation = importlib.import_module("sparring.agents.evaluation.ways_to_win")
    worth = {}
    for text in ("d1 d7 e1 e7 g1", "d1 d7 e1 e7 f1"):
        position = Position("ConnectK", text)
        memory = _memory(evaluation, position.state)
        counts = memory[0].counts[:1600]
        worth[text] = int(counts.max())
    assert set(worth.values()) == {3}
