"""The Connect Four solver: scores against known ones and against plain minimax, and what must not change them."""

import random
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from sparring import Game, Position
from sparring.agents.solver import connect_four
from sparring.agents.solver.bound_table import find, first_of, lower_of, store, upper_of
from sparring.agents.solver.connect_four import ConnectFourSolver
from sparring.agents.solver.four_lines import UNKNOWN, board_of, playable_cells, score_by_parity, threats_of
from sparring.envs.rules.connect_k_bitboards import record_of
from sparring.envs.rules.errors import AgentError
from sparring.experiments.games.connect_four_sets import level_of, random_boards

from .exact_play import ExactTable

SCORES = Path(__file__).parent.parent / "data" / "connect_four_scores.txt"
EMPTY_BOARDS = {"4x4": 0, "5x4": 0, "4x5": 0, "5x5": 0, "4x6": 0, "6x4": -1, "5x6": 0, "7x4": 0}  # width x height: the sign, Tromp's


def gravity(width, height):
    return Game("ConnectK", width=width, height=height, k=4, gravity=True)


def random_position(game, plies, seed):
    """Returns a position after so many random moves, or earlier if the game ends."""
    position, moves = Position(game), random.Random(seed)
    while len(position.moves) < plies and not position.is_over:
        position.push(moves.choice(position.legal_moves))
    return position


def score_by_minimax(table, position):
    """Returns the exact score of a position from the plies to the end under best play."""
    value, plies = table[position.text]
    winner_is_to_move = value > 0
    empty = position.game.width * position.game.height - position.ply
    stones = (empty + winner_is_to_move) // 2  # that the winner still has
    placed = (plies + winner_is_to_move) // 2
    return value * (stones - placed + 1)


def mirror_image(position):
    twin = Position(position.game)
    for move in position.moves:
        twin.push(position.game.width - 1 - move)
    return twin


def random_bitboards(count, seed):
    boards = list(islice(random_boards("middle", seed), count))
    return np.array([board.own for board in boards], np.int64), np.array([board.filled for board in boards], np.int64)


@pytest.fixture(scope="module")
def solver():
    return ConnectFourSolver("ConnectFour")


