"""Files of games: what is written is read back as it was, files as other programs write them are read, and mistakes are one line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sparring import Game, Position
from sparring.envs.rules.errors import ConfigError
from sparring.experiments.games.formats import FORMATS
from sparring.experiments.games.formats.recorded import RecordedGame, result_on_board
from sparring.experiments.games.openings import read_openings

from ..rules.games import connect_k_games, gomoku_games, positions

NAMES = st.text(st.characters(exclude_categories=("C", "Zl", "Zp", "Zs")) | st.just(" "), max_size=12).map(str.strip)
GOMOKU = positions(gomoku_games(largest=20), longest=60)


@pytest.fixture
def read(tmp_path):
    """Returns a function that writes a file and returns its games."""

    def read(name, content, game=None):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return FORMATS[path.suffix].read(path, game)

    return read


@pytest.fixture
def complaint(read, tmp_path):
    """Returns a function that returns the message of a file that is refused, the folder left out."""

    def complaint(name, content, game=None):
        with pytest.raises(ConfigError) as caught:
            read(name, content, game)
        assert "\n" not in str(caught.value)
        return str(caught.value).replace(f"{tmp_path}/", "")

    return complaint


def moves(record):
    position = Position(record.game)
    for move in record.moves:
        position.push(move)
    return position.notation


@st.composite
def records(draw, of):
    """A game of random moves with names, a result, notes and all else that files hold."""
    position = draw(of)
    on_board = result_on_board(position)
    result = on_board or draw(st.sampled_from((None, "first", "second", "draw")))
    is_forfeited = on_board is None and result in ("first", "second")
    notes = tuple(draw(st.lists(NAMES, min_size=len(position.moves), max_size=len(position.moves))))
    return RecordedGame(
        position.game,
        tuple(position.moves),
        first=draw(NAMES),
        second=draw(NAMES),
        result=result,
        forfeit=draw(st.sampled_from(("", "Time", "Resign", "Forfeit"))) if is_forfeited else "",
        event=draw(NAMES),
        date=draw(NAMES),
        notes=notes if any(notes) else (),
    )


@settings(max_examples=30, deadline=None)
@given(st.lists(records(GOMOKU | positions(connect_k_games(20))), max_size=2))
def test_sgf_is_read_as_it_was_written(tmp_path_factory, games):
    path = tmp_path_factory.getbasetemp() / "games.sgf"
    path.write_text("".join(map(FORMATS[".sgf"].text_of, games)), encoding="utf-8")
    assert FORMATS[".sgf"].read(path, None) == games
    assert [record.line for record in FORMATS[".sgf"].read(path, None)] == list(range(1, 1 + len(games)))


@settings(max_examples=30, deadline=None)
@given(records(GOMOKU))
def test_psq_is_read_as_it_was_written(tmp_path_factory, record):
    path = tmp_path_factory.getbasetemp() / "game.psq"
    path.write_text(FORMATS[".psq"].text_of(record), encoding="utf-8")
    [back] = FORMATS[".psq"].read(path, None)
    assert (back.game, back.moves, back.result) == (record.game, record.moves, record.result)
    if record.first or record.second:
        assert (back.first, back.second) == (record.first or "?", record.second or "?")


@settings(max_examples=30, deadline=None)
@given(positions())
def test_lines_are_read_as_they_were_written(tmp_path_factory, position):
    path = tmp_path_factory.getbasetemp() / "games.txt"
    record = RecordedGame(position.game, tuple(position.moves), result=result_on_board(position))
    path.write_text(FORMATS[".txt"].text_of(record), encoding="utf-8")
    assert FORMATS[".txt"].read(path, position.game) == ([record] if record.moves else [])


# ------------------------------------------------------------------------------------------------------------------ psq

STONES = "8,8,125\n9,7,310\n15,1,16\n"


@pytest.mark.parametrize(
    "text",
    [
        f"Piskvorky 15x15, 11:11, 0\n{STONES}one\ntwo\n-1\n2,Standard\n",
        f"Piskvorky 15x15, 11:11, 0\r\n{STONES}one\r\ntwo\r\n-1\r\n2,Standard\r\n".replace("16\n", "16\r\n"),
        f"\ufeffPiskvorky  15x15 , 11:11 ,0 \n{STONES}one\ntwo\n-1\n2, standard",
        "Piskvorky 15x15, 0:5, 0\n\n 8, 8, 125\n9 ,7,-1 \n\t15,1\none \n two\n\n2 ,STANDARD\n\n",
        f"Piskvorky 15x15, 11:11, 1\n{STONES}two\none\n-1\n1,Standard\n",
    ],
    ids=["archive", "CRLF", "BOM and spaces", "empty lines and no code", "the second player begins"],
)
def test_psq_files_of_other_programs_are_read(read, text):
    [record] = read("game.psq", text)
    assert record.game == Game("Gomoku", size=15, rule="standard")
    assert moves(record) == "h8 i9 o15"
    assert (record.first, record.second, record.result) == ("one", "two", "second")


def test_a_psq_file_may_end_after_its_stones_if_the_game_is_given(read):
    game = Game("Gomoku", size=15, rule="renju")
    for end in ("", "-1\n", "one\ntwo\n", "one\ntwo\n-1", "3\n", "0,Freestyle\n"):
        [record] = read("game.psq", f"Piskvorky 15x15, 11:11, 0\n{STONES}{end}", game)
        assert (record.game, moves(record)) == (game, "h8 i9 o15")
        assert (record.first, record.second) == (("one", "two") if "one" in end else ("", ""))
        assert record.result == ("draw" if end.startswith("0") else None)


def test_a_finished_game_has_the_result_of_its_board(read):
    stones = "".join(f"{column},1,0\n{column},3,0\n" for column in range(1, 5))
    text = f"Piskvorky 9x9, 11:11, 0\n{stones}5,1,0\none\ntwo\n-1\n2,Freestyle\n"
    assert read("game.psq", text)[0].result == "first"
    sgf = f"(;GM[4]SZ[9]RU[0]RE[W+R]{';B[aa];W[ac];B[ba];W[bc];B[ca];W[cc];B[da];W[dc];B[ea]'})"
    assert (read("game.sgf", sgf)[0].result, read("game.sgf", sgf)[0].forfeit) == ("first", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "game.psq:1: expected a line such as 'Piskvorky 15x15, 11:11, 0', got ''"),
        ("\n8,8,0\n", "game.psq:2: expected a line such as 'Piskvorky 15x15, 11:11, 0', got '8,8,0'"),
        (
            f"Piskvorky 15x15\n{STONES}",
            "game.psq:1: expected a last line such as 1,Freestyle with one of Freestyle, Standard, Caro, Renju; ",
        ),
        ("Piskvorky 15x20, 0:0, 0\n", "game.psq:1: expected a square board, got 15x20"),
        ("Piskvorky 30x30, 0:0, 0\n0,Caro", "game.psq:1: size: expected a whole number from 5 to 20, got 30"),
        ("Piskvorky 9x9, 0:0, 0\n5,5,0\n\n10,1,0\n0,Caro", "game.psq:4: expected a stone on the 9x9 board, got column 10 and row 1"),
        ("Piskvorky 9x9, 0:0, 0\n0,5,0\n0,Caro", "game.psq:2: expected a stone on the 9x9 board, got column 0 and row 5"),
        ("Piskvorky 9x9, 0:0, 0\n5,5,0\n5,5,0\n0,Caro", "game.psq:3: illegal move 'e5' for o: e5 is taken (ply 1: e5)"),
        ("Piskvorky 9x9, 0:0, 0\n5,5,0\n5,x,0\n6,5,0\n1,1,0\n2,2,0\n3,3,0\n", "game.psq:3: expected a stone such as 8,8,0, or at most "),
        (b"Piskvorky 9x9, 0:0, 0\n\xff\n", "game.psq: expected UTF-8 text, got byte 0xff at 22"),
    ],
)
def test_a_damaged_psq_file_is_one_line(complaint, text, message):
    assert complaint("game.psq", text).startswith(message)


def test_a_file_of_another_board_than_that_of_the_game_is_refused(complaint):
    nine = Game("Gomoku", size=9)
    message = "1: expected a board of 9x9, as Gomoku has it, got 15x15"
    assert complaint("game.psq", f"Piskvorky 15x15, 11:11, 0\n{STONES}", nine) == f"game.psq:{message}"
    assert complaint("game.sgf", "(;SZ[15];B[hh])", nine) == f"game.sgf:{message}"


def test_a_renju_foul_is_named(complaint):
    stones = "7,8,0\n1,15,0\n9,8,0\n1,13,0\n8,9,0\n1,11,0\n8,7,0\n1,9,0\n8,8,0\n"
    message = complaint("game.psq", f"Piskvorky 15x15, 11:11, 0\n{stones}0,Renju\n")
    assert message.startswith("game.psq:10: illegal move 'h8' for x: double three")


def test_a_name_that_reads_as_a_stone_is_not_written():
    record = RecordedGame(Game("Gomoku"), (), first="3,4,5")
    with pytest.raises(ConfigError, match="psq: expected a name of a player that is no stone, got '3,4,5'"):
        FORMATS[".psq"].text_of(record)


# ------------------------------------------------------------------------------------------------------------------ SGF


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]GM[4]SZ[15]RU[Renju]PB[a\\]b\\\\]PW[two];B[hh];W[ig];B[oa])",
        "(;GM[4]FF[4]SZ[15]RU[4]\r\nPB[a\\]b\\\\] PW[two]\r\n\r\n;B [hh] ; W[ig]C[30ms]\r\n;B[oa] ) \r\n",
        "\ufeff\n(;RU[renju]SZ[15:15]PB[a\\]b\\\\]PW[tw\\\no]B[hh]W[ig]B[oa])",
        "(;FF[4]SZ[15]RU[renju]PB[a\\]b\\\\]PW[two](;B[hh](;W[ig]C[( ;) \\] ];B[oa])(;W[ih](;B[aa])))(;B[gg]))",
        "(;FF[3]GaMe[4]SiZe[15]RU[Gomoku:rule=renju]PlayerB[a\\]b\\\\]PW[two];Black[hh];White[ig];B[oa])",
    ],
    ids=["plain", "spaces", "one node", "variations", "old names"],
)
def test_sgf_files_of_other_programs_are_read(read, text):
    [record] = read("game.sgf", text)
    assert record.game == Game("Gomoku", size=15, rule="renju")
    assert moves(record) == "h8 i9 o15"
    assert (record.first, record.second) == ("a]b\\", "two")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("B+", ("first", "")), ("W+T", ("second", "Time")), ("b+resign", ("first", "Resign")), ("W+Forfeit", ("second", "Forfeit"))),
        *(("B+1", ("first", "")), ("0", ("draw", "")), ("Draw", ("draw", "")), ("Void", (None, "")), ("?", (None, "")), ("", (None, ""))),
    ],
)
def test_results_of_other_programs_are_read(read, text, expected):
    [record] = read("game.sgf", f"(;SZ[15]RU[0]RE[{text}];B[hh])")
    assert (record.result, record.forfeit) == expected


def test_a_collection_has_a_line_for_each_mistake(read, complaint):
    texts = ["(;SZ[9]RU[caro];B[ee])\n", "\n(;SZ[15]RU[0]\n;B[hh]\n;W[hh])\n"]
    assert [moves(record) for record in read("games.sgf", texts[0] * 3)] == ["e5"] * 3
    assert complaint("games.sgf", "".join(texts)).startswith("games.sgf:5: illegal move 'h8' for o: h8 is taken")
    assert read("games.sgf", " \n") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "1: expected a game, which begins with (;, got 'hello'"),
        ("(;SZ[15]RU[0];B[hh])\n\n)", "3: expected a game, which begins with (;, got ')'"),
        ("(;SZ[15]RU[0];B[hh]", "1: expected ) at the end of a game, got the end of the file"),
        ("(;SZ[15]RU[0]\n;B[hh", "2: expected a property such as B[hh], or one of ; ( ), got 'B[hh'"),
        ("(;SZ[15]RU[0];B;W[hh])", "1: expected a property such as B[hh], or one of ; ( ), got 'B;W[hh])'"),
        ("(B[hh])", "1: expected ; before the first property of a game, got 'B'"),
        ("()", "1: expected a size such as SZ[15]; or name the game with --game Gomoku:size=15"),
        ("(;GM[1]SZ[19];B[hh])", "1: expected GM[4], Gomoku, got '1'"),
        ("(;SZ[big];B[hh])", "1: expected a size such as SZ[15], got 'big'"),
        ("(;SZ[40]RU[0];B[hh])", "1: size: expected a whole number from 5 to 20, got 40"),
        (
            "(;SZ[15];B[hh])",
            "1: expected a rule, RU with one of freestyle, standard, caro, renju; or name the game with --game Gomoku:size=15",
        ),
        ("(;SZ[8]RU[Isola];B[hh])", "1: expected a rule, RU with one of "),
        ("(;SZ[5]RU[ConnectK:width=5,height=4,k=4];B[aa])", "1: expected a board of 5x4, as ConnectK has it, got 5x5"),
        ("(;SZ[15]RU[0]AB[hh][ii]AW[gg])", "1: expected a game from the empty board, got stones set up with AB"),
        ("(;SZ[15]RU[0];W[hh])", "1: expected a stone of B, as the sides take turns, got one of W"),
        ("(;SZ[15]RU[0];B[])", "1: expected a point such as B[hh], got a pass"),
        ("(;SZ[15]RU[0];B[hh][ii])", "1: expected a point such as B[hh], got '[hh][ii]'"),
        ("(;SZ[15]RU[0];B[h8])", "1: expected a point such as B[hh], got 'h8'"),
        ("(;SZ[15]RU[0];B[hp])", "1: expected a stone on the 15x15 board, got column 8 and row 16"),
        ("(;SZ[7:6]RU[ConnectFour];B[aa])", "1: expected a stone on a1, got one on a6"),
    ],
)
def test_a_damaged_sgf_file_is_one_line(complaint, text, message):
    assert complaint("game.sgf", text).startswith(f"game.sgf:{message}")


# ------------------------------------------------------------------------------------------------------------------ Openings

TEXT = "0,0, -1,-2\n\n 3,4 ,-7,7,  0,0 # a remark\r\n7,-7, 6,6,\nh8 h9\n"


def test_gomocups_opening_lists_are_openings(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text(TEXT)
    openings = [moves(RecordedGame(Game("Gomoku"), opening)) for opening in read_openings(path, Game("Gomoku"))]
    assert openings == ["h8 g10", "k4 a1 h8", "o15 n2", "h8 h9"]
    even = Game("Gomoku", size=20)
    path.write_text("0,0, -10,-10, 9,9\n")
    assert [moves(RecordedGame(even, opening)) for opening in read_openings(path, even)] == ["k10 a20 t1"]
    board = Game("ConnectK", width=6, height=5, k=4)
    path.write_text("0,0, -3,-2, 2,2\n")
    assert [moves(RecordedGame(board, opening)) for opening in read_openings(path, board)] == ["d3 a5 f1"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0,0, 8,0", "expected a stone on the 15x15 board, got column 16 and row 8"),
        ("0,0, 1", "expected pairs of offsets from the middle such as 0,0, 1,-2, got 3 numbers"),
        ("0,0, 1 2", "expected an offset from the middle such as -3, got '1 2'"),
        (",", "expected an offset from the middle such as -3, got ''"),
        ("0,0, 1,1, 0,0", "illegal move 'h8' for x: h8 is taken"),
        ("-1,0, -7,7, 1,0, -7,5, 0,1, -7,3, 0,-1, -7,1, 0,0", "illegal move 'h8' for x: double three"),
        ("0,0, 0,1, 1,0, 1,1, 2,0, 2,1, 3,0, 3,1, 4,0", "expected moves after which the game goes on, got 'h8 h7 "),
        ("0,0, h8", "expected "),
    ],
)
def test_an_opening_that_does_not_fit_is_named_by_its_line(tmp_path, line, message):
    path = tmp_path / "openings.txt"
    path.write_text(f"# a list\n1,1\n{line}\n")
    with pytest.raises(ConfigError) as caught:
        read_openings(path, Game("Gomoku", rule="renju"))
    assert str(caught.value).startswith(f"{path}:3: {message}")


def test_games_of_other_programs_are_openings(tmp_path):
    psq, sgf = tmp_path / "opening.psq", tmp_path / "openings.SGF"
    psq.write_text(f"Piskvorky 15x15, 11:11, 0\n{STONES}")
    sgf.write_text("(;B[hh];W[ig])\n(;GM[4]SZ[15];B[aa])\n")
    assert [len(opening) for opening in read_openings(psq, Game("Gomoku", rule="renju"))] == [3]
    assert [len(opening) for opening in read_openings(sgf, Game("Gomoku"))] == [2, 1]
    sgf.write_text("(;B[hh];W[ig])\n(;SZ[15])\n")
    with pytest.raises(ConfigError, match=r"SGF:2: expected moves after which the game goes on, got ''"):
        read_openings(sgf, Game("Gomoku"))


def test_numbers_with_commas_are_offsets_only_where_a_move_is_a_cell(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("4,4\n")
    for game in ("ConnectFour", "Isola"):
        with pytest.raises(ConfigError, match=r"openings\.txt:1: expected a move such as"):
            read_openings(path, Game(game))
