"""The exact solver: values and plies against plain minimax and known ones, and what must not change them."""

import random
from itertools import islice

import numpy as np
import pytest
from sparring import Game, Position
from sparring.agents.solver import exact, exact_interface
from sparring.agents.solver.connect_four import ConnectFourSolver, plies_left
from sparring.agents.solver.exact import Exact, ExactSolver
from sparring.agents.solver.exact_table import ENTRY, FREE_ENTRY, find, store
from sparring.envs import compiled
from sparring.envs.rules.errors import AgentError
from sparring.experiments.games.connect_four_sets import random_boards

from ..rules.test_golden import game_of_connect_k, items
from .exact_play import ExactTable
from .test_exact import game_of_isola

LINES = [  # games, and the plies from which on plain minimax is quick
    ("TicTacToe", 1),
    ("ConnectK:width=4,height=3,k=3,gravity=false", 5),
    ("ConnectK:width=4,height=4,k=4,gravity=false", 10),
    ("ConnectK:width=5,height=3,k=3,gravity=false", 8),
    ("ConnectK:width=5,height=4,k=4,gravity=false", 14),
    ("ConnectK:width=5,height=5,k=4,gravity=false", 19),
    ("ConnectK:width=3,height=3,k=2,gravity=false", 0),
    ("ConnectK:width=4,height=4,k=3,gravity=true", 7),
    ("ConnectK:width=4,height=4,k=4,gravity=true", 8),
    ("ConnectK:width=5,height=4,k=3,gravity=true", 9),
    ("ConnectK:width=5,height=4,k=4,gravity=true", 12),
    ("ConnectK:width=5,height=5,k=5,gravity=true", 18),
    ("ConnectK:width=7,height=3,k=6,gravity=true", 15),
    ("ConnectK:width=5,height=4,k=1,gravity=false", 0),
    ("Gomoku:size=5", 20),
    ("Gomoku:size=6,rule=standard", 30),
]
ISOLA = [
    ("Isola:rules=queen,width=3,height=3", 0),
    ("Isola:rules=queen,width=4,height=3", 2),
    ("Isola:rules=queen,width=4,height=4", 6),
    ("Isola:rules=queen,width=5,height=4", 9),
    ("Isola:rules=queen,width=4,height=4,step=king", 5),
    ("Isola:rules=queen,width=5,height=5,step=king", 12),
    ("Isola:rules=queen,width=4,height=3,removal=any", 5),
    ("Isola:rules=sevens,width=3,height=3", 1),
    ("Isola:rules=sevens,width=3,height=4", 5),
    ("Isola:rules=sevens,width=4,height=4", 8),
    ("Isola:rules=knight,width=3,height=3", 0),
    ("Isola:rules=knight,width=4,height=4", 4),
    ("Isola:rules=knight,width=5,height=4", 6),
    ("Isola:rules=knight,width=4,height=3,removal=any", 5),
    ("Isola:rules=sevens,width=9,height=2", 14),  # on cells
]
EMPTY_BOARDS = {  # values for the first player; see the rules' golden values
    "TicTacToe": 0,
    "ConnectK:width=4,height=3,k=3,gravity=false": 1,
    "ConnectK:width=4,height=4,k=4,gravity=false": 0,
    "ConnectK:width=5,height=4,k=4,gravity=false": 0,
    "ConnectK:width=5,height=5,k=4,gravity=false": 0,
    "ConnectK:width=5,height=5,k=5,gravity=false": 0,
    "ConnectK:width=3,height=5,k=3,gravity=true": 0,
    "ConnectK:width=6,height=5,k=3,gravity=true": 1,
    "ConnectK:width=6,height=4,k=5,gravity=true": 0,
    "Isola:rules=queen,width=3,height=3": 1,
    "Isola:rules=queen,width=4,height=3": -1,
    "Isola:rules=queen,width=4,height=4": 1,
    "Isola:rules=queen,width=5,height=4": -1,
    "Isola:rules=queen,width=5,height=5": 1,
    "Isola:rules=queen,width=4,height=4,step=king": -1,
    "Isola:rules=queen,width=5,height=5,step=king": 1,
    "Isola:rules=sevens,width=3,height=4": 1,
    "Isola:rules=sevens,width=4,height=4": 1,
    "Isola:rules=knight,width=4,height=4": -1,
    "Isola:rules=knight,width=5,height=5": -1,
}
LARGER = {  # games, and the plies from which on a search that knows the rules alone is quick
    "ConnectK:width=5,height=5,k=4,gravity=false": 13,
    "ConnectK:width=6,height=5,k=4,gravity=false": 17,
    "ConnectK:width=5,height=5,k=5,gravity=false": 14,
    "ConnectK:width=6,height=5,k=4,gravity=true": 17,
    "ConnectK:width=7,height=6,k=5,gravity=true": 28,
    "ConnectK:width=7,height=4,k=3,gravity=true": 8,
    "Gomoku:size=6": 25,
    "Isola:rules=queen,width=6,height=5": 12,
    "Isola:rules=queen,width=8,height=8": 38,
    "Isola:rules=queen,width=5,height=5,fixed=true": 12,
    "Isola:rules=knight,width=7,height=7": 28,
    "Isola:rules=knight,width=5,height=5,removal=any": 14,
    "Isola:rules=sevens,width=5,height=5": 14,
    "Isola:rules=classic": 32,
    "Isola:rules=classic,removal=vacated,width=6,height=5": 14,
}
FEW = {  # games, and how many symmetries leave their start as it is
    "ConnectK:width=5,height=5,k=4,gravity=false": 8,
    "ConnectK:width=6,height=4,k=5,gravity=true": 2,
    "Isola:rules=queen,width=5,height=5": 2,
    "Isola:rules=knight,width=5,height=4": 4,
    "Isola:rules=sevens,width=3,height=5": 2,
}


