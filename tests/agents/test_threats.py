"""Wins by fours and by threes and fours, held against rules and searches of the tests' own."""

import random

import numpy as np
import pytest
from sparring import Game, Position, agents
from sparring.agents.evaluation import interface, line_shapes
from sparring.agents.evaluation.interface import LIMIT
from sparring.agents.search import deepening, fours, threats
from sparring.agents.search.settings import Settings
from sparring.agents.search.workspace import workspace_for
from sparring.envs import compiled
from sparring.envs.rules import interface as rules

GAMES = {f"{size} {rule}": Game("Gomoku", size=size, rule=rule) for size, rule in ((15, "freestyle"), (9, "freestyle"), (9, "standard"))}
MANY = 1 << 40
THREES = "o1 a2 o2 b4 b3 o3 a3 e3 e4 f5 f2 g5 e5 e7 h4 g4 f4"  # won by threes and fours


class Board:
    """A board as a list, 0 for empty and 1 + side for a stone, and the rules of Gomoku on it."""

    def __init__(self, position):
        self.size, self.exact = position.game.width, position.game.parameters["rule"] == "standard"
        self.cells = [int(owner) for owner in position.state.cells[: self.size**2]]

    def run(self, cell, side):
        """Returns the longest line through a cell if a side had a stone there."""
        x, y, longest = cell % self.size, cell // self.size, []
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                step = sign
                while (
                    0 <= x + step * dx < self.size
                    and 0 <= y + step * dy < self.size
                    and self.cells[(y + step * dy) * self.size + x + step * dx] == 1 + side
                ):
                    length, step = length + 1, step + sign
            longest.append(length)
        return longest

    def wins(self, side):
        """Returns the cells where a side makes a five."""
        empty = [cell for cell, owner in enumerate(self.cells) if not owner]
        return [cell for cell in empty if any(run == 5 or (run > 5 and not self.exact) for run in self.run(cell, side))]

    def with_stone(self, cell, side):
        """Returns the board with one more stone."""
        other = object.__new__(Board)
        other.size, other.exact, other.cells = self.size, self.exact, self.cells[:]
        other.cells[cell] = 1 + side
        return other

    def wins_by_fours(self, side):
        """Tells whether a side that is to move wins by fours alone: all of them are tried."""
        if self.wins(side):
            return True
        to_meet = self.wins(1 - side)
        for cell in [cell for cell, owner in enumerate(self.cells) if not owner] if not to_meet else to_meet if len(to_meet) == 1 else []:
            board = self.with_stone(cell, side)
            mine = board.wins(side)
            if len(mine) > 1 and not board.wins(1 - side):
                return True
            if len(mine) == 1 and not board.wins(1 - side) and board.with_stone(mine[0], 1 - side).wins_by_fours(side):
                return True
        return False

    def is_won_by(self, line, side):
        """Tells whether a side wins by the fours of a line, which the other answers; at the end it has two threats, or wins."""
        board = self
        for i in range(0, len(line), 2):
            if board.cells[line[i]]:
                return False
            board = board.with_stone(line[i], side)
            if i == len(line) - 1:
                return line[i] in self.wins(side) if i == 0 else False
            mine = board.wins(side)
            if board.wins(1 - side):
                return False
            if len(mine) > 1:
                return i == len(line) - 3
            if mine != [line[i + 1]]:
                return False
            board = board.with_stone(line[i + 1], 1 - side)
        return False


class Searches:
    """The searches for fours and for threats of one game, and the memory that they work in."""

    def __init__(self, game):
        self.workspace = workspace_for(game, None, line_shapes, Settings(fours=True, threats=True), None)
        parts = (rules, game.rules), (interface, line_shapes)
        self.begin_search = compiled.bind(deepening, *parts).begin_search
        self.fours, self.threats = compiled.bind(fours, *parts), compiled.bind(threats, *parts)
        compiled.ready(self.begin_search, self.workspace)
        for function in (self.fours.begin_fours, self.fours.run_fours, self.threats.begin_threats, self.threats.run_threats):
            compiled.ready(function, self.workspace, MANY)

    def set(self, state):
        self.workspace.states[:] = state.record()
        self.begin_search(self.workspace)

    def line_of_fours(self, state, limit=MANY, budget=MANY):
        """Returns the win by fours of the side to move, or None; and the nodes that it has cost."""
        self.set(state)
        self.fours.begin_fours(self.workspace, limit)
        while not self.fours.run_fours(self.workspace, budget):
            pass
        assert self.workspace.states.tobytes() == state.record().tobytes()
        found = self.workspace.fours[0]
        return self.workspace.four_line[: int(found["length"])].tolist() or None, int(found["nodes"])

    def win_by_threats(self, state, limit, budget=MANY):
        """Returns the move that wins by threats, or None; the plies; and the nodes."""
        self.set(state)
        self.threats.begin_threats(self.workspace, limit)
        while not self.threats.run_threats(self.workspace, budget):
            pass
        assert self.workspace.states.tobytes() == state.record().tobytes()
        root, nodes = self.workspace.threat_frames[0], int(self.workspace.threats[0]["nodes"])
        assert nodes <= limit
        length = int(root["length"])
        return (int(self.workspace.children[int(root["chosen"])]["move"]) if length else None), length, nodes


@pytest.fixture(scope="module", params=GAMES)
def searches(request):
    return GAMES[request.param], Searches(GAMES[request.param])


