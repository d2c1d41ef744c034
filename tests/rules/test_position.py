"""Position and Game: their examples, and what they say to input that cannot be."""

import doctest
import importlib
import pickle
import re

import numpy as np
import pytest
from sparring import Game, Position
from sparring.envs.rules.errors import NotationError, RulesError, SparringError, UnknownGameError

NAMES = ("ConnectFour", "ConnectK", "TicTacToe", "Gomoku", "Isola")


@pytest.mark.parametrize("module", ["", ".agents", ".envs.game", ".envs.position", ".envs.perft", ".envs.rules.errors"])
def test_examples(module):
    result = doctest.testmod(importlib.import_module(f"sparring{module}"))
    assert result.attempted > 0
    assert result.failed == 0


def check_error(error, kind, message):
    """Checks the kind and the text of an error: one line that begins in lower case (or with a name) and does not end with a full stop."""
    assert type(error) is kind
    assert isinstance(error, SparringError)
    text = str(error)
    assert re.search(message, text), text
    assert "\n" not in text
    assert not text.endswith(".")
    assert text[0].islower() or text.startswith((*NAMES, "Game("))


BAD_GAMES = [
    ("Conect4", {}, UnknownGameError, r"unknown game 'Conect4'; expected one of ConnectFour, .*Isola; did you mean 'Connect"),
    ("connect_four", {}, UnknownGameError, "did you mean 'ConnectFour'"),
    ("sparring/ConnectFour-v1", {}, UnknownGameError, "did you mean 'sparring/ConnectFour-v0'"),
    ("", {}, UnknownGameError, "unknown game ''"),
    (None, {}, UnknownGameError, "unknown game None"),
    (["Isola"], {}, UnknownGameError, r"unknown game \['Isola'\]"),
    ("ConnectFour", {"width": 8}, RulesError, "ConnectFour: it takes no parameters, got width=8"),
    ("ConnectK", {"widht": 8}, RulesError, "ConnectK: unknown parameter 'widht'; .*did you mean 'width'"),
    ("ConnectK", {"k": 10}, RulesError, "k: expected at most 9, the larger side of a 9x7 board, got 10"),
    ("ConnectK", {"width": 3, "height": 4}, RulesError, "k: expected at most 4, the larger side of a 3x4 board, got 5"),
    ("ConnectK", {"k": 0}, RulesError, "k: expected a whole number from 1 to 9, got 0"),
    ("ConnectK", {"k": True}, RulesError, "k: expected a whole number from 1 to 9, got True"),
    ("ConnectK", {"width": 21}, RulesError, "width: expected a whole number from 1 to 20, got 21"),
    ("ConnectK", {"height": 0}, RulesError, "height: expected a whole number from 1 to 20, got 0"),
    ("ConnectK", {"width": 7.0}, RulesError, "width: expected a whole number from 1 to 20, got 7.0"),
    ("ConnectK", {"width": "7"}, RulesError, "width: expected a whole number from 1 to 20, got '7'"),
    ("ConnectK", {"width": np.array([7, 8])}, RulesError, r"width: expected a whole number from 1 to 20, got array\(\[7, 8\]\)"),
    ("ConnectK", {"width": 10**30}, RulesError, "width: expected a whole number from 1 to 20, got 10{30}"),
    ("ConnectK", {"gravity": 1}, RulesError, "gravity: unknown value 1; expected one of True, False"),
    ("ConnectK", {"gravity": np.array([True, False])}, RulesError, "gravity: unknown value array"),
    ("Gomoku", {"size": 4}, RulesError, "size: expected a whole number from 5 to 20, got 4"),
    ("Gomoku", {"rule": "swap2"}, RulesError, "rule: unknown value 'swap2'; expected one of freestyle, standard, caro, renju"),
    ("Gomoku", {"width": 9}, RulesError, "Gomoku: unknown parameter 'width'; expected one of size, rule"),
    ("Isola", {"rules": "quen"}, RulesError, "rules: unknown value 'quen'; .*did you mean 'queen'"),
    ("Isola", {"width": 16}, RulesError, "width: expected a whole number from 1 to 15, got 16"),
    ("Isola", {"step": "rook"}, RulesError, "step: unknown value 'rook'; expected one of king, queen, knight"),
    ("Isola", {"removal": "all"}, RulesError, "removal: unknown value 'all'; expected one of vacated, any"),
    ("Isola", {"starts": "centre"}, RulesError, "starts: unknown value 'centre'; expected one of corners, left_right, bottom_top, none"),
    ("Isola", {"starts": ["a1"]}, RulesError, r"starts: expected .* or two squares of a 8x8 board, got \['a1'\]"),
    ("Isola", {"starts": ["a1", "i1"]}, RulesError, r"starts: expected .* or two squares of a 8x8 board, got \['a1', 'i1'\]"),
    ("Isola", {"starts": [0, 63]}, RulesError, r"starts: expected .* or two squares of a 8x8 board, got \[0, 63\]"),
    ("Isola", {"starts": ["a1", "a1"]}, RulesError, "starts: expected two different squares on a 8x8 board"),
    ("Isola", {"width": 1, "height": 1}, RulesError, "starts: expected two different squares on a 1x1 board, got 'corners'"),
    (
        "Isola",
        {"rules": "classic", "starts": "none"},
        RulesError,
        "fixed: expected False with starts='none', as there are no start squares to keep, got True",
    ),
    (Game("Gomoku"), {"size": 9}, RulesError, "expected no parameters with a Game, got size"),
]


