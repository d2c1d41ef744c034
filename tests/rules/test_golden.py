"""Positions of known worth: they read, write back, and have the moves and results that their files say."""

import re
from pathlib import Path

import pytest
from sparring import Game, Position

DATA = Path(__file__).parent.parent / "data"
LINE_OF_GAME = {"gomoku_standard": 18, "connect_k_exact": 51, "isola_exact": 39, "gomoku_wins": 51}  # items the files say they have


def items(name, separator):
    lines = (DATA / f"{name}.txt").read_text().splitlines()
    return [[word.strip() for word in line.split(separator)] for line in lines if line and not line.startswith("#")]


def cases(name, separator):
    return [pytest.param(*item, id=f"{name}-{number}") for number, item in enumerate(items(name, separator), 1)]


def words(text):
    return [] if text in ("-", "none") else text.split()


@pytest.mark.parametrize("name", LINE_OF_GAME)
def test_files_are_whole(name):
    assert len(items(name, " ; " if name == "gomoku_standard" else " | ")) == LINE_OF_GAME[name]


@pytest.mark.parametrize("rule", ["freestyle", "standard", "caro"])
@pytest.mark.parametrize(("kind", "moves", "side", "move", "freestyle", "standard", "caro", "note"), cases("gomoku_standard", " ; "))
def test_gomoku_moves_win_under_the_rules_given(kind, moves, side, move, freestyle, standard, caro, note, rule):
    expected = {"freestyle": freestyle, "standard": standard, "caro": caro}[rule].removeprefix(f"{rule}=")
    position = Position("Gomoku", moves, rule=rule)
    assert "xo"[position.side] == side
    assert not position.is_over
    if kind == "move":
        assert wins_with(position, move) == (expected == "WIN")
    else:
        assert [text for text in map(position.move_text, position.legal_moves) if wins_with(position, text)] == in_order(position, expected)


def in_order(position, text):
    return sorted(words(text), key=position.read_move)


def wins_with(position, move):
    mover = position.side
    position.push(move)
    is_win = position.is_over
    if is_win:
        assert (position.winner, position.termination) == (mover, "line")
        assert position.legal_moves == []
    assert Position(position.game, position.text) == position  # the board of a won game is read as well
    position.pop()
    return is_win


def game_of_connect_k(text):
    width, height, k, gravity = re.fullmatch(r"(\d+)x(\d+) k(\d+) (gravity|free)", text).groups()
    return Game("ConnectK", width=int(width), height=int(height), k=int(k), gravity=gravity == "gravity")


@pytest.mark.parametrize(("board", "moves", "text", "value", "keeping", "counts"), cases("connect_k_exact", " | "))
def test_connect_k_positions(board, moves, text, value, keeping, counts):
    position = Position(game_of_connect_k(board), moves)
    check_position(position, text, keeping)
    assert position.notation == moves
    assert counts == f"{len(words(keeping))}/{len(position.legal_moves)}"
    # a position that is lost or drawn may keep that value with a move that ends the game at once; a move that wins at once keeps a win
    at_once = [move for move in map(position.move_text, position.legal_moves) if ends_won(position, move)]
    assert value == "WIN" or not at_once
    assert set(at_once) <= set(words(keeping))


def ends_won(position, move):
    position.push(move)
    is_won = position.winner is not None
    position.pop()
    return is_won


def game_of_isola(text):
    rules, size = text.split()
    width, height = map(int, size.split("x"))
    return Game("Isola", rules="sevens" if rules == "king-any" else rules, width=width, height=height)


@pytest.mark.parametrize(("board", "text", "value", "winning", "reach", "counts"), cases("isola_exact", " | "))
def test_isola_positions(board, text, value, winning, reach, counts):
    position = Position(game_of_isola(board), text)
    check_position(position, text, winning)
    assert (value == "WIN") == (winning != "-")
    assert counts.startswith(f"{len(position.legal_moves)} legal, ")
    assert not any(ends_won(position, move) for move in map(position.move_text, position.legal_moves))  # none is decided within two plies


def check_position(position, text, moves):
    """Checks both texts of a running position, and that some of its moves are legal and are written as they are given."""
    assert not position.is_over
    assert position.text == text
    again = Position(position.game, text)
    assert again == position
    assert again.ply == position.ply
    assert again.legal_moves == position.legal_moves == sorted(set(position.legal_moves))
    for move in words(moves):
        number = position.read_move(move)
        assert number in position.legal_moves
        assert position.move_text(number) == move


@pytest.mark.parametrize(("moves", "side", "label", "kind", "winning", "note"), cases("gomoku_wins", " | "))
def test_gomoku_wins_are_games_that_go_on(moves, side, label, kind, winning, note):
    position = Position("Gomoku", moves)
    assert "xo"[position.side] == side
    assert position.notation == moves
    check_position(position, position.text, winning)
