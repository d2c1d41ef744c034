"""Moves that Position refuses, and what it takes back; no board that a game reaches is refused."""

import itertools
import json
import re

import numpy as np
import pytest
from sparring import Game, Position
from sparring.envs.rules.errors import IllegalMoveError, NotationError, SparringError
from sparring.envs.rules.notation import board_text

from .test_position import CLASSIC, CONNECT_FOUR, ISOLA, KNIGHT, SEVENS, TIC_TAC_TOE, check_error

WON = "a1 b1 a2 b2 a3"
BAD_MOVES = [
    (CONNECT_FOUR, "", "8", NotationError, r"expected a move such as '1', got '8' \(ply 0\)"),
    (CONNECT_FOUR, "44", "", NotationError, r"expected a move such as '1', got '' \(ply 2: 44\)"),
    (CONNECT_FOUR, "", "44", NotationError, "expected a move such as '1', got '44'"),
    (CONNECT_FOUR, "", "d1", NotationError, "expected a move such as '1', got 'd1'"),
    (CONNECT_FOUR, "", "0", NotationError, "expected a move such as '1', got '0'"),
    (TIC_TAC_TOE, "a1", "d1", NotationError, r"expected a move such as 'b1', got 'd1' \(ply 1: a1\)"),
    (TIC_TAC_TOE, "a1", "a01", NotationError, "expected a move such as 'b1', got 'a01'"),
    (TIC_TAC_TOE, WON, "zz", NotationError, r"expected no move, as the game is over, got 'zz' \(ply 5: a1 b1 a2 b2 a3\)"),
    (CONNECT_FOUR, "111111", "1", IllegalMoveError, r"illegal move '1' for x: column 1 is full \(ply 6: 111111\)"),
    (CONNECT_FOUR, "111111", 0, IllegalMoveError, r"illegal move 0 for x: column 1 is full \(ply 6: 111111\)"),
    (CONNECT_FOUR, "", 7, IllegalMoveError, r"illegal move 7 for x: expected 0 to 6 \(ply 0\)"),
    (CONNECT_FOUR, "", -1, IllegalMoveError, r"illegal move -1 for x: expected 0 to 6 \(ply 0\)"),
    (CONNECT_FOUR, "", 10**30, IllegalMoveError, "illegal move 10{30} for x: expected 0 to 6"),
    (CONNECT_FOUR, "4", 3.7, IllegalMoveError, r"illegal move 3.7 for o: expected a whole number or a text \(ply 1: 4\)"),
    (CONNECT_FOUR, "", 3.0, IllegalMoveError, "illegal move 3.0 for x: expected a whole number or a text"),
    (CONNECT_FOUR, "", None, IllegalMoveError, "illegal move None for x: expected a whole number or a text"),
    (CONNECT_FOUR, "", True, IllegalMoveError, "illegal move True for x: expected a whole number or a text"),
    (CONNECT_FOUR, "", float("inf"), IllegalMoveError, "illegal move inf for x: expected a whole number or a text"),
    (CONNECT_FOUR, "", b"3", IllegalMoveError, "illegal move b'3' for x: expected a whole number or a text"),
    (CONNECT_FOUR, "", np.array([3]), IllegalMoveError, r"illegal move array\(\[3\]\) for x: expected a whole number or a text"),
    (TIC_TAC_TOE, "2x/3/3 o", "c3", IllegalMoveError, r"illegal move 'c3' for o: c3 is taken \(ply 1: 2x/3/3 o\)"),
    (TIC_TAC_TOE, WON, "b3", IllegalMoveError, r"illegal move 'b3' for o: the game is over \(ply 5: a1 b1 a2 b2 a3\)"),
    (TIC_TAC_TOE, WON, 7, IllegalMoveError, "illegal move 7 for o: the game is over"),
    (ISOLA, "", "h1-h2", NotationError, "expected a move such as 'a8-a1', got 'h1-h2'"),
    (ISOLA, "", "a8-a7xb2", NotationError, "expected a move such as 'a8-a1', got 'a8-a7xb2'"),
    (ISOLA, "", "a8-b7xo99", NotationError, "expected a move such as 'a8-a1', got 'a8-b7xo99'"),
    (ISOLA, "", "a8-b6", IllegalMoveError, "illegal move 'a8-b6' for x: the piece on a8 cannot make it"),
    (ISOLA, "", "a8-a8", IllegalMoveError, "illegal move 'a8-a8' for x: the piece on a8 cannot make it"),
    (ISOLA, "a8-b7 h1-g2", "b7-a8", IllegalMoveError, r"the piece on b7 cannot make it \(ply 2: a8-b7 h1-g2\)"),
    (CLASSIC, "", "a3-b3", NotationError, "expected a move such as 'a3-a4xa1', got 'a3-b3'"),
    (CLASSIC, "", "a3-b3xa3", IllegalMoveError, "the piece on a3 cannot make it"),
    (CLASSIC, "", "a3-b3xh4", IllegalMoveError, "the piece on a3 cannot make it"),
    (SEVENS, "", "d1-d2xd2", IllegalMoveError, "the piece on d1 cannot make it"),
    (SEVENS, "", "d1-d3xa1", NotationError, "expected a move such as 'd1-d2xa1', got 'd1-d3xa1'"),
    (KNIGHT, "", "a1-b3", NotationError, "expected a move such as 'a1', got 'a1-b3'"),
    (KNIGHT, "", "o15-d4", NotationError, "expected a move such as 'a1', got 'o15-d4'"),
    (KNIGHT, "d4", "d4", IllegalMoveError, r"illegal move 'd4' for o: the square is not open \(ply 1: d4\)"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "start", "move", "kind", "message"), BAD_MOVES)
