"""Everything that a search calls final, held against exact play: who wins, in how many plies, and that the move keeps it."""

import functools
import random

import pytest
from sparring import Game, agents
from sparring.agents.search.scores import is_decisive, plies_to_end

from .exact_play import ExactTable
from .slow_search import random_position
from .test_reused import SWITCHES, suited

BOARDS = {  # with the fewest plies after which exact play is known soon, and the evaluations that suit them
    "TicTacToe": (Game("TicTacToe"), 0, ("threats", "ways_to_win", "window_scan")),
    "ConnectK 4x3 k3": (Game("ConnectK", width=4, height=3, k=3), 2, ("threats", "window_scan")),
    "ConnectK 4x4 k3 gravity": (Game("ConnectK", width=4, height=4, k=3, gravity=True), 0, ("threats", "window_scan")),
    "ConnectK 4x4 k4 gravity": (Game("ConnectK", width=4, height=4, k=4, gravity=True), 2, ("threats", "four_patterns")),
    "ConnectK 5x4 k4 gravity": (Game("ConnectK", width=5, height=4, k=4, gravity=True), 10, ("threats", "four_patterns")),
    "ConnectK 4x4 k4": (Game("ConnectK", width=4, height=4, k=4), 9, ("threats", "four_patterns")),
    "ConnectFour": (Game("ConnectFour"), 32, ("threats", "four_patterns")),
    "Gomoku 5": (Game("Gomoku", size=5), 17, ("line_shapes", "pattern_table")),
    "Gomoku 6": (Game("Gomoku", size=6), 27, ("line_shapes", "pattern_table")),
    "Gomoku 6 standard": (Game("Gomoku", size=6, rule="standard"), 27, ("line_shapes",)),
    "Gomoku 6 caro": (Game("Gomoku", size=6, rule="caro"), 27, ("line_shapes", "pattern_table")),
    "Gomoku 6 renju": (Game("Gomoku", size=6, rule="renju"), 27, ("line_shapes", "pattern_table")),
    "Isola 4x3": (Game("Isola", width=4, height=3), 0, ("territory", "mobility")),
    "Isola 5x4": (Game("Isola", width=5, height=4), 8, ("territory", "mobility")),
    "Isola 4x4 king": (Game("Isola", width=4, height=4, step="king"), 2, ("territory", "mobility")),
    "Isola 4x4 knight": (Game("Isola", rules="knight", width=4, height=4), 0, ("territory", "mobility")),
    "Isola 3x3 any": (Game("Isola", rules="sevens", width=3, height=3), 0, ("territory", "mobility")),
}
CLAIMS, CLAIMS_AT_LENGTH, CLAIMS_OF_WHOLE_BOARDS = 40, 1500, 13_000  # a whole board is known from its start, or nearly


@functools.cache
def table_of(board):
    return ExactTable(BOARDS[board][0])


def drawn_agent(board, chance):
    """Returns an agent with all switches and limits drawn by chance that suits a board."""
    game, _, evaluations = BOARDS[board]
    name = chance.choice(("alphabeta", "alphabeta", "alphabeta", "best", "mcts", "window_scan"))
    if name == "mcts":
        return agents.make({"name": name, "simulations": int(2 ** chance.uniform(4, 12))}, game)
    limits = {"nodes": int(2 ** chance.uniform(5, 13))} if chance.random() < 0.6 else {"depth": chance.randint(1, 9), "nodes": 20_000}
    if name == "window_scan" and game.kind.name == "connect_k":
        return agents.make({"name": name, **limits, "pruning": chance.random() < 0.8}, game)
    spec = {"evaluation": chance.choice(evaluations), **{switch: chance.choice(values) for switch, values in SWITCHES.items()}}
    if "depth" in limits and limits["depth"] < 6:
        spec["deepening"] = chance.random() < 0.7
    return agents.make({"name": "best" if name == "best" else "alphabeta", **suited(spec, game), **limits}, game)


def check(found, position, table, agent):
    """Returns whether an analysis claims to know the end of the game, and fails if what it claims is false."""
    is_proven_by_games = agent.name == "mcts"
    claims_a_win = abs(found.score) == 1000 if is_proven_by_games else is_decisive(found.score)
    if not claims_a_win and not found.is_final:
        return False
    exact, where = table[position.text], f"{position!r} of {agent} says {found}"
    assert exact.value == (found.score > 0) - (found.score < 0), f"{where}: {exact}"
    if found.is_final and not claims_a_win:
        assert found.score == 0, where
    if claims_a_win and not is_proven_by_games:
        plies = plies_to_end(found.score)
        assert plies >= exact.plies if found.is_bound else plies == exact.plies, f"{where}: {exact}"
    after = position.copy()
    after.push(found.move)
    assert table[after.text].value == -exact.value, f"{where}: the move does not keep it"
    return True


@pytest.mark.parametrize("board", BOARDS)
def test_claims_are_true(board, at_length):
    """Agents are asked along games, so that those that keep a tree use it, and new ones are drawn now and then."""
    game, least, _ = BOARDS[board]
    chance, table, claims = random.Random(board), table_of(board), 0
    at_most = CLAIMS_OF_WHOLE_BOARDS if least <= 2 else CLAIMS_AT_LENGTH
    while claims < (at_most if at_length else CLAIMS):
        agent = drawn_agent(board, chance)
        for _ in range(6):
            position = random_position(game, chance.getrandbits(30), least)
            while position.ply < least and not position.is_over:
                position.push(chance.choice(position.legal_moves))
            while not position.is_over:
                found = agent.analyse(position)
                claims += check(found, position, table, agent)
                position.push(found.move if chance.random() < 0.5 else chance.choice(position.legal_moves))
