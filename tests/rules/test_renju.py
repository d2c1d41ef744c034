"""Renju: the fouls against two oracles that share no code with the rules, how they are told, and that nobody plays them."""

import random
from collections import Counter

import pytest
from sparring import Game, Position, agents
from sparring.envs.rules.errors import IllegalMoveError, NotationError

from ..oracles import RenjuOracle, all_squares, write_board

GAME, SIZE = Game("Gomoku", rule="renju"), 15
KINDS = ("overline", "double four", "double three")
POSITIONS = 300
SMALL = Game("Gomoku", size=6, rule="renju")


def crowded(chance):
    """Returns a running position of many stones on a part of the board, side 0 to move."""
    while True:
        width = chance.randint(6, 11)
        left, low = chance.randint(0, SIZE - width), chance.randint(0, SIZE - width)
        inside = [(column, row) for column in range(left, left + width) for row in range(low, low + width)]
        outside = sorted(all_squares(SIZE, SIZE) - set(inside))
        count = int(len(inside) * chance.uniform(0.15, 0.4))
        near = int(count * chance.uniform(0.1, 0.9))
        drawn = chance.sample(inside, count + near)
        marks = dict.fromkeys(drawn[:count], "x") | dict.fromkeys([*drawn[count:], *chance.sample(outside, count - near)], "o")
        try:
            position = Position(GAME, write_board(marks, SIZE, SIZE, 0))
        except NotationError:  # an overline, or a line of the side to move
            continue
        if not position.is_over:
            return position


@pytest.fixture(scope="module")
def positions():
    chance = random.Random(2)
    return [crowded(chance) for _ in range(POSITIONS)]


def fouls_of(position):
    """Returns the fouls of side 0 by cell, as the rules tell them."""
    legal = set(position.legal_moves)
    cells = [cell for cell in range(SIZE * SIZE) if not position.state.cells[cell] and cell not in legal]
    return {cell: position.game.rules.why_illegal(position.state, cell) for cell in cells}


def test_fouls_are_those_of_a_slow_oracle(positions):
    """Among them each kind, and threes that are none as their straight four is a foul."""
    kinds, untrue = Counter(), 0
    for position in positions:
        oracle = RenjuOracle.from_text(SIZE, position.text)
        squares = oracle.landing_squares()
        expected = {cell: foul for cell, square in squares.items() if (foul := oracle.foul(square))}
        assert fouls_of(position) == expected, position.text
        kinds.update(expected.values())
        untrue += sum(oracle.foul(square, look_deep=False) is not None for cell, square in squares.items() if cell not in expected)
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 50, kinds
    assert untrue >= 10, untrue


def test_fouls_are_those_of_another_program(positions):
    """The package renju agrees everywhere; where it did not, the text of the rules would decide."""
    check_forbid = pytest.importorskip("renju.check_forbid", reason="needs the package renju, in the extra dev")
    names = (None, "double three", "double four", "overline")
    for position in positions[::3]:
        cells, fouls = position.state.cells, fouls_of(position)
        board = [[cells[row * SIZE + column] for row in range(SIZE)] for column in range(SIZE)]
        for cell in range(SIZE * SIZE):
            if not cells[cell] and position.state.near[cell] >= 2:
                assert names[check_forbid.get_foul_type(board, cell % SIZE, cell // SIZE)] == fouls.get(cell), (position.text, cell)


@pytest.mark.parametrize(
    ("text", "move", "foul"),
    [
        ("g8 a1 i8 a3 h7 a5 h9 a7", "h8", "double three"),
        ("g8 a1 i8 a3 h7 a5 h9 h6", "h8", None),  # the three up and down is closed
        ("e8 a1 f8 d8 g8 a3 h5 h4 h6 a5 h7 a7", "h8", "double four"),
        ("e8 a1 g8 a3 h8 a5 k8 a7", "i8", "double four"),  # e8 . g8 h8 i8 . k8, on one line
        ("d8 a1 e8 a3 g8 a5 j8 a7 k8 a9", "h8", "double four"),  # d8 e8 . g8 h8 . j8 k8
        ("e8 a1 f8 a3 g8 a5", "h8", None),  # a straight four is one four
        ("d8 a1 e8 a3 f8 a5 h8 a7 i8 a9", "g8", "overline"),
        ("e8 a1 f8 a3 h8 a5 i8 a7 g5 a9 g6 b1 g7 b3", "g8", None),  # a five outranks a foul
        ("d8 a1 e8 a3 f8 a5 h8 a7 i8 a9 g4 b1 g5 b3 g6 b5 g7 b7", "g8", None),  # of an overline and a five, too
    ],
)
def test_known_fouls(text, move, foul):
    position = Position(GAME, text)
    if foul is None:
        position.push(move)
        return
    with pytest.raises(IllegalMoveError) as error:
        position.push(move)
    assert str(error.value) == f"illegal move '{move}' for x: {foul} (ply {position.ply}: {text})"


def test_side_1_has_no_fouls():
    assert Position(GAME, "a1 g8 a3 i8 a5 h7 a7 h9 a9 h8").moves[-1] == GAME.width * 7 + 7
    over = Position(GAME, "a1 d8 a3 e8 a5 f8 a7 h8 a9 i8 a11 g8")
    assert (over.winner, over.termination) == (1, "line"), "six in a row win"


def test_drawings_as_text_mark_fouls():
    position = Position(GAME, "g8 a1 i8 a3 h7 a5 h9 a7")
    assert [line for line in str(position).splitlines() if "!" in line] == [" 8 . . . . . . x ! x . . . . . ."]
    position.push("o15")
    assert "!" not in str(position), "side 1 has none"


FORBIDDEN = "c1 a6 b6 f4 d3 a4 e3 b2 e5 c4 a3 d6 f5 f1 b4 e4 b1 a2 a5 a1 f3 c6 d4 e6 d1 f2 b5 e1 c5 e2 b3 f6 c2 d2"


def test_a_game_is_drawn_when_fouls_alone_are_left_to_side_0():
    position = Position(SMALL, FORBIDDEN)
    for each in (position, Position(SMALL, position.text)):
        assert (each.is_over, each.winner, each.termination, each.legal_moves) == (True, None, "forbidden", [])
    assert RenjuOracle.from_text(6, position.text).termination() == "forbidden"
    position.pop()
    assert not position.is_over
    assert position.text.count("1") == 3, "two cells are left to side 1 beside its last move"


def test_an_overline_of_side_0_stands_on_no_board():
    with pytest.raises(NotationError, match="expected no more than five x in a row, got an overline"):
        Position(SMALL, "xxxxxx/6/o1o1o1/6/o1o1o1/6 x")


SPECS = ("random", "greedy", "alphabeta:depth=2", "best:nodes=300", "pattern_table:depth=1", "mcts:simulations=60")


@pytest.mark.parametrize("spec", SPECS)
def test_agents_play_no_fouls(spec, positions):
    agent = agents.make(spec, GAME)
    agent.reset(1)
    for position in positions[:60]:
        assert agent.act(position) in position.legal_moves, position.text