def test_known_scores(solver):
    lines = [line.split() for line in SCORES.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == 600
    solved = solver.solve_many([Position("ConnectFour", moves) for moves, _ in lines])
    assert solved.scores.tolist() == [int(score) for _, score in lines]
    assert solver.nodes == solved.nodes.sum()


@pytest.mark.parametrize(("width", "height", "plies"), [(4, 4, 8), (5, 4, 12), (4, 5, 12), (6, 4, 16), (5, 5, 17)])
def test_agrees_with_plain_minimax(width, height, plies):
    game = gravity(width, height)
    solver, table = ConnectFourSolver(game, table_mib=1), ExactTable(game)
    positions = [random_position(game, plies + seed % 4, seed) for seed in range(120)]
    expected = [score_by_minimax(table, position) for position in positions]
    assert solver.solve_many(positions).scores.tolist() == expected
    assert solver.solve_many(positions, is_weak=True).scores.tolist() == np.sign(expected).tolist()
    for position in positions[:10]:
        for move, score in solver.move_scores(position).items():
            position.push(move)
            assert score == -score_by_minimax(table, position)
            position.pop()


def test_best_moves_are_those_of_the_highest_score(solver):
    for stage in ("middle", "end"):
        for boards in islice(random_boards(stage, 6), 60):
            scores = solver.move_scores(Position("ConnectFour", boards.moves))
            best = max(scores.values())
            solver.clear()
            found = solver.best_moves(boards.own, boards.filled)
            assert found == (best, tuple(move for move, score in scores.items() if score == best))
    nodes = solver.nodes
    solver.clear()
    assert solver.best_moves(boards.own, boards.filled, budgets=[nodes - 1] if nodes else []) is None or nodes == 0
    assert solver.best_moves(boards.own, boards.filled, budgets=[]) is None


def test_a_score_within_bounds_is_the_score_or_the_bound_before_it(solver):
    chance = random.Random(4)
    for stage in ("middle", "end"):
        for boards in islice(random_boards(stage, 5), 40):
            score = solver.score(Position("ConnectFour", boards.moves))
            for _ in range(10):
                low = chance.randrange(-18, 18)
                high = low + chance.choice((0, 1, 1, 5, 36))
                solver.clear()
                assert solver.score_within(boards.own, boards.filled, low, high) == min(max(score, low), high)
    assert solver.score_within(boards.own, boards.filled, 0, 0, budgets=[]) is None


@pytest.mark.parametrize(("width", "height", "plies"), [(4, 4, 8), (5, 4, 12), (4, 5, 12), (6, 4, 16), (5, 5, 17)])
def test_what_parity_decides_is_true(width, height, plies):
    game, board, bounds = gravity(width, height), board_of(width, height), 0
    table = ExactTable(game)
    for seed in range(80):
        position = random_position(game, plies + seed % 4, seed)
        own, filled = (np.int64(record_of(position.state)[0][name]) for name in ("own", "filled"))
        own_threats, rival_threats = threats_of(board, own, filled), threats_of(board, own ^ filled, filled)
        if position.is_over or own_threats & playable_cells(board, filled) != 0:
            continue
        score = score_by_minimax(table, position)
        for asked in range(-3, 4):
            if (width * height - position.ply) % 2 == 0:
                leaders, bound = score, score_by_parity(board, own, filled, own_threats, rival_threats, asked)
            else:
                leaders, bound = -score, score_by_parity(board, own ^ filled, filled, rival_threats, own_threats, asked)
            if bound != UNKNOWN:
                bounds += 1
                assert leaders <= bound if bound < asked else leaders >= bound, (position.text, asked, bound, score)
    assert bounds > 20


@pytest.mark.parametrize("size", EMPTY_BOARDS)
def test_empty_boards(size):
    game = gravity(*map(int, size.split("x")))
    solver = ConnectFourSolver(game, table_mib=4)
    sign = solver.sign(Position(game))
    assert sign == EMPTY_BOARDS[size]
    assert np.sign(solver.score(Position(game))) == sign


def test_sign_needs_fewer_nodes_and_is_that_of_the_score(solver):
    own, filled = random_bitboards(200, seed=3)
    solver.clear()
    strong = solver.solve_bitboards(own, filled)
    solver.clear()
    weak = solver.solve_bitboards(own, filled, is_weak=True)
    assert weak.scores.tolist() == np.sign(strong.scores).tolist()
    assert weak.nodes.sum() < strong.nodes.sum()


def test_mirror_images_have_equal_scores(solver):
    positions = [Position("ConnectFour", board.moves) for board in islice(random_boards("middle", seed=4), 100)]
    assert (
        solver.solve_many(positions).scores.tolist()
        == solver.solve_many([mirror_image(position) for position in positions]).scores.tolist()
    )


def test_a_cleared_solver_repeats_its_nodes(solver):
    own, filled = random_bitboards(50, seed=5)
    counts = []
    for _ in range(2):
        solver.clear()
        counts.append(solver.solve_bitboards(own, filled).nodes.tolist())
    assert counts[0] == counts[1]
    assert solver.solve_bitboards(own, filled).nodes.sum() < sum(counts[0])


@pytest.mark.parametrize("budget", [1, 7, 1000])
def test_cut_into_budgets_it_finds_the_same_with_the_same_nodes(solver, monkeypatch, budget):
    own, filled = random_bitboards(30, seed=6)
    solver.clear()
    uncut, probes = solver.solve_bitboards(own, filled), solver.probes
    monkeypatch.setattr(connect_four, "BUDGET", budget)
    solver.clear()
    cut = solver.solve_bitboards(own, filled)
    assert (cut.scores.tolist(), cut.nodes.tolist(), solver.probes) == (uncut.scores.tolist(), uncut.nodes.tolist(), probes)


def test_plain_mode_finds_the_same_with_the_same_nodes(monkeypatch):
    game = gravity(5, 5)
    positions = [random_position(game, 13, seed) for seed in range(20)]
    compiled = ConnectFourSolver(game, table_mib=1).solve_many(positions)
    monkeypatch.setenv("SPARRING_JIT", "0")
    plain = ConnectFourSolver(game, table_mib=1).solve_many(positions)
    assert plain.scores.tolist() == compiled.scores.tolist()
    assert plain.nodes.tolist() == compiled.nodes.tolist()


def test_a_crowded_table_makes_no_mistakes(solver):
    own, filled = random_bitboards(100, seed=7)
    crowded = ConnectFourSolver("ConnectFour", table_mib=0.001)
    assert crowded.workspace.table.nbytes < 2048
    assert crowded.solve_bitboards(own, filled).scores.tolist() == solver.solve_bitboards(own, filled).scores.tolist()


def test_an_entry_is_found_by_its_own_key_alone():
    table = np.zeros(2 << 17, np.int64)
    tags = [1, 2, 3, (1 << 45) - 1, 1 << 44, 0x155555555555]
    keys = [tag << 17 | 12345 ^ first_of(table, tag << 17, tag) // 2 for tag in tags]  # all of one bucket, which keeps two
    for i, key in enumerate(keys):
        store(table, key, i - 31, 31 - i, 1)
    found = {key: find(table, key) for key in keys}
    for i, key in enumerate(keys):
        assert found[key] == 0 or (lower_of(found[key]), upper_of(found[key])) == (i - 31, 31 - i)
    assert sum(entry != 0 for entry in found.values()) == 2
    assert not any(find(table, key ^ 1 << bit) for key in keys for bit in range(62) if key ^ 1 << bit not in keys)


def test_game_over_and_one_move_wins(solver):
    assert solver.score(Position("ConnectFour", "1212121")) == -18  # the winner has placed 4 of 21 stones
    assert solver.score(Position("ConnectFour", "121212")) == 18
    assert solver.sign(Position("ConnectFour", "121212")) == 1


def test_move_scores_leave_out_full_columns(solver):
    position = Position("ConnectFour", "11111122222243333334")
    scores = solver.move_scores(position)
    assert list(scores) == position.legal_moves
    assert max(scores.values()) == solver.score(position)


def test_boards_that_do_not_fit():
    for game in (Game("ConnectK", width=7, height=6, k=5, gravity=True), Game("TicTacToe"), gravity(8, 8), Game("Isola")):
        with pytest.raises(
            AgentError, match=r"^solver: expected a game with gravity, k 4 and width \* \(height \+ 1\) of at most 62, got Game\("
        ):
            ConnectFourSolver(game)


def test_positions_of_another_game(solver):
    with pytest.raises(AgentError, match="solver: expected positions of Game"):
        solver.score(Position("TicTacToe"))


def test_levels_count_the_moves_left():
    assert level_of(7, 0) == "hard"
    assert level_of(41, 1) == "easy"  # the last cell wins
    assert level_of(14, 8) == "easy"
    assert level_of(14, 7) == "medium"  # 8 of 14 stones, 15 moves


def test_bitboards_of_two_lengths(solver):
    with pytest.raises(AgentError, match="expected as many bitboards of own stones as of all stones, got 1 and 2"):
        solver.solve_bitboards(np.zeros(1, np.int64), np.zeros(2, np.int64))
