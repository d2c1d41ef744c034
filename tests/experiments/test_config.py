"""Configs: what they fill in, what they take over, and that every mistake names its place."""

from pathlib import Path

import pytest
from sparring.envs.registration import GAMES
from sparring.envs.rules.errors import ConfigError
from sparring.experiments.config.file import dump
from sparring.experiments.kinds import KINDS, load

MATCH = """\
kind: match
game: ConnectFour
agents:
  - greedy
  - name: random
games: 20
"""
TOURNAMENT = "kind: tournament\ngame: ConnectFour\nagents: [random, greedy]\n"
EVALUATE = "kind: evaluate\ngame: ConnectFour\nagent: random\n"
TRAIN = """\
kind: train
game:
  id: ConnectK
  width: 5
  height: 4
  k: 3
opponent: greedy
timesteps: 100_000
algorithm:
  learning_rate: 3e-4
evaluate:
  opponents: [random, greedy]
"""
SERIES = """\
kind: series
seed: 5
games: 40
runs:
  - kind: match
    game: Isola
    agents: [random, greedy]
  - kind: match
    name: own
    seed: 1
    games: 6
    game: Gomoku
    agents: [random, greedy]
  - kind: train
    game: TicTacToe
    opponent: random
    timesteps: 1000
"""


@pytest.fixture
def read(tmp_path: Path):
    """Returns a function that loads a text as `experiment.yaml`, with overrides."""

    def read_text(text: str, *overrides: str):
        path = tmp_path / "experiment.yaml"
        path.write_text(text)
        return load(path, overrides)

    return read_text


@pytest.fixture
def complaint(read, tmp_path: Path):
    """Returns a function that returns the message of a config that cannot be loaded, the folder left out."""

    def complaint_of(text: str, *overrides: str) -> str:
        with pytest.raises(ConfigError) as caught:
            read(text, *overrides)
        return str(caught.value).replace(f"{tmp_path}/", "")

    return complaint_of