def agrees(found, value, plies):
    """Tells whether a value is right, and the plies, which may be unknown for a draw."""
    return found == (value, plies) or found == (0, None) == (value, None)


def random_position(game, plies, seed):
    """Returns a position after so many random moves, or earlier if the game ends."""
    position, moves = Position(game), random.Random(seed)
    while len(position.moves) < plies and not position.is_over:
        position.push(moves.choice(position.legal_moves))
    return position


def images(position):
    """Yields a position with all its moves taken through each symmetry that leaves the start as it is."""
    start = position.game.initial().cells
    for cells, actions in position.game.symmetries:
        if all(start[image] == start[cell] for cell, image in enumerate(cells)):
            twin = Position(position.game)
            for move in position.moves:
                twin.push(actions[move])
            yield twin


@pytest.mark.parametrize(("text", "plies"), LINES + ISOLA, ids=lambda value: str(value))
def test_agrees_with_plain_minimax(text, plies, at_length):
    game = Game.of(text)
    solver, table = ExactSolver(game, table_mib=1), ExactTable(game)
    for seed in range(400 if at_length else 25):
        position = random_position(game, plies + seed % 3, seed)
        assert agrees(solver.value(position), *table[position.text]), repr(position)
        if seed < 4:
            for move, value in solver.move_values(position).items():
                position.push(move)
                expected = table[position.text]
                assert agrees(value, -expected.value, expected.plies + 1), repr(position)
                position.pop()


@pytest.mark.parametrize(("text", "plies"), LARGER.items())
def test_what_a_game_knows_changes_neither_value_nor_plies(text, plies, monkeypatch, at_length):
    game = Game.of(text)
    solver = ExactSolver(game, table_mib=1)
    monkeypatch.setattr(exact, "_parts_of", lambda game: (game.rules, exact_interface))
    plain = ExactSolver(game, table_mib=16)
    for seed in range(1000 if at_length else 20):
        position = random_position(game, plies + seed % 4, seed)
        assert solver.value(position) == plain.value(position), repr(position)
        assert solver.nodes <= plain.nodes


