"""Logs that are damaged or of another run: each line is held against its task before a game is played, in reports against its shape."""

import json

import pytest
from sparring.envs.rules.errors import SparringError
from sparring.experiments.commands.export import export_sgf
from sparring.experiments.files import read_json, write_json
from sparring.experiments.games.log import GamesLogError
from sparring.experiments.kinds import checked, load
from sparring.experiments.pages import write_report
from sparring.experiments.run import run
from sparring.experiments.run_folder import RunFolder

HERE = {"executor": {"workers": 0}}
MATCH = {"kind": "match", "game": "TicTacToe", "agents": ["random", "greedy"], "games": 6, "seed": 3, "name": "match", **HERE}
EVALUATE = {"kind": "evaluate", "game": "TicTacToe", "agent": "random", "games": 32, "width": 1, "name": "evaluate", **HERE}
TUNE = {"kind": "tune", "game": "TicTacToe", "agent": "alphabeta:depth=1", "challenges": 2, "games": 4, "final_games": 4, "name": "tune"}
CONFIGURATIONS = {"no table": {"table_mib": 0}}
ABLATION = {
    "kind": "ablation",
    "game": "TicTacToe",
    "agent": "alphabeta:depth=2",
    "configurations": CONFIGURATIONS,
    "positions": {"games": 2, "player": "random", "opening_plies": 2},
    "name": "ablation",
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Folders of finished runs by kind."""
    path = tmp_path_factory.mktemp("runs")
    configs = (MATCH, EVALUATE, TUNE, ABLATION)
    return {config["kind"]: run(checked(config), path / config["kind"]).path for config in configs}


@pytest.fixture
def again(folders, tmp_path):
    """Returns a function that copies the folder of a run as if it had been broken off, with the lines of its log changed."""

    def copy(kind, change, torn=True):
        folder = tmp_path / kind
        folder.mkdir()
        for file in folders[kind].iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
        log = folder / ("searches.jsonl" if kind == "ablation" else "games.jsonl")
        lines = change([json.loads(line) for line in log.read_text().splitlines()])
        log.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
        record = RunFolder(folder).record
        write_json(record, {**read_json(record), "finished": None})
        RunFolder(folder).results.unlink()
        return folder, log

    return copy


def refusal(call, log):
    """Returns what a call is refused with: one line, the log as it was."""
    before = log.read_bytes()
    with pytest.raises(SparringError) as caught:
        call()
    assert log.read_bytes() == before, "no game may be played"
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 500
    return message


def with_second(**changes):
    return lambda games: [games[0], {**games[1], **changes}, *games[2:4]]


def without(key):
    return lambda games: [games[0], {name: value for name, value in games[1].items() if name != key}, *games[2:4]]


OF_ANOTHER_TASK = [
    (with_second(seed=12345), "seed: expected"),
    (with_second(id=99999), "id: expected that of a game of this run, got 99999"),
    (with_second(id=-1), "id: expected that of a game of this run, got -1"),
    (with_second(id=5), "pair: expected 2, got 0"),
    (with_second(first="nobody"), "first: expected"),
    (with_second(pair=7), "pair: expected 0, got 7"),
    (with_second(stage="final"), "stage: expected None, got 'final'"),
    (with_second(game={"id": "sparring/TicTacToe-v0", "parameters": {}}), "game: expected"),
    (with_second(plies=3), "plies: expected"),
    (with_second(scores=[1], depths=[1]), "scores: expected"),
    (with_second(moves="a1 b1 c1", plies=3, scores=None, depths=None), "moves: expected the opening"),
]
DAMAGED = [
    (lambda games: [games[0], {"id": 7}], ""),
    (with_second(seconds=None), "seconds: expected a list, got None"),
    (with_second(seconds=[1, "x"]), "seconds.1: expected a number, got 'x'"),
    (with_second(seconds=[1, float("nan")]), "seconds.1: expected a finite number, got nan"),
    (with_second(result="third"), "result: expected 'first', 'second' or 'draw', got 'third'"),
    (with_second(termination="crash"), "reason: missing"),
    (with_second(plies=10**15), "plies: expected at most 1024, got 1000000000000000"),
    (with_second(moves=None), "moves: expected text, got None"),
    (with_second(game=None), "game: expected"),
    (with_second(game={"id": "Chess", "parameters": {}}), "game: unknown game 'Chess'"),
    (without("seed"), "seed: missing"),
    (lambda games: [games[0], {**games[1], "sceds": 1}], "sceds: unknown key"),
]


@pytest.mark.parametrize(("change", "told"), OF_ANOTHER_TASK + DAMAGED)
def test_an_entry_that_is_not_of_its_task_ends_the_run_before_a_game_is_played(again, change, told):
    folder, log = again("match", change)
    message = refusal(lambda: run(load(folder / "config.yaml"), folder), log)
    assert message.startswith(f"{log}:2: {told}")


@pytest.mark.parametrize("line", ["[" * 100_000, '{"id": 1' + "0" * 5000 + "}", '{"id": true}', "\ud800" * 3])
def test_a_line_that_is_no_entry(again, line):
    folder, log = again("match", lambda games: [games[0], games[1]])
    log.write_bytes(log.read_bytes() + line.encode(errors="surrogatepass") + b"\n")
    for call in (lambda: run(load(folder / "config.yaml"), folder), lambda: write_report(folder), lambda: export_sgf(folder)):
        assert f"{log}:3: expected a game as JSON with an id" in refusal(call, log)


@pytest.mark.parametrize(("change", "told"), DAMAGED)
@pytest.mark.parametrize("use", [write_report, export_sgf])
def test_reports_and_exports_name_the_line_of_a_damaged_entry(again, use, change, told):
    folder, log = again("match", change)
    assert refusal(lambda: use(folder), log).startswith(f"{log}:2: {told}")


@pytest.mark.parametrize("use", [write_report, export_sgf])
def test_moves_that_the_rules_forbid(again, use):
    def occupied_cells(games):
        return [games[0], {**games[1], "moves": "a1 a1 a1 a1 a1", "plies": 5, "opening": 0, "scores": None, "depths": None}]

    folder, log = again("match", occupied_cells)
    assert refusal(lambda: use(folder), log).startswith(f"{log}: game 1: illegal move 'a1'")


@pytest.mark.parametrize("kind", ["evaluate", "tune"])
def test_runs_whose_games_decide_what_is_played_next(again, kind):
    folder, log = again(kind, lambda games: [{**games[0], "seed": 1}, *games[1:3]])
    assert ":1: seed: expected" in refusal(lambda: run(load(folder / "config.yaml"), folder), log)


@pytest.mark.parametrize("kind", ["evaluate", "tune"])
def test_games_beyond_those_that_can_have_been_played(again, kind):
    folder, log = again(kind, lambda games: [*games[:3], games[-1] | {"id": 99}])
    assert ":4: id: expected that of a game of this run, got 99" in refusal(lambda: run(load(folder / "config.yaml"), folder), log)


@pytest.mark.parametrize(
    ("changes", "told"),
    [({"configuration": "other"}, "configuration: expected"), ({"searches": None}, "searches: expected a list"), ({"id": 9}, "id: ")],
)
def test_searches_of_another_run(again, changes, told):
    folder, log = again("ablation", lambda entries: [entries[0], {**entries[1], **changes}])
    assert f"{log}:2: {told}" in refusal(lambda: run(load(folder / "config.yaml"), folder), log)


@pytest.mark.parametrize("line", ["{}", "[", '{"timesteps": "x"}', "null"])
def test_a_damaged_curve(train_run, tmp_path, line):
    folder = train_run(tmp_path / "run")
    with (folder / "curve.jsonl").open("a") as curve:
        curve.write(f"{line}\n")
    with pytest.raises(GamesLogError, match=r"curve\.jsonl:7: "):
        write_report(folder)


def test_a_run_whose_entries_are_all_of_its_tasks_goes_on(again, folders):
    for kind in folders:
        folder, log = again(kind, lambda entries: entries[: len(entries) // 2])
        before = log.read_text()
        run(load(folder / "config.yaml"), folder)
        assert log.read_text().startswith(before)
        ids = [sorted(json.loads(line)["id"] for line in (path / log.name).read_text().splitlines()) for path in (folder, folders[kind])]
        assert ids[0] == ids[1]
