"""Ablations and benchmarks: what they measure, what they conclude, and that nothing finished is lost."""

import json

import pytest
from sparring import Position
from sparring.experiments.config.parts import game_of
from sparring.experiments.kinds import load
from sparring.experiments.kinds.ablation.config import AblationConfig, Claim, Sample
from sparring.experiments.kinds.ablation.run import ablation_results, sample_games, sampled_plies, stage_of, verdict
from sparring.experiments.statistics.mean import Mean, mean_interval

from .results import plain

ABLATION = """
kind: ablation
game: ConnectFour
agent: alphabeta:depth=4
configurations:
  minimax: {method: minimax, table_mib: 0}
  shallow: {depth: 2}
  chance: {name: random}
positions: {games: 3, every: 3}
claims:
  - {text: four is deeper than two, less: shallow, at_least: 2}
  - {text: minimax is deeper, more: minimax, at_least: 1}
"""


@pytest.fixture
def sparring(command_line, tmp_path):
    """Returns the command line in an empty folder with `ablation.yaml`."""
    (tmp_path / "ablation.yaml").write_text(ABLATION)
    return command_line


def test_an_ablation_tells_what_each_part_is_worth(sparring, tmp_path):
    code, out, err = sparring("run", "ablation.yaml", "--out", "here")
    assert (code, err) == (0, [])
    assert "ablation: full: depth 4.00" in out
    assert "ablation: holds: four is deeper than two: +2.00 plies (95 %: +2.00 to +2.00)" in out
    assert "ablation: fails: minimax is deeper: +0.00 plies (95 %: +0.00 to +0.00)" in out
    results = json.loads((tmp_path / "here" / "results.json").read_text())
    full, minimax = results["configurations"]["full"], results["configurations"]["minimax"]
    assert full["agreement"]["value"] == 1
    assert minimax["nodes"] > full["nodes"]
    assert full["branching"] < minimax["branching"] <= 7
    assert results["claims"][0]["found"] == {"value": 2.0, "low": 2.0, "high": 2.0, "measurements": 3}
    page = (tmp_path / "here" / "report.html").read_text()
    assert page.count("<svg") == 4
    assert "Holds:</strong> four is deeper than two" in page
    assert "Does not hold:</strong> minimax is deeper" in page


def test_a_cut_off_ablation_searches_only_what_is_missing(sparring, tmp_path):
    sparring("run", "ablation.yaml", "--out", "here")
    log, record = tmp_path / "here" / "searches.jsonl", tmp_path / "here" / "run.json"
    whole = log.read_bytes()
    kept = b"".join(whole.splitlines(keepends=True)[:5])
    log.write_bytes(kept + whole[len(kept) : len(kept) + 20])
    record.write_text(json.dumps(json.loads(record.read_text()) | {"finished": None}))
    before = json.loads((tmp_path / "here" / "results.json").read_text())
    code, _, _ = sparring("run", "here")
    assert code == 0
    assert log.read_bytes().startswith(kept)
    assert log.read_bytes().count(b"\n") == whole.count(b"\n") == 12
    after = json.loads((tmp_path / "here" / "results.json").read_text())
    assert after["claims"] == before["claims"]
    assert [row["nodes"] for row in after["configurations"].values()] == [row["nodes"] for row in before["configurations"].values()]


def test_an_unfinished_ablation_has_a_page(sparring, tmp_path):
    from sparring.experiments.pages import write_report

    sparring("run", "ablation.yaml", "--out", "here")
    (tmp_path / "here" / "results.json").unlink()
    assert "12 searched games so far" in write_report(tmp_path / "here").read_text()


@pytest.mark.parametrize(
    ("override", "message"),
    [
        (
            "claims.0.less=shalow",
            "claims.0.less: unknown configuration 'shalow'; expected one of full, minimax, shallow, chance; did you mean",
        ),
        ("configurations.minimax.method=best", "configurations.minimax: agent 'alphabeta': method: expected one of pvs"),
        ("claims.0.at_least=null", "claims.0: expected at_least, at_most or both"),
        ("configurations.full={}", "configurations.full: expected another name than 'full', which is the agent itself"),
        ("positions.games=1", "positions.games: "),
    ],
)
def test_mistakes_name_their_place(sparring, override, message):
    code, _, err = sparring("run", "ablation.yaml", override)
    assert (code, len(err)) == (2, 1)
    assert message in err[0]