def test_agrees_with_the_connect_four_solver(at_length):
    solver, other = ExactSolver("ConnectFour"), ConnectFourSolver("ConnectFour")
    for board in islice(random_boards("middle", seed=8), 2000 if at_length else 60):
        position = Position("ConnectFour", board.moves)
        score = other.score(position)
        assert solver.value(position) == (np.sign(score), plies_left(42 - position.ply, score)), repr(position)


@pytest.mark.parametrize("text", EMPTY_BOARDS)
def test_empty_boards(text):
    game = Game.of(text)
    solver = ExactSolver(game, table_mib=4)
    assert solver.sign(Position(game)) == EMPTY_BOARDS[text]


def cases():
    for board, moves, _, value, keeping, _ in items("connect_k_exact", " | "):
        yield Position(game_of_connect_k(board), moves), value, keeping
    for board, text, value, keeping, *_ in items("isola_exact", " | "):
        yield Position(game_of_isola(board), text), value, keeping


def test_known_values_and_the_moves_that_keep_them(at_length):
    solvers = {}
    for position, value, keeping in cases():
        solver = solvers.setdefault(position.game, None) or ExactSolver(position.game, table_mib=16)
        solvers[position.game] = solver
        sign = solver.sign(position)
        assert {1: "WIN", 0: "DRAW", -1: "LOSS"}[sign] == value, repr(position)
        if at_length:
            values = solver.move_values(position)
            kept = [position.move_text(move) for move, exact in values.items() if exact.value == sign]
            assert sorted(kept) == sorted(keeping.split() if keeping != "-" else map(position.move_text, values)), repr(position)
            assert solver.value(position).plies == (min if sign > 0 else max)(
                exact.plies for exact in values.values() if exact.value == sign
            ), repr(position)


@pytest.mark.parametrize(("text", "count"), FEW.items())
def test_symmetric_positions_are_equal(text, count):
    game = Game.of(text)
    for seed in range(5):
        twins = list(images(random_position(game, 7, seed)))
        assert len(twins) == count
        assert len({ExactSolver(game, table_mib=1).value(twin) for twin in twins}) == 1, repr(twins[0])


def test_symmetric_positions_share_entries():
    for text, moves in (
        ("ConnectK:width=5,height=5,k=4,gravity=false", "b2 d1 c5 e4"),
        ("Isola:rules=knight,width=5,height=4", "a2 d3 a2-c1"),
    ):
        first, *_, last = images(Position(text, moves))
        solver = ExactSolver(first.game, table_mib=4)
        solver.sign(first)
        before = solver.nodes
        solver.sign(last)
        assert 10 * solver.nodes < before


@pytest.mark.parametrize("text", FEW)
def test_cut_into_budgets_it_finds_the_same_with_the_same_nodes(text, monkeypatch):
    game = Game.of(text)
    positions = [random_position(game, 8, seed) for seed in range(6)]

    def solved(budget):
        monkeypatch.setattr(exact, "BUDGET", budget)
        solver = ExactSolver(game, table_mib=0.1)
        return [(solver.value(position), solver.nodes) for position in positions]

    uncut = solved(1 << 40)
    assert solved(1) == uncut
    assert solved(777) == uncut


@pytest.mark.parametrize("text", FEW)
def test_plain_mode_finds_the_same_with_the_same_nodes(text, monkeypatch):
    game = Game.of(text)
    positions = [random_position(game, 13, seed) for seed in range(4)]

    def solved():
        solver = ExactSolver(game, table_mib=0.1)
        return [(solver.value(position), solver.nodes) for position in positions]

    compiled = solved()
    monkeypatch.setenv("SPARRING_JIT", "0")
    assert solved() == compiled


@pytest.mark.parametrize("text", FEW)
def test_a_crowded_table_makes_no_mistakes(text):
    game = Game.of(text)
    crowded, roomy = ExactSolver(game, table_mib=0.001), ExactSolver(game, table_mib=4)
    for seed in range(6):
        position = random_position(game, 9, seed)
        assert crowded.value(position) == roomy.value(position)


