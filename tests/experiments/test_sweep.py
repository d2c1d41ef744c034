"""Sweeps: overrides that stand for several values, the series of all their combinations, and runs that go on."""

import json

import pytest
import yaml
from sparring.envs.rules.errors import ConfigError
from sparring.experiments.config.sweep import variants
from sparring.experiments.games.log import read_games
from sparring.experiments.kinds import load
from sparring.experiments.kinds.series import load_swept
from sparring.experiments.run_folder import default_folder

MATCH = "kind: match\ngame: TicTacToe\nagents: [alphabeta:depth=1, random]\ngames: 4\nopening_plies: 1\nexecutor: {workers: 0}\n"


@pytest.fixture
def config(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "match.yaml").write_text(MATCH)
    return tmp_path / "match.yaml"


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("seed=3", ["seed=3"]),
        ("seed=0..2", ["seed=0", "seed=1", "seed=2"]),
        ("seed=2..2", ["seed=2"]),
        ("seed=-1..1", ["seed=-1", "seed=0", "seed=1"]),
        ("seed=0..1,7", ["seed=0", "seed=1", "seed=7"]),
        ("agents.0.depth=2, 4", ["agents.0.depth=2", "agents.0.depth=4"]),
        ("agents.0=greedy,random", ["agents.0=greedy", "agents.0=random"]),
        ("agents.0=alphabeta:depth=2,nodes=100", ["agents.0=alphabeta:depth=2,nodes=100"]),
        ("agents=[greedy, random]", ["agents=[greedy, random]"]),
        ("executor={name: ray, workers: 2}", ["executor={name: ray, workers: 2}"]),
        ("move_seconds=0.5,null", ["move_seconds=0.5", "move_seconds=null"]),
        ("opening_file='a,b.txt'", ["opening_file='a,b.txt'"]),
        ("opening_file=../a..b", ["opening_file=../a..b"]),
        ("seed", ["seed"]),
        ("seed=", ["seed="]),
    ],
)
def test_what_an_override_stands_for(override, expected):
    assert variants(override) == expected


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["seed=3..1"], "override 'seed=3..1': expected a range from a lower to a higher number, of up to 1000, got 3..1"),
        (["seed=0..999999999"], "of up to 1000, got 0..999999999"),
        (["seed=0..199", "games=2,4", "opening_plies=0..20,0..20"], "expected a series of up to 1000 runs, got 16800"),
        (["seed=1,,2"], "override 'seed=1,,2': expected a value between any two commas"),
        (["seed=1,"], "override 'seed=1,': expected a value between any two commas"),
        (["seed=-1..1"], "override 'seed=-1': seed: expected at least 0, got -1"),
        (["games=2,3"], "override 'games=3': games: expected a multiple of 2, got 3"),
        (["gmes=2,4"], "override 'gmes=2': gmes: unknown key 'gmes'"),
        (["agents.0.dpth=2,4"], "override 'agents.0.dpth=2': agents.0.dpth: "),
    ],
)
def test_mistakes_are_one_line(config, command_line, overrides, message):
    code, out, errors = command_line("run", str(config), *overrides)
    assert (code, out, len(errors)) == (2, [], 1)
    assert message in errors[0]


def test_a_series_of_a_series_is_refused(tmp_path):
    (tmp_path / "series.yaml").write_text("kind: series\nruns: [{kind: match, game: TicTacToe, agents: [random, random], games: 2}]\n")
    with pytest.raises(ConfigError, match="expected a kind that a series can hold, got 'series'"):
        load_swept(tmp_path / "series.yaml", ["seed=1,2"])
    assert load_swept(tmp_path / "series.yaml", ["seed=1"]).kind == "series"


@pytest.mark.parametrize("letters", [69, 76, 80, 120])
def test_a_config_with_a_long_name_can_be_swept(tmp_path, letters):
    path = tmp_path / f"{'m' * letters}.yaml"
    path.write_text(MATCH)
    series = load_swept(path, ["seed=1,2"])
    assert series.name == f"{'m' * min(letters, 70)}-sweep"
    assert [run.seed for run in series.runs] == [1, 2]


