"""Results as Markdown: the tables of every kind with the numbers of their page, under a heading that says how the run came about."""

import html
import itertools
import json
import re

import markdown
import pytest
from sparring.experiments.pages import write_page, write_report
from sparring.experiments.report.wording import MINUS

from .results import match_of

KINDS = ["match", "train", "tournament", "ladder", "evaluate", "ablation", "tune", "bench"]
CLAIMS = [{"text": "one ply deeper", "more": "no killers", "less": "no table", "at_least": 0.5}]
ORIGIN = "`sparring run configs/trial.yaml seed=7` (seed 7, sparring 0.1.0, Linux, 2 cores, 2026-01-02 03:04 UTC"


@pytest.fixture
def run_of(request, tmp_path):
    """Returns a function that writes the folder of a finished run of a kind."""

    def write(kind):
        write_kind = request.getfixturevalue(f"{'tournament' if kind == 'ladder' else kind}_run")
        return write_kind(tmp_path / kind, **{"ladder": {"kind": "ladder"}, "ablation": {"claims": CLAIMS}}.get(kind, {}))

    return write


def written(*folders):
    return write_page(folders, folders[0] / "results.md").read_text(encoding="utf-8").replace("\N{NO-BREAK SPACE}", " ")


def tables(text):
    """Returns the rows of every table, headings first, as a reader of Markdown sees them."""
    page = markdown.markdown(text, extensions=["tables"])
    return [
        [
            [html.unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
            for row in re.findall(r"<tr>(.*?)</tr>", table, re.S)
        ]
        for table in re.findall(r"<table>(.*?)</table>", page, re.S)
    ]


def rows(text, *headings):
    """Returns the rows of the one table that begins with some headings."""
    [found] = [rows for rows in tables(text) if rows[0][: len(headings)] == list(headings)]
    return found[1:]


@pytest.mark.parametrize("kind", KINDS)
def test_origin_stands_below_the_heading_and_numbers_are_those_of_the_page(run_of, kind):
    folder = run_of(kind)
    text = written(folder)
    assert text.splitlines()[:3] == [f"## {kind}", "", f"{ORIGIN})"]
    page = html.unescape(re.sub(r"<wbr>|<script.*?</script>", "", write_report(folder).read_text(encoding="utf-8"), flags=re.S))
    shown = {number for table in tables(text) for row in table[1:] for cell in row for number in re.findall(r"\d[\d.,]*", cell)}
    assert shown
    assert shown <= set(re.findall(r"\d[\d.,]*", page))


def test_match_is_a_row_with_score_and_interval(run_of):
    folder = run_of("match")
    results = json.loads((folder / "results.json").read_text())
    [[agent, opponent, score, games, *_]] = rows(written(folder), "Agent", "Against")
    low, high = (f"{100 * results[end]:.1f} %" for end in ("low", "high"))
    assert (agent, opponent, games, score) == ("alpha", "beta", "12", f"{100 * results['score']:.1f} % ({low} to {high})")


def test_training_says_its_steps_and_has_a_row_for_each_final_opponent(run_of):
    text = written(run_of("train"))
    assert "After 20,000 of 40,000 time steps" in text
    assert [row[:2] for row in rows(text, "Agent", "Against")] == [["learner", "random"], ["learner", "greedy"]]


@pytest.mark.parametrize("kind", ["tournament", "ladder"])
def test_standings_have_rating_interval_and_games_and_no_crosstable(run_of, kind):
    folder = run_of(kind)
    standings = json.loads((folder / "results.json").read_text())["standings"]
    text = written(folder)
    found = rows(text, "Agent", "Elo", "Games")
    assert [row[0] for row in found] == [f"{place}. {row['agent']}" for place, row in enumerate(standings, start=1)]
    assert all(re.fullmatch(r"\d+ \((\d+ to \d+|anchor)\)", row[1].replace(MINUS, "")) and row[2] == "16" for row in found)
    assert "Crosstable" not in text


def test_evaluation_has_both_intervals(run_of):
    text = written(run_of("evaluate"))
    assert "431 Elo (95 %: 380 to 482, with the ladder's own error 350 to 512)" in text
    assert [row[0] for row in rows(text, "Against", "Rung")] == ["alphabeta:depth=4", "greedy", "random"]


def test_table_without_rows_is_its_caption(run_of):
    folder = run_of("evaluate")
    results = json.loads((folder / "results.json").read_text())
    (folder / "results.json").write_text(json.dumps({**results, "losses": {}}))
    assert "**Kinds of loss: 0 of 18 games were lost**\n\nElo above random play" in written(folder)


def test_ablation_has_claims_and_depths(run_of):
    text = written(run_of("ablation"))
    assert (
        "- Holds: one ply deeper: **+1.00 plies** (95 %: +1.00 to +1.00, 3 games): no killers minus no table; claimed: at least 0.5\n"
        in text
    )
    found = rows(text, "Configuration", "Depth", "95 % interval")
    assert [row[0].partition(" (")[0] for row in found] == ["full", "no table", "no killers"]
    assert [row[1] for row in found] == ["4.33", "5.33", "6.33"]


def test_tuning_has_weights_and_the_final_match(run_of):
    text = written(run_of("tune"))
    assert rows(text, "Weight", "Start")[0] == ["short_1", "61", "21"]
    assert [(*row[:2], row[3]) for row in rows(text, "Agent", "Against")] == [("tuned weights", "start weights", "12")]


def test_benchmark_has_plies_a_second_and_ratios(run_of):
    found = rows(written(run_of("bench")), "Package", "Game")
    assert found[0][:2] == ["OpenSpiel (1.2.3)", "ConnectFour"]
    assert found[0][-1] == "0.1"


def test_matches_of_a_series_share_a_table_and_others_have_their_own(tmp_path, match_run, train_run, write_run):
    match_run(tmp_path / "1-a")
    train_run(tmp_path / "2-b")
    match_run(tmp_path / "10-c", game="TicTacToe")
    text = written(write_run(tmp_path, results={"kind": "series", "runs": ["1-a", "2-b", "10-c"]}, kind="series"))
    found = [(*row[:3], row[-1]) for row in rows(text, "Run", "Agent")]
    assert found == [("1-a", "alpha", "beta", "ConnectFour"), ("10-c", "alpha", "beta", "TicTacToe")]
    assert [line for line in text.splitlines() if line.startswith("#")] == [f"## {tmp_path.name}", "### 2-b"]


def test_sweep_has_its_table(tmp_path, match_run, write_run):
    for place, (depth, seed) in enumerate(itertools.product((1, 2), (0, 1)), start=1):
        match_run(tmp_path / f"{place}-x", config=f"kind: match\ndepth: {depth}\nseed: {seed}\n")
    text = written(write_run(tmp_path, results={"kind": "series", "runs": []}, kind="series"))
    assert [row[:2] for row in rows(text, "depth", "Runs")] == [["1", "2"], ["2", "2"]]


def test_warnings_and_missing_ends_are_told(tmp_path, random_games, write_run, tournament_run):
    games = [{**game, "moves": random_games(1)[0]["moves"]} for game in random_games(12)]
    assert "**Warning:** only 1 of 12 games" in written(write_run(tmp_path / "same", games, match_of(games, ("alpha", "beta"))))
    assert f"{ORIGIN}, not finished)" in written(write_run(tmp_path / "cut", random_games(7), finished=None))
    forfeited = written(tournament_run(tmp_path / "forfeits", forfeits=1))
    assert (
        "**Warning:** 3 games were forfeited by 2 of 3 agents. alpha lost 2 by an illegal move; beta lost 1 by an illegal move\n"
        in forfeited
    )
    assert "No game has been finished yet." in written(write_run(tmp_path / "empty", finished=None))


def test_names_are_no_marks(tmp_path, match_run):
    evil = "a|b <script>x</script> &amp; *x* _x_ `x` [x](y) \\| window_scan __main__:f ~x~"
    text = written(match_run(tmp_path / "evil", agents=(evil, "beta")))
    assert rows(text, "Agent", "Against")[0][0] == evil
    assert "~" not in text  # which GitHub strikes out, as Python's Markdown does not


def test_command_writes_several_runs_one_below_the_other(tmp_path, match_run, command_line):
    match_run(tmp_path / "one")
    match_run(tmp_path / "two")
    assert command_line("report", "one", "two", "--out", "both.md") == (0, ["report: both.md"], [])
    assert re.findall(r"^## .*", (tmp_path / "both.md").read_text(encoding="utf-8"), re.M) == ["## one", "## two"]
