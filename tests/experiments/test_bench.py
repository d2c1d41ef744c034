"""The benchmark of environments: plies are counted as they are made, and other packages play the same games beside ours."""

import json
import random
import statistics
from pathlib import Path

import numpy as np
import pytest
from sparring.agents.solver.connect_four import ConnectFourSolver
from sparring.envs.game import Game
from sparring.envs.position import Position
from sparring.experiments.games.connect_four_sets import GAME, boards_of, generated_sets, level_of
from sparring.experiments.games.stages import plies_of
from sparring.experiments.kinds.bench import run as bench
from sparring.experiments.kinds.bench.config import BenchConfig, RandomPlay
from sparring.experiments.kinds.bench.peers import CONNECT_FOUR, GOMOKU, MISSING, PEERS, PLIES, TIC_TAC_TOE
from sparring.experiments.kinds.bench.run import STEPS, _environments, _own_play

SCORES = Path(__file__).parent.parent / "data" / "connect_four_scores.txt"
GAMES = [(peer, id) for peer in PEERS for id in PEERS[peer].names]


def installed(name):
    """Returns a peer, or skips the test."""
    if PEERS[name].version is None:
        pytest.skip(f"{PEERS[name].title} is {MISSING}")
    return PEERS[name]


@pytest.mark.parametrize("words", [{"game": "TicTacToe", "games": 5}, {"game": "ConnectFour", "opponent": "greedy", "games": 3}])
def test_our_plies_are_those_that_were_made(words):
    one = RandomPlay.model_validate(words)
    play = _own_play(one)
    environments = _environments(one)
    _, infos = environments.reset(seed=0)
    was_over = np.zeros(one.games, bool)
    for _ in range(3):
        made = 0
        for _ in range(STEPS):
            before = np.where(was_over, 0, infos["ply"])
            _, _, was_over, _, infos = environments.step(environments.random_actions())
            made += sum(infos["ply"] - before)
        assert play() == made
        assert STEPS * one.games < made < 2 * STEPS * one.games


def test_single_environments_play_too():
    play = _own_play(RandomPlay(game={"id": TIC_TAC_TOE}, games=3, single=True))
    assert all(3 * STEPS < play() < 6 * STEPS for _ in range(3))


@pytest.mark.parametrize(("name", "id"), [(name, id) for name, id in GAMES if name != "pgx"])
def test_peers_play_games_as_long_as_ours(name, id):
    peer, choice, lengths = installed(name), random.Random(1), []
    count = 20 if id == GOMOKU else 150
    for _ in range(count):
        position = Position(id)
        while not position.is_over:
            position.push(choice.choice(position.legal_moves))
        lengths.append(position.ply)
    play = peer.prepare(peer.names[id], 1)
    theirs = [play() for _ in range(count)]
    error = (statistics.variance(lengths) / count + statistics.variance(theirs) / count) ** 0.5
    assert abs(statistics.fmean(lengths) - statistics.fmean(theirs)) < 4 * error


@pytest.mark.parametrize("id", [id for name, id in GAMES if name == "pgx"])
def test_pgx_plays_its_batch_ply_by_ply(id):
    peer = installed("pgx")
    play = peer.prepare(peer.names[id], 3)
    assert [play(), play()] == [3 * PLIES] * 2


def test_peers_have_only_games_with_the_same_rules():
    openspiel = PEERS["openspiel"]
    assert openspiel.has(Game(GOMOKU, size=15))
    assert not openspiel.has(Game(GOMOKU, size=9))
    assert not openspiel.has(Game(GOMOKU, rule="standard"))
    assert not openspiel.has(Game("sparring/Isola-v0"))
    assert PEERS["pgx"].has(Game(CONNECT_FOUR))


@pytest.mark.parametrize(
    ("words", "place", "message"),
    [
        ({"game": "Gomoku", "peer": "pgx"}, "game", "expected a game of pgx with its usual parameters: ConnectFour, TicTacToe"),
        ({"game": "ConnectFour", "peer": "openspiel"}, "games", "expected 1, as OpenSpiel plays one game at a time, got 256"),
        ({"game": "ConnectFour", "peer": "pgx", "opponent": "greedy"}, "peer", "expected neither an opponent nor single"),
        ({"game": "ConnectFour", "peer": "pgx", "single": True}, "peer", "expected neither an opponent nor single"),
    ],
)
def test_what_a_peer_does_not_play_is_a_mistake(words, place, message):
    [(found, text)] = BenchConfig(environments={"one": RandomPlay.model_validate(words)}).mistakes()
    assert found == ("environments", "one", place)
    assert text.startswith(message)


