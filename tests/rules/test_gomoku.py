"""The rules of Gomoku: which rows win, in every direction and at the edges, and perft against slow oracles."""

import random
from itertools import product

import pytest
from sparring import Game, Position
from sparring.envs.perft import count
from sparring.envs.rules.interface import RUNNING, WON

from .test_oracles import gomoku
from .test_perft import slow_count

SIZE, FIVE = 9, 5
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))
RULES = ("freestyle", "standard", "caro", "renju")
EMPTY, OWN, RIVAL = range(3)  # what bounds a row of five
PERFT_STARTS, LEFT = 10, 6  # positions for each board and rule, and the cells that are empty in them


def rows_of_five():
    """Yields every row of five on the board, with the cell before and after it, None beyond the edge."""
    for (right, up), column, row in product(STEPS, range(SIZE), range(SIZE)):
        squares = [(column + i * right, row + i * up) for i in range(-1, FIVE + 1)]
        cells = [y * SIZE + x if 0 <= x < SIZE and 0 <= y < SIZE else None for x, y in squares]
        if None not in cells[1:-1]:
            yield cells


def bounded_rows():
    """Yields (cells of a row, the cell that is still empty, what bounds the row at both ends; None for the edge)."""
    for number, (before, *cells, after) in enumerate(rows_of_five()):
        for ends in product(*((None,) if cell is None else (EMPTY, OWN, RIVAL) for cell in (before, after))):
            yield [before, *cells, after], cells[number % FIVE], ends


def wins(rule, side, ends):
    """Tells whether a row of five between two ends wins."""
    if rule == "freestyle" or (rule == "renju" and side == 1):
        return True
    return OWN not in ends and (rule != "caro" or ends != (RIVAL, RIVAL))


def with_stones(game, owners, side):
    """Returns a running state with the stones of a dict of sides by cells."""
    state = game.initial()
    for cell, owner in owners.items():
        state.side = owner
        game.rules.play(state, cell)
    state.side, state.status = side, RUNNING
    return state


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("rule", RULES)
def test_rows_in_every_direction_and_at_the_edges(rule, side):
    game, seen = Game("Gomoku", size=SIZE, rule=rule), set()
    for (before, *cells, after), gap, ends in bounded_rows():
        bounds = zip((before, after), ends, strict=True)
        owners = dict.fromkeys(cells, side) | {cell: side if end == OWN else 1 - side for cell, end in bounds if end}
        state = with_stones(game, {cell: owner for cell, owner in owners.items() if cell != gap}, side)
        seen.add(ends)
        if rule == "renju" and side == 0 and OWN in ends:
            assert not game.rules.is_legal(state, gap)
            assert game.rules.why_illegal(state, gap) == "overline"
            continue
        assert game.rules.is_legal(state, gap)
        game.rules.play(state, gap)
        assert (state.status == WON) == wins(rule, side, ends), (cells, ends)
        line = before if ends[0] == OWN else cells[0], after if ends[1] == OWN else cells[-1]
        assert game.rule("winning_lines")(state) == ([line] if wins(rule, side, ends) else [])
    assert len(seen) == 16, "either end is the edge, empty, an own stone or a rival's"


def test_a_row_between_two_stones_is_no_win_for_either_side_in_caro():
    position = Position("Gomoku", "h8 g8 i8 a1 j8 a3 k8 m8 l8", rule="caro")
    assert not position.is_over
    position.push("a5")
    assert not position.is_over, "who closes a row has not lost"
    assert Position(position.game, position.text).legal_moves == position.legal_moves


def nearly_full(game, chance):
    """Returns a running position of random moves with few empty cells."""
    while True:
        position = Position(game)
        while not position.is_over and position.ply < game.action_count - LEFT:
            position.push(chance.choice(position.legal_moves))
        if not position.is_over:
            return position


@pytest.mark.parametrize("size", [5, 6])
@pytest.mark.parametrize("rule", RULES)
def test_perft_of_nearly_full_boards(rule, size):
    board, chance = gomoku(size, rule), random.Random(f"{rule} {size}")
    ended = 0
    for _ in range(PERFT_STARTS):
        position = nearly_full(board.game, chance)
        counts = [slow_count(board.make(position.text), depth) for depth in range(1, LEFT + 1)]
        assert [count(position, depth) for depth in range(1, LEFT + 1)] == counts, position.text
        ended += counts[-1] < counts[-2]
    assert ended, "some lines end before the board is full"
