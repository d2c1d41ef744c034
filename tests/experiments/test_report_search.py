"""The report pages of ablations, benchmarks and tunings: what they say of their results."""

import json
import re

import pytest
from sparring.experiments.kinds.ablation.charts import nodes_chart, open_searches
from sparring.experiments.kinds.ablation.results import ClaimResult
from sparring.experiments.kinds.ablation.section import claims_text, signed
from sparring.experiments.pages import write_report

CLAIMS = (
    {"text": "killers cost nothing", "more": "full", "less": "no killers", "at_least": 1},
    {"text": "the table helps", "more": "no killers", "less": "full", "at_least": 0.5, "at_most": 3},
    {"text": "depth grows", "more_stage": "late", "less_stage": "early", "at_least": 1},
)


def page_of(folder):
    """Returns the text of a report without its tags."""
    html = write_report(folder).read_text(encoding="utf-8").replace("<wbr>", "")
    return re.sub(r"\s+", " ", re.sub(r"<(style|script|svg).*?</\1>|<[^>]+>", " ", html, flags=re.DOTALL))


def test_claims_come_with_numbers_and_before_all_else(tmp_path, ablation_run):
    text = page_of(ablation_run(tmp_path / "switches", claims=CLAIMS))
    assert (
        "Of 3 claims 1 holds, 1 does not hold and 1 is undecided; 3 configurations on 6 positions reach 4.33 plies (full) to 6.33" in text
    )
    assert "Does not hold: killers cost nothing \N{MINUS SIGN}2.00 plies (95 %:" in text
    assert "3 games): full minus no killers; claimed: at least 1" in text
    assert "claimed: at least 0.5 and at most 3" in text
    assert "full (late third) minus full (early third); claimed: at least 1" in text
    order = [text.index(words) for words in ("Of 3 claims", "Undecided: depth grows", "What each configuration reached", "Git commit")]
    assert order == sorted(order)


def test_an_ablation_without_claims_says_what_was_reached(tmp_path, ablation_run):
    text = page_of(ablation_run(tmp_path / "switches"))
    assert "3 configurations on 6 positions reach 4.33 plies (full) to 6.33 (no killers)." in text
    assert "full is alphabeta:nodes=100" in text


def test_a_search_that_did_not_finish_a_depth_counts_as_a_longer_one():
    quick, slow = ({"depths": [[1, nodes, 0.1, 0, 3], [2, 2 * nodes, 0.2, 0, 3]]} for nodes in (10, 30))
    slower = {"depths": [[1, 50, 0.1, 0, 3]]}
    assert "full 60 at the end" in nodes_chart({"full": [quick, slow, slower]}, "nodes")
    assert "full 50 at the end" in nodes_chart({"full": [quick, slower, slower]}, "nodes")


def test_charts_show_positions_that_no_configuration_saw_to_the_end():
    entries = [
        {"configuration": name, "game_number": 0, "searches": [{"ply": ply, "settled": name == "other" and ply == 4} for ply in (4, 6)]}
        for name in ("full", "other")
    ]
    assert {name: [search["ply"] for search in some] for name, some in open_searches(entries, ["full", "other"]).items()} == {
        "full": [6],
        "other": [6],
    }


def test_a_tuning_calls_its_agents_by_short_names_and_replays_the_final_match(tmp_path, tune_run):
    folder = tune_run(tmp_path / "weights")
    results = json.loads((folder / "results.json").read_text())
    text = page_of(folder)
    assert "1 of 4 changes were kept; with them the agent scores" in text
    assert "against its start over 12 games: no difference is shown." in text
    assert results["final"][0]["agents"][0] not in text
    assert "Outcomes for tuned weights by seat" in text
    html = (folder / "report.html").read_text(encoding="utf-8")
    [replay] = map(json.loads, re.findall(r'<script type="application/json">(.*?)</script>', html))
    assert {name for game in replay["games"] for name in (game["first"], game["second"])} == {"tuned weights", "start weights"}
    assert replay["total"] == 12