@pytest.mark.parametrize(("name", "parameters", "kind", "message"), BAD_GAMES)
def test_no_such_game(name, parameters, kind, message):
    with pytest.raises(SparringError) as caught:
        Position(name, **parameters)
    check_error(caught.value, kind, message)


CONNECT_FOUR, TIC_TAC_TOE = ("ConnectFour", {}), ("TicTacToe", {})
ISOLA, KNIGHT, CLASSIC, SEVENS = (("Isola", {"rules": rules}) for rules in ("queen", "knight", "classic", "sevens"))
STANDARD = ("Gomoku", {"size": 7, "rule": "standard"})
FREESTYLE = ("Gomoku", {"size": 7})
BAD_TEXTS = [
    # no text, no board
    (CONNECT_FOUR, None, "position: expected moves or a board as text, got None"),
    (CONNECT_FOUR, 4453, "position: expected moves or a board as text, got 4453"),
    (CONNECT_FOUR, "7/7/7/7/7 x", "expected 6 rows, got 5"),
    (CONNECT_FOUR, "7/7/7/7/7/7/7 x", "expected 6 rows, got 7"),
    (CONNECT_FOUR, "7/7/7/7/7/8 x", "row 1: expected 7 cells, got 8 in '8'"),
    (CONNECT_FOUR, "7/7/7/7/xo4/7 x", "row 2: expected 7 cells, got 6 in 'xo4'"),
    (CONNECT_FOUR, "7/7/7/7//7 x", "row 2: expected x, o and numbers of empty cells, got ''"),
    (CONNECT_FOUR, "7/7/7/7/7/3#3 x", "row 1: expected x, o and numbers of empty cells, got '3#3'"),
    (CONNECT_FOUR, "7/7/7/7/7/3X3 o", "row 1: expected x, o and numbers of empty cells, got '3X3'"),
    (CONNECT_FOUR, "7/7/7/7/7/....... x", r"row 1: expected x, o and numbers of empty cells, got '\.\.\.\.\.\.\.'"),
    (CONNECT_FOUR, "7/7/7/7/7/07 x", "row 1: expected x, o and numbers of empty cells, got '07'"),
    (CONNECT_FOUR, f"7/7/7/7/7/{'9' * 25} x", "row 1: expected x, o and numbers of empty cells, got '9{25}'"),
    (CONNECT_FOUR, "7/7/7/7/7/7", "expected a board and then the side to move, x or o, got '' as the side"),
    (CONNECT_FOUR, "7/7/7/7/7/7 white", "expected a board and then the side to move, x or o, got 'white' as the side"),
    (CONNECT_FOUR, " x", "expected a board and then the side to move, x or o, got '' as the side"),
    (ISOLA, "x7/8/8/3?4/8/8/8/7o x", r"row 5: expected x, o, # and numbers of empty cells, got '3\?4'"),
    # stones that no game places
    (CONNECT_FOUR, "7/7/7/7/7/3x3 x", "expected as many x as o with x to move, got 1 x and 0 o"),
    (CONNECT_FOUR, "7/7/7/7/7/7 o", "expected one more x than o with o to move, got 0 x and 0 o"),
    (CONNECT_FOUR, "7/7/7/7/7/oxo4 o", "expected one more x than o with o to move, got 1 x and 2 o"),
    (CONNECT_FOUR, "7/7/7/3x3/7/3o3 x", "expected no gap below a stone, got a floating one on d3"),
    (CONNECT_FOUR, "7/7/7/3x3/3o3/7 x", "expected no gap below a stone, got a floating one on d2"),
    (CONNECT_FOUR, "7/7/7/7/x6/o6 x", None),  # no game leads to it, which is not searched
    (CONNECT_FOUR, "7/7/7/oo5/xx5/oo5 o", "expected one more x than o"),
    (CONNECT_FOUR, "7/7/7/x6/x6/oo5 x", None),
    (CONNECT_FOUR, "7/7/7/7/7/xxxxooo o", None),
    (TIC_TAC_TOE, "xxx/3/ooo x", "expected a line of at most one side, got lines of both"),
    (TIC_TAC_TOE, "xxx/1o1/o1o x", "expected no line of x with x to move, as the game was over before"),
    (TIC_TAC_TOE, "ooo/xx1/x2 x", None),
    (TIC_TAC_TOE, "ooo/xx1/xx1 o", "expected no line of o with o to move, as the game was over before"),
    (FREESTYLE, "ooooo2/7/7/7/7/7/xxxxx2 x", "got lines of both"),
    (FREESTYLE, "ooooo2/7/7/xxxx3/7/7/x6 x", None),
    (FREESTYLE, "xxxxx2/ooooo2/7/7/xxxxx2/ooooo2/7 x", "got lines of both"),
    (FREESTYLE, "xxxxx2/oooo3/7/oooo3/7/xxxxx2/o1o4 x", "expected no line of x|expected as many"),
    (FREESTYLE, "xxxxx2/oooo3/7/oooo3/7/xxxxx2/o6 o", None),
    (FREESTYLE, "xxxxx2/x6/x6/x6/x1oooo1/oooo3/7 o", None),
    (("ConnectK", {"width": 11, "height": 1, "k": 5}), "xxxxxxxxxx1 o", "expected one more x"),
    (("ConnectK", {"width": 11, "height": 2, "k": 5}), "xxxxxxxxxxx/oooo1oooo1o o", "expected one more x than o"),
    (("ConnectK", {"width": 11, "height": 2, "k": 5}), "xxxxxxxxxx1/oooo1oooo1o o", None),
    (("ConnectK", {"width": 11, "height": 2, "k": 5}), "xxxxxxxxx2/oooo1ooo1o1 o", None),
    (("ConnectK", {"width": 12, "height": 2, "k": 5}), "xxxxx1xxxxx1/oooo1oooo1o1 o", None),
    (("ConnectK", {"width": 2, "height": 1, "k": 1}), "xo x", "lines of both"),
    (("ConnectK", {"width": 1, "height": 3, "k": 2, "gravity": True}), "o/x/x o", None),
    (STANDARD, "ooooo2/xxxxx2/7/7/7/7/7 x", "lines of both"),
    (STANDARD, "oooo3/xxxxxx1/1o5/o6/7/7/7 x", None),
    (STANDARD, "xxxxxx1/oooo3/o6/xxxxx2/oooo3/o6/7 o", None),
    # Isola
    (ISOLA, "8/8/8/8/8/8/8/7o x", "expected one x and one o, got 0 x and 1 o"),
    (ISOLA, "xx6/8/8/8/8/8/8/7o x", "expected one x and one o, got 2 x and 1 o"),
    (ISOLA, "x7/8/8/8/8/8/8/6o1 x", "expected o on h1, as it has not moved yet"),
    (ISOLA, "#7/x7/8/8/8/8/8/7o x", "expected an even number of moves with x to move, got 1, counted by gone squares and pieces"),
    (ISOLA, "#7/x7/8/8/8/8/8/6o1 o", "expected o on h1, as it has not moved yet"),
    (ISOLA, "1x#5/8/8/8/8/8/8/6o# x", "expected a8 to be gone, as the piece that started there has moved"),
    (ISOLA, "#x6/8/8/8/8/8/8/5#o1 x", "expected h1 to be gone, as the piece that started there has moved"),
    (CLASSIC, "8/8/7o/#x6/8/8 o", "expected the fixed start squares on the board, got one that is gone"),
    (CLASSIC, "8/8/8/x6o/8/8 x", "expected o on h4, as it has not moved yet"),
    (CLASSIC, "8/8/7o/x7/8/8 o", "expected an odd number of moves with o to move, got 0, counted by gone squares and pieces"),
    (SEVENS, "3o3/7/7/7/7/7/3x3 o", "expected an odd number of moves"),
    # that no order of moves leads to a board is not searched
    (ISOLA, "#7/8/8/3x4/4o3/8/8/7# x", None),
    (ISOLA, "#7/8/8/3x4/8/8/4o3/7# x", None),
    (ISOLA, "#7/1#6/2#5/3#4/4x3/3o4/7#/7# x", None),
    (ISOLA, "#7/8/4#3/6x1/8/8/7o/7# o", None),
    (SEVENS, "3o3/7/7/7/7/2x4/#6 o", None),
    (SEVENS, "3o3/7/7/7/7/x6/#6 o", None),
    (KNIGHT, "7/7/2#4/4x1o/7/7/7 o", None),
    (KNIGHT, "7/7/3#3/3x1o1/7/7/7 o", None),
    (KNIGHT, "7/7/7/3o3/7/7/7 o", "expected both pieces placed, x first, before any square is removed"),
    (KNIGHT, "7/7/7/3x3/7/7/6# x", "expected both pieces placed, x first, before any square is removed"),
    (KNIGHT, "7/7/7/7/7/7/6# o", "expected both pieces placed, x first, before any square is removed"),
    (KNIGHT, "7/7/7/3x3/7/7/7 x", "expected an even number of moves with x to move, got 1"),
    (KNIGHT, "7/7/7/3x3/o6/7/7 o", "expected an odd number of moves with o to move, got 2"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "text", "message"), BAD_TEXTS)