def test_openings_are_read_before_the_run(complaint, tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("44\n48\n")
    assert complaint(MATCH + f"opening_file: {path}\n").startswith("experiment.yaml:7: opening_file: openings.txt:2: ")


def test_defaults_and_full_names_are_filled_in(read):
    config = read(MATCH)
    assert config.model_dump() == {
        "kind": "match",
        "name": "experiment",
        "seed": 0,
        "game": {"id": "sparring/ConnectFour-v0"},
        "agents": [{"name": "greedy"}, {"name": "random"}],
        "games": 20,
        "sprt": None,
        "opening_plies": 2,
        "opening_judge": None,
        "opening_file": None,
        "move_seconds": 600.0,
        "game_seconds": None,
        "adjudicate": None,
        "executor": {"name": "local", "workers": None, "address": None},
    }


def test_a_file_name_that_can_be_no_folder_makes_a_name_that_can(tmp_path):
    for stem, name in (("my match (2)", "my_match__2_"), (".hidden", "hidden"), ("---", "match")):
        path = tmp_path / f"{stem}.yaml"
        path.write_text(MATCH)
        config = load(path)
        path.write_text(dump(config))
        assert config.name == load(path).name == name


def test_numbers_are_read_as_yaml_1_2_has_them(read):
    config = read(TRAIN)
    assert config.algorithm.learning_rate == 0.0003
    assert config.timesteps == 100_000
    assert config.game == {"id": "sparring/ConnectK-v0", "width": 5, "height": 4, "k": 3, "gravity": False}


@pytest.mark.parametrize(("written", "number"), [("4e3", 4000), ("1_000", 1000), ("2.0e3", 2000), ("128.0", 128), ("+1e+3", 1000)])
def test_whole_numbers_are_whole_however_they_are_written(read, written, number):
    text = TRAIN.replace("100_000", written).replace("learning_rate: 3e-4", f"n_steps: {written}\n  net_arch: [{written}]\n  batch_size: 8")
    config = read(text, f"seed={written}", f"evaluate.every={written}", "game.width=6.0")
    for value in (config.timesteps, config.seed, config.evaluate.every, config.algorithm.n_steps, config.algorithm.net_arch[0]):
        assert (value, type(value)) == (number, int)
    assert config.game["width"] == 6
    match = read(
        MATCH.replace("name: random", f"{{name: mcts, simulations: {written}}}"),
        f"agents.0=alphabeta:nodes={written}",
        "game=Gomoku:size=9.0",
    )
    assert (match.agents[0]["nodes"], match.agents[1]["simulations"], match.game["size"]) == (number, number, 9)
    assert isinstance(read(TRAIN, "algorithm.learning_rate=1").algorithm.learning_rate, float)
    assert read(TRAIN.replace("100_000", "1e6")).timesteps == 10**6


def test_fractions_and_numbers_beyond_all_bounds_are_no_whole_numbers(complaint):
    for written in ("1.5", "1e300", "1e-6"):
        assert complaint(TRAIN.replace("100_000", written)).endswith(f"timesteps: expected a whole number, got {float(written)}")


def test_a_series_hands_down_seed_and_games(read):
    first, own, train = read(SERIES).runs
    assert (first.seed, first.games, first.name) == (5, 40, "Isola-match")
    assert (own.seed, own.games, own.name) == (1, 6, "own")
    assert (train.seed, train.evaluate.final_games) == (5, 40)


@pytest.mark.parametrize("text", [MATCH, TOURNAMENT, TRAIN, SERIES])
def test_a_resolved_config_reads_back_as_itself(read, text):
    config = read(text)
    assert read(dump(config)) == config


@pytest.mark.parametrize(
    ("override", "get", "value"),
    [
        ("seed=3", lambda config: config.seed, 3),
        ("agents.0=alphabeta:depth=2", lambda config: config.agents[0], {"name": "alphabeta", "depth": 2}),
        ("agents=[random, greedy]", lambda config: [agent["name"] for agent in config.agents], ["random", "greedy"]),
        ("game.id=Gomoku", lambda config: config.game["id"], "sparring/Gomoku-v0"),
        ("name=two=2", None, None),
    ],
)
def test_overrides(read, complaint, override, get, value):
    if get is None:
        assert complaint(MATCH, override).startswith("override 'name=two=2': name: expected up to 80 letters")
    else:
        assert get(read(MATCH, override)) == value


def test_an_override_can_set_a_part_of_a_text(read):
    config = read(MATCH, "agents.0=alphabeta:depth=2", "agents.0.nodes=500", "game=Gomoku", "game.size=9")
    assert config.agents[0] == {"name": "alphabeta", "depth": 2, "nodes": 500}
    assert config.game["size"] == 9
    config = read(MATCH, "game=Gomoku:size=9,rule=standard", "game.size=7")
    assert config.game == {"id": "sparring/Gomoku-v0", "size": 7, "rule": "standard"}


def test_an_override_can_set_a_part_of_an_ablations_agents(read):
    text = "kind: ablation\ngame: ConnectFour\nagent: alphabeta:depth=4\nconfigurations: {shallow: {depth: 2}}\n"
    config = read(text, "agent.nodes=9", "positions.player=alphabeta:depth=2", "positions.player.depth=1")
    assert config.agent == {"name": "alphabeta", "depth": 4, "nodes": 9}
    assert config.positions.player == {"name": "alphabeta", "depth": 1}


def test_an_override_can_append_to_a_list(read):
    config = read(SERIES, "runs.3={kind: match, game: Isola, agents: [random, random]}", "runs.3.games=4")
    assert config.runs[3].games == 4


def test_later_overrides_win(read):
    assert read(MATCH, "games=4", "games=6").games == 6


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MATCH.replace("games:", "gmaes:"), "FILE:6: gmaes: unknown key 'gmaes'; expected one of kind, name, seed"),
        (MATCH.replace("games:", "gmaes:"), "did you mean 'games'?"),
        (MATCH.replace("20", "many"), "FILE:6: games: expected a whole number, got 'many'"),
        (MATCH.replace("20", "7"), "FILE:6: games: expected a multiple of 2, got 7"),
        (MATCH.replace("20", "20\ngames: 4"), "FILE:7: games: given twice, first on line 6"),
        (MATCH.replace("random", "rnadom"), "FILE:5: agents.1: unknown agent 'rnadom'; expected one of random, greedy"),
        (MATCH.replace("greedy", "alphabeta:dpeth=3"), "FILE:4: agents.0: agent 'alphabeta': unknown parameter 'dpeth'"),
        (
            MATCH.replace("random", "alphabeta\n    depth: deep"),
            "FILE:6: agents.1.depth: agent 'alphabeta': depth: expected int",
        ),
        (MATCH.replace("  - greedy\n", ""), "FILE:3: agents: expected at least 2 entries, got [{'name': 'random'}]"),
        (MATCH.replace("ConnectFour", "Chess"), "FILE:2: game: unknown game 'Chess'; expected one of ConnectFour"),
        (
            MATCH.replace("ConnectFour", "\n  id: ConnectK\n  wdith: 4"),
            "FILE:4: game.wdith: ConnectK: unknown parameter 'wdith'",
        ),
        (MATCH.replace("ConnectFour", "\n  id: ConnectK\n  k: 40"), "FILE:4: game.k: k: expected at most 9"),
        (MATCH.replace("game: ConnectFour\n", ""), "FILE:1: game: missing"),
        (
            MATCH.replace("kind: match", "kind: mtach"),
            f"FILE:1: kind: unknown kind 'mtach'; expected one of {', '.join(KINDS)}",
        ),
        (
            MATCH.replace("kind: match\n", ""),
            f"FILE:1: kind: missing; expected one of {', '.join(KINDS)}",
        ),
        (MATCH.replace("games: 20", "games: [20"), "FILE:7: expected YAML: "),
        (MATCH + "sprt: {elo0: 50}\n", "FILE:7: sprt.elo0: expected elo0 below elo1, got elo0=50, elo1=30"),
        (MATCH + "sprt:\n  alpha: 0.1\n  elo1: -5\n", "FILE:9: sprt.elo1: expected elo0 below elo1, got elo0=0, elo1=-5"),
        (MATCH + "sprt: {elo0: 5, elo1: 5}\n", "FILE:7: sprt.elo0: expected elo0 below elo1, got elo0=5, elo1=5"),
        (MATCH + "sprt: {elo1: 1.0e+9}\n", "FILE:7: sprt.elo1: expected at most 2000, got 1000000000.0"),
        (MATCH + "sprt: {elo0: -1000000}\n", "FILE:7: sprt.elo0: expected at least -2000, got -1000000"),
        (MATCH + "sprt: {elo1: .nan}\n", "FILE:7: sprt.elo1: expected a finite number, got nan"),
        (MATCH + "sprt: {alpha: 0}\n", "FILE:7: sprt.alpha: expected more than 0, got 0"),
        (MATCH + "sprt: {beta: 0.5}\n", "FILE:7: sprt.beta: expected less than 0.5, got 0.5"),
        (TOURNAMENT + "anchor: 2\n", "FILE:4: anchor: expected an index of the list of agents, 0 to 1, got 2"),
        (TOURNAMENT + "anchor: 0\nanchor_elo: 1.0e+300\n", "FILE:5: anchor_elo: expected at most 10000, got 1e+300"),
        (TOURNAMENT + "move_seconds: .inf\n", "FILE:4: move_seconds: expected a finite number, got inf"),
        (
            EVALUATE + "opening_judge: null\n",
            "FILE:4: opening_judge: needs opening_plies; without them openings follow",
        ),
        (MATCH + "opening_file: none.txt\n", "FILE:7: opening_file: none.txt: No such file or directory"),
        (TOURNAMENT + "anchor_elo: 1500\n", "FILE:4: anchor_elo: expected an anchor for this rating, got 1500 without one"),
        (MATCH + "opening_judge: mcts\n", "FILE:7: opening_judge: expected a search with a limit of depth or nodes, got 'mcts'"),
        (MATCH + "opening_judge: alphabeta:seconds=1\n", "FILE:7: opening_judge: expected a search with a limit of depth or nodes"),
        (MATCH + "opening_judge: mobility\n", "FILE:7: opening_judge: agent 'mobility' does not play ConnectFour"),
        (MATCH + "adjudicate: perfect\n", "FILE:7: adjudicate: expected a search with a limit of depth or nodes, got 'perfect'"),
        (
            MATCH + "opening_judge: perfect:nodes=9\n",
            "FILE:7: opening_judge: expected a search with a limit of depth or nodes, got 'perfect'",
        ),
        (MATCH + "adjudicate: greedy\n", "FILE:7: adjudicate: expected a search with a limit of depth or nodes, got 'greedy'"),
        (
            MATCH + "adjudicate: best:depth=4\n",
            "FILE:7: adjudicate: expected an exact search, got one with reductions, extensions, late_pruning",
        ),
        (
            MATCH.replace("ConnectFour", "Gomoku") + "adjudicate: alphabeta:null_move=true\n",
            "FILE:7: adjudicate: expected an exact search, got one with null_move",
        ),
        (
            MATCH + "adjudicate: alphabeta:extensions=true,late_pruning=true\n",
            "FILE:7: adjudicate: expected an exact search, got one with extensions, late_pruning",
        ),
        (MATCH + "sprt: {elo: 7}\n", "FILE:7: sprt.elo: unknown key 'elo'; expected one of elo0, elo1, alpha, beta"),
        (TRAIN.replace("opponents:", "oponents:"), "FILE:12: evaluate.oponents: unknown key 'oponents'; expected one of opponents, every"),
        (TRAIN.replace("learning_rate", "learning_rte"), "FILE:10: algorithm.learning_rte: unknown key 'learning_rte'"),
        (TRAIN.replace("3e-4", "0"), "FILE:10: algorithm.learning_rate: expected more than 0, got 0"),
        (TRAIN.replace("[random, greedy]", "[random, greed]"), "FILE:12: evaluate.opponents.1: unknown agent 'greed'"),
        (
            TRAIN + "environments: 3\n",
            "FILE:9: algorithm.batch_size: expected a divisor of n_steps * environments = 96, got 512",
        ),
        (TRAIN + "seat: third\n", "FILE:13: seat: expected 'first', 'second', 'random' or 'alternate', got 'third'"),
        (TRAIN + "opening_plies: 1000\n", "FILE:13: opening_plies: expected at most 20, got 1000"),
        (SERIES.replace("games: 6", "games: six"), "FILE:11: runs.1.games: expected a whole number, got 'six'"),
        (SERIES.replace("name: own", "nmae: own"), "FILE:9: runs.1.nmae: unknown key 'nmae'"),
        ("", "FILE: expected a config, got an empty file"),
        ("# nothing\n", "FILE:1: expected a mapping with a kind, got None"),
        ("- match\n", "FILE:1: expected a mapping with a kind, got ['match']"),
    ],
)
def test_a_mistake_names_file_line_and_key(complaint, text, expected):
    assert expected.replace("FILE", "experiment.yaml") in complaint(text)