def test_a_peer_that_is_not_installed_stops_nothing(command_line, tmp_path, monkeypatch):
    monkeypatch.setitem(PEERS, "pgx", PEERS["pgx"]._replace(modules=("a_module_that_is_not_there",)))
    monkeypatch.setattr(bench, "LEAST_SECONDS", 0.01)
    rows = {"ours": "games: 1", "zoo": "games: 1, peer: pettingzoo", "absent": "games: 4, peer: pgx"}
    lines = [f"  {name}: {{game: TicTacToe, {words}}}\n" for name, words in rows.items()]
    (tmp_path / "bench.yaml").write_text("kind: bench\nrepeats: 2\nenvironments:\n" + "".join(lines))
    installed("pettingzoo")
    code, out, err = command_line("run", "bench.yaml", "--out", "here")
    assert (code, err) == (0, [])
    assert out[1].endswith(" million plies a second")
    assert out[3] == f"bench: absent: {MISSING}"
    found = json.loads((tmp_path / "here" / "results.json").read_text())["environments"]
    assert [(row.get("peer"), row["best"] is None) for row in found.values()] == [(None, False), ("pettingzoo", False), ("pgx", True)]
    assert found["zoo"]["version"]
    assert "not installed" in (tmp_path / "here" / "report.html").read_text(encoding="utf-8")


def solver_bench(command_line, tmp_path, lines, *words):
    """Runs the solver on a file of positions."""
    (tmp_path / "positions.txt").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "bench.yaml").write_text("kind: bench\nsolver: {files: [positions.txt], table_mib: 1}\n")
    return command_line("run", "bench.yaml", "--out", "here", *words)


def test_the_solver_is_timed_on_a_file_and_its_scores_are_compared(command_line, tmp_path):
    known = [line for line in SCORES.read_text().splitlines() if not line.startswith("#") and len(line.split()[0]) > 20][:20]
    moves, score = known[0].split()
    code, out, err = solver_bench(command_line, tmp_path, ["# comment", *known[1:], "", f"{moves} {int(score) + 1}"])
    assert (code, err) == (0, [])
    assert out[1].startswith("bench: positions.txt: 20 positions, ")
    assert out[1].endswith(" nodes a second, 1 wrong score")
    row = json.loads((tmp_path / "here" / "results.json").read_text())["solver"]["positions.txt"]
    assert (row["positions"], row["wrong"], row["table_mib"]) == (20, 1, 1)
    assert row["nodes"] > 1
    assert row["mean_seconds"] > 0
    assert "20 positions solved, 1 of their scores wrong" in (tmp_path / "here" / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("4453", "expected moves and a score, got '4453'"),
        ("4453 22", "expected a score from -21 to 21, got '22'"),
        ("4453 x", "expected a score from -21 to 21, got 'x'"),
        ("4458 1", "expected a move such as '1', got '8' (ply 3: 445); moves are written one after the other, as in '11'"),
        ("4444444 1", "illegal move '4' for x: column 4 is full (ply 6: 444444)"),
        ("1212121 -18", "expected moves after which the game goes on, got '1212121'"),
    ],
)
def test_a_wrong_line_of_positions_is_refused(command_line, tmp_path, line, message):
    code, _, err = solver_bench(command_line, tmp_path, ["4453 1", line])
    assert (code, err) == (2, [f"bench.yaml:2: solver.files.0: positions.txt:2: {message}"])


def test_random_positions_are_of_their_sets():
    solver = ConnectFourSolver("ConnectFour", table_mib=4)

    def score_of(boards):
        return int(solver.solve_bitboards(np.array([boards.own]), np.array([boards.filled])).scores[0])

    sets = dict(generated_sets(score_of, size=2, seed=1))
    assert {name: len(positions) for name, positions in sets.items()} == {
        "end/easy": 2, "middle/easy": 2, "middle/medium": 2, "begin/easy": 2, "begin/medium": 2, "begin/hard": 1,
    }  # fmt: skip
    for name, positions in sets.items():
        stage, level = name.split("/")
        for boards, score in positions:
            assert len(boards.moves) in plies_of(GAME, stage)
            assert level_of(len(boards.moves), score) == level
            assert boards == boards_of(Position("ConnectFour", boards.moves))
    assert dict(generated_sets(score_of, size=2, seed=1)) == sets != dict(generated_sets(score_of, size=2, seed=2))