def dense_positions(game, count, seed=1, least=8, most=30):
    """Yields running positions of random stones near the centre, in which nobody wins at once."""
    chance, centre = random.Random(seed), game.width // 2
    while count:
        position = Position(game)
        near = [move for move in position.legal_moves if max(abs(move % game.width - centre), abs(move // game.width - centre)) <= 3]
        for _ in range(chance.randint(least, most)):
            moves = [move for move in near if not position.state.cells[move]]
            if position.is_over or not moves:
                break
            position.push(chance.choice(moves))
        if not position.is_over and not Board(position).wins(0) and not Board(position).wins(1):
            count -= 1
            yield position


def test_wins_by_fours_are_those_of_all_fours(searches, at_length):
    game, search = searches
    found = {True: 0, False: 0}
    for position in dense_positions(game, 1000 if at_length else 40):
        line, _ = search.line_of_fours(position.state)
        board = Board(position)
        assert (line is not None) == board.wins_by_fours(position.side), repr(position)
        assert line is None or board.is_won_by(line, position.side), repr(position)
        found[line is not None] += 1
    assert min(found.values()) > 5


def test_what_parries_nothing_loses_to_the_threat(searches, at_length):
    game, search = searches
    memory, out, threatened = np.zeros(1, line_shapes.MEMORY).view(np.recarray), np.zeros(4000, np.int64), 0
    memory["weights"] = list(line_shapes.WEIGHTS.values())
    for position in dense_positions(game, 500 if at_length else 25, seed=2):
        state = position.state.copy()
        game.rules.skip(state)
        line, _ = search.line_of_fours(state)
        if line is None:
            continue
        threatened += 1
        line_shapes.set_up(position.state, memory[0])
        line_shapes.prepare(position.state, memory[0])
        parries = out[: line_shapes.parries(position.state, memory[0], np.array(line), len(line), out, 0)].tolist()
        assert len(parries) == len(set(parries))
        for move in set(position.legal_moves) - set(parries):
            assert Board(position).with_stone(move, position.side).is_won_by(line, 1 - position.side), f"{position!r}: {move}"
    assert threatened > 5


def test_wins_by_threats_hold_against_every_reply(searches):
    game, search = searches
    proven = 0
    for position in dense_positions(game, 12, seed=3, most=16):
        move, plies, _ = search.win_by_threats(position.state, 4000)
        if move is not None and plies < 12:
            proven += 1
            assert attack_wins(search, position, 40_000), repr(position)
    assert proven > 2


def attack_wins(search, position, limit):
    """Tells whether the search finds the way to a win in every position that the defender can reach."""
    move, _, _ = search.win_by_threats(position.state, limit)
    if move is None:
        return False
    position = position.copy()
    position.push(move)
    if position.is_over:
        return True
    if Board(position).wins(position.side):
        return False
    threats = Board(position).wins(1 - position.side)
    if len(threats) > 1:
        return True
    if threats:
        replies = threats
    else:
        state = position.state.copy()
        search.workspace.states[:] = state.record()
        position.game.rules.skip(state)
        line, _ = search.line_of_fours(state)
        board = Board(position)
        replies = [
            reply
            for reply in position.legal_moves
            if line is None or not board.with_stone(reply, position.side).is_won_by(line, 1 - position.side)
        ]
    for reply in replies:
        after = position.copy()
        after.push(reply)
        if after.is_over or not attack_wins(search, after, limit):
            return False
    return True


def test_pieces_of_a_budget_find_what_the_whole_finds(searches):
    game, search = searches
    for position in dense_positions(game, 8, seed=4):
        whole = search.line_of_fours(position.state), search.win_by_threats(position.state, 700)
        for budget in (1, 7, 64):
            assert (search.line_of_fours(position.state, budget=budget), search.win_by_threats(position.state, 700, budget)) == whole


def test_a_search_for_fours_is_cut_at_its_limit(searches):
    game, search = searches
    cut = 0
    for position in dense_positions(game, 30, seed=5):
        line, nodes = search.line_of_fours(position.state)
        if nodes > 4:
            cut += 1
            assert search.line_of_fours(position.state, limit=nodes - 1) == (None, nodes - 1)
            assert search.line_of_fours(position.state, limit=nodes) == (line, nodes)
    assert cut > 3


def test_a_leaf_with_fours_to_come_is_won():
    position = Position("Gomoku", "h8 i7 j8 i9 i8 k8 h7 h9 j9 k10 i6 j5 g6 f5 h6 f6 i5 f8")  # x wins by fours in seven plies
    assert abs(agents.make("alphabeta:depth=2", "Gomoku").analyse(position).score) < LIMIT
    found = agents.make("alphabeta:depth=2,fours=true", "Gomoku").analyse(position)
    assert found.score > LIMIT
    assert found.is_bound


def test_threats_are_looked_for_between_two_depths():
    position = Position("Gomoku", THREES)
    plain, asked = (agents.make(f"alphabeta:nodes=3000{words}", "Gomoku").analyse(position) for words in ("", ",threats=true"))
    assert abs(plain.score) < LIMIT < asked.score
    assert asked.nodes < 3000


def test_no_other_evaluation_knows_fours():
    plain, asked = (
        agents.make(f"alphabeta:depth=3{words}", "Isola").analyse(Position("Isola")) for words in ("", ",fours=true,threats=true")
    )
    assert (plain.score, plain.nodes, plain.pv) == (asked.score, asked.nodes, asked.pv)


def test_move_that_loses_to_threats_is_dropped():
    """The move that a plain search of as many nodes finds lets the opponent win by threats."""
    position = Position("Gomoku", "i6 j10 i9 i10 i8 g7 i5 i7 h7")
    careless, careful = (agents.make({"name": "best", "nodes": 20_000, "threats": threats}, position.game) for threats in (False, True))
    moves = careless.act(position), careful.act(position)
    assert moves[0] != moves[1]
    lost = []
    for move in moves:
        after = position.copy()
        after.push(move)
        lost.append(careful.analyse(after).score > LIMIT)
    assert lost == [True, False]
