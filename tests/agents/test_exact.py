"""Positions of exactly known value: what the plain engine proves within its nodes is right, and it proves most of them."""

import re

import pytest
from sparring import Game, Position, agents
from sparring.agents.evaluation.interface import LIMIT

from ..rules.test_golden import game_of_connect_k, items

NODES = 300_000
KING_ANY = {"rules": "sevens", "width": 5, "height": 5}


def game_of_isola(text):
    rules, width, height = re.fullmatch(r"(\S+) (\d+)x(\d+)", text).groups()
    if rules == "king-any":
        return Game("Isola", **KING_ANY)
    return Game("Isola", rules="classic") if rules == "classic" else Game("Isola", rules=rules, width=int(width), height=int(height))


def cases():
    for board, moves, _, value, keeping, _ in items("connect_k_exact", " | "):
        yield "connect_k_exact", Position(game_of_connect_k(board), moves), value, keeping
    for board, text, value, keeping, *_ in items("isola_exact", " | "):
        yield "isola_exact", Position(game_of_isola(board), text), value, keeping


def proven(analysis):
    """Returns the value that an analysis proves, or None."""
    if abs(analysis.score) > LIMIT:
        return "WIN" if analysis.score > 0 else "LOSS"
    return "DRAW" if analysis.is_final else None


@pytest.mark.parametrize(("file", "least"), [("connect_k_exact", 30), ("isola_exact", 15)])
def test_what_is_proven_is_right(file, least):
    count = 0
    for name, position, value, keeping in cases():
        if name != file:
            continue
        evaluation = {"connect_k": "ways_to_win", "isola": "mobility"}[position.game.kind.name]
        found = agents.make({"name": "alphabeta", "nodes": NODES, "evaluation": evaluation}, position.game).analyse(position)
        if proven(found) is None:
            continue
        assert proven(found) == value, repr(position)
        assert value == "LOSS" or position.move_text(found.move) in keeping.split(), repr(position)
        count += 1
    assert count >= least
