"""Books of solved positions: what they find, files that are damaged or of something else, and the one that the package ships."""

import hashlib
import random
import re
from dataclasses import replace

import numpy as np
import pytest
from sparring import Game, Position, agents
from sparring.agents import perfect_agent
from sparring.agents.solver import book as books
from sparring.agents.solver.book import Book, Stones, integer_board, key_of, read_book, shipped_book, stones_of
from sparring.agents.solver.connect_four import Best, ConnectFourSolver
from sparring.agents.solver.four_lines import playable_cells
from sparring.envs.rules.connect_k_bitboards import record_of
from sparring.envs.rules.errors import AgentError
from sparring.experiments.games.connect_four_sets import random_boards

GAME = "ConnectFour"
BOARD = integer_board(7, 6)


def positions(stage, count, seed=0):
    boards = random_boards(stage, seed)
    return [Position(GAME, next(boards).moves) for _ in range(count)]


def stones_in(position):
    record = record_of(position.state)[0]
    return Stones(int(record["own"]), int(record["filled"]))


def mirror_image(position):
    twin = Position(position.game)
    for move in position.moves:
        twin.push(position.game.width - 1 - move)
    return twin


def best_moves(solver, position):
    scores = solver.move_scores(position)
    return Best(max(scores.values()), tuple(move for move, score in scores.items() if score == max(scores.values())))


@pytest.fixture(scope="module")
def solver():
    return ConnectFourSolver(GAME)


@pytest.fixture(scope="module")
def known(solver):
    """Positions with their scores and best moves."""
    return [(position, best_moves(solver, position)) for position in positions("middle", 40)]


@pytest.fixture
def book(known):
    keys = {}
    for position, solved in known:
        stones = stones_in(position)
        is_image = stones_of(BOARD, key_of(BOARD, stones)) != stones
        moves = tuple(sorted(6 - move for move in solved.moves)) if is_image else solved.moves
        keys[key_of(BOARD, stones)] = Best(solved.score, moves)
    return Book.of(7, 6, keys)


@pytest.mark.parametrize("game", [GAME, "ConnectK:width=5,height=4,k=4,gravity=true", "ConnectK:width=2,height=12,k=4,gravity=true"])
def test_a_key_gives_back_its_position_or_the_mirror_image(game):
    chance, game = random.Random(3), Game.of(game)
    board = integer_board(game.width, game.height)
    for _ in range(100):
        position = Position(game)
        for _ in range(chance.randrange(game.width * game.height)):
            if not position.is_over:
                position.push(chance.choice(position.legal_moves))
        stones, image = stones_in(position), stones_in(mirror_image(position))
        key = key_of(board, stones)
        assert key == key_of(board, image)
        assert stones_of(board, key) in (stones, image)


def test_what_was_put_in_is_found_in_both_mirror_images(book, known, tmp_path):
    (tmp_path / "a.book").write_bytes(book.to_bytes())
    read = read_book(tmp_path / "a.book")
    assert (read.width, read.height, len(read)) == (7, 6, len(known))
    assert read.to_bytes() == book.to_bytes()
    for position, solved in known:
        for found in (book, read):
            assert found.find(position) == solved
            assert found.find(mirror_image(position)) == (solved.score, tuple(6 - move for move in reversed(solved.moves)))
    assert not [position for position in positions("end", 20) if book.find(position)]
    assert list(book) == sorted(book)


def test_an_empty_book_is_a_book(tmp_path):
    (tmp_path / "a.book").write_bytes(Book.of(7, 6, {}).to_bytes())
    assert len(read_book(tmp_path / "a.book")) == 0
    assert read_book(tmp_path / "a.book").find(Position(GAME)) is None


def signed(header, data):
    """Returns a book whose hash is right, whatever it holds."""
    return f"sparring-book 1 {header} {hashlib.sha256(data).hexdigest()}\n".encode() + data


def with_keys(book, *keys):
    numbers = np.array([keys, [0] * len(keys), [1] * len(keys)], np.int64)
    return Book(book.width, book.height, numbers).to_bytes()


