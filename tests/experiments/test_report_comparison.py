"""Tournaments and ladders of one game side by side on a page."""

import json

import pytest
from sparring.experiments.kinds.tournament.comparison import compare_ratings
from sparring.experiments.pages import read_comparison, write_page, write_report
from sparring.experiments.report.wording import elo_text

from .test_report import Page, page_of
from .test_report_tournament import results_of

DASH = "\N{EM DASH}"


@pytest.fixture
def rated_run(tmp_path, tournament_run):
    """Returns a function that writes the folder of a finished tournament, with the ratings and the anchor that it is given."""

    def write(name, ratings, anchor=None, **words):
        folder = tournament_run(tmp_path / name, sorted(ratings), games=2, **words)
        results = results_of(folder)
        for row in results["standings"]:
            row["elo"] = dict(zip(("value", "low", "high"), ratings[row["agent"]], strict=True))
        results["standings"].sort(key=lambda row: -row["elo"]["value"])
        results["ratings"]["anchor"] = anchor
        (folder / "results.json").write_text(json.dumps(results))
        return folder

    return write


def around(**elo):
    """Returns ratings with intervals that reach 50 to both sides; the anchor, at 0, has none."""
    return {agent: (value, value - 50 * (value != 0), value + 50 * (value != 0)) for agent, value in elo.items()}


class Shown:
    """What a page of several runs shows of all of them together."""

    def __init__(self, *folders):
        runs = list(read_comparison(folders).leaves())
        self.notes, self.tables, self.figures = compare_ratings(runs)


def test_each_agent_has_a_row_with_its_rating_in_each_run(tmp_path, tournament_run):
    folders = [
        tournament_run(tmp_path / "one", ("alpha", "gamma", "beta")),
        tournament_run(tmp_path / "two", ("alpha", "delta", "beta", "eta"), kind="ladder"),
    ]
    elo = [{row["agent"]: row["elo"] for row in results_of(folder)["standings"]} for folder in folders]
    [table] = Shown(*folders).tables
    assert table.headings == ("Agent", "one", "two")
    agents = [*elo[0], *(agent for agent in elo[1] if agent in ("delta", "eta"))]
    assert [row[0].text for row in table.rows] == [f"{place}. {agent}" for place, agent in enumerate(agents, start=1)]
    for agent, (_, *cells) in zip(agents, table.rows, strict=True):
        for found, cell in zip(elo, cells, strict=True):
            if agent not in found:
                assert cell.text == DASH
                assert cell.value < min(row["low"] for row in found.values())
                continue
            assert cell.value == found[agent]["value"]
            reach = f"{elo_text(found[agent]['low'])} to {elo_text(found[agent]['high'])}"
            assert cell.remark == ("anchor" if agent == "alpha" else reach)
    assert table.caption.endswith("Scale: alpha at 0 in every run.")


def test_a_page_of_runs_and_one_of_a_series_show_ratings(tmp_path, tournament_run, write_run):
    folders = [tournament_run(tmp_path / name, **record) for name, record in (("1-a", {"seed": 1}), ("2-b", {"seed": 2, "kind": "ladder"}))]
    write_run(tmp_path, results={"kind": "series", "runs": ["1-a", "2-b"]}, kind="series")
    for page in (page_of(tmp_path), Page(write_page(folders, tmp_path / "both.html").read_text(encoding="utf-8"))):
        assert "Of the 2 agents of TicTacToe that all runs share besides alpha, 2 have ratings within both intervals" in page.text
        assert ["Agent", "1-a", "2-b"] in page.rows
        assert "Elo of the agents of TicTacToe, run by run. Scale: alpha at 0 in every run." in page.text
        assert len(page.ids) == len(set(page.ids))
    assert "all runs share" not in Page(write_report(folders[0]).read_text(encoding="utf-8")).text