def test_no_such_position(game, text, message):
    name, parameters = game
    if message is None:  # a neighbour of the others that a game can reach
        assert Position(name, text, **parameters).text == text
        return
    with pytest.raises(SparringError) as caught:
        Position(name, text, **parameters)
    check_error(caught.value, NotationError, message)
    if isinstance(text, str):
        assert f"board text {text!r}: " in str(caught.value)


@pytest.mark.parametrize(
    ("game", "joined", "spaced"),
    [
        (("Gomoku", {}), "h8h9g7", "h8 h9 g7"),
        (("Gomoku", {}), "h10a1o15b11", "h10 a1 o15 b11"),
        (("Gomoku", {}), " h8h9 g7\n", "h8 h9 g7"),
        (TIC_TAC_TOE, "b2a1c3", "b2 a1 c3"),
        (("ConnectK", {}), "a1b1i7", "a1 b1 i7"),
    ],
)
def test_moves_are_read_as_other_programs_write_them(game, joined, spaced):
    name, parameters = game
    assert Position(name, joined, **parameters).moves == Position(name, spaced, **parameters).moves
    assert Position(name, joined, **parameters).notation == spaced


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        (
            ("Gomoku", {}),
            "h8,h9",
            "expected a move such as 'a1', got 'h8,h9' (ply 0); moves are written one after the other, as in 'a1 b1'",
        ),
        (
            ("Gomoku", {}),
            "h8p9",
            "expected a move such as 'a1', got 'p9' (ply 1: h8); moves are written one after the other, as in 'a1 b1'",
        ),
        (CONNECT_FOUR, "4,4", "expected a move such as '1', got ',' (ply 1: 4); moves are written one after the other, as in '11'"),
        (ISOLA, "a8-b7h1-g2", None),
    ],
)
def test_the_error_says_how_moves_are_written(game, text, message):
    with pytest.raises(NotationError) as caught:
        Position(game[0], text, **game[1])
    assert message in (None, str(caught.value))
    assert "as in 'a8-" in str(caught.value) or message


