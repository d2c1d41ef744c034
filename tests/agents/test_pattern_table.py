"""System C's evaluation: its table, its candidates, and its search against a slow minimax on changes in score."""

import numpy as np
import pytest
from sparring import Game, Position, agents
from sparring.agents.evaluation import pattern_table
from sparring.envs.rules.errors import AgentError

from .slow_search import board_of
from .test_gomoku import GAMES, dense_position, swap_colours

WIN = 1_000_000_000
SEARCHES = ("method=minimax,table_mib=0", "method=alphabeta,table_mib=0", "cutoffs=false")
BLIND = {  # positions without fours where a double open three wins, that move, and the one that system C plays instead
    "h5 i7 k9 g11 h6 h7 e8 e9 i6 i8": ("g6", "g7"),
    "h8 k6 e9 f5 h10 g6 g9 k9": ("h9", "k8"),
}


def slow_placement(board, x, y):
    """Returns what both sides would make on (x, y), frame by frame as text."""
    total = 0
    for own in "xo":
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = [own if i == 0 else board.get((x + i * dx, y + i * dy), "#") for i in range(-4, 5)]
            text = "".join("1" if symbol == own else "0" if symbol == "." else "2" for symbol in line)
            frames = [text[i : i + 6] for i in range(4)]
            total += max(
                [worth for _, worth, readings in pattern_table.PATTERNS for frame in frames for reading in readings if reading in frame],
                default=0,
            )
    return total


def slow_moves(board):
    return [
        (x, y)
        for (x, y), symbol in board.items()
        if symbol == "." and any(board.get((x + i, y + j), ".") != "." for i in (-1, 0, 1) for j in (-1, 0, 1))
    ]


def slow_value(position, depth, level=0):
    """Returns the most of (score of the placement - value of the child); a won or lost game stays what it is."""
    if position.is_over:
        return level - WIN
    if depth == 0:
        return 0
    values, board = [], board_of(position)
    for x, y in slow_moves(board):
        position.push(y * position.game.width + x)
        child = slow_value(position, depth - 1, level + 1)
        position.pop()
        values.append(-child if abs(child) > WIN // 2 else slow_placement(board, x, y) - child)
    return max(values)


def memory_of(position):
    memory = np.zeros(1, pattern_table.MEMORY).view(np.recarray)
    pattern_table.prepare(position.state, memory[0])
    return memory


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("search", SEARCHES)
def test_search_is_minimax_on_changes_in_score(game, search):
    agent = agents.make(f"alphabeta:depth=2,evaluation=pattern_table,{search}", GAMES[game])
    decided = 0
    for seed in range(6):
        position = dense_position(GAMES[game], seed, longest=16)
        found = agent.analyse(position)
        assert found.score == slow_value(position, found.depth), repr(position)
        decided += found.depth < 2
    assert decided < 6


@pytest.mark.parametrize("depth", [1, 3])
def test_deeper_search_is_minimax_on_changes_in_score(depth):
    position = Position(Game("Gomoku", size=5), "c3 b2 c2 d3")
    agent = agents.make(f"alphabeta:depth={depth},evaluation=pattern_table,method=alphabeta,table_mib=0", position.game)
    assert agent.analyse(position).score == slow_value(position, depth)


@pytest.mark.parametrize("game", GAMES)
def test_placements_of_both_sides_and_their_undoing(game):
    """A placement's score is what the slow version says, equal for both sides, and taking it back restores every byte."""
    for seed in range(5):
        position = dense_position(GAMES[game], seed)
        memory, board, width = memory_of(position), board_of(position), position.game.width
        before = memory.tobytes()
        for move in position.legal_moves[::3]:
            score = pattern_table.placement(position.state, memory[0], move)
            assert score == slow_placement(board, move % width, move // width)
            position.push(move)
            pattern_table.update(position.state, memory[0], move)
            assert pattern_table.evaluate(position.state, memory[0]) == -score
            pattern_table.revert(position.state, memory[0], move)
            position.pop()
            assert memory.tobytes() == before
        swap_colours(position)
        swapped = memory_of(position)[0]
        for move in [move for move, owner in enumerate(position.state.cells) if not owner and move < width * width]:
            assert pattern_table.placement(position.state, swapped, move) == pattern_table.placement(position.state, memory[0], move)


def test_candidates_come_and_go_with_the_stones():
    position, out = Position("Gomoku"), np.zeros(225, np.int64)
    memory, stack = memory_of(position), []
    assert pattern_table.candidates(position.state, memory[0], out, 0) == 1
    for move in ("h8", "h9", "a1", "o15", "i9", "a2"):
        stack.append(memory.tobytes())
        pushed = position.push(move)
        pattern_table.update(position.state, memory[0], pushed)
        count = pattern_table.candidates(position.state, memory[0], out, 0)
        assert sorted(out[:count]) == sorted(y * 15 + x for x, y in slow_moves(board_of(position)))
    for move in reversed(position.moves):
        pattern_table.revert(position.state, memory[0], move)
        position.pop()
        assert memory.tobytes() == stack.pop()


@pytest.mark.parametrize(
    ("digits", "worth"),
    [
        ("011110", 10_000),
        ("111112", 100_000),
        ("211110", 1_000),
        ("011120", 0),
        ("010110", 900),
        ("201110", 100),
        ("222222", 0),
        ("000000", 0),
    ],
)
def test_worth_of_frames(digits, worth):
    key = sum(int(digit) * 3**i for i, digit in enumerate(digits))
    assert len(pattern_table.WORTHS) == 729
    assert pattern_table.WORTHS[key] == worth


@pytest.mark.parametrize("text", BLIND)
def test_it_misses_a_double_open_three_that_line_shapes_plays(text):
    """At equal depth; the move it misses is proven to win, the one it plays instead is not."""
    position, (winner, other) = Position("Gomoku", text), BLIND[text]
    seen = agents.make("alphabeta:depth=3", "Gomoku").act(position)
    missed = agents.make("alphabeta:depth=3,evaluation=pattern_table,method=alphabeta,table_mib=0", "Gomoku").act(position)
    assert (position.move_text(seen), position.move_text(missed)) == (winner, other)
    prover = agents.make("alphabeta:nodes=200000,quiescence=true", "Gomoku")
    scores = []
    for move in (winner, other):
        place = position.copy()
        place.push(move)
        scores.append(-prover.analyse(place).score)
    assert scores[0] > WIN - 20
    assert scores[1] < WIN // 2


def test_a_table_must_not_pass_its_values_on():
    with pytest.raises(AgentError, match="cutoffs: expected false with pattern_table, whose value depends on the path"):
        agents.make("alphabeta:evaluation=pattern_table", "Gomoku")
