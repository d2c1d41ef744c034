"""Openings: distinct, fair by their judge, decided by the seed; and files of them as people write them."""

import pytest
from sparring.envs.game import Game
from sparring.envs.position import Position
from sparring.envs.rules.errors import ConfigError
from sparring.experiments.games.openings import draw_openings, read_openings
from sparring.experiments.kinds import checked
from sparring.experiments.kinds.paired_games import openings_of

FOUR = Game.of("ConnectFour")


def position_after(game, moves):
    position = Position(game)
    for move in moves:
        position.push(move)
    return position


def slow_result(position):
    """Returns 1, 0 or -1: what best play leads to, from the view of the side to move."""
    if position.is_over:
        return 0 if position.winner is None else -1
    best = -1
    for move in position.legal_moves:
        position.push(move)
        best = max(best, -slow_result(position))
        position.pop()
        if best == 1:
            break
    return best


def openings(count, **changes):
    config = checked({"kind": "tournament", "game": "TicTacToe", "agents": ["random", "greedy"], **changes})
    return openings_of(config, count, lambda done: None)


def test_a_runs_openings_are_distinct_fair_and_the_same_for_the_same_seed():
    drawn = openings(60, opening_plies=3, seed=5)
    assert drawn == openings(60, opening_plies=3, seed=5)
    assert drawn[:20] == openings(20, opening_plies=3, seed=5)
    assert drawn != openings(60, opening_plies=3, seed=6)
    assert len({position_after(Game.of("TicTacToe"), opening) for opening in drawn}) == 60
    assert all(slow_result(position_after(Game.of("TicTacToe"), opening)) == 0 for opening in drawn)


def test_fair_openings_begin_anew_when_they_are_used_up():
    fair = {Position("TicTacToe", f"{one} {other}") for one in CELLS for other in CELLS if one != other}
    fair = {position for position in fair if slow_result(position) == 0}
    drawn = openings(2 * len(fair), opening_plies=2)
    assert {position_after(Game.of("TicTacToe"), opening) for opening in drawn} == fair
    assert drawn[len(fair) :] == drawn[: len(fair)]


CELLS = [column + row for column in "abc" for row in "123"]


@pytest.mark.parametrize(
    "text",
    [
        b"44\n123\n",
        b"44\r\n123\r\n",
        b"\xef\xbb\xbf44\r\n123",
        "# Eröffnungen, 開局\n\n  44   # Mitte ✓\n\t123\t\n\n#44\n".encode(),
        b"\xef\xbb\xbf# first\n44\n123\n",
    ],
    ids=["plain", "CRLF", "BOM", "remarks", "BOM and remark"],
)
def test_a_file_of_openings_may_be_written_anywhere(tmp_path, text):
    path = tmp_path / "openings.txt"
    path.write_bytes(text)
    assert read_openings(path, FOUR) == [(3, 3), (0, 1, 2)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", ": expected a line of moves for each opening, got none"),
        (b"\xef\xbb\xbf\r\n# nothing\r\n", ": expected a line of moves for each opening, got none"),
        ("44\n4é\n".encode(), ":2: "),
        (b"44\n\xff\n", ": expected UTF-8 text"),
        ("44\n".encode("utf-16"), ": expected UTF-8 text"),
        (b"44\n44\x0044\n", ":2: "),
    ],
)
def test_a_file_that_is_none_is_one_line(tmp_path, text, message):
    path = tmp_path / "openings.txt"
    path.write_bytes(text)
    with pytest.raises(ConfigError, match=rf"openings\.txt{message}") as error:
        read_openings(path, FOUR)
    assert "\n" not in str(error.value)
    with pytest.raises(ConfigError, match=r"[Ii]s a directory"):
        read_openings(tmp_path, FOUR)


def test_openings_of_a_file_are_taken_again_when_they_are_used_up(tmp_path):
    (tmp_path / "openings.txt").write_text("a1 b2\nb2 c3\n")
    drawn = openings(5, opening_file=str(tmp_path / "openings.txt"))
    assert [position_after(Game.of("TicTacToe"), opening).notation for opening in drawn] == ["a1 b2", "b2 c3", "a1 b2", "b2 c3", "a1 b2"]


def test_no_plies_are_one_opening_for_all():
    assert draw_openings(FOUR, 0, 3, seed=1) == [(), (), ()]
