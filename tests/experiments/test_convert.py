"""`sparring convert`: games go from any form to any other that holds them, and come back as they were."""

import pytest
from sparring import Game
from sparring.experiments.commands.convert import games_in
from sparring.experiments.games.openings import read_openings

NINE = {"size": 9, "rule": "caro"}


@pytest.fixture
def folder(tmp_path, random_games, write_run):
    """Returns the folder of a run of Gomoku whose log is not in the order of the ids."""
    return write_run(tmp_path / "run", random_games(12, "Gomoku", forfeits=1, **NINE)[::-1])


def test_a_run_comes_back_from_every_format(folder, tmp_path, command_line):
    games = games_in(folder, None)
    assert len(games) == 12
    for target, line in (("games.sgf", "games.sgf"), ("game-{}.psq", "game-000000.psq to game-000011.psq"), ("games.txt", "games.txt")):
        assert command_line("convert", "run", target) == (0, [f"games: {line}"], [])
    assert games_in(tmp_path / "games.sgf", None) == games
    files = sorted(tmp_path.glob("game-*.psq"))
    for file, record in zip(files, games, strict=True):
        [back] = games_in(file, None)
        assert (back.moves, back.first, back.second, back.result) == (record.moves, record.first, record.second, record.result)
    openings = [record.moves for record in games_in(tmp_path / "games.txt", Game("Gomoku", **NINE))]
    assert openings == [record.moves for record in games]


def test_a_log_and_its_folder_have_the_same_games_as_its_export(folder, tmp_path, command_line):
    assert command_line("convert", "run", "games.sgf")[0] == command_line("export", "run", "--sgf", "--psq")[0] == 0
    assert (tmp_path / "games.sgf").read_text() == (folder / "games.sgf").read_text()
    assert command_line("convert", "run/games.jsonl", "{}.psq", "--game", "Gomoku:size=9,rule=caro")[0] == 0
    for file in sorted((folder / "psq").iterdir()):
        assert file.read_text() == (tmp_path / file.name).read_text()


def test_several_sources_become_one_file_in_their_order(tmp_path, command_line):
    (tmp_path / "a.txt").write_text("0,0, 1,1\n2,2\n")
    (tmp_path / "b.sgf").write_text("(;SZ[9]RU[renju];B[aa])")
    assert command_line("convert", "a.txt", "b.sgf", "a.txt", "all.TXT", "--game", "Gomoku:size=9") == (0, ["games: all.TXT"], [])
    assert (tmp_path / "all.TXT").read_text() == "e5 f4\ng3\na9\ne5 f4\ng3\n"
    assert len(read_openings(tmp_path / "all.TXT", Game("Gomoku", size=9))) == 5


def test_mistakes_are_one_line_and_write_nothing(folder, tmp_path, random_games, write_run, command_line):
    write_run(tmp_path / "isola", random_games(2, "Isola"))
    (tmp_path / "good.sgf").write_text("(;SZ[9]RU[0];B[aa])\n")
    (tmp_path / "bad.sgf").write_text("(;SZ[9]RU[0];B[aa])\n(;SZ[9]RU[0];B[aa]\n;W[aa])\n")
    (tmp_path / "empty.sgf").touch()
    plain, caro = Game("Gomoku", size=9), Game("Gomoku", **NINE)
    before = sorted(tmp_path.rglob("*"))
    for words, message in (
        (("good.sgf", "bad.sgf", "new.sgf"), "bad.sgf:3: illegal move 'a9' for o: a9 is taken (ply 1: a9)"),
        (
            ("good.sgf", "good.sgf", "new.psq"),
            "new.psq: expected one game in a file, got 2; new{}.psq writes a file for each",
        ),
        (("good.sgf", "bad.sgf"), "bad.sgf: expected a new file, got one that exists already"),
        (("good.sgf", "none/new.sgf"), "none/new.sgf: expected a file in a folder that exists, got one in 'none'"),
        (("good.sgf", "new.pgn"), "new.pgn: expected a file whose name ends in .psq, .sgf, .txt, got 'new.pgn'"),
        (("none.sgf", "new.sgf"), "none.sgf: No such file or directory"),
        (("none", "new.sgf"), "none: expected the folder of a run, its games.jsonl, or a file in .psq, .sgf, .txt"),
        (("empty.sgf", "new.sgf"), "empty.sgf: expected games, got none"),
        (("isola", "new.sgf"), "Isola: expected .txt for its games, got .sgf"),
        (("isola", "{}.psq"), "Isola: expected .txt for its games, got .psq"),
        (("good.sgf", "new.txt", "--game", "Gomoku:size=10"), "good.sgf:1: expected a board of 10x10, as Gomoku has it, got 9x9"),
        (("run", "new.sgf", "--game", "Gomoku:size=9"), f"run: expected games of {plain!r}, got {caro!r}"),
    ):
        assert command_line("convert", *words) == (2, [], [message])
    assert sorted(tmp_path.rglob("*")) == before
