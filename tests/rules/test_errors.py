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
        ("Connect4", "ConnectFour"),
        ("sparring/Connect4-v0", "ConnectFour"),
    ],
)
def test_names_are_near_however_they_are_spelled(name, meant):
    assert did_you_mean(name, GAMES) == f"; did you mean {meant!r}?"


@pytest.mark.parametrize("name", ["chess", "", "-", None, 4, ["Gomoku"] * 9])
def test_nothing_is_suggested_for_what_is_near_to_nothing(name):
    assert did_you_mean(name, ["ConnectFour", "ConnectK"]) == ""


def test_a_name_of_a_few_common_letters_is_not_near():
    assert did_you_mean("nobody", ["good", "poor", "mobility"]) == ""


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


def test_the_extra_of_torch_says_how_to_save_gigabytes():
    hint = r"pip install 'sparring\[train\]' \(a CPU torch first saves gigabytes; see README\)$"
    with pytest.raises(MissingExtraError, match=hint), extra("train", "a training"):
        import nowhere  # noqa: F401 - there is none  # pyright: ignore[reportMissingImports]


def test_a_missing_name_in_a_package_that_is_there_is_no_missing_extra():
    with pytest.raises(ImportError, match="cannot import name 'nothing'") as caught, extra("train", "a training"):
        from sparring.envs.rules.errors import nothing  # noqa: F401 - there is none  # pyright: ignore
    assert not isinstance(caught.value, MissingExtraError)
