"""The report page in a real browser.

Without `chromium` and `chromedriver` these tests are skipped, but in CI (environment variable CI) they fail.
"""

import itertools
import re
import time

import pytest
from sparring.envs.position import Position
from sparring.experiments.statistics.score import outcome_of, seat_of

from .browser import LEFT, RIGHT, games_of, open_report


def shown_board(browser):
    """Returns the squares on the page that are not empty, as {square: symbol}."""
    pieces = browser.run("return [...document.querySelectorAll('.board [data-piece]')].map((e) => [e.dataset.square, e.dataset.piece])")
    return {int(square): piece for square, piece in pieces}


def cells_of(position):
    cells = list(position.state.cells)[: position.game.width * position.game.height]
    return {square: ".xo#"[cell] for square, cell in enumerate(cells) if cell}


@pytest.mark.parametrize(
    ("game", "parameters"),
    [("ConnectFour", {}), ("TicTacToe", {}), ("Gomoku", {"size": 15}), ("Isola", {"rules": "classic"}), ("Isola", {"rules": "knight"})],
)
def test_buttons_show_every_board_as_position_has_it(browser, tmp_path, match_run, game, parameters):
    open_report(browser, match_run(tmp_path / "games", count=2, game=game, **parameters))
    entry = games_of(browser)[0]
    position = Position(game, **parameters)
    browser.click("[aria-label='First position']")
    for move in entry["moves"][:6]:
        assert shown_board(browser) == cells_of(position)
        assert browser.text(".position input") == position.text
        browser.click("[aria-label='Next move']")
        position.push(move)
    browser.click("[aria-label='Last position']")
    over = Position(game, " ".join(entry["moves"]), **parameters)
    assert shown_board(browser) == cells_of(over)
    assert browser.text(".position input") == over.text
    assert browser.count(".board .winning") == len(entry["lines"])
    winner = "draw" if over.winner is None else f"{entry[('first', 'second')[over.winner]]} wins"
    ending = {"line": "by a line", "full": "with a full board", "blocked": "by a blocked piece"}[over.termination]
    assert browser.text(".status") == f"{winner} {ending} after {over.ply} plies"
    browser.click("[aria-label='Previous move']")
    over.pop()
    assert shown_board(browser) == cells_of(over)
    assert browser.complaints() == []


def test_keys_moves_and_slider_step_through_the_game(browser, tmp_path, match_run):
    open_report(browser, match_run(tmp_path / "games", count=2))
    entry = games_of(browser)[0]
    texts = [Position("ConnectFour", "".join(entry["moves"][:ply])).text for ply in range(len(entry["moves"]) + 1)]
    assert browser.text(".position input") == texts[entry["opening"]]
    assert browser.count(".moves-list button[title='opening move']") == entry["opening"] == 1, "random or from a file"
    browser.run("document.querySelector('.board').scrollIntoView()")
    browser.type("body", RIGHT)
    assert browser.text(".position input") == texts[2]
    browser.type(".desk", RIGHT)
    browser.type(".desk", LEFT + LEFT)
    assert browser.text(".position input") == texts[1]
    browser.click(".moves-list li:nth-child(3) button")
    assert browser.text(".position input") == texts[5]
    assert browser.text(".moves-list [aria-current=true]") == entry["moves"][4]
    browser.type(".controls input", RIGHT)
    assert browser.text(".position input") == texts[6]


def test_play_runs_to_the_end_and_can_be_stopped(browser, tmp_path, match_run):
    open_report(browser, match_run(tmp_path / "games", count=2, game="TicTacToe"))
    before = browser.text(".position input")
    browser.click("[aria-label='Play']")
    deadline = time.monotonic() + 10
    while browser.text(".position input") == before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert browser.text(".position input") != before
    browser.click("[aria-label='Pause']")
    assert browser.count("[aria-label='Play']") == 1


