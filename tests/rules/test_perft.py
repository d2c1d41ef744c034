"""Counts of move sequences and of positions against published ones."""

import json
import re
from pathlib import Path

import pytest
from sparring import Game, Position
from sparring.envs.perft import count

from ..oracles import ConnectKOracle

DATA = Path(__file__).parent.parent / "data" / "perft.txt"
PLAIN_LIMIT = 4_000  # sequences that plain Python counts without making the tests slow
CONNECT_FOUR_POSITIONS = (1, 7, 49, 238, 1120, 4263, 16422)  # OEIS A212693: after 0, 1, 2 … plies


def read_table():
    lines = [line.split(" | ") for line in DATA.read_text().splitlines() if not line.startswith("#")]
    return [(Game(name, **json.loads(parameters)), [int(word) for word in counts.split()]) for name, parameters, counts in lines]


TABLE = read_table()
ROWS = [
    pytest.param(game, depth, total, id=f"{re.sub(r'[^A-Za-z0-9]+', ' ', repr(game)[6:-1]).strip()} {depth}")
    for game, counts in TABLE
    for depth, total in enumerate(counts, 1)
]


def test_table_is_whole():
    assert [len(counts) for _, counts in TABLE] == [9, 7, 8, 9, 6, 3, 6, 5, 6, 3, 3, 2, 6, 4]


@pytest.mark.parametrize(("game", "depth", "total"), ROWS)
def test_compiled(game, depth, total):
    assert count(game, depth) == total


@pytest.mark.parametrize(("game", "depth", "total"), [row for row in ROWS if row.values[2] <= PLAIN_LIMIT])
def test_plain(game, depth, total, monkeypatch):
    monkeypatch.setenv("SPARRING_JIT", "0")
    assert count(game, depth) == total


def slow_count(oracle, depth):
    return 1 if depth == 0 else sum(slow_count(oracle.play(action), depth - 1) for action in oracle.legal())


def test_start_is_left_as_it_was_and_moves_before_it_are_not_counted():
    position = Position("TicTacToe", "a1 b1 a2 b2 c1")
    oracle = ConnectKOracle.from_text(3, 3, 3, False, position.text)
    before = position.state.record().tobytes()
    assert [count(position, depth) for depth in range(5)] == [slow_count(oracle, depth) for depth in range(5)]
    assert position.state.record().tobytes() == before


def test_all_games_of_tic_tac_toe_end():
    # without gravity an unfinished position after n plies has 9 - n moves, so what does not go on has ended
    counts = [count("TicTacToe", ply) for ply in range(10)] + [0]
    ended = [counts[ply] - counts[ply + 1] // (9 - ply) for ply in range(9)] + [counts[9]]
    assert ended[:6] == [0, 0, 0, 0, 0, 1440]
    assert sum(ended) == 255168


def test_number_of_different_connect_four_positions():
    layer = {Position("ConnectFour")}
    for ply, expected in enumerate(CONNECT_FOUR_POSITIONS):
        layer = set(followers(layer)) if ply else layer
        assert len(layer) == expected, ply


def followers(layer):
    for position in layer:
        for move in position.legal_moves:
            position.push(move)
            yield position.copy()
            position.pop()