def test_a_tuning_that_kept_nothing_and_one_cut_off_have_pages(tmp_path, tune_run):
    folder = tune_run(tmp_path / "weights")
    results = json.loads((folder / "results.json").read_text())
    (folder / "results.json").write_text(json.dumps(results | {"kept": [], "final": [], "weights": results["start"]}))
    text = page_of(folder)
    assert "None of 4 changes was kept." in text
    assert "There is no game to replay." in text
    (folder / "results.json").unlink()
    assert "14 games of challenges so far." in page_of(folder)


def test_a_benchmark_says_which_goals_were_reached(tmp_path, write_run):
    row = {"game": {"id": "sparring/ConnectFour-v0", "parameters": {}}, "agent": "best:nodes=9", "best": 3e6, "median": 2.5e6, "worst": 2e6}
    searches = {"quick": {**row, "claim": 3e6}, "slow": {**row, "claim": 4e6}, "free": {**row, "claim": None}}
    text = page_of(write_run(tmp_path / "speeds", results={"kind": "bench", "searches": searches, "warnings": []}, kind="bench"))
    assert "3 searches timed; 1 of 2 goals reached." in text
    for words in ("quick best:nodes=9 3 2.5 2 1 3 yes", "2 1 4 no", "2 1 \N{EM DASH} \N{EM DASH}"):
        assert words in text


def test_a_benchmark_holds_other_packages_at_their_best_size_against_ours(tmp_path, bench_run):
    text = page_of(bench_run(tmp_path / "speeds"))
    ours = {games: 3e4 * games**0.8 for games in (1, 256, 8192)}
    assert "12 environments timed; 1 of 2 goals reached." in text
    assert f"OpenSpiel 1.2.3 ConnectFour 1 0.3 {ours[8192] / 3e5:.3g} {ours[1] / 3e5:.3g} PettingZoo" in text
    assert f"pgx 1.2.3 ConnectFour 256 2 {ours[8192] / 2e6:.3g} {ours[256] / 2e6:.3g} " in text
    assert f"PettingZoo 1.2.3 ConnectFour 1 0.006 {ours[8192] / 6e3:,.0f} 5 pgx" in text
    assert "256 games in a batch in pgx 1.2.3" in text


def test_ratios_are_to_the_first_row_of_the_same_game_and_opponent(tmp_path, bench_run):
    text = page_of(bench_run(tmp_path / "speeds"))
    assert re.search(r"8 single games against random 0.004 0.0036 0.0028 0.133 ", text)
    assert re.search(r"024 games in a batch against random 4 3.6 2.8 1 5 no", text)
    assert re.search(r"against alphabeta:depth=6 0.2 0.18 0.14 1 0.1 yes", text)


def test_a_package_that_is_not_installed_is_said_to_be_missing(tmp_path, bench_run):
    folder = bench_run(tmp_path / "speeds", missing=("pgx", "openspiel"))
    text = page_of(folder)
    dash = "\N{EM DASH}"
    assert "9 environments timed" in text
    assert f"OpenSpiel not installed: pip install &#39;sparring[peers]&#39; ConnectFour {dash} {dash} {dash} {dash} PettingZoo" in text
    assert f"Connect Four, pgx, 256 not installed: pip install &#39;sparring[peers]&#39; {dash} {dash} {dash} {dash}" in text
    [spoken] = re.findall(r'aria-label="(ConnectFour, plies a second[^"]*)"', (folder / "report.html").read_text(encoding="utf-8"))
    assert "PettingZoo" in spoken
    assert "pgx" not in spoken


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        ([], ""),
        (["fails"], "The claim does not hold; "),
        (["open"], "The claim is undecided; "),
        (["holds", "holds"], "Of 2 claims 2 hold; "),
    ],
)
def test_claims_are_counted_in_words(verdicts, words):
    assert claims_text([ClaimResult(text="", found=None, verdict=verdict) for verdict in verdicts]) == words


def test_differences_have_their_sign():
    assert [signed(value) for value in (-0.5, 0, 1.234)] == ["\N{MINUS SIGN}0.50", "+0.00", "+1.23"]