def test_a_spent_budget_leaves_no_value_or_the_value_alone():
    game = Game.of("Isola:rules=queen,width=5,height=5")
    solver, position = ExactSolver(game, table_mib=4), Position(game)
    assert solver.solve(position, nodes=100) is None
    assert solver.nodes == 100
    solver.clear()
    solver.sign(position)
    weak = solver.nodes
    solver.clear()
    assert solver.solve(position, nodes=weak + 100) == Exact(1, None)
    assert solver.nodes == weak + 100
    assert solver.solve(position) == Exact(1, 23)


def test_a_cleared_solver_repeats_its_nodes():
    position = Position("Isola", "a5-c3 e1-d2", width=5, height=5)
    solver = ExactSolver(position.game, table_mib=4)
    first = solver.value(position), solver.nodes
    assert solver.value(position) == first[0]
    assert solver.nodes < first[1]
    solver.clear()
    assert (solver.value(position), solver.nodes) == first


def test_an_entry_is_found_by_its_own_key_alone():
    table = np.full(8, FREE_ENTRY, ENTRY)
    keys = [4 * i + 1 for i in range(5)]  # one bucket
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARRING_JIT", "0")
        records = compiled.readable(table)  # as kernels in plain Python read it
        for i, key in enumerate(keys):
            store(records, key, -i, i, i, 1 << (5 - i))
    assert [find(records, key) >= 0 for key in keys] == [True, False, False, False, True]  # the costliest, and the last
    assert find(records, 2) == -1


@pytest.fixture
def costly_from_100_nodes(monkeypatch, tmp_path):
    """Values are kept on disk, in a folder of the test's own."""
    monkeypatch.setattr(exact, "COSTLY", 100)
    monkeypatch.setattr(compiled, "cache_folder", lambda: tmp_path / "versions")
    return tmp_path / "values"


def test_costly_values_are_kept_on_disk(costly_from_100_nodes):
    position = Position("TicTacToe")
    first = ExactSolver("TicTacToe")
    assert (first.value(position), first.nodes > 100) == ((0, 9), True)
    later = ExactSolver("TicTacToe")
    assert (later.value(position), later.nodes) == ((0, 9), 0)
    other = ExactSolver("ConnectK:width=4,height=4,k=4,gravity=true")
    other.sign(Position(other.game))
    assert other.nodes > 100
    other.value(Position(other.game))
    assert len(list(costly_from_100_nodes.iterdir())) == 2


@pytest.mark.parametrize(
    "damage", [lambda text: text[:40], lambda text: text.replace('"width": 3', '"width": 4'), lambda text: text.replace("9", "true")]
)
def test_a_damaged_or_foreign_file_of_values_is_ignored(costly_from_100_nodes, capsys, damage):
    position = Position("TicTacToe")
    ExactSolver("TicTacToe").value(position)
    (file,) = costly_from_100_nodes.iterdir()
    file.write_text(damage(file.read_text()))
    solver = ExactSolver("TicTacToe")
    message = capsys.readouterr().err
    assert message.startswith(f"sparring: {file}: ignored, as it holds no values")
    assert message.count("\n") == 1
    assert (solver.value(position), solver.nodes > 100) == ((0, 9), True)
    assert ExactSolver("TicTacToe").solve(position) == (0, 9)
    capsys.readouterr()


def test_games_that_last_too_long(monkeypatch):
    monkeypatch.setattr(exact, "MAX_PLIES", 5)
    with pytest.raises(AgentError, match="solver: expected a game of at most 5 plies, got a longer one: Game"):
        ExactSolver("TicTacToe").value(Position("TicTacToe"))


def test_finished_games():
    solver = ExactSolver("TicTacToe")
    assert solver.value(Position("TicTacToe", "a1 b1 a2 b2 a3")) == (-1, 0)
    assert solver.value(Position("TicTacToe", "a1 b1 c1 b2 a2 c2 b3 a3 c3")) == (0, 0)
    assert solver.move_values(Position("TicTacToe", "a1 b1 a2 b2 a3")) == {}


def test_positions_of_another_game():
    with pytest.raises(AgentError, match=r"^solver: expected positions of Game\('sparring/TicTacToe-v0'\), got one of Game\("):
        ExactSolver("TicTacToe").value(Position("Gomoku"))
