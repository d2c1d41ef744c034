"""Boards as SVG symbols."""

import re
import xml.etree.ElementTree as ET

import pytest
from sparring.envs.drawing.board_art import SYMBOLS
from sparring.envs.drawing.shapes import PAGE_COLOURS
from sparring.envs.drawing.symbols import page_layout, symbols

ON_A_SQUARE = {"x", "o", "gone", "last", "ground", "square", "fixed"}


@pytest.fixture(params=SYMBOLS)
def drawing(request):
    """The symbols of a board of each style, 9 x 7, with two fixed squares."""
    return ET.fromstring(f"<svg>{symbols(page_layout(request.param, 9, 7), 'abcdefghi', (3, 59), 'here')}</svg>")


def test_there_is_one_symbol_of_each_look(drawing):
    assert {symbol.get("id") for symbol in drawing.iter("symbol")} == {f"here-{name}" for name in ON_A_SQUARE | {"board"}}
    assert {symbol.get("viewBox") for symbol in drawing.iter("symbol") if symbol.get("id") != "here-board"} == {"0 0 100 100"}
    assert [line.tag for line in drawing.find("g[@id='here-line']")] == ["line", "line"]


def test_every_id_is_there_once_and_is_found(drawing):
    ids = [element.get("id") for element in drawing.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    links = [element.get("href")[1:] for element in drawing.iter("use")]
    fills = [element.get("fill")[5:-1] for element in drawing.iter() if element.get("fill", "").startswith("url(#")]
    assert set(links + fills) <= set(ids)


def test_a_board_has_its_names_and_its_fixed_squares(drawing):
    board = drawing.find("symbol[@id='here-board']")
    assert "".join(label.text for label in board.iter("text")) == "abcdefghi1234567"
    fixed = [(use.get("x"), use.get("y")) for use in board.iter("use") if use.get("href") == "#here-fixed"]
    assert fixed == [("362", "662"), ("562", "62")]


def test_only_colours_of_the_page_are_left_to_it(drawing):
    left = {name for element in drawing.iter() for value in element.attrib.values() for name in re.findall(r"var\((.+)\)", value)}
    assert left <= set(PAGE_COLOURS)
    assert "--" not in re.sub(r"var\(--[a-z-]+\)", "", ET.tostring(drawing, encoding="unicode"))