@pytest.mark.parametrize(
    ("executor", "message"),
    [
        ("{address: 'head:6379'}", "executor.address: expected 'address' only with name: ray, got name: local"),
        ("{name: local, workers: null, address: 'head:6379'}", "executor.address: expected 'address' only with name: ray, got name: local"),
        ("{name: ray, workers: 0}", "executor.workers: expected 'workers' of at least 1 with name: ray, got 0"),
        ("{name: ray, workers: 2, address: auto}", "executor.workers: expected no 'workers' with an address, got 2"),
    ],
)
def test_settings_of_an_executor_that_would_be_ignored_are_refused(read, complaint, executor, message):
    assert complaint(f"{MATCH}executor: {executor}\n") == f"experiment.yaml:7: {message}"
    assert complaint(MATCH, f"executor={executor}") == f"override {f'executor={executor}'!r}: {message}"
    for allowed in ("{name: ray}", "{name: ray, workers: 3}", "{name: ray, address: auto}", "{workers: 0}"):
        read(f"{MATCH}executor: {allowed}\n")


def test_every_mistake_has_a_line_of_its_own(complaint):
    lines = complaint(MATCH.replace("games: 20", "gmaes: 20").replace("ConnectFour", "Chess").replace("greedy", "greed")).splitlines()
    assert [line.partition(": ")[0] for line in lines] == ["experiment.yaml:2", "experiment.yaml:4", "experiment.yaml:6"]


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("seed", "override 'seed': expected key=value"),
        ("seed=x", "override 'seed=x': seed: expected a whole number, got 'x'"),
        ("seed=[", "override 'seed=[': expected a YAML value after '=', got '['"),
        ("sede=1", "override 'sede=1': sede: unknown key 'sede'"),
        ("agents.5=random", "override 'agents.5=random': expected an index from 0 to 2 in 'agents', got 5"),
        ("agents.x=random", "override 'agents.x=random': expected an index from 0 to 2 in 'agents', got 'x'"),
        ("games.x=3", "override 'games.x=3': no 'x' in 'games', which is 20"),
        ("kind.x=3", "override 'kind.x=3': no 'x' in 'kind', which is a text"),
        ("agents.0.depth=3", "override 'agents.0.depth=3': agents.0.depth: agent 'greedy': it takes no parameters"),
        ("kind=train", "override 'kind=train': timesteps: missing"),
        ("game.k=3", "override 'game.k=3': game.k: ConnectFour: it takes no parameters, got k=3"),
    ],
)
def test_a_mistake_of_an_override_names_the_override(complaint, override, expected):
    assert expected in complaint(MATCH, override)


