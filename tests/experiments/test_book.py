"""Books: the positions that perfect play meets, all of them and solved; the same after a kill and from any number of workers."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sparring import Game, Position
from sparring.agents.solver.book import integer_board, key_of, read_book, stones_of
from sparring.agents.solver.connect_four import Best

from ..agents.exact_play import ExactTable
from ..agents.test_book import mirror_image, stones_in
from ..agents.test_connect_four_solver import score_by_minimax

CONFIG = "kind: book\ngame: {id: ConnectK, width: %d, height: %d, k: 4, gravity: true}\nname: it\n"


def children(position):
    for move in position.legal_moves:
        child = position.copy()
        child.push(move)
        yield move, child


def distinct(positions):
    """Returns the positions where the game goes on, one of those that are the same or mirror images."""
    return list({min(position.text, mirror_image(position).text): position for position in positions if not position.is_over}.values())


def repertoire(game, table):
    """Yields the positions that perfect play meets, with their scores and best moves."""
    start = Position(game)
    layers = [[start], distinct(child for _, child in children(start))]
    while any(layers[-2:]):
        followers = []
        for position in layers[-2]:
            scores = {move: _score(table, child) for move, child in children(position)}
            best = [move for move, score in scores.items() if score == max(scores.values())]
            yield position, Best(max(scores.values()), tuple(best))
            followers += [reply for move, child in children(position) if move in best for _, reply in children(child)]
        layers.append(distinct(followers))


def _score(table, child):
    """Returns the score of a move by the position after it."""
    if child.is_over and child.winner is not None:
        return (child.game.width * child.game.height - child.ply) // 2 + 1
    return 0 if child.is_over else -score_by_minimax(table, child)


def test_a_whole_book_is_what_plain_minimax_plays(command_line, tmp_path, request):
    width, height = (4, 4) if request.config.getoption("--at-length") else (4, 3)
    game = Game("ConnectK", width=width, height=height, k=4, gravity=True)
    (tmp_path / "it.yaml").write_text(CONFIG % (width, height) + "quick_nodes: 0\n")
    code, lines, _ = command_line("run", "it.yaml", "--out", "it")
    book, expected = read_book(tmp_path / "it" / "it.book"), list(repertoire(game, ExactTable(game)))
    assert code == 0
    assert len(book) == len(expected)
    for position, solved in expected:
        assert book.find(position) == solved
    plies = max(position.ply for position, _ in expected) + 1
    assert f"it: {len(book):,} positions of {plies} plies, 0 quick ones left out, " in lines[1]
    assert max(position.ply for position, _ in expected) >= width * height - 2


def test_a_book_of_wins_and_losses_is_true_as_far_as_it_goes(command_line, tmp_path):
    """On 4x4; the positions of its last plies, as plain minimax takes long for the others."""
    (tmp_path / "it.yaml").write_text(CONFIG % (4, 4) + "quick_nodes: 0\nmax_ply: 10\nworkers: 2\ntable_mib: 1\n")
    assert command_line("run", "it.yaml", "--out", "it")[0] == 0
    game = Game("ConnectK", width=4, height=4, k=4, gravity=True)
    book, table, chance, board = read_book(tmp_path / "it" / "it.book"), ExactTable(game), 0, integer_board(4, 4)
    assert {stones_of(board, key).filled.bit_count() for key in book} == set(range(11))
    position, met = Position(game), 0
    for seed in range(300):
        position, chance = Position(game), seed * 7919
        while position.ply < 11 and not position.is_over:
            solved = book.find(position) if position.ply % 2 == seed % 2 else None
            if position.ply >= 9 and solved:
                scores = {move: _score(table, child) for move, child in children(position)}
                best = tuple(move for move, score in scores.items() if score == max(scores.values()))
                assert solved == Best(max(scores.values()), best)
                met += 1
            moves = solved.moves if solved else position.legal_moves
            assert solved or position.ply % 2 != seed % 2
            position.push(moves[chance % len(moves)])
            chance //= 3
    assert met > 100


def test_quick_positions_and_what_follows_them_are_left_out(command_line, tmp_path):
    (tmp_path / "it.yaml").write_text(CONFIG % (4, 4) + "quick_nodes: 400\n")
    assert command_line("run", "it.yaml", "--out", "it")[0] == 0
    entries = {entry["id"]: entry for entry in map(json.loads, (tmp_path / "it" / "solved.jsonl").read_text().splitlines())}
    book = read_book(tmp_path / "it" / "it.book")
    assert set(book) == {key for key, entry in entries.items() if entry["nodes"] >= 400}
    assert 0 < len(book) < len(entries)
    assert max(entry["nodes"] for entry in entries.values()) == 400


def test_a_killed_run_goes_on_to_the_same_book(command_line, tmp_path):
    (tmp_path / "it.yaml").write_text(CONFIG % (4, 4) + "quick_nodes: 20\nmax_ply: 9\n")
    assert command_line("run", "it.yaml", "--out", "whole")[0] == 0
    log = tmp_path / "whole" / "solved.jsonl"
    for kill in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL):
        begun = _lines(tmp_path / "part" / "solved.jsonl")
        process = subprocess.Popen(
            [sys.executable, "-m", "sparring", "run", "it.yaml", "--out", "part"],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        while _lines(tmp_path / "part" / "solved.jsonl") < begun + 150 and process.poll() is None:
            time.sleep(0.002)
        process.send_signal(kill)
        process.communicate()
        assert process.returncode != 0
    with (tmp_path / "part" / "solved.jsonl").open("ab") as file:
        file.write(b'{"id":3')
    assert _lines(tmp_path / "part" / "solved.jsonl") < _lines(log)
    assert len(read_book(tmp_path / "part" / "it.book")) > 0
    assert command_line("run", "it.yaml", "--out", "part", "workers=3", "table_mib=1")[0] == 0
    assert (tmp_path / "part" / "it.book").read_bytes() == (tmp_path / "whole" / "it.book").read_bytes()
    assert sorted((tmp_path / "part" / "solved.jsonl").read_text().splitlines()) == sorted(log.read_text().splitlines())


def _lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"id":%d,"nodes":20,"scores":[0,0]}', "scores: expected 4, one for each move and not all null, got [0, 0]"),
        ('{"id":%d,"nodes":20,"scores":[null,null,null,null]}', "scores: expected 4, one for each move and not all null, got "),
        ('{"id":%d,"nodes":-1,"scores":[0,0,0,0]}', "nodes: expected at least 0, got -1"),
        ('{"id":%d,"scores":[0,0,0,0]}', "nodes: missing"),
    ],
)
def test_a_log_that_was_changed_is_refused(command_line, tmp_path, line, told):
    (tmp_path / "it.yaml").write_text(CONFIG % (4, 4) + "max_ply: 1\n")
    assert command_line("run", "it.yaml", "--out", "it")[0] == 0
    record = json.loads((tmp_path / "it" / "run.json").read_text())
    (tmp_path / "it" / "run.json").write_text(json.dumps(record | {"finished": None}))
    (tmp_path / "it" / "results.json").unlink()
    board = integer_board(4, 4)
    (tmp_path / "it" / "solved.jsonl").write_text(
        line % key_of(board, stones_in(Position(Game("ConnectK", width=4, height=4, k=4, gravity=True)))) + "\n"
    )
    code, _, errors = command_line("run", "it.yaml", "--out", "it")
    assert code == 2
    assert errors[-1].startswith(f"{Path('it') / 'solved.jsonl'}:1: {told}")
    assert errors[-1].endswith("; --fresh starts over")


def test_other_games_are_refused(command_line, tmp_path):
    (tmp_path / "it.yaml").write_text("kind: book\ngame: Gomoku\n")
    code, _, errors = command_line("run", "it.yaml")
    assert code == 2
    assert errors[0].startswith("it.yaml:2: game: expected a game with gravity, k 4 and width * (height + 1) of at most 62, got Game(")
