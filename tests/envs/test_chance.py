"""Streams of random numbers: uniform, unrelated, and the same in plain Python, compiled and on machine words."""

import math
import random
import sys

import numpy as np
import pytest
from sparring import Game, Position
from sparring.envs import chance, compiled
from sparring.envs.chance import BITS_62, PROBABILITY_ONE, STEP, begin, draw, draw_event, scrambled, stream_of
from sparring.envs.rules import interface

GAMES = [
    Game("ConnectFour"),
    Game("TicTacToe"),
    Game("Gomoku", size=7),
    *(Game("Isola", rules=rules) for rules in ("queen", "classic", "nines")),
    Game("Isola", width=4, height=4, removal="any", starts="none"),
]
LEAST = 1e-4  # of a p-value: the seeds are fixed, so that a sound generator passes once and for all


def numbers(seed, bound, count):
    stream = stream_of(seed)
    return np.array([draw(stream, bound) for _ in range(count)])


def p_value(values, bound):
    """Returns about how likely counts as uneven as these are, by the chi-squared test (E. Wilson and M. Hilferty, 1931)."""
    counts, expected, freedom = np.bincount(values, minlength=bound), len(values) / bound, bound - 1
    share = 2 / (9 * freedom)
    deviation = ((((counts - expected) ** 2 / expected).sum() / freedom) ** (1 / 3) - 1 + share) / math.sqrt(share)
    return math.erfc(deviation / math.sqrt(2)) / 2


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 10, 64, 225])
@pytest.mark.parametrize("seed", [0, 1, 2**31, BITS_62])
def test_numbers_are_uniform_and_below_their_bound(bound, seed):
    values = numbers(seed, bound, 20_000)
    assert values.min() == 0
    assert values.max() == bound - 1
    assert bound == 1 or LEAST < p_value(values, bound) < 1 - LEAST


