"""Random games, move by move, against slow implementations that share no code: 200 games for each rule set, 2,000 with --all-games.

A rule set is a kind of game with one way to move and win; where it has no board of its own, each game is played on another small one.
Oracles are slow, so most games on large boards run on the bare rules, and only some of their plies are compared, always the last one among
them, whose board text must be accepted. There the oracle is made from the board text.
"""

import random
from collections import Counter
from typing import Any, NamedTuple

import pytest
from sparring import Game, Position
from sparring.envs.rules.interface import RUNNING
from sparring.envs.rules.notation import board_text

from ..oracles import ConnectKOracle, GomokuOracle, IsolaOracle, RenjuOracle

GAMES, ALL_GAMES = 200, 2_000
FEWER_GAMES = 50  # of renju, whose oracle is the slowest
CHUNKS = 4  # so that several processes share all the games of a rule set; 200 are one chunk
SMALL = 25  # cells; games on such boards are compared at every ply
FOLLOWED = 6  # and so are the first games of a chunk on any board
LARGE, COMPARED = 64, (2, 1)  # of each other game so many plies are compared, on boards above LARGE cells fewer, and the end
STEPS, REMOVALS = ("king", "queen", "knight"), ("vacated", "any")


class Board(NamedTuple):
    """A game, and what makes its oracle: `make()` at the start, `make(text)` from a board text."""

    game: Game
    make: Any


def connect_k(width, height, k, gravity, name="ConnectK"):
    arguments = {"width": width, "height": height, "k": k, "gravity": gravity}
    return Board(Game(name, **arguments), oracle_maker(ConnectKOracle, width, height, k, gravity))


def gomoku(size, rule):
    oracle = oracle_maker(RenjuOracle, size) if rule == "renju" else oracle_maker(GomokuOracle, size, rule)
    return Board(Game("Gomoku", size=size, rule=rule), oracle)