def test_copied_text_is_that_of_the_position(browser, tmp_path, match_run):
    open_report(browser, match_run(tmp_path / "games", count=2, game="Isola", rules="queen"))
    browser.run("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    browser.click("[aria-label='Next move']")
    browser.click(".position button")
    assert browser.run("return window.copied") == Position("Isola", " ".join(games_of(browser)[0]["moves"][:2])).text
    assert browser.text(".position button") == "Copied"


def test_filters_offer_only_the_games_that_fit(browser, tmp_path, train_run):
    open_report(browser, train_run(tmp_path / "learning"))
    games = [game | {"seat": seat_of(game, "learner"), "outcome": outcome_of(game, "learner")} for game in games_of(browser)]
    for property_, value in (("opponent", "greedy"), ("seat", "second"), ("outcome", "loss")):
        games = [game for game in games if value in (game["first"], game["second"], game["seat"], game["outcome"])]
        selector = f".choosers label:nth-child({('opponent', 'outcome', 'seat').index(property_) + 1}) select"
        browser.choose(selector, value)
        offered = browser.run("return [...document.querySelector('.choosers .wide select').options].map((o) => o.value)")
        assert offered == ([str(game["id"]) for game in games] or [""])
    assert browser.complaints() == []


def test_tables_sort_by_a_click_on_their_heads(browser, tmp_path, train_run):
    open_report(browser, train_run(tmp_path / "learning"))
    column = "return [...document.querySelectorAll('.run tbody tr')].map((row) => Number(row.cells[3].dataset.value))"
    browser.click(".run thead th:nth-child(4) button")
    assert browser.run(column) == sorted(browser.run(column))
    browser.click(".run thead th:nth-child(4) button")
    assert browser.run(column) == sorted(browser.run(column), reverse=True)
    assert browser.run("return document.querySelector('.run thead th:nth-child(4)').getAttribute('aria-sort')") == "descending"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [380, 1400])
def test_nothing_sticks_out_at_any_width_and_every_text_can_be_read(browser, tmp_path, match_run, train_run, write_run, width, scheme):
    match_run(
        tmp_path / "1-a-name-that-is-rather-long-for-a-narrow-telephone", agents=("policy:path=runs/of-a-long-name/model.zip", "beta")
    )
    match_run(tmp_path / "2-gomoku", game="Gomoku", size=20)
    train_run(tmp_path / "3-train")
    folder = write_run(tmp_path, results={"kind": "series", "runs": []}, kind="series", command="sparring run " + "x" * 200)
    open_report(browser, folder, width, scheme)
    assert browser.run("return document.documentElement.scrollWidth") <= width
    texts = browser.run(
        "return [...document.querySelectorAll('.chart text')].map((t) => [t, t.closest('svg')].map((e) => e.getBoundingClientRect()))"
    )
    assert texts
    for text, chart in texts:
        assert chart["left"] - 1 <= text["left"] <= text["right"] <= chart["right"] + 1
    ink = browser.run("return getComputedStyle(document.querySelector('.chart text')).fill")
    assert (sum(map(int, re.findall(r"\d+", ink))) > 380) == (scheme == "dark")
    assert browser.complaints() == []


LONG_NAMES = tuple(f"NegaScout with switch {number} and a long name" for number in range(11))


@pytest.fixture
def search_series(tmp_path, ablation_run, tune_run, write_run):
    """Returns the folder of a series with an ablation of many configurations and a tuning of long names."""
    claims = [{"text": "two plies deeper", "more": LONG_NAMES[0], "less": "full", "at_least": 2}]
    ablation_run(tmp_path / "1-switches", LONG_NAMES, claims)
    tune_run(tmp_path / "2-weights")
    return write_run(tmp_path, results={"kind": "series", "runs": []}, kind="series")