def test_agents_agree_whose_ratings_lie_within_both_intervals(rated_run):
    held = ["a", 0.0]
    first = rated_run("first", {**around(a=0, b=100, c=200, d=300), "wide": (400, 300, 500), "gone": (500, 450, 550)}, held)
    second = rated_run("second", {**around(a=0, b=149, c=251, d=251), "wide": (460, 410, 510)}, held)
    third = rated_run("third", {**around(a=0, b=51, c=200), "d": (240, 140, 340), "wide": (400, 350, 450), "new": (1, 0, 2)}, held)
    sentence = (
        "Of the 4 agents of TicTacToe that all runs share besides a, {} ratings within both intervals: every run's within that of first,"
    )
    [note] = Shown(first, second).notes
    assert note.startswith(sentence.format("2 have"))  # c is beyond both intervals, wide within the first's alone
    [note] = Shown(first, third).notes
    assert note.startswith(sentence.format("3 have"))  # the first's d is within the third's interval alone
    [note] = Shown(first, second, third).notes
    assert note.startswith(sentence.format("1 has"))
    [note] = Shown(rated_run("pair", around(a=0, b=100), held), first).notes
    assert note.startswith("Of the one agent of TicTacToe that all runs share besides a, 1 has ratings within both intervals")
    assert Shown(first, rated_run("others", around(a=0, e=100), held)).notes == []


def test_ratings_are_compared_on_one_scale_only(rated_run):
    elo, fewer = around(a=0, b=100, c=200), around(a=0, b=100)
    held = [rated_run(f"held {number}", elo, ["a", 0.0]) for number in range(2)]
    higher = rated_run("higher", elo, ["a", 500.0])
    free = [rated_run(f"free {number}", some) for number, some in enumerate((elo, elo, fewer))]
    mean = "the mean of the run's agents at 0"
    for folders, scale, charts, notes in (
        (held, "Scale: a at 0 in every run.", 1, 1),
        ([*held, higher], "No common scale: a at 0 in held 0 and held 1; a at 500 in higher.", 0, 0),
        ([held[0], free[0]], f"No common scale: a at 0 in held 0; {mean} in free 0.", 0, 0),
        (free[:2], f"Scale: {mean} in every run.", 1, 0),
        (free, f"No common scale: {mean} in free 0, free 1 and free 2.", 0, 0),
    ):
        shown = Shown(*folders)
        [table] = shown.tables
        assert table.caption.endswith(f"with 95 % intervals. {scale}")
        assert [figure.caption.endswith(f"run by run. {scale}") for figure in shown.figures] == [True] * charts
        assert len(shown.notes) == notes


def test_runs_of_different_games_and_unfinished_ones_are_not_compared(tmp_path, tournament_run):
    def of_length(name, k):
        folder = tournament_run(tmp_path / name, games=2, game="ConnectK")
        results = results_of(folder)
        results["game"]["parameters"]["k"] = k
        (folder / "results.json").write_text(json.dumps(results))
        return folder

    four, five = of_length("four", 4), of_length("five", 5)
    toe, cut = (tournament_run(tmp_path / name, games=2) for name in ("toe", "cut"))
    (cut / "results.json").unlink()
    shown = Shown(four, five, toe, cut)
    assert (shown.tables, shown.notes, shown.figures) == ([], [], [])
    shown = Shown(four, toe, five, tournament_run(tmp_path / "again", games=2), of_length("five again", 5))
    assert [table.headings[1:] for table in shown.tables] == [("toe", "again"), ("five", "five again")]
    assert len(shown.figures) == len(shown.notes) == 2


def test_a_chart_has_a_mark_for_each_rating_of_six_runs_at_most(rated_run):
    folders = [rated_run(f"run {number}", around(a=0, b=100 + number, c=200), ["a", 0.0]) for number in range(7)]
    [figure] = Shown(*folders[:6]).figures
    assert "2. b 100, 101, 102, 103, 104, 105; 3. a 0, 0" in figure.svg
    for number in range(6):
        assert f"run {number}" in figure.svg
    shown = Shown(*folders)
    assert shown.figures == []
    assert len(shown.tables[0].headings) == 8
    [figure] = Shown(folders[0], rated_run("less", around(a=0, c=150), ["a", 0.0])).figures
    assert "1. c 200, 150; 2. b 100, none; 3. a 0, 0" in figure.svg