def isola(**parameters):
    game = Game("Isola", **parameters)
    start = game.initial()
    squares = None if start.start0 == 255 else tuple((square % game.width, square // game.width) for square in (start.start0, start.start1))
    parts = STEPS[start.step], REMOVALS[start.removal], squares, bool(start.fixed)
    return Board(game, oracle_maker(IsolaOracle, game.width, game.height, *parts))


def oracle_maker(oracle, *arguments):
    return lambda text=None: oracle(*arguments) if text is None else oracle.from_text(*arguments, text)


def any_connect_k(chance, gravity):
    """A board from 1x1 to 6x5, with any k from 1 to the larger side: often larger than the smaller one."""
    width, height = chance.randint(1, 6), chance.randint(1, 5)
    return connect_k(width, height, chance.randint(1, max(width, height)), gravity)


def any_isola(chance, step, removal):
    """A board from 1x1 to 5x4, with any start squares, fixed or not, or none."""
    width, height = chance.randint(1, 5), chance.randint(1, 4)
    names = [f"{'abcde'[column]}{row + 1}" for row in range(height) for column in range(width)]
    fixed = len(names) > 1 and chance.random() < 0.4
    starts = chance.sample(names, 2) if fixed or (len(names) > 1 and chance.random() < 0.6) else "none"
    return isola(width=width, height=height, step=step, removal=removal, starts=starts, fixed=fixed)


RULE_SETS = {
    "ConnectFour": lambda chance: connect_k(7, 6, 4, True),
    "TicTacToe": lambda chance: connect_k(3, 3, 3, False),
    "ConnectK gravity": lambda chance: any_connect_k(chance, True),
    "ConnectK free": lambda chance: any_connect_k(chance, False),
    "Gomoku freestyle": lambda chance: gomoku(chance.choice((5, 6, 6, 7, 8)), "freestyle"),
    "Gomoku standard": lambda chance: gomoku(chance.choice((5, 6, 6, 7, 8)), "standard"),
    "Gomoku caro": lambda chance: gomoku(chance.choice((5, 6, 6, 7, 8)), "caro"),
    "Gomoku renju": lambda chance: gomoku(chance.choice((5, 6, 6, 7, 8)), "renju"),
    "Gomoku freestyle 15": lambda chance: gomoku(15, "freestyle"),
    "Gomoku standard 15": lambda chance: gomoku(15, "standard"),
    "Gomoku caro 15": lambda chance: gomoku(15, "caro"),
    "Gomoku renju 15": lambda chance: gomoku(15, "renju"),
    **{f"Isola {rules}": lambda chance, rules=rules: isola(rules=rules) for rules in
       ("queen", "classic", "sevens", "nines", "knight", "knight_wide")},
    **{f"Isola {step} {removal}": lambda chance, step=step, removal=removal: any_isola(chance, step, removal)
       for step in STEPS for removal in REMOVALS},
}  # fmt: skip


def choose(chance, state, rules, out, last, lines):
    """Returns a legal move; with `lines`, often one near the last stone of the mover, so that lines and overlines come about."""
    if lines and last is not None and chance.random() < 0.8:
        near = last + chance.choice((1, state.width, state.width + 1, state.width - 1)) * chance.choice((-2, -1, 1, 2))
        if rules.is_legal(state, near):
            return near
    return out[chance.randrange(rules.moves(state, out, 0))]


def compare(position, oracle):
    """Compares all that a position and an oracle say."""
    assert position.text == oracle.board_text()
    assert (position.side, position.is_over) == (oracle.side, oracle.is_over()), position.text
    assert (position.winner, position.termination) == (oracle.winner(), oracle.termination()), position.text
    assert position.legal_moves == sorted(oracle.legal()), position.text


def play_followed(board, chance, lines):
    """Plays one game, compared at every ply; returns why it ended."""
    position, oracle = Position(board.game), board.make()
    out = [0] * board.game.action_count
    compare(position, oracle)
    while not position.is_over:
        last = position.moves[-2] if len(position.moves) > 1 else None
        move = choose(chance, position.state, board.game.rules, out, last, lines)
        position.push(move)
        oracle = oracle.play(move)
        compare(position, oracle)
    return position.termination


def play_sampled(board, chance, lines):
    """Plays one game, then compares some of its plies with the move made there, and the last one; returns why it ended."""
    state, rules, out = board.game.initial(), board.game.rules, [0] * board.game.action_count
    moves = []
    while state.status == RUNNING:
        moves.append(choose(chance, state, rules, out, moves[-2] if len(moves) > 1 else None, lines))
        rules.play(state, moves[-1])
    end = Position(board.game, board_text(state))
    compare(end, board.make(end.text))
    assert (end.state.status, end.state.key) == (state.status, state.key), end.text
    compared = COMPARED[state.width * state.height > LARGE]
    for ply in chance.sample(range(len(moves)), min(compared, len(moves))):
        while state.ply > ply:
            rules.undo(state, moves[state.ply - 1])
        while state.ply < ply:
            rules.play(state, moves[state.ply])
        compare_move(board, state, moves[ply])
    return end.termination


def compare_move(board, state, move):
    """Compares a state, and the one that a move leads to, with what the oracle makes of its board text."""
    position, oracle = Position(board.game), board.make(board_text(state))
    position.state = state.copy()
    compare(position, oracle)
    position.push(move)
    assert position.text == oracle.play(move).board_text()


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("rules", RULE_SETS)
def test_random_games(rules, chunk, all_games):
    if chunk and not all_games:
        pytest.skip("only with --all-games: one chunk is enough for each day")
    chance = random.Random(f"{rules} {chunk}")
    ends = Counter()
    games = FEWER_GAMES if "renju" in rules else GAMES
    for number in range(ALL_GAMES // CHUNKS if all_games else games):
        board = RULE_SETS[rules](chance)
        is_followed = number < FOLLOWED or board.game.width * board.game.height <= SMALL
        ends[(play_followed if is_followed else play_sampled)(board, chance, "Gomoku" in rules)] += 1
    rare = "full" if rules == "ConnectFour" or rules.endswith("15") else None
    expected = {"blocked"} if "Isola" in rules else {"line", "full"}
    assert set(ends) - {None, "forbidden", rare} == expected - {rare}, ends  # None: a game that is over at its start
