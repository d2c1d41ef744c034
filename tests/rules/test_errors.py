"""What errors say of names and of extras, the same everywhere."""

import pytest
from sparring.envs.rules.errors import MissingExtraError, did_you_mean, extra, unknown

GAMES = ["ConnectFour", "TicTacToe", "ConnectK", "Gomoku", "Isola"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("connect_four", "ConnectFour"),
        ("tic-tac-toe", "TicTacToe"),
        ("sparring/ConectFour-v0", "ConnectFour"),
        ("gomoku15", "Gomoku"),
        ("Isola-v0", "Isola"),
        ("iso", "Isola"),
    ],
)
def test_names_are_near_however_they_are_spelled(name, meant):
    assert did_you_mean(name, GAMES) == f"; did you mean {meant!r}?"


@pytest.mark.parametrize("name", ["chess", "", "-", None, 4, ["Gomoku"] * 9])
def test_nothing_is_suggested_for_what_is_near_to_nothing(name):
    assert did_you_mean(name, ["ConnectFour", "ConnectK"]) == ""


def test_an_unknown_name_is_answered_with_all_known_ones():
    assert unknown("table", "environments", ["envs", "agents"]) == (
        "unknown table 'environments'; expected one of envs, agents; did you mean 'envs'?"
    )


def test_a_missing_package_names_the_extra_that_brings_it():
    with (
        pytest.raises(MissingExtraError, match=r"^a picture needs nowhere; install it with: pip install 'sparring\[render\]'$"),
        extra("render", "a picture"),
    ):
        import nowhere  # noqa: F401 - there is none  # pyright: ignore[reportMissingImports]


def test_a_missing_name_in_a_package_that_is_there_is_no_missing_extra():
    with pytest.raises(ImportError, match="cannot import name 'nothing'") as caught, extra("train", "a training"):
        from sparring.envs.rules.errors import nothing  # noqa: F401 - there is none  # pyright: ignore
    assert not isinstance(caught.value, MissingExtraError)
