"""Tuning: what it changes and keeps, and that a cut-off tuning ends as an undisturbed one does."""

import json

import pytest
from sparring.experiments.kinds.tune.config import TuneConfig
from sparring.experiments.kinds.tune.run import drawn_change

TUNE = """
kind: tune
game: {id: Isola, width: 5, height: 5}
agent: mobility:depth=1
challenges: 4
games: 10
threshold: 0.4
step: 0.5
final_games: 20
"""


@pytest.fixture
def sparring(command_line, tmp_path):
    """Returns the command line in an empty folder with `tune.yaml`."""
    (tmp_path / "tune.yaml").write_text(TUNE)
    return command_line


def test_a_tuning_keeps_what_its_games_favour(sparring, tmp_path):
    code, out, err = sparring("run", "tune.yaml", "--out", "here")
    assert (code, err) == (0, [])
    results = json.loads((tmp_path / "here" / "results.json").read_text())
    assert results["start"] == {"theirs": 3}
    weights = dict(results["start"])
    for change in results["kept"]:
        assert change["score"] >= 0.4
        assert change["from"] == weights[change["weight"]]
        weights[change["weight"]] = change["to"]
    assert results["kept"]
    assert weights == results["weights"]
    assert results["final"][0]["games"] == 20
    assert out[1:3] == [f"tune: weights theirs={weights['theirs']}", f"tune: {len(results['kept'])} of 4 changes kept"]
    assert out[3].startswith("tune: against the start: 0.")
    page = (tmp_path / "here" / "report.html").read_text()
    assert f"{len(results['kept'])} of 4 changes were kept" in page
    assert "Changes that were kept" in page
    games = (tmp_path / "here" / "games.jsonl").read_bytes()
    assert games.count(b"\n") == 4 * 10 + 20

    record = tmp_path / "here" / "run.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"finished": None}))
    (tmp_path / "here" / "games.jsonl").write_bytes(b"".join(games.splitlines(keepends=True)[:25]))
    sparring("run", "here")
    again = json.loads((tmp_path / "here" / "results.json").read_text())
    assert (again["weights"], again["kept"]) == (results["weights"], results["kept"])


def test_changes_are_by_the_step_and_at_least_one():
    config = TuneConfig.model_validate({"game": "Isola", "agent": "mobility:depth=1", "step": 0.3})
    for value, change in ((100, 30), (-10, 3), (1, 1), (0, 1)):
        values = {drawn_change({"only": value}, config, number) for number in range(20)}
        assert values == {("only", value - change), ("only", value + change)}


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("agent=greedy", "agent: expected an agent with an evaluation, got 'greedy'"),
        ("agent=mobility:weights.mine=2", "agent: agent 'mobility': weights: unknown weight 'mine'; expected one of theirs"),
        ("weights=[ours]", "weights.0: unknown weight 'ours'; expected one of theirs"),
    ],
)
def test_mistakes_name_their_place(sparring, override, message):
    code, _, err = sparring("run", "tune.yaml", override)
    assert (code, len(err)) == (2, 1)
    assert message in err[0]
