"""The evaluations of Gomoku: shapes, candidates, forced moves, and what they see."""

import random
from pathlib import Path

import numpy as np
import pytest
from sparring import Game, Position, agents
from sparring.agents.evaluation import line_shapes, shapes
from sparring.agents.evaluation.interface import LIMIT
from sparring.envs.rules import connect_k

from .slow_search import line_shapes_moves, shape_on_line, shapes_of, threat_of

NAMES = (None, "two", "open_two", "three", "open_three", "four", "open_four", "five")
THREATS = (None, "one_three", "double_three", "one_four", "four_three", "winning_four", "win")
GAMES = {f"{size} {rule}": Game("Gomoku", size=size, rule=rule) for size, rule in ((15, "freestyle"), (7, "standard"), (10, "standard"))}


def dense_position(game, seed, longest=60):
    """A running game of random stones in a corner of the board, close enough together to make shapes of every kind."""
    chance = random.Random(seed)
    while True:
        position = Position(game)
        corner = [move for move in position.legal_moves if max(divmod(move, game.width)) < 7]
        for _ in range(chance.randint(1, longest)):
            moves = [move for move in corner if not position.state.cells[move]]
            if position.is_over or not moves:
                break
            position.push(chance.choice(moves))
        if not position.is_over:
            return position


def memory_of(evaluation, position):
    memory = np.zeros(1, evaluation.MEMORY).view(np.recarray)
    memory["weights"] = list(evaluation.WEIGHTS.values())
    evaluation.set_up(position.state, memory[0])
    evaluation.prepare(position.state, memory[0])
    return memory[0]


def listed(function, position):
    out = np.full(3 * position.game.action_count, -7, np.int64)
    count = function(position.state, memory_of(line_shapes, position), out, 5)
    assert (out[:5] == -7).all()
    return out[5 : 5 + count].tolist()


@pytest.mark.parametrize(
    ("line", "freestyle", "standard"),
    [
        ("#.xxxxx.###", "five", "five"),
        ("xx.xxxxx...", "five", "five"),
        ("##.xxxxxx##", "five", None),
        ("###.xxxx.##", "open_four", "open_four"),
        ("#.xxxx#####", "four", "four"),
        ("##x.xxx.x##", "open_four", "open_four"),
        ("xx.xxx.x..#", "open_four", "four"),
        ("####.xxx.##", "three", "three"),
        ("####.xxx..#", "open_three", "open_three"),
        ("#x..xxx.x##", "four", "four"),
        ("###.xx.x.##", "open_three", "open_three"),
        ("####xxx..##", "three", "three"),
        ("###..xx..##", "open_two", "open_two"),
        ("###x#x...##", None, None),
    ],
)
def test_shapes_of_known_lines(line, freestyle, standard):
    assert [NAMES[shapes.shape(line, exact)] for exact in (0, 1)] == [freestyle, standard]


def test_tables_hold_the_shapes_of_all_lines():
    """Every line of eleven cells as both sides see it, drawn at random, looked up bit by bit."""
    chance, seen = random.Random(1), set()
    for _ in range(4000):
        cells = [chance.choice((0, 0, 0, 1, 1, 2, 3)) for _ in range(10)]
        behind, ahead = (sum(cell << 2 * i for i, cell in enumerate(half)) for half in (cells[:5], cells[5:]))
        for side in (0, 1):
            line = "".join(".xo#"[cell] if cell != 2 - side else "#" for cell in cells).replace("o", "x")
            for exact in (0, 1):
                below, above = (int(table[i]) >> 6 * side & 63 for table, i in ((shapes.BEHIND, behind), (shapes.AHEAD, ahead)))
                found = NAMES[shapes.SHAPES[exact << 12 | below << 6 | above]]
                assert found == shape_on_line(line[:5] + "x" + line[5:], exact)
                seen.add(found)
    assert seen == set(NAMES)


@pytest.mark.parametrize("game", GAMES)
def test_threats_of_every_cell(game):
    seen = set()
    for seed in range(30):
        position = dense_position(GAMES[game], seed)
        memory = memory_of(line_shapes, position)
        for side in (0, 1):
            for (x, y), names in shapes_of(position, "xo"[side]).items():
                found = THREATS[line_shapes.threat_at(memory, side, y * position.game.width + x)]
                assert found == threat_of(names), f"{position!r} at {x}, {y}"
                seen.add(found)
    assert seen == set(THREATS)


@pytest.mark.parametrize("game", GAMES)
def test_wins_are_those_of_the_rules(game):
    wins = 0
    for seed in range(25):
        position = dense_position(GAMES[game], seed)
        memory, state = memory_of(line_shapes, position), position.state
        for move in position.legal_moves:
            for side in (0, 1):
                state.cells[move] = 1 + side
                is_won = connect_k.is_won_through(state, move)
                state.cells[move] = 0
                assert is_won == (THREATS[line_shapes.threat_at(memory, side, move)] == "win")
                wins += is_won
    assert wins > 3


@pytest.mark.parametrize("game", GAMES)
def test_candidates(game):
    kinds = set()
    for seed in range(50):
        position = dense_position(GAMES[game], seed)
        expected = line_shapes_moves(position)
        assert listed(line_shapes.candidates, position) == sorted(expected), repr(position)
        kinds.add(min(len(expected), 4))
    assert kinds >= {1, 2, 4}


