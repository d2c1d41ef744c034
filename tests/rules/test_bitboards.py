"""Boards in machine words against the same boards as arrays of cells, move by move."""

import random
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sparring import Game, Position
from sparring.envs import compiled
from sparring.envs.rules import interface, perft
from sparring.envs.rules.bitboards import count, lowest

from .games import connect_k_games, isola_games, positions
from .test_perft import ROWS
from .test_properties import check_changes, check_legality

BOARDS = [
    Game("ConnectFour"),
    Game("TicTacToe"),
    Game("ConnectK", width=7, height=7, k=5),
    Game("ConnectK", width=20, height=2, k=9, gravity=True),
    Game("ConnectK", width=2, height=20, k=20),
    Game("ConnectK", width=9, height=5, k=5, gravity=True),
    *(Game("Isola", rules=rules) for rules in ("queen", "classic", "sevens", "knight")),
    Game("Isola", rules="knight", width=8, height=8),
    Game("Isola", rules="queen", width=8, height=7, removal="any", fixed=True),
    Game("Isola", rules="queen", width=2, height=8, fixed=True),
]
GAMES = st.one_of(connect_k_games(), isola_games(largest=8), st.sampled_from(BOARDS))


def plain_rules(words):
    """Returns the rules on bitboards as plain Python."""
    return compiled.bind_plain(sys.modules[words.play.__module__], (interface, words))


def kernels_of(words, state, out):
    """Returns the compiled functions of a words module."""
    bound = compiled.bind(sys.modules[words.play.__module__], (interface, words))
    mask = np.zeros(len(out), np.int8)
    functions = ("moves", (out, 0)), ("play", (0,)), ("undo", (0,)), ("skip", ()), ("is_legal", (0,)), ("changes", (0, out))
    for name, arguments in (*functions, *([("write_mask", (mask, out))] if hasattr(bound, "write_mask") else [])):
        compiled.ready(getattr(bound, name), state, *arguments)
    return bound


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "compiled"])
@settings(derandomize=True, deadline=None, max_examples=100, database=None)
@given(position=positions(GAMES, longest=60))
def test_words_follow_the_arrays(position, plain):
    words = position.game.bitboards
    if words is None:
        return
    replay, out = Position(position.game), np.zeros(position.game.action_count + 2 * interface.MAX_CHANGES, np.int64)
    record = words.record_of(replay.state)
    state = (record.view(np.recarray) if plain else record)[0]
    rules, before = plain_rules(words) if plain else kernels_of(words, state, out), []
    for move in position.moves:
        assert out[: rules.moves(state, out, 0)].tolist() == replay.legal_moves
        before.append(record.tobytes())
        if not plain or replay.ply % 10 == len(position.moves) % 10:  # plain Python on records is slow
            check_legality(rules, state, replay, out)
            check_changes(rules, state, replay, out)
        assert record.tobytes() == before[-1], "asking changes nothing"
        rules.play(state, move)
        replay.push(move)
        assert (state["key"], state["status"]) == (replay.state.key, replay.state.status)
        assert record.tobytes() == words.record_of(replay.state).tobytes()
    for move in reversed(position.moves):
        rules.undo(state, move)
        assert record.tobytes() == before.pop()


@pytest.mark.parametrize("game", BOARDS, ids=repr)
def test_whole_games(game):
    chance = random.Random(game.action_count)
    for _ in range(40):
        position = Position(game)
        record = game.bitboards.record_of(position.state)
        state = record.view(np.recarray)[0]
        while not position.is_over:
            move = chance.choice(position.legal_moves)
            position.push(move)
            plain_rules(game.bitboards).play(state, move)
        assert record.tobytes() == game.bitboards.record_of(position.state).tobytes()


@settings(derandomize=True, deadline=None, max_examples=100, database=None)
@given(position=positions(GAMES))
def test_skip_changes_the_turn_alone(position):
    if position.game.bitboards is None:
        return
    record = position.game.bitboards.record_of(position.state)
    before, state = record.tobytes(), record.view(np.recarray)[0]
    twin = position.state.copy()
    twin.side, twin.key = 1 - twin.side, twin.key ^ position.game.bitboards.SIDE_KEY
    plain_rules(position.game.bitboards).skip(state)
    assert record.tobytes() == position.game.bitboards.record_of(twin).tobytes()
    plain_rules(position.game.bitboards).skip(state)
    assert record.tobytes() == before


@pytest.mark.parametrize(("game", "depth", "total"), [row for row in ROWS if row.values[0].bitboards])
def test_perft(game, depth, total):
    state = game.bitboards.record_of(game.initial())
    arguments = state, depth, np.zeros((depth, game.action_count), np.int64), *np.zeros((2, depth), np.int64)
    assert compiled.ready(compiled.bind(perft, (interface, game.bitboards)).perft, *arguments)(*arguments) == total


@pytest.mark.parametrize(
    ("game", "fit"),
    [
        (Game("ConnectFour"), True),
        (Game("ConnectK"), False),
        (Game("ConnectK", width=2, height=20), True),
        (Game("ConnectK", width=8, height=7), False),
        (Game("Isola"), True),
        (Game("Isola", rules="nines"), False),
        (Game("Isola", rules="knight_wide"), False),
        (Game("Gomoku", size=5), False),
    ],
    ids=repr,
)
def test_which_boards_fit(game, fit):
    assert (game.bitboards is not None) == fit


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_bits_are_counted(kind):
    for word in (1, 2, 3, 0b101000, 2**62 - 1, 2**61, 0x1234567812345678):
        assert count(kind(word)) == bin(word).count("1")
        assert lowest(kind(word)) == (word & -word).bit_length() - 1
    assert count(kind(0)) == 0
    assert count(np.uint64(2**64 - 1)) == 64
    assert lowest(np.uint64(2**63)) == 63