DAMAGED = {
    "cut": (lambda book: book.to_bytes()[:-5], "expected a whole book, got one that was cut or changed"),
    "a byte changed": (lambda book: book.to_bytes()[:-9] + b"?" + book.to_bytes()[-8:], "expected a whole book"),
    "more at its end": (lambda book: book.to_bytes() + b"x", "expected a whole book"),
    "empty": (lambda book: b"", "expected a book that begins with 'sparring-book', got ''"),
    "another file": (lambda book: b"\x89PNG\r\n\x1a\n\0\xff", "expected a book that begins with 'sparring-book', got "),
    "one long line": (lambda book: b"sparring-book " * 10**5, "expected a book that begins with 'sparring-book'"),
    "a later version": (lambda book: book.to_bytes().replace(b"book 1", b"book 2", 1), "expected a book of version 1, got '2'"),
    "no board": (lambda book: signed("7 40", b""), "expected board and number of positions, such as '7x6 1000', got '7 40'"),
    "not compressed": (lambda book: signed("7x6 1", b"abc"), "expected compressed numbers, got others"),
    "fewer positions than it says": (lambda book: book.to_bytes().replace(b" 40 ", b" 41 ", 1), "expected numbers of 41 positions"),
    "more positions than it says": (lambda book: book.to_bytes().replace(b" 40 ", b" 39 ", 1), "expected numbers of 39 positions"),
    "too many positions": (lambda book: signed("7x6 99999999999", b""), "expected at most 10,000,000 positions, got 99,999,999,999"),
    "keys in disorder": (lambda book: with_keys(book, 5, 3), "expected ascending keys and a best move of each position, got others"),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_or_foreign_file_is_refused_in_one_line(book, tmp_path, what):
    change, told = DAMAGED[what]
    (tmp_path / "a.book").write_bytes(change(book))
    with pytest.raises(AgentError, match=re.escape(f"a.book: {told}")) as caught:
        read_book(tmp_path / "a.book")
    assert len(str(caught.value).splitlines()) == 1
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("content", [None, Book.of(6, 7, {}).to_bytes()])
def test_a_missing_book_and_one_of_another_board_are_refused(tmp_path, monkeypatch, content):
    if content is not None:
        (tmp_path / "7x6.book").write_bytes(content)
    monkeypatch.setattr(books, "FOLDER", tmp_path)
    monkeypatch.setattr(perfect_agent, "shipped_book", books.shipped_book.__wrapped__)
    told = "No such file or directory" if content is None else "expected a book for 7x6, got one for 6x7"
    with pytest.raises(AgentError, match=re.escape(f"{tmp_path / '7x6.book'}: {told}")):
        agents.make("perfect", GAME).act(positions("end", 1)[0])
    assert agents.make("perfect:book=false", GAME).analyse(positions("end", 1)[0]).is_final


def test_with_and_without_a_book_the_same_moves_are_best(book, known, monkeypatch):
    monkeypatch.setattr(perfect_agent, "shipped_book", lambda: book)
    for position, solved in known[:20]:
        without = agents.make("perfect:book=false", GAME)
        for spec in ("perfect", "perfect:nodes=10", "perfect:seconds=1"):
            agent = agents.make(spec, GAME)
            for seed in range(4):
                agent.reset(seed)
                without.reset(seed)
                expected, analysis = without.analyse(position), agent.analyse(position)
                assert analysis == replace(expected, nodes=0, seconds=analysis.seconds)
                assert analysis.move in solved.moves


def test_other_boards_are_not_looked_up(monkeypatch):
    monkeypatch.setattr(perfect_agent, "shipped_book", lambda: pytest.fail("a book of another board was asked"))
    for game in ("ConnectK:width=4,height=4,k=4,gravity=true", "ConnectK:width=7,height=6,k=3,gravity=true", "TicTacToe"):
        assert agents.make("perfect:nodes=1000", game).act(Position(game)) is not None


def test_the_shipped_book_is_true(solver, request):
    """Positions with the most stones in CI, which are solved soonest."""
    shipped = shipped_book()
    keys = sorted(shipped, key=lambda key: -stones_of(BOARD, key).filled.bit_count())
    chosen = random.Random(1).sample(keys, min(1000, len(keys))) if request.config.getoption("--at-length") else keys[:3]
    for key in chosen:
        stones = stones_of(BOARD, key)
        cells = playable_cells(BOARD, stones.filled)
        bits = [cells & 0b111111 << 7 * column for column in range(7)]
        columns = [column for column in range(7) if bits[column]]
        after = np.array([stones.filled | bits[column] for column in columns], np.int64)
        scores = (-solver.solve_bitboards(np.full(len(after), stones.own ^ stones.filled, np.int64), after).scores).tolist()
        best = tuple(column for column, score in zip(columns, scores, strict=True) if score == max(scores))
        assert shipped.solved(key) == Best(max(scores), best)
    first = shipped.find(Position(GAME))
    assert first == Best(1, (3,))
    assert len(shipped.to_bytes()) < 1_500_000
