"""Searches of bitboards against searches of the same boards as arrays of cells: the same scores and the same nodes."""

import copy
import importlib

import pytest
from sparring import Game
from sparring.agents.search.alphabeta_searcher import AlphaBetaSearcher
from sparring.agents.search.limits import Limits
from sparring.agents.search.settings import Settings

from .slow_search import random_position

CASES = [
    ("ways_to_win", Game("ConnectFour")),
    ("ways_to_win", Game("TicTacToe")),
    ("ways_to_win", Game("ConnectK", width=7, height=7, k=5)),
    ("ways_to_win", Game("ConnectK", width=20, height=2, k=17, gravity=True)),
    ("window_scan", Game("ConnectK", width=10, height=5, k=8)),
    ("window_scan", Game("ConnectK", width=5, height=9, k=5, gravity=True)),
    ("threats", Game("ConnectFour")),
    ("threats", Game("ConnectK", width=5, height=5, k=4)),
    ("threats", Game("ConnectK", width=6, height=7, k=4, gravity=True)),
    *(("mobility", Game("Isola", rules=rules)) for rules in ("queen", "classic", "knight")),
    *(("territory", Game("Isola", rules=rules, width=6, height=5)) for rules in ("queen", "classic")),
    ("territory", Game("Isola", rules="knight", width=7, height=5)),
    ("mobility", Game("Isola", rules="sevens", width=4, height=5, step="knight")),
    ("mobility", Game("Isola", width=6, height=4, removal="any", fixed=True)),
]
SWITCHES = [Settings(), Settings(quiescence=True, ties=True), Settings(method="mtdf")]


def on_arrays(game):
    """Returns the same game as if its board did not fit into bitboards."""
    twin = copy.copy(game)
    vars(twin)["bitboards"] = None
    return twin


def results(game, evaluation, settings, limits, seeds):
    """Returns what searches of random positions find, but for the time they take."""
    module = importlib.import_module(f"sparring.agents.evaluation.{evaluation}")
    searcher = AlphaBetaSearcher(game, module, settings)
    found = []
    for seed in seeds:
        *_, result = searcher.deepen(random_position(game, seed), limits, 0.0)
        found.append(result._replace(seconds=0))
    return found


@pytest.mark.parametrize("settings", SWITCHES, ids=["plain", "quiescence and ties", "mtdf"])
@pytest.mark.parametrize(("evaluation", "game"), CASES, ids=repr)
def test_same_nodes(evaluation, game, settings):
    assert game.bitboards, "a case that tests something"
    limits, seeds = Limits(nodes=4000), range(12)
    found = results(game, evaluation, settings, limits, seeds)
    assert found == results(on_arrays(game), evaluation, settings, limits, seeds)
    assert max(result.nodes for result in found) == 4000


@pytest.mark.parametrize(("evaluation", "game"), CASES, ids=repr)
def test_same_nodes_in_plain_mode(evaluation, game, monkeypatch):
    limits, seeds = Limits(nodes=150), range(2)
    compiled = results(game, evaluation, Settings(quiescence=True), limits, seeds)
    monkeypatch.setenv("SPARRING_JIT", "0")
    assert results(game, evaluation, Settings(quiescence=True), limits, seeds) == compiled


def test_evaluations_without_bitboards_search_arrays():
    searcher = AlphaBetaSearcher(Game("ConnectFour"), importlib.import_module("sparring.agents.evaluation.four_patterns"), Settings())
    assert "cells" in searcher.workspace.states.dtype.names