def test_no_such_move(game, start, move, kind, message):
    position = Position(game[0], start, **game[1])
    before = position.state.record().tobytes()
    with pytest.raises(SparringError) as caught:
        position.push(move)
    check_error(caught.value, kind, message)
    assert position.state.record().tobytes() == before
    assert isinstance(move, str) or not position.is_legal(move)


def test_moves_of_a_text_are_checked_where_they_stand():
    with pytest.raises(IllegalMoveError, match=r"illegal move '1' for x: column 1 is full \(ply 6: 111111\)"):
        Position("ConnectFour", "1111111")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        Position("TicTacToe", f"{WON} b3")


@pytest.mark.parametrize("kind", [int, np.int8, np.uint8, np.int64, np.uint64, np.array])
def test_integers_of_any_kind_are_moves(kind):
    position = Position("ConnectFour", "4")
    assert position.is_legal(kind(3))
    assert position.push(kind(3)) == 3
    assert type(position.moves[-1]) is int


def test_taking_back_ends_where_the_position_was_set_up():
    for position in (Position("ConnectFour"), Position("ConnectFour", "7/7/7/7/3o3/2xxo2 x")):
        with pytest.raises(IllegalMoveError, match=r"^no move to take back \(ply "):
            position.pop()


def test_white_space_in_texts_does_not_matter():
    assert Position("ConnectFour", " 44 5\n3 ") == Position("ConnectFour", "4453")
    assert Position("Gomoku", "\th8  h9\n") == Position("Gomoku", "h8 h9")
    assert Position("ConnectFour", "\n7/7/7/7/3o3/2xxo2\tx \n") == Position("ConnectFour", "7/7/7/7/3o3/2xxo2 x")


def test_parameters_are_complete_and_fit_for_json():
    game = Game("ConnectK", width=np.int64(7), height=None, k=np.uint8(3), gravity=np.True_)
    assert json.loads(json.dumps(game.parameters)) == {"width": 7, "height": 7, "k": 3, "gravity": True}
    assert Game("Isola", starts=("a1", "b2")).parameters["starts"] == ["a1", "b2"]
    for name in ("ConnectFour", "ConnectK", "TicTacToe", "Gomoku", "Isola"):
        game = Game(name)
        assert Game(game.id, **game.parameters) == game
        assert eval(repr(game), {"Game": Game}) == game


def boards(game, symbols):
    """Yields every board text of a small board, whether or not a game reaches it."""
    state, cells = game.initial(), game.width * game.height
    for values in itertools.product(range(symbols + 1), repeat=cells):
        for state.side in (0, 1):
            state.cells[:cells] = bytes(values)
            yield board_text(state)


def reached(game):
    """Returns the texts of all positions of a game."""
    found, waiting = set(), [Position(game)]
    while waiting:
        position = waiting.pop()
        if position.text not in found:
            found.add(position.text)
            for move in position.legal_moves:
                following = position.copy()
                following.push(move)
                waiting.append(following)
    return found


def accepted(game, texts):
    good = set()
    for text in texts:
        try:
            good.add(Position(game, text).text)
        except NotationError:
            continue
    return good


@pytest.mark.parametrize("gravity", [True, False], ids=["gravity", "free"])
@pytest.mark.parametrize(("width", "height"), [(1, 1), (3, 1), (1, 4), (2, 2), (3, 2), (2, 4), (3, 3)])
def test_no_board_that_a_game_of_connect_k_reaches_is_refused(width, height, gravity):
    for k in (3,) if width * height > 8 else range(1, max(width, height) + 1):
        game = Game("ConnectK", width=width, height=height, k=k, gravity=gravity)
        texts = reached(game)
        assert accepted(game, texts) == texts


@pytest.mark.parametrize("gravity", [True, False], ids=["gravity", "free"])
def test_all_boards_but_the_impossible_ones_are_positions_of_connect_k(gravity):
    game = Game("ConnectK", width=3, height=2, k=2, gravity=gravity)
    assert accepted(game, boards(game, 2)) == {text for text in boards(game, 2) if is_possible(text, gravity)}


def is_possible(text, gravity):
    """Tells whether the stones of a board of two rows can be there, two in a row winning."""
    rows, side = text.split()
    top, bottom = (re.sub(r"\d", lambda number: "." * int(number[0]), row) for row in rows.split("/"))
    x, o = (top + bottom).count("x"), (top + bottom).count("o")
    lines = [*itertools.pairwise(top), *itertools.pairwise(bottom)]
    for upper, lower in ((top, bottom), (top[1:], bottom[:-1]), (top[:-1], bottom[1:])):
        lines += zip(upper, lower, strict=True)
    winners = {a for a, b in lines if a == b != "."}
    floats = gravity and any(stone != "." and below == "." for stone, below in zip(top, bottom, strict=True))
    return x - o == (side == "o") and not floats and len(winners) < 2 and side not in winners


@pytest.mark.parametrize("removal", ["vacated", "any"])
@pytest.mark.parametrize("step", ["king", "queen", "knight"])
@pytest.mark.parametrize(("starts", "fixed"), [("none", False), ("corners", False), ("corners", True)])
@pytest.mark.parametrize(("width", "height"), [(5, 1), (3, 2), (2, 4)])
def test_no_board_that_a_game_of_isola_reaches_is_refused(width, height, starts, fixed, step, removal):
    game = Game("Isola", width=width, height=height, step=step, removal=removal, starts=starts, fixed=fixed)
    texts = reached(game)
    assert accepted(game, texts) == texts
