"""Options of the tests."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--every-switch", action="store_true", help="test each position with every combination of the search's switches")


@pytest.fixture
def every_switch(request):
    return request.config.getoption("--every-switch")