@pytest.mark.parametrize(
    "text", ["x" * 10**6, "9x" * 500_000 + "/7/7/7/7/7 x", "1" * 10**6, "7/" * 500_000 + " x", " x" * 500_000, "\x1b[2J"]
)
def test_a_text_of_any_length_is_told_in_a_short_printable_line(text):
    with pytest.raises(SparringError) as caught:
        Position("ConnectFour", text)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) <= 600
    assert "characters) … " in message or len(message) < 100


def test_a_message_is_the_same_after_pickling():
    error = SparringError("x" * 2000, "\x1b[2J")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert str(error).split("\n") == [f"{'x' * 288} … (2,000 characters) … {'x' * 288}", "\\x1b[2J"]


def test_a_game_may_have_its_parameters_in_its_text():
    game = Game("ConnectK", width=5, height=5, k=4)
    assert Game.of("ConnectK:width=5,height=5,k=4") == Position("sparring/ConnectK-v0:width=5,height=5.0,k=4").game == game
    assert Game.of("ConnectK:width=5,height=5", k=4) == Game.of("sparring:sparring/ConnectK-v0:width=5,height=5,k=4") == game
    for text, message in (
        ("ConnectK:width", "expected key=value after the name, got 'width'"),
        ("ConnectK:size=5", "unknown parameter 'size'"),
        ("Gomku:size=9", "unknown game 'Gomku'"),
        ("ConnectFour:width=5", "it takes no parameters"),
    ):
        with pytest.raises(SparringError, match=message):
            Game.of(text)
    with pytest.raises(SparringError, match="k: expected one value, got two"):
        Game.of("ConnectK:k=4", k=4)


def test_a_position_shows_itself_as_learners_see_it():
    position = Position("TicTacToe", "a1 b2")
    assert position.mask.tolist() == [0, 1, 1, 1, 0, 1, 1, 1, 1]
    assert position.mask.dtype == np.int8
    assert position.observation().tolist() == position.observation(0).tolist() == position.observation(1)[::-1].tolist()
    assert position.observation(0)[0].tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