@pytest.mark.parametrize("game", GAMES)
def test_forcing_moves_are_fives_and_blocks_of_fives(game):
    found = set()
    for seed in range(30):
        position = dense_position(GAMES[game], seed)
        wins = [
            [y * position.game.width + x for (x, y), names in shapes_of(position, symbol).items() if "five" in names]
            for symbol in ("xo" if position.side == 0 else "ox")
        ]
        assert listed(line_shapes.forced_moves, position) == sorted(wins[0] or wins[1])
        found.add((bool(wins[0]), len(wins[1]) > 1, bool(wins[1])))
    assert len(found) > 3


@pytest.mark.parametrize("game", GAMES)
def test_sides_are_treated_alike(game):
    for seed in range(10):
        position = dense_position(GAMES[game], seed)
        value = line_shapes.evaluate(position.state, memory_of(line_shapes, position))
        swap_colours(position)
        assert line_shapes.evaluate(position.state, memory_of(line_shapes, position)) == value


def swap_colours(position):
    """Makes every stone the other side's, and the other side the one to move."""
    state = position.state
    for cell, owner in enumerate(state.cells):
        state.cells[cell] = (0, 2, 1)[owner]
    state.side = 1 - state.side


def test_candidates_of_an_empty_and_of_a_dead_board():
    assert listed(line_shapes.candidates, Position("Gomoku")) == [112]
    dead = Position(Game("Gomoku", size=5), "xxoox/ooxxo/xxoox/ooxxo/3ox x")
    assert listed(line_shapes.candidates, dead) == [0, 1, 2], "with no shape left every near cell is a candidate"


def test_answers_to_a_double_four():
    """x makes two closed fours at once on h8: what spoils either is an answer, as is the cell itself."""
    position = Position("Gomoku", "e8 d8 f8 h4 g8 a1 h5 o1 h6 a15 h7")
    assert [position.move_text(move) for move in listed(line_shapes.candidates, position)] == ["h8", "i8", "h9"]
    position.push("a3")
    assert [position.move_text(move) for move in listed(line_shapes.candidates, position)] == ["h8"], "x wins by it"


def test_a_row_can_be_stopped_at_its_end_in_caro():
    """o threatens i8, next to x on d8: x may close the row on j8 as well. Without d8 that does not help."""
    game, closed, opened = Game("Gomoku", rule="caro"), "d8 e8 a1 f8 c1 g8 e1 h8", "d9 e8 a1 f8 c1 g8 e1 h8"
    position = Position(game, closed)
    assert listed(line_shapes.forced_moves, position) == []
    assert {"i8", "j8"} <= {position.move_text(move) for move in listed(line_shapes.candidates, position)}
    for spec in ("alphabeta:depth=2,quiescence=true", "alphabeta:depth=4"):
        agent = agents.make(spec, game)
        assert abs(agent.analyse(position).score) < LIMIT
        assert agent.analyse(Position(game, opened)).score < -LIMIT, "a row with two cells to win on"
    position = Position(game, f"{closed} j8")
    assert listed(line_shapes.forced_moves, position) == [], "the row on i8 would be closed"
    position = Position(game, f"{closed} j9")
    assert [position.move_text(move) for move in listed(line_shapes.forced_moves, position)] == ["i8"]


@pytest.mark.parametrize("rule", ["caro", "renju"])
def test_threats_are_not_searched_for_under_rules_that_change_them(rule):
    position = Position(Game("Gomoku", rule=rule), "h8 i9 j8 i8 k8 i10 i7 h9")
    found = [
        agents.make({"name": "best", "nodes": 3000, "fours": on, "threats": on}, position.game).analyse(position) for on in (False, True)
    ]
    assert (found[0].score, found[0].nodes, found[0].pv) == (found[1].score, found[1].nodes, found[1].pv)


FOUND = {  # by spec: how many of the 15 wins by fours, the 18 by threats and the 4 long ones are found, at least
    "alphabeta:nodes=50000": (5, 3, 0),
    "alphabeta:nodes=50000,quiescence=true": (9, 5, 0),
    "alphabeta:nodes=50000,quiescence=true,null_move=true,reductions=true": (12, 11, 0),
    "alphabeta:nodes=50000,evaluation=pattern_table,method=alphabeta,table_mib=0": (2, 0, 0),
}


@pytest.mark.parametrize("spec", FOUND)
def test_forced_wins_are_found_and_quiet_positions_are_not_won(spec):
    agent, found = agents.make(spec, "Gomoku"), dict.fromkeys(("VCF", "VCT", "LONG", "-"), 0)
    for line in (Path(__file__).parents[1] / "data" / "gomoku_wins.txt").read_text().splitlines():
        if not line.startswith("#"):
            moves, _, label, kind, *_ = line.split(" | ")
            score = agent.analyse(Position("Gomoku", moves)).score
            assert not (label == "QUIET" and abs(score) > LIMIT), f"{moves} is quiet"
            found[kind] += score > LIMIT
    assert all(number >= least for number, least in zip(found.values(), (*FOUND[spec], 0), strict=True)), found
