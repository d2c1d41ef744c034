"""The incremental evaluations against slow full-board versions, after play and after undo, with their sign changing with the side."""

import importlib

import numpy as np
import pytest
from sparring import Game

from .slow_search import EVALUATIONS, near_cells, random_position

CASES = {
    "ConnectFour": ("ways_to_win", Game("ConnectFour")),
    "ConnectK 9x7 k5": ("ways_to_win", Game("ConnectK")),
    "ConnectK 12x3 k8": ("ways_to_win", Game("ConnectK", width=12, height=3, k=8)),
    "ConnectK 1x6 k2 gravity": ("ways_to_win", Game("ConnectK", width=1, height=6, k=2, gravity=True)),
    "ConnectK 20x20 k4": ("ways_to_win", Game("ConnectK", width=20, height=20, k=4)),
    "TicTacToe": ("ways_to_win", Game("TicTacToe")),
    "Gomoku 15": ("open_lines", Game("Gomoku")),
    "Gomoku 5": ("open_lines", Game("Gomoku", size=5)),
    "Isola queen": ("mobility", Game("Isola")),
    "Isola classic": ("mobility", Game("Isola", rules="classic")),
    "Isola knight": ("mobility", Game("Isola", rules="knight")),
}


def _memory(evaluation, state):
    memory = np.zeros(1, getattr(evaluation, "MEMORY", [("unused", np.int64)])).view(np.recarray)
    if hasattr(evaluation, "prepare"):
        evaluation.prepare(state, memory[0])
    return memory


@pytest.mark.parametrize("case", CASES)
def test_incremental_equals_slow(case):
    called, game = CASES[case]
    evaluation = importlib.import_module(f"sparring.agents.evaluation.{called}")
    slow, compared = EVALUATIONS[game.kind], 0
    for seed in range(12):
        position = random_position(game, seed)
        memory = _memory(evaluation, position.state)
        assert evaluation.evaluate(position.state, memory[0]) == slow(position)
        moves = position.legal_moves
        for move in moves[:: max(len(moves) // 8, 1)]:
            before = memory.tobytes()
            position.push(move)
            if hasattr(evaluation, "update"):
                evaluation.update(position.state, memory[0], move)
            if not position.is_over:
                assert evaluation.evaluate(position.state, memory[0]) == slow(position), repr(position)
                compared += 1
            if hasattr(evaluation, "revert"):
                evaluation.revert(position.state, memory[0], move)
            position.pop()
            assert memory.tobytes() == before, "revert must restore every byte"
    assert compared > 8


@pytest.mark.parametrize("case", CASES)
def test_evaluation_changes_sign_with_the_side(case):
    called, game = CASES[case]
    evaluation = importlib.import_module(f"sparring.agents.evaluation.{called}")
    position = random_position(game, 3)
    mine = evaluation.evaluate(position.state, _memory(evaluation, position.state)[0])
    position.state.side = 1 - position.state.side
    assert evaluation.evaluate(position.state, _memory(evaluation, position.state)[0]) == -mine


def test_a_gap_counts_as_much_as_a_row():
    from sparring import Position

    evaluation = importlib.import_module("sparring.agents.evaluation.ways_to_win")
    worth = {}
    for text in ("d1 d7 e1 e7 g1", "d1 d7 e1 e7 f1"):
        position = Position("ConnectK", text)
        memory = _memory(evaluation, position.state)
        counts = memory[0].counts[:1600]
        worth[text] = int(counts.max())
    assert set(worth.values()) == {3}


@pytest.mark.parametrize("seed", range(10))
def test_gomoku_candidates_are_the_cells_near_a_stone(seed):
    evaluation = importlib.import_module("sparring.agents.evaluation.open_lines")
    position = random_position(Game("Gomoku", size=9), seed, most=12)
    out = np.zeros(81, np.int64)
    count = evaluation.candidates(position.state, _memory(evaluation, position.state)[0], out, 0)
    assert sorted(out[:count]) == sorted(near_cells(position))
