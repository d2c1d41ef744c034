"""Options of the tests."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--at-length", action="store_true", help="compare and check what searches find over many more positions")
    parser.addoption("--every-switch", action="store_true", help="test each position with every combination of the search's switches")
    parser.addoption("--all-games", action="store_true", help="play 1,000 games instead of a few in each test of the batch")


@pytest.fixture
def every_switch(request):
    return request.config.getoption("--every-switch")


@pytest.fixture
def all_games(request):
    return request.config.getoption("--all-games")


@pytest.fixture
def at_length(request):
    return request.config.getoption("--at-length")