def test_positions_are_those_of_one_side():
    config = AblationConfig.model_validate({"game": "Gomoku:size=9", "agent": "greedy", "configurations": {"other": {"name": "random"}}})
    game = game_of(config.game)
    lines = sample_games(game, Sample(games=4, player={"name": "greedy"}, opening_plies=3), 7)
    assert lines == sample_games(game, Sample(games=4, player={"name": "greedy"}, opening_plies=3), 7)
    for number, line in enumerate(lines):
        position = Position(game)
        for move in line:
            position.push(move)
        assert position.is_over
        plies = sampled_plies(line, number, Sample(opening_plies=3, every=2))
        assert min(plies) >= 3
        assert {ply % 2 for ply in plies} == {number % 2}


def test_settled_positions_do_not_count():
    config = load_ablation()
    row = {"evaluations": 0, "table_hits": 0, "seconds": 0.1, "move": 3}
    searches = [
        {"ply": 4, "depth": 6, "nodes": 60, "settled": False, "depths": [[5, 20, 0.1, 0, 3], [6, 60, 0.1, 0, 3]], **row},
        {"ply": 6, "depth": 2, "nodes": 9, "settled": True, "depths": [[2, 9, 0.1, 0, 3]], **row},
    ]
    entries = [
        {"configuration": name, "game_number": number, "plies": 9, "searches": searches} for name in config.specs() for number in range(3)
    ]
    full = plain(ablation_results(config, entries))["configurations"]["full"]
    assert (full["depth"]["value"], full["settled"], full["branching"]) == (6.0, 3, pytest.approx(3))
    assert full["stages"]["middle"]["value"] == 6.0
    assert full["stages"]["late"] is None


def load_ablation():
    return AblationConfig.model_validate(
        {"game": "ConnectFour", "agent": "alphabeta:depth=4", "configurations": {"shallow": {"depth": 2}}, "claims": []}
    )


@pytest.mark.parametrize(
    ("bounds", "interval", "expected"),
    [
        ({"at_least": 1}, (1.0, 2.0), "holds"),
        ({"at_least": 1}, (0.5, 2.0), "open"),
        ({"at_least": 1}, (0.2, 0.9), "fails"),
        ({"at_least": 1, "at_most": 3}, (1.5, 2.5), "holds"),
        ({"at_least": 1, "at_most": 3}, (2.5, 3.5), "open"),
        ({"at_most": 0.5}, (0.6, 0.7), "fails"),
        ({"at_least": 1, "at_most": 2}, (0.5, 3.5), "open"),
        ({"at_most": 0.5}, (None, None), "open"),
    ],
)
def test_a_claim_holds_if_its_whole_interval_does(bounds, interval, expected):
    assert verdict(Claim(text="", **bounds), Mean(0.0, *interval, 5)) == expected


def test_mean_interval():
    assert mean_interval([1, 2, 3]) == pytest.approx((2, 2 - 4.303 / 3**0.5, 2 + 4.303 / 3**0.5, 3), abs=1e-3)
    assert mean_interval([5.0]) == (5, None, None, 1)


def test_stages_are_thirds():
    assert [stage_of(ply, 9) for ply in range(9)] == ["early"] * 3 + ["middle"] * 3 + ["late"] * 3


def test_a_benchmark_tells_nodes_a_second(sparring, tmp_path):
    (tmp_path / "bench.yaml").write_text(
        "kind: bench\nrepeats: 2\nsearches:\n  four: {game: ConnectFour, agent: 'alphabeta:nodes=20000', claim: 0.000001}\n"
    )
    code, out, err = sparring("run", "bench.yaml", "--out", "here")
    assert (code, err) == (0, [])
    assert out[1].startswith("bench: four: ")
    row = json.loads((tmp_path / "here" / "results.json").read_text())["searches"]["four"]
    assert 0 < row["worst"] <= row["best"]
    assert "1 of 1 goals reached" in (tmp_path / "here" / "report.html").read_text()


def test_a_benchmarks_mistakes_name_their_place(sparring, tmp_path):
    (tmp_path / "bench.yaml").write_text("kind: bench\nsearches:\n  four: {game: ConnectFour, agent: greedy, position: '9'}\n")
    code, _, err = sparring("run", "bench.yaml")
    assert (code, len(err)) == (2, 1)
    assert "searches.four.position: " in err[0]


def test_shipped_configs_of_searches_are_sound():
    from pathlib import Path

    root = Path(__file__).parents[2] / "configs"
    for path in [*root.glob("ablation/*.yaml"), *root.glob("bench/*.yaml")]:
        assert load(path).kind in ("ablation", "bench", "series")
