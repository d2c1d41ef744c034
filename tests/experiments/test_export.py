"""Games for other programs: what is written is read back by parsers of this file's own, to the same games."""

import json
import re

import pytest
from sparring import Position
from sparring.experiments.commands.export import export_parquet, export_psq, export_sgf
from sparring.experiments.games.log import read_games

GAMES = {
    "ConnectFour": {},
    "ConnectK": {"width": 20, "height": 7, "k": 5, "gravity": False},
    "TicTacToe": {},
    "Gomoku": {"size": 20, "rule": "standard"},
}


@pytest.fixture
def a_run(tmp_path, random_games, write_run):
    """Returns a function that writes the folder of a run of random games of a game."""

    def write(game, count=6, **changes):
        games = [entry | changes for entry in random_games(count, game, ("a]b\\c", "alphabeta:depth=2"), **GAMES.get(game, {}))]
        return write_run(tmp_path / game, games)

    return write


def stones_of(game):
    """Returns the stones of a game, each as its column and its row from the top, by the squares that each move fills."""
    position, stones = Position(game["game"]["id"], **parameters_of(game)), []
    replay = Position(game["game"]["id"], game["moves"], **parameters_of(game))
    for move in replay.moves:
        before = bytes(position.state.cells)
        position.push(move)
        [cell] = [cell for cell, (old, new) in enumerate(zip(before, bytes(position.state.cells), strict=True)) if old != new]
        stones.append((cell % position.game.width, position.game.height - 1 - cell // position.game.width))
    return stones


def parameters_of(game):
    return {} if game["game"]["id"] in ("sparring/ConnectFour-v0", "sparring/TicTacToe-v0") else game["game"]["parameters"]


def read_sgf(text):
    """Returns the fields of each record and its stones."""
    for record in re.findall(r"\(;(.*)\)", text):
        properties = re.findall(r"(;?)(?!C\[)([A-Z]+)\[((?:\\.|[^\]\\])*)\]", record)
        fields = {name: re.sub(r"\\(.)", r"\1", value) for node, name, value in properties if not node}
        yield fields, [(name, ord(value[0]) - 97, ord(value[1]) - 97) for node, name, value in properties if node]


@pytest.mark.parametrize("game", GAMES)
def test_records_hold_the_stones_of_every_game(a_run, game):
    folder = a_run(game)
    games = list(read_games(folder / "games.jsonl"))
    records = list(read_sgf(export_sgf(folder).read_text()))
    assert len(records) == len(games)
    for (fields, stones), entry in zip(records, games, strict=True):
        assert stones == [("BW"[number % 2], *stone) for number, stone in enumerate(stones_of(entry))]
        assert (fields["PB"], fields["PW"]) == (entry["first"], entry["second"])
        assert fields["RE"] == {"first": "B+", "second": "W+", "draw": "Draw"}[entry["result"]]
        width, _, height = fields["SZ"].partition(":")
        board = Position(entry["game"]["id"], **parameters_of(entry)).game
        assert (int(width), int(height or width)) == (board.width, board.height)


def test_records_say_how_a_game_was_forfeited(a_run):
    for termination, end in (("timeout", "Time"), ("crash", "Forfeit"), ("illegal", "Forfeit"), ("adjudicated", "")):
        folder = a_run("TicTacToe", 1, result="second", termination=termination, reason="so it was")
        [(fields, _)] = read_sgf(export_sgf(folder).read_text())
        assert fields["RE"] == f"W+{end}"


def test_records_name_the_run_and_note_scores_and_depths(a_run):
    folder = a_run("TicTacToe", 1)
    entry = next(read_games(folder / "games.jsonl"))
    searched = entry["plies"] - entry["opening"]
    entry |= {"scores": [3, None, -4, *[None] * (searched - 3)], "depths": [1, None, None, *[2] * (searched - 3)]}
    (folder / "games.jsonl").write_text(json.dumps(entry) + "\n")
    text = export_sgf(folder).read_text()
    [(fields, _)] = read_sgf(text)
    assert (fields["EV"], fields["DT"], fields["RU"]) == ("TicTacToe", "2026-01-02", "TicTacToe")
    notes = re.findall(r";[BW]\[..\](?:C\[(.*?)\])?", text)
    assert notes == [""] * entry["opening"] + ["score 3, depth 1", "", "score -4"] + ["depth 2"] * (searched - 3)


def test_position_files_hold_the_stones_of_every_game(a_run):
    folder = a_run("Gomoku")
    path = export_psq(folder)
    games = list(read_games(folder / "games.jsonl"))
    assert sorted(file.name for file in path.iterdir()) == [f"{game['id']:06d}.psq" for game in games]
    for file, game in zip(sorted(path.iterdir()), games, strict=True):
        head, *lines = file.read_text().splitlines()
        assert head.startswith("Piskvorky 20x20,")
        *moves, first, second, mark, end = lines
        assert [tuple(int(word) - 1 for word in line.split(",")[:2]) for line in moves] == stones_of(game)
        assert (first, second, mark) == (game["first"], game["second"], "-1")
        assert end == f"{['draw', 'first', 'second'].index(game['result'])},Standard"


def test_a_table_is_the_log(a_run, tmp_path):
    polars = pytest.importorskip("polars", reason="needs the extra `parquet`")
    folder = a_run("Gomoku", 5)
    with (folder / "games.jsonl").open("a") as log:
        last = {**json.loads((folder / "games.jsonl").read_text().splitlines()[0]), "id": 9, "stage": "final", "reason": "no move"}
        log.write(json.dumps({**last, "scores": [3, None, -(2**40)], "depths": [1, None, 2]}) + "\n")
    table = polars.read_parquet(export_parquet(folder))
    games = list(read_games(folder / "games.jsonl"))
    assert table.height == len(games) == 6
    for row, game in zip(table.to_dicts(), games, strict=True):
        rules = {"id": row.pop("game"), "parameters": json.loads(row.pop("game_parameters"))}
        seconds = [row.pop("first_seconds"), row.pop("second_seconds")]
        assert {**{name: value for name, value in row.items() if value is not None}, "game": rules, "seconds": seconds} == game
    assert table.schema["scores"] == polars.List(polars.Int64)


def test_games_without_stones_and_folders_without_games_are_refused(a_run, tmp_path, command_line):
    folder = a_run("Isola", 2)
    four = a_run("ConnectFour", 2)
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "games.jsonl").touch()
    (tmp_path / "none").mkdir()
    for words, message in (
        ((folder, "--sgf"), "Isola: expected .txt for its games, got .sgf"),
        ((folder, "--psq"), "Isola: expected .txt for its games, got .psq"),
        ((four, "--psq"), "ConnectFour: expected .sgf or .txt for its games, got .psq"),
        ((four,), "export: expected --parquet, --sgf or --psq, got none"),
        ((tmp_path / "none", "--sgf"), f"{tmp_path / 'none'}: expected the folder of a run with games, got one without"),
        ((tmp_path / "empty", "--parquet"), f"{tmp_path / 'empty'}: expected the folder of a run with games, got one without"),
        ((tmp_path / "absent", "--psq"), f"{tmp_path / 'absent'}: expected the folder of a run with games, got one without"),
    ):
        code, out, errors = command_line("export", *map(str, words))
        assert (code, out, len(errors)) == (2, [], 1)
        assert errors[0] == message
    assert not list(tmp_path.rglob("*.psq")) + list(tmp_path.rglob("*.sgf")) + list(tmp_path.rglob("psq"))


def test_every_format_can_be_asked_for_at_once(a_run, command_line):
    pytest.importorskip("polars", reason="needs the extra `parquet`")
    folder = a_run("Gomoku", 2)
    code, out, errors = command_line("export", str(folder), "--parquet", "--sgf", "--psq")
    assert (code, errors) == (0, [])
    assert out == [f"games: {folder / name}" for name in ("games.parquet", "games.sgf", "psq")]
    assert len(list((folder / "psq").iterdir())) == 2


def test_a_table_without_polars_is_one_line(a_run, command_line, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "polars", None)
    code, _, errors = command_line("export", str(a_run("TicTacToe", 2)), "--parquet")
    assert (code, errors) == (2, ["export: --parquet needs polars; install it with: pip install 'sparring[parquet]'"])
