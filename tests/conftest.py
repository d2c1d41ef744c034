"""Options of the tests."""

from pathlib import Path

import pytest

QUICK = {  # files whose tests make up `pytest -m quick`, but for those named below
    "rules": ["test_errors", "test_golden", "test_perft", "test_position", "test_position_moves", "test_properties", "test_bitboards"],
    "envs": ["test_lockstep_plain"],
    "experiments": [
        "test_bounds",
        "test_config",
        "test_config_bounds",
        "test_games_log",
        "test_openings",
        "test_pairings",
        "test_rating",
        "test_score",
        "test_sprt",
    ],
}


def pytest_addoption(parser):
    parser.addoption("--at-length", action="store_true", help="compare and check what searches find over many more positions")
    parser.addoption("--every-switch", action="store_true", help="test each position with every combination of the search's switches")
    parser.addoption("--fuzz", type=int, default=450, metavar="N", help="try N damaged files and texts instead of a few hundred")
    parser.addoption("--all-games", action="store_true", help="play 1,000 games instead of a few in each test of the batch")


FUZZED = pytest.StashKey[dict]()  # what became of damaged inputs, by kind


def pytest_configure(config):
    config.stash[FUZZED] = {}


def pytest_collection_modifyitems(items):
    """Marks the tests that a developer runs after every change."""
    for item in items:
        if Path(item.path).stem in QUICK.get(Path(item.path).parent.name, ()):
            item.add_marker(pytest.mark.quick)


def pytest_terminal_summary(terminalreporter, config):
    for kind, counts in config.stash[FUZZED].items():
        terminalreporter.write_line(f"{kind}: {', '.join(f'{value:,} {name}' for name, value in counts.items())}")


@pytest.fixture
def fuzzed(request):
    """What became of damaged inputs, by kind; told at the end of the session."""
    return request.config.stash[FUZZED]


@pytest.fixture
def every_switch(request):
    return request.config.getoption("--every-switch")


@pytest.fixture
def all_games(request):
    return request.config.getoption("--all-games")


@pytest.fixture
def at_length(request):
    return request.config.getoption("--at-length")