def test_numbers_that_follow_each_other_are_unrelated():
    values = numbers(5, 8, 60_000)
    for gap in (1, 2, 3, 8):
        assert p_value(values[:-gap] * 8 + values[gap:], 64) > LEAST
    triples = values[: len(values) // 3 * 3].reshape(-1, 3)
    assert p_value(triples @ [64, 8, 1], 512) > LEAST


@pytest.mark.parametrize("bound", [2, 3, 7])
def test_streams_of_neighbouring_seeds_are_unrelated(bound):
    rows = np.array([numbers(seed, bound, 60) for seed in range(1000)])
    for ply in (0, 1, 30):
        assert p_value(rows[:, ply], bound) > LEAST, "across seeds"
        assert p_value(rows[:-1, ply] * bound + rows[1:, ply], bound**2) > LEAST, "of neighbours"
    assert p_value((rows[:-1] * bound + rows[1:]).reshape(-1), bound**2) > LEAST
    shifted = rows[:-1, 1:] * bound + rows[1:, :-1]
    assert p_value(shifted.reshape(-1), bound**2) > LEAST, "one step behind each other"


def test_each_bit_of_a_seed_turns_half_of_the_bits_that_follow():
    chooser = random.Random(1)
    for bit in range(62):
        turned = 0
        for _ in range(60):
            seed = chooser.getrandbits(62)
            first, second = stream_of(seed), stream_of(seed ^ 1 << bit)
            turned += bin(draw(first, PROBABILITY_ONE) ^ draw(second, PROBABILITY_ONE)).count("1")
        assert 0.44 < turned / 60 / 31 < 0.56, f"bit {bit}"


def test_scrambling_stays_in_its_range_and_gives_each_number_once():
    edges = [0, 1, 2**31 - 1, 2**31, BITS_62 - 1, BITS_62]
    inputs = [*edges, *range(10_000, 60_000), *(number * STEP & BITS_62 for number in range(1, 50_000))]
    outputs = {scrambled(number) for number in inputs}
    assert len(outputs) == len(set(inputs))
    assert min(outputs) >= 0
    assert max(outputs) <= BITS_62


@pytest.mark.parametrize("bound", [1, PROBABILITY_ONE - 1, PROBABILITY_ONE])
def test_the_largest_bounds_do_not_overflow(bound):
    stream = np.array([0], np.int64)
    for start in (0, BITS_62, BITS_62 - STEP, 2**61):
        stream[0] = start
        for _ in range(100):
            assert 0 <= draw(stream, bound) < bound


def test_a_seed_of_any_size_gives_a_stream():
    assert stream_of(-1) == stream_of(BITS_62)
    assert stream_of(2**70 + 5) == stream_of(5)
    assert stream_of() != stream_of()


def test_shares_happen_as_often_as_they_say():
    stream = stream_of(3)
    assert not any(draw_event(stream, 0) for _ in range(1000))
    assert all(draw_event(stream, PROBABILITY_ONE) for _ in range(1000))
    assert abs(sum(draw_event(stream, PROBABILITY_ONE // 4) for _ in range(40_000)) - 10_000) < 350  # 4 standard deviations


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_random_moves_are_uniform_over_the_legal_ones(game):
    position, chooser = Position(game), random.Random(4)
    while len(position.legal_moves) * 3 > game.action_count and position.ply < 8:
        position.push(chooser.choice(position.legal_moves))
        if position.is_over:
            position.pop()
            break
    legal, out, stream = position.legal_moves, [0] * game.action_count, stream_of(9)
    moves = [game.chance.random_move(position.state, out, stream) for _ in range(100 * len(legal))]
    assert set(moves) <= set(legal)
    assert p_value(np.searchsorted(legal, moves), len(legal)) > LEAST


def test_an_opening_avoids_only_moves_that_end_the_game():
    position = Position("TicTacToe", "a1 b1 a2 b2")
    out, stream = [0] * 9, stream_of(2)
    before = position.state.record().tobytes()
    moves = [position.game.chance.random_opening_move(position.state, out, stream) for _ in range(2000)]
    assert position.state.record().tobytes() == before
    safe = [move for move in position.legal_moves if position.move_text(move) != "a3"]
    assert p_value(np.searchsorted(safe, moves), len(safe)) > LEAST
    assert set(moves) == set(safe)


def test_no_opening_move_where_all_end_the_game():
    position = Position("ConnectK", width=3, height=2, k=1)
    assert position.game.chance.random_opening_move(position.state, [0] * 6, stream_of(1)) == chance.NO_MOVE


def played(functions, play, state, out, stream):
    """Returns the moves of a game to its end, drawn as an opening's and as any by turns."""
    moves = []
    while state["status"] == interface.RUNNING if isinstance(state, np.void) else state.status == interface.RUNNING:
        move = functions[len(moves) % 2](state, out, stream)
        moves.append(int(functions[1](state, out, stream) if move == chance.NO_MOVE else move))
        play(state, moves[-1])
    return moves


@pytest.mark.parametrize("game", [Game("ConnectFour"), Game("Isola"), Game("Isola", rules="nines")], ids=repr)
def test_plain_and_compiled_draw_the_same_moves_on_cells_and_words(game):
    names = ("random_opening_move", "random_move")
    plain = [getattr(game.chance, name) for name in names]
    expected = played(plain, game.rules.play, game.initial(), [0] * game.action_count, stream_of(17))
    assert len(expected) > 10
    for rules in (game.rules, *([game.bitboards] if game.bitboards else [])):
        record = game.initial().record() if rules is game.rules else rules.record_of(game.initial())
        out, stream = np.zeros(game.action_count, np.int64), np.array(stream_of(17), np.int64)
        bound = compiled.bind(chance, (interface, rules))
        functions = [compiled.ready(getattr(bound, name), record[0], out, stream) for name in names]
        play = compiled.ready(compiled.bind(sys.modules[rules.play.__module__], (interface, rules)).play, record[0], 0)
        assert played(functions, play, record[0], out, stream) == expected


def test_compiled_numbers_are_the_plain_ones():
    bound = compiled.bind(chance)
    array, plain = np.zeros(1, np.int64), [0]
    compiled.ready(bound.begin, array, 0)
    compiled.ready(bound.draw, array, 0)
    for seed in (0, 1, 77, PROBABILITY_ONE, BITS_62):
        bound.begin(array, seed)
        begin(plain, seed)
        assert [int(bound.draw(array, PROBABILITY_ONE)) for _ in range(200)] == [draw(plain, PROBABILITY_ONE) for _ in range(200)]
        assert array[0] == plain[0]