def test_two_values_of_two_settings_are_four_runs_that_go_on(config, command_line):
    code, _, errors = command_line("run", str(config), "agents.0.depth=2,4", "seed=0..1")
    assert (code, errors) == (0, [])
    [folder] = (config.parent / "runs").iterdir()
    assert folder.name.startswith("match-sweep-")
    names = [f"{n}-depth-{depth}_seed-{seed}" for n, (depth, seed) in enumerate([(2, 0), (2, 1), (4, 0), (4, 1)], start=1)]
    assert json.loads((folder / "results.json").read_text())["runs"] == names
    assert sorted(path.name for path in folder.iterdir() if path.is_dir()) == names
    for name, (depth, seed) in zip(names, [(2, 0), (2, 1), (4, 0), (4, 1)], strict=True):
        run = yaml.safe_load((folder / name / "config.yaml").read_text())
        assert (run["agents"][0], run["seed"], run["games"]) == ({"name": "alphabeta", "depth": depth}, seed, 4)
        assert len(list(read_games(folder / name / "games.jsonl"))) == 4

    before = {name: (folder / name / "games.jsonl").read_bytes() for name in names}
    for path in (folder, folder / names[2]):
        record = json.loads((path / "run.json").read_text())
        (path / "run.json").write_text(json.dumps({**record, "finished": None}))
    (folder / names[2] / "games.jsonl").write_bytes(b"".join(before[names[2]].splitlines(keepends=True)[:1]))
    code, _, errors = command_line("run", str(config), "agents.0.depth=2,4", "seed=0..1")
    assert (code, errors, len(list((config.parent / "runs").iterdir()))) == (0, [], 1)
    for name in names:
        same = [json.loads(line) | {"seconds": None} for line in before[name].splitlines()]
        assert [game | {"seconds": None} for game in read_games(folder / name / "games.jsonl")] == same


def test_a_sweep_goes_on_with_another_executor(config, command_line):
    assert command_line("run", str(config), "seed=0..1", "--out", "sweep")[0] == 0
    for path in (config.parent / "sweep", config.parent / "sweep" / "2-seed-1"):
        record = json.loads((path / "run.json").read_text())
        (path / "run.json").write_text(json.dumps({**record, "finished": None}))
    (config.parent / "sweep" / "2-seed-1" / "games.jsonl").unlink()
    code, _, errors = command_line("run", "sweep", "executor.workers=1")
    assert (code, errors) == (0, [])
    assert load(config.parent / "sweep" / "config.yaml", ["executor.workers=1"]).runs[1].executor.workers == 1


def test_long_names_differ(config):
    weights = ",".join(str(n) for n in range(100, 104))
    runs = load_swept(config, [f"agents.0.weights.{name}={weights}" for name in ("short_1", "short_2", "short_3")]).runs
    assert len({run.name for run in runs}) == len(runs) == 64
    assert all(len(run.name) <= 80 for run in runs)


def test_where_games_are_played_is_no_part_of_what_a_run_is(config, command_line):
    words = ("executor.workers=1", "executor.name=local")
    assert {default_folder(load(config, [word])) for word in words} == {default_folder(load(config))}
    assert default_folder(load(config, ["seed=1"])) != default_folder(load(config))
    assert command_line("run", str(config), "--out", "run")[0] == 0
    before = (config.parent / "run" / "games.jsonl").read_bytes()
    record = json.loads((config.parent / "run" / "run.json").read_text())
    (config.parent / "run" / "run.json").write_text(json.dumps({**record, "finished": None}))
    (config.parent / "run" / "games.jsonl").write_bytes(before.splitlines(keepends=True)[0])
    code, _, errors = command_line("run", "run", "executor.workers=1")
    assert (code, errors) == (0, [])
    assert len(list(read_games(config.parent / "run" / "games.jsonl"))) == 4
    for word in ("seed=1", "games=6", "executor={workers: 1}", "name=x"):
        code, _, errors = command_line("run", "run", "executor.workers=1", word)
        assert (code, len(errors)) == (2, 1)
        assert errors[0].startswith("run: a run keeps its config and its folder; only executor settings can change, got ")
    code, _, errors = command_line("run", "run", "executor.workers=-1")
    assert (code, errors) == (2, ["override 'executor.workers=-1': executor.workers: expected at least 0, got -1"])