def place_of(browser, selector):
    return browser.run("return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1200])
def test_reports_of_searches_fit_at_any_width(browser, search_series, width, scheme):
    open_report(browser, search_series, width, scheme)
    assert browser.run("return document.documentElement.scrollWidth") <= width
    boxes = "[c, ...c.querySelectorAll('text')].map((e) => e.getBoundingClientRect())"
    legends = f"return [...document.querySelectorAll('.chart')].map((c) => {boxes})"
    for chart, *texts in browser.run(legends):
        assert all(chart["left"] - 1 <= text["left"] <= text["right"] <= chart["right"] + 1 for text in texts)
        assert all(chart["top"] - 1 <= text["top"] <= text["bottom"] <= chart["bottom"] + 1 for text in texts)
    right = "const range = new Range(); range.selectNodeContents(e); return range.getBoundingClientRect().right"
    ends = browser.run(f"return [...document.querySelectorAll('figcaption, .caption, .claims li')].map((e) => {{ {right} }})")
    assert max(ends) <= width
    assert browser.complaints() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1200])
def test_speeds_can_be_read_at_any_width(browser, tmp_path, bench_run, width, scheme):
    open_report(browser, bench_run(tmp_path / "speeds"), width, scheme)
    assert browser.run("return document.documentElement.scrollWidth") <= width
    boxes = "[c, ...c.querySelectorAll('text')].map((e) => e.getBoundingClientRect())"
    charts = browser.run(f"return [...document.querySelectorAll('.chart')].map((c) => {boxes})")
    assert len(charts) == 2
    for chart, *texts in charts:
        assert all(chart["left"] - 1 <= text["left"] <= text["right"] <= chart["right"] + 1 for text in texts)
        assert all(chart["top"] - 1 <= text["top"] <= text["bottom"] <= chart["bottom"] + 1 for text in texts)
        upright = [text for text in texts if text["width"] > text["height"] / 2]
        assert not [pair for pair in itertools.combinations(upright, 2) if do_overlap(*pair)]
    ink = browser.run("return getComputedStyle(document.querySelector('.chart text')).fill")
    assert (sum(map(int, re.findall(r"\d+", ink))) > 380) == (scheme == "dark")
    assert browser.complaints() == []


def do_overlap(one, other):
    return all(min(one[high], other[high]) - max(one[low], other[low]) > 1 for low, high in (("left", "right"), ("top", "bottom")))


def test_legends_leave_the_plot_its_height(browser, tmp_path, ablation_run):
    heights = []
    for names in (LONG_NAMES[:1], LONG_NAMES):
        open_report(browser, ablation_run(tmp_path / str(len(names)), names))
        heights.append(place_of(browser, "figure:nth-child(2) .chart [clip-path]")["height"])
    assert heights[1] > 0.8 * heights[0]


def test_claims_are_seen_without_scrolling(browser, tmp_path, ablation_run):
    claims = [{"text": "no killers is deeper", "more": "no killers", "less": "full", "at_least": 1}]
    folder = ablation_run(tmp_path / "switches", claims=claims)
    for width in (390, 1200):
        open_report(browser, folder, width)
        assert place_of(browser, ".claims .found")["bottom"] < 900


def test_a_wide_screen_shows_every_column_and_a_narrow_one_keeps_the_names(browser, search_series):
    table = "#run-1 .scroll"
    open_report(browser, search_series, 1200)
    assert browser.run("const e = document.querySelector(arguments[0]); return e.scrollWidth - e.clientWidth", table) <= 0
    browser.click(f"{table} thead th:nth-child(2) button")
    depths = browser.run(f"return [...document.querySelectorAll('{table} tbody tr')].map((row) => Number(row.cells[1].dataset.value))")
    assert len(depths) == 12
    assert depths == sorted(depths)
    open_report(browser, search_series, 390)
    before = place_of(browser, f"{table} tbody th")["left"]
    browser.run("document.querySelector(arguments[0]).scrollLeft = 200", table)
    assert place_of(browser, f"{table} tbody td")["left"] < before
    assert place_of(browser, f"{table} tbody th")["left"] == before
