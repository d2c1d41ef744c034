"""The page of tournaments and evaluations in a real browser."""

import re

import pytest

from .browser import games_of, open_report

LONG = "best:nodes=50000,weights.short_1={0},weights.of_a_long_name={0}"
NAMES = (*(LONG.format(number) for number in range(16)), "random", "greedy")
DASH = "\N{EM DASH}"
LEAST_CONTRAST = 4.5  # of text, by the Web Content Accessibility Guidelines
COLOURS = """
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    function rgb(colour) {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    }
    return [...document.querySelectorAll(".cross td:is(.ahead, .behind) :is(a, .remark)")].map((text) =>
        [getComputedStyle(text.closest("td")).backgroundColor, getComputedStyle(text).color].map(rgb));
"""


def luminance(colour):
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in (part / 255 for part in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_numbers_of_the_crosstable_can_be_read_on_their_colours(browser, tmp_path, tournament_run, scheme):
    open_report(browser, tournament_run(tmp_path / "cup", [f"agent {number}" for number in range(8)], games=4), 1200, scheme)
    pairs = browser.run(COLOURS)
    assert len(pairs) == 2 * 8 * 7
    assert len({tuple(ground) for ground, _ in pairs}) > 3
    assert min(contrast(*pair) for pair in pairs) >= LEAST_CONTRAST


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1200])
def test_eighteen_agents_of_long_names_fit(browser, tmp_path, tournament_run, width, scheme):
    open_report(browser, tournament_run(tmp_path / "cup", NAMES, games=2, forfeits=1), width, scheme)
    assert browser.run("return document.documentElement.scrollWidth") <= width
    boxes = "[c, ...c.querySelectorAll('text')].map((e) => e.getBoundingClientRect())"
    for chart, *texts in browser.run(f"return [...document.querySelectorAll('.chart')].map((c) => {boxes})"):
        assert all(chart["left"] - 1 <= text["left"] <= text["right"] <= chart["right"] + 1 for text in texts)
    table = browser.run(
        "const t = document.querySelector('.cross'); return [t.offsetWidth, t.parentElement.clientWidth, t.rows[1].cells[0].offsetWidth]"
    )
    if width == 1200:
        assert table[0] <= table[1]
    assert table[2] < 0.4 * width
    assert browser.complaints() == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 390), ("dark", 1200)])
def test_ladders_side_by_side_fit(browser, tmp_path, tournament_run, write_run, scheme, width):
    for name, agents in ((f"1-{'long_' * 12}name", NAMES), ("2-ladderofconnectfourseed1", NAMES[2:])):
        tournament_run(tmp_path / name, (NAMES[-1], *agents[:-1]), games=2, kind="ladder")
    open_report(browser, write_run(tmp_path, results={"kind": "series", "runs": []}, kind="series"), width, scheme)
    assert browser.run("return document.documentElement.scrollWidth") <= width
    table = browser.run("const t = document.querySelector('.compared'); return [t.offsetWidth, t.parentElement.clientWidth]")
    assert table[0] <= table[1]
    assert browser.count(".compared thead wbr") > 10
    boxes = "[...document.querySelectorAll('#overview .chart, #overview .chart text')].map((e) => e.getBoundingClientRect())"
    chart, *texts = browser.run(f"return {boxes}")
    assert len(texts) > len(NAMES)
    assert all(chart["left"] - 1 <= text["left"] <= text["right"] <= chart["right"] + 1 for text in texts)
    browser.click(".compared thead th:nth-child(3) button")
    column = "return [...document.querySelectorAll('.compared tbody tr')].map((row) => row.cells[2].firstChild.textContent.trim())"
    assert [text == DASH for text in browser.run(column)] == [True] * 2 + [False] * (len(NAMES) - 2)
    assert browser.complaints() == []


@pytest.mark.parametrize("width", [390, 1200])
def test_an_evaluation_fits(browser, tmp_path, evaluate_run, width):
    open_report(browser, evaluate_run(tmp_path / "mine", agent=NAMES[0], warnings=["much"] * 9), width)
    assert browser.run("return document.documentElement.scrollWidth") <= width
    browser.click("details.warning summary")
    assert browser.count("details.warning[open] li") == 9
    assert browser.complaints() == []


def test_a_column_of_the_crosstable_sorts_its_rows(browser, tmp_path, tournament_run):
    open_report(browser, tournament_run(tmp_path / "cup", [f"agent {number}" for number in range(5)]))
    column = "return [...document.querySelectorAll('.cross tbody tr')].map((row) => Number(row.cells[3].dataset.value))"
    browser.click(".cross thead th:nth-child(4) button")
    assert browser.run(column) == sorted(browser.run(column))
    assert len(set(browser.run(column))) > 2