def test_a_mistake_of_the_file_stays_the_files_when_there_are_overrides(complaint):
    assert complaint(MATCH.replace("20", "7"), "seed=3") == "experiment.yaml:6: games: expected a multiple of 2, got 7"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("missing.yaml", "missing.yaml: no such file or directory"), (".", "is a directory")],
)
def test_a_file_that_cannot_be_read(tmp_path, name, expected):
    with pytest.raises(ConfigError) as caught:
        load(tmp_path / name)
    assert expected in str(caught.value)


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "experiment.yaml"
    path.write_bytes(b"name: \xff")
    with pytest.raises(ConfigError, match="expected UTF-8 text, got byte 0xff at 6"):
        load(path)


SHIPPED = sorted((Path(__file__).parents[2] / "configs").rglob("*.yaml"))


def test_every_game_has_a_match_and_a_training():
    for kind in ("match", "train"):
        games = {load(path).game["id"] for path in SHIPPED if path.parent.name == kind}
        assert games == set(GAMES)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_shipped_configs_and_the_overrides_they_suggest_can_be_run(path):
    assert load(path).name == path.stem
    for line in path.read_text().splitlines():
        if line.startswith("# sparring run"):
            words = [word for word in line.split()[3:] if "=" in word]
            assert load(path, [*words, "seed=3"]).seed == 3


def test_a_near_choice_is_suggested(tmp_path):
    (tmp_path / "cup.yaml").write_text("kind: tournament\ngame: Isola\nagents: [random, greedy]\npairings: round-robin\n")
    with pytest.raises(ConfigError, match=r"got 'round-robin'; did you mean 'round_robin'\?$"):
        load(tmp_path / "cup.yaml")
