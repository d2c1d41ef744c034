"""Pairings: who plays whom, how the games are numbered, and that both seats have every opening."""

import pytest
from sparring.experiments.games.task import name_players
from sparring.experiments.kinds import checked
from sparring.experiments.kinds.paired_games import PairedGames, openings_of
from sparring.experiments.kinds.tournament.run import pairings_of
from sparring.experiments.terminal.results import score_table


def config_of(players, **changes):
    agents = [f"alphabeta:depth={depth}" for depth in range(1, players + 1)]
    return checked({"kind": "tournament", "game": "TicTacToe", "agents": agents, "opening_judge": None, "games": 6, **changes})


def places(players, **changes):
    """Returns who plays whom, by places of the list."""
    config = config_of(players, **changes)
    named = name_players(config.agents)
    return [(named.index(one), named.index(other)) for one, other in pairings_of(named, config)]


def test_in_a_round_robin_each_two_meet_once():
    assert places(4) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert places(2) == [(0, 1)]
    assert places(4, reach=1) == places(4), "reach is of neighbours alone"


def test_in_a_gauntlet_the_first_meets_each_other():
    assert places(4, pairings="gauntlet") == [(0, 1), (0, 2), (0, 3)]


@pytest.mark.parametrize("reach", range(1, 8))
def test_neighbours_stand_within_reach(reach):
    expected = [(one, other) for one in range(6) for other in range(one + 1, 6) if other - one <= reach]
    assert places(6, pairings="neighbours", reach=reach) == expected


@pytest.mark.parametrize("pairings", ["round_robin", "gauntlet", "neighbours"])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_games_are_numbered_round_by_round_and_both_seats_have_every_opening(pairings, players):
    config = config_of(players, pairings=pairings, reach=2, opening_plies=2)
    two = pairings_of(name_players(config.agents), config)
    games = PairedGames(config, two, config.games, None)
    tasks = list(games._tasks(openings_of(config, games._openings_needed(), lambda done: None)))
    assert [task.id for task in tasks] == list(range(6 * len(two)))
    assert len({task.seed for task in tasks}) == len(tasks)
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert (first.pair, second.pair) == (first.id // 2, first.id // 2)
        assert (first.first, first.second) == (second.second, second.first) == two[first.pair % len(two)]
        assert first.opening == second.opening
    for place in range(len(two)):
        own = [task for task in tasks if task.pair % len(two) == place]
        assert len({task.opening for task in own}) == 3, "another opening in every round"


def test_players_that_are_the_same_have_different_names_and_openings():
    config = config_of(2, agents=["random", "random", "random"], opening_plies=2)
    two = pairings_of(name_players(config.agents), config)
    assert [(one.name, other.name) for one, other in two] == [
        ("random", "random (2)"),
        ("random", "random (3)"),
        ("random (2)", "random (3)"),
    ]


def test_standings_are_shown_before_the_first_game():
    config = config_of(3)
    games = PairedGames(config, pairings_of(name_players(config.agents), config), 6, None)
    table = score_table(games.tallies)
    assert table.row_count == 3
    assert list(table.columns[2].cells) == ["", "", ""]
