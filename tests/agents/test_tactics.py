"""Every search agent takes a win that is there, stops one that the opponent has, and prefers the faster win."""

import functools
import random

import pytest
from sparring import Game, Position, agents
from sparring.agents.search.scores import WIN
from sparring.envs.rules import interface

BOARDS = {
    "ConnectFour": Game("ConnectFour"),
    "ConnectK 5x4 k4": Game("ConnectK", width=5, height=4, k=4),
    "ConnectK 8x8 k4": Game("ConnectK", width=8, height=8, k=4, gravity=True),
    "Gomoku 8": Game("Gomoku", size=8),
    "Gomoku 7 standard": Game("Gomoku", size=7, rule="standard"),
    "Isola 5x5": Game("Isola", width=5, height=5),
    "Isola 4x4 any": Game("Isola", rules="sevens", width=4, height=4),
}
POSITIONS = 100
NAMED = ("window_scan", "ways_to_win", "pattern_table", "mobility", "four_patterns", "best", "good")


def searches(game):
    """Returns the specs of all search agents of a game, two plies deep or more."""
    named = [{"name": name, "depth": 2} for name in NAMED if agents.AGENTS[name].plays(game.kind.name)]
    for evaluation in game.kind.evaluation_modules:
        path = {"cutoffs": False} if evaluation == "pattern_table" else {}
        named += [{"name": "alphabeta", "depth": depth, "evaluation": evaluation, **path} for depth in (2, 3)]
    return [*named, {"name": "alphabeta", "depth": 3, "method": "mtdf"}, {"name": "alphabeta", "depth": 2, "method": "minimax"}]


CASES = [pytest.param(board, spec, id=f"{board} {agents.spec_text(spec)}") for board, game in BOARDS.items() for spec in searches(game)]


@functools.cache
def positions(board):
    """Returns positions with a win at once, and positions without one in which some moves lose at once and some do not."""
    game, chance, wins, blocks = BOARDS[board], random.Random(board), [], []
    rules, out = game.rules, [0] * game.action_count
    while len(wins) < POSITIONS or len(blocks) < POSITIONS:
        state, moves = game.initial(), []
        for _ in range(chance.randint(0, game.width * game.height)):
            if state.status != interface.RUNNING:
                break
            moves.append(chance.choice(out[: rules.moves(state, out, 0)]))
            rules.play(state, moves[-1])
        if state.status != interface.RUNNING:
            continue
        if own := winning_moves(rules, state):
            wins.append((moves, own))
        elif len(blocks) < POSITIONS and may_lose(game, state):
            safe, count = safe_moves(rules, state), rules.moves(state, out, 0)
            blocks += [(moves, safe)] if 0 < len(safe) < count else []
    return [[(position_after(game, moves), answer) for moves, answer in some[:POSITIONS]] for some in (wins, blocks)]


def position_after(game, moves):
    """Returns the position after some moves."""
    position = Position(game)
    for move in moves:
        position.push(move)
    return position


def may_lose(game, state):
    """Tells whether some move may lose at once: in a game of lines the opponent must have a win if it were its turn."""
    if game.kind.name == "isola":
        return True
    turned = state.copy()
    turned.side = 1 - turned.side
    return bool(winning_moves(game.rules, turned))


def winning_moves(rules, state):
    """Returns the moves that win at once."""
    out, found = [0] * rules.action_count(state), []
    for move in out[: rules.moves(state, out, 0)]:
        rules.play(state, move)
        found += [move] if state.status == interface.WON else []
        rules.undo(state, move)
    return found


def safe_moves(rules, state):
    """Returns the moves after which the opponent cannot win at once."""
    out, found = [0] * rules.action_count(state), []
    for move in out[: rules.moves(state, out, 0)]:
        rules.play(state, move)
        found += [move] if state.status != interface.RUNNING or not winning_moves(rules, state) else []
        rules.undo(state, move)
    return found


@pytest.mark.parametrize(("board", "spec"), CASES)
def test_takes_wins_and_stops_losses(board, spec):
    agent, (wins, blocks) = agents.make(spec, BOARDS[board]), positions(board)
    for position, own in wins:
        found = agent.analyse(position)
        assert found.move in own, repr(position)
        assert found.score == WIN - 1, repr(position)
    for position, safe in blocks:
        assert agent.act(position) in safe, repr(position)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("name", ["greedy", "average"])
def test_greedy_takes_wins_and_stops_losses(board, name):
    agent, (wins, blocks) = agents.make(name, BOARDS[board]), positions(board)
    assert all(agent.act(position) in own for position, own in wins)
    assert all(agent.act(position) in safe for position, safe in blocks)