def test_a_cell_leads_to_the_games_of_its_pairing(browser, tmp_path, tournament_run):
    open_report(browser, tournament_run(tmp_path / "cup", ("alpha", "beta", "gamma", "delta")))
    browser.run("document.querySelector('a[data-agent=gamma][data-opponent=beta]').click()")
    offered = browser.run("return [...document.querySelector('.choosers .wide select').options].map((o) => Number(o.value))")
    assert offered == [game["id"] for game in games_of(browser) if {game["first"], game["second"]} == {"beta", "gamma"}]
    assert browser.run("return location.hash") == "#run-1-replay"
    lost = [
        game for game in games_of(browser) if {game["first"], game["second"]} == {"beta", "gamma"} and game.get(game["result"]) == "beta"
    ]
    browser.choose(".choosers label:nth-child(3) select", "loss")
    offered = browser.run("return [...document.querySelector('.choosers .wide select').options].map((o) => o.value)")
    assert offered == ([str(game["id"]) for game in lost] or [""])
    assert browser.complaints() == []


def test_an_opponent_alone_is_enough_to_choose_games(browser, tmp_path, tournament_run):
    open_report(browser, tournament_run(tmp_path / "cup"))
    browser.choose(".choosers label:nth-child(2) select", "beta")
    browser.choose(".choosers label:nth-child(3) select", "win")
    offered = browser.run("return [...document.querySelector('.choosers .wide select').options].map((o) => Number(o.value))")
    lost = [
        game for game in games_of(browser) if "beta" in (game["first"], game["second"]) and game.get(game["result"]) not in (None, "beta")
    ]
    assert offered == [game["id"] for game in lost]
    assert {game["first"] for game in lost} == {"alpha", "beta", "gamma"}


def test_steps_show_scores_and_the_end_says_why_it_was_forfeited(browser, tmp_path, tournament_run):
    open_report(browser, tournament_run(tmp_path / "cup", ("alpha", "beta"), games=4, forfeits=1))
    games = games_of(browser)
    forfeited = next(game for game in games if "reason" in game)
    browser.choose(".choosers .wide select", str(forfeited["id"]))
    browser.click("[aria-label='First position']")
    assert browser.text(".thought") == ""
    for ply in range(len(forfeited["moves"])):
        browser.click("[aria-label='Next move']")
        score = None if ply < forfeited["opening"] else forfeited["scores"][ply - forfeited["opening"]]
        mover = forfeited[("first", "second")[ply % 2]]
        expected = "" if score is None else f"{mover}: score {score:+d}, depth 4".replace("-", "\N{MINUS SIGN}")
        assert browser.text(".thought").split(" \N{MIDDLE DOT} ")[0].startswith(expected)
    assert browser.text(".thought").endswith(f"{forfeited['second']}: expected a legal move, got 99")
    points = browser.run(
        "const lines = [...document.querySelectorAll('.graph polyline.graph-line')];"
        "return lines.map((line) => line.getAttribute('points').split(' ').filter(Boolean).length)"
    )
    assert sum(points) == sum(score is not None for score in forfeited["scores"])
    assert browser.complaints() == []


def test_moves_are_copied_as_far_as_they_are_shown(browser, tmp_path, tournament_run):
    open_report(browser, tournament_run(tmp_path / "cup"))
    browser.run("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    browser.click("[aria-label='Next move']")
    moves = games_of(browser)[0]["moves"]
    browser.click(".position button:last-child")
    assert browser.run("return window.copied") == " ".join(moves[:2])
    assert browser.text(".position button:last-child") == "Copied"


def test_a_page_of_many_games_opens_quickly(browser, tmp_path, tournament_run):
    open_report(browser, tournament_run(tmp_path / "cup", NAMES, games=2, game="Gomoku", size=9))
    assert 0 < browser.run("return performance.getEntriesByType('navigation')[0].domComplete") < 3000
    assert re.fullmatch(r"Game \(\d+ of \d+\)", browser.run("return document.querySelector('.choosers .wide').firstChild.textContent"))


def test_play_and_next_look_different(browser, tmp_path, tournament_run):
    open_report(browser, tournament_run(tmp_path / "cup", ("alpha", "beta"), games=2))
    shapes = browser.run("return [...document.querySelectorAll('.controls button path')].map((path) => path.getAttribute('d'))")
    assert len(set(shapes)) == len(shapes) == 5
    shown = "return getComputedStyle(document.querySelector('.controls .play'), '::after').content"
    assert browser.run(shown) == '"Play"'
    browser.click(".controls .play")
    assert browser.run(shown) == '"Pause"'


@pytest.mark.parametrize(
    ("game", "seat", "colour"),
    [("ConnectFour", 1, "rgb(240, 228, 66)"), ("Gomoku", 0, "rgb(30, 30, 33)"), ("Isola", 1, "rgb(0, 114, 178)")],
)
def test_a_score_line_has_the_colour_of_its_pieces_and_stands_in_a_legend(browser, tmp_path, tournament_run, game, seat, colour):
    open_report(browser, tournament_run(tmp_path / "cup", ("silent", "alpha"), games=2, game=game))
    place = next(str(entry["id"]) for entry in games_of(browser) if entry[("first", "second")[seat]] == "alpha")
    browser.choose(".choosers .wide select", place)
    line = browser.run(
        "return [...document.querySelectorAll('.graph polyline.graph-line')].filter((line) => line.getAttribute('points'))"
        ".map((line) => getComputedStyle(line).stroke)"
    )
    assert line == [colour]
    assert re.fullmatch(r"alpha, \S+ to \+\d+ points", browser.text(".graph-legend"))
    assert "in points of its own, on a logarithmic scale" in browser.text(".graph-title")
    assert browser.complaints() == []
