"""Moves that cannot be put off in Connect-K, on cells and on words, against playing every move."""

import numpy as np
import pytest
from sparring import Game
from sparring.agents.evaluation import ways_to_win, window_bitboards, windows

from .slow_search import random_position, wins_at_once

GAMES = [
    Game("ConnectFour"),
    Game("TicTacToe"),
    Game("ConnectK"),
    Game("ConnectK", width=6, height=6, k=3),
    Game("ConnectK", width=7, height=7, k=5),
    Game("ConnectK", width=9, height=5, k=5, gravity=True),
    Game("ConnectK", width=8, height=8, k=4, gravity=True),
    Game("ConnectK", width=3, height=2, k=1),
    Game("ConnectK", width=4, height=4, k=2, gravity=True),
]


def slow_forcing(position):
    return wins_at_once(position, position.side) or wins_at_once(position, 1 - position.side)


def moves_of(forced_moves, state, memory):
    out = np.zeros(400, np.int64)
    return out[: forced_moves(state, memory, out, 0)].tolist()


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_forcing_moves(game):
    compared = {"forced": 0, "quiet": 0}
    for seed in range(90):
        position, memory = random_position(game, seed), np.zeros(1, ways_to_win.MEMORY).view(np.recarray)
        ways_to_win.set_up(position.state, memory[0])
        ways_to_win.prepare(position.state, memory[0])
        expected = slow_forcing(position)
        compared["forced" if expected else "quiet"] += 1
        assert moves_of(ways_to_win.forced_moves, position.state, memory[0]) == expected, repr(position)
        for move in position.legal_moves[:3]:
            position.push(move)
            ways_to_win.update(position.state, memory[0], move)
            if not position.is_over:
                assert moves_of(ways_to_win.forced_moves, position.state, memory[0]) == slow_forcing(position), repr(position)
            ways_to_win.revert(position.state, memory[0], move)
            position.pop()
    assert compared["forced"] > 10
    assert compared["quiet"] > 10 or game.parameters["k"] < 3


@pytest.mark.parametrize("game", [game for game in GAMES if game.bitboards], ids=repr)
def test_forced_moves_on_bitboards(game):
    forced = 0
    for seed in range(150):
        position, memory = random_position(game, seed), np.zeros(1, windows.MEMORY).view(np.recarray)
        state = game.bitboards.record_of(position.state).view(np.recarray)[0]
        window_bitboards.set_up_windows(state, memory[0])
        expected = slow_forcing(position)
        assert moves_of(window_bitboards.forced_moves, state, memory[0]) == expected, repr(position)
        forced += bool(expected)
    assert forced > 10
