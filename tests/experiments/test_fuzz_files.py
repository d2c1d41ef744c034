"""Damaged and foreign files and texts of every format: refused by SparringError alone, in short lines, without a hang or much memory.

A few hundred inputs by fixed seeds; `--fuzz 100000` tries as many more.
"""

import json
import math
import random
import resource
import signal
import struct
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import pytest
from sparring import agents
from sparring.agents.ladder import FOLDER
from sparring.envs.position import Position
from sparring.envs.rules.errors import SparringError
from sparring.experiments.commands.export import export_sgf
from sparring.experiments.config.parts import game_record
from sparring.experiments.games.formats import FORMATS
from sparring.experiments.games.log import GamesLog, read_games
from sparring.experiments.games.openings import read_openings
from sparring.experiments.games.task import name_players, pair_of_games
from sparring.experiments.kinds import checked, load
from sparring.experiments.kinds.paired_games import openings_of
from sparring.experiments.kinds.series import load_swept
from sparring.experiments.pages import write_report
from sparring.experiments.run import run
from sparring.experiments.run_folder import RunFolder, read_record

LONGEST, MOST_LINES = 600, 20
PATIENCE = 30  # seconds for an input
ROOM = 600_000  # KiB that all inputs of a kind together may add to the memory of the process
REPORTED = 40  # one input in so many is reported on, too, which takes a second
WORDS = [
    *("null", "true", "-1", "0", "1" * 5000, "1e400", ".inf", "NaN", "0x" + "f" * 3000, "'", '"', "\\ud800", "\\u001b[31m", "\x1b[2J"),
    *(
        "[",
        "]",
        "{",
        "}",
        ":",
        ",",
        "- ",
        "&a ",
        "*a",
        "<<: *a",
        "!!int ",
        "#",
        "=",
        "..",
        "\n",
        "\r",
        "\t",
        "\0",
        "\u202e",
        "é",
        "x" * 3000,
    ),
    *("[" * 3000, "{a: " * 500, "a." * 500, "random", "alphabeta:depth=", "weights.steps=", "Gomoku:size=", "x/o", "a1", "99", " x"),
]
VALUES = [None, True, -1, 0, 7, 2**63, 10**30, 1e308, math.nan, math.inf, "", "x" * 5000, "\x1b[31m", "\ud800", [], {}, [[]], {"id": 7}]
SPECS = [
    "alphabeta:depth=2,nodes=100",
    "mcts:simulations=5,exploration=0.5",
    "mobility:weights.theirs=2",
    "ladder:3",
    "window_scan:tree_mib=1",
]
MATCH = {"kind": "match", "game": "TicTacToe", "agents": ["random", "greedy"], "games": 4, "name": "a", "executor": {"workers": 0}}
KINDS = 10


def mangled(text, choice):
    """Returns a text with one to three damages."""
    for _ in range(choice.randint(1, 3)):
        place, end = sorted(choice.randrange(len(text) + 1) for _ in range(2))
        match choice.randrange(6):
            case 0:
                text = text[:place] + text[min(end, place + 20) :]
            case 1:
                text = text[:place] + choice.choice(WORDS) + text[place:]
            case 2:
                text = text[:place] + choice.choice(WORDS) + text[min(end, place + 8) :]
            case 3:
                text = text[:end] + text[place:]
            case 4:
                text = text[:place] + chr(choice.randrange(0x3000)) + text[place + 1 :]
            case 5:
                text = text[:end]
    return text


def changed(data, choice):
    """Returns JSON data in which one value is another, is gone, or has moved."""
    data = json.loads(json.dumps(data))
    place, path = data, []
    while isinstance(place, dict | list) and place:
        key = choice.choice(list(place) if isinstance(place, dict) else range(len(place)))
        path.append((place, key))
        place = place[key]
    holder, key = choice.choice(path)
    match choice.randrange(4):
        case 0:
            del holder[key]
        case 1:
            other, of = choice.choice(path)
            holder[key] = json.loads(json.dumps(other[of]))
        case _:
            holder[key] = choice.choice(VALUES)
    return data


def mangled_json(data, choice):
    """Returns JSON text with a changed value or damaged."""
    text = json.dumps(changed(data, choice))
    return mangled(text, choice) if choice.random() < 0.3 else text


def write(path, text):
    path.write_bytes(text.encode(errors="surrogatepass"))
    return path


@contextmanager
def in_time():
    def stop(number, frame):
        raise AssertionError(f"took more than {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture
def attempts(request, fuzzed):
    """Returns a function that tries the inputs of a kind: what a call raises is held to its promises."""

    def attempt(kind, call):
        counts = fuzzed[kind] = {"inputs": 0, "refused": 0, "characters at most": 0, "KiB more memory": 0}
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for number in range(max(1, request.config.getoption("--fuzz") // KINDS)):
            counts["inputs"] += 1
            refusal = ""
            try:
                with in_time():
                    call(random.Random(f"{kind} {number}"), number)
            except SparringError as error:
                refusal = str(error)
            except Exception as error:
                raise AssertionError(f"input {number} of {kind}") from error
            lines = refusal.split("\n")
            assert len(lines) <= MOST_LINES
            assert all(len(line) <= LONGEST and line.isprintable() for line in lines), f"input {number} of {kind}: {refusal}"
            counts["refused"] += bool(refusal)
            counts["characters at most"] = max(counts["characters at most"], *map(len, lines))
        counts["KiB more memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert counts["KiB more memory"] < ROOM
        assert counts["refused"]

    return attempt


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    return run(checked(MATCH), tmp_path_factory.mktemp("finished") / "run")


def test_configs(attempts, tmp_path):
    configs = Path(__file__).parents[2] / "configs"
    texts = [path.read_text() for path in sorted(configs.rglob("*.yaml")) if path.stat().st_size < 1000]
    attempts("configs", lambda choice, number: load(write(tmp_path / "a.yaml", mangled(choice.choice(texts), choice))))


def test_overrides(attempts, tmp_path):
    path = write(tmp_path / "a.yaml", json.dumps(MATCH))
    whole = [
        "seed=0..3",
        "agents.0.depth=2",
        "agents.0=alphabeta:depth=2",
        "game=Gomoku:size=9",
        "executor.workers=1,2",
        "games=4",
        "sprt={}",
    ]

    def attempt(choice, number):
        overrides = [mangled(choice.choice(whole), choice) for _ in range(choice.randint(1, 2))]
        if not any(".." in text.replace("0..3", "") for text in overrides):  # long sweeps are slow, not wrong
            load_swept(path, overrides)

    attempts("overrides", attempt)


def test_logs(attempts, finished, tmp_path):
    games = [json.loads(line) for line in finished.games.read_text().splitlines()]
    config = load(write(tmp_path / "config.yaml", finished.config.read_text()))
    players, openings = name_players(config.agents), openings_of(config, 2, lambda count: None)
    pairs = [pair_of_games(game_record(config.game), tuple(players), openings[n], n, config.seed) for n in (0, 1)]
    tasks = {task.id: task for pair in pairs for task in pair}

    def attempt(choice, number):
        lines = [json.dumps(game) for game in games]
        lines[choice.randrange(4)] = mangled_json(choice.choice(games), choice)
        log = write(tmp_path / "games.jsonl", "\n".join([*lines, ""]))
        for game in read_games(log):
            assert game["plies"] < 1000
        export_sgf(tmp_path)
        if number % REPORTED == 0:
            write_report(tmp_path)
        with GamesLog(log) as opened:
            opened.hold_all(tasks.get)

    attempts("logs", attempt)


def test_records_and_results(attempts, finished, tmp_path):
    record, results = (json.loads(path.read_text()) for path in (finished.record, finished.results))
    folder = RunFolder(tmp_path)
    write(folder.config, finished.config.read_text())
    write(folder.games, finished.games.read_text())

    def attempt(choice, number):
        is_record = choice.random() < 0.5
        write(folder.record, mangled_json(record, choice) if is_record else finished.record.read_text())
        write(folder.results, finished.results.read_text() if is_record else mangled_json(results, choice))
        read_record(folder.record)
        folder.read_results()
        if number % REPORTED == 0:
            write_report(tmp_path)
        _ = folder.is_finished, folder.history()

    attempts("records", attempt)


def test_networks(attempts, tmp_path):
    pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
    from sb3_contrib import MaskablePPO
    from sparring.agents.network import Network, load_network, save_network
    from sparring.envs.game import Game
    from sparring.envs.sb3 import BoardVecEnv

    model = MaskablePPO("MlpPolicy", BoardVecEnv("sparring/TicTacToe-v0", 1), policy_kwargs={"net_arch": [4]}, device="cpu")
    path = tmp_path / "model.safetensors"
    save_network(path, model.policy, Network((4,)), Game("TicTacToe"))
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    head, tensors = json.loads(data[8 : 8 + length]), data[8 + length :]
    described = json.loads(head["__metadata__"]["sparring"])

    def attempt(choice, number):
        new = {**head, "__metadata__": {"sparring": mangled_json(described, choice)}} if choice.random() < 0.7 else changed(head, choice)
        text = json.dumps(new).encode()
        content = bytearray(struct.pack("<Q", len(text)) + text + tensors)
        if choice.random() < 0.3:
            content[choice.randrange(len(content))] ^= 1 << choice.randrange(8)
        if choice.random() < 0.1:
            del content[choice.randrange(len(content)) :]
        path.write_bytes(content)
        load_network(str(path))

    attempts("networks", attempt)


def test_ladders(attempts, tmp_path):
    data = json.loads((files("sparring.agents") / FOLDER / "TicTacToe.json").read_text())
    path = tmp_path / "ladder.json"

    def attempt(choice, number):
        write(path, mangled_json(data, choice))
        checked({"kind": "evaluate", "game": "TicTacToe", "agent": "random", "ladder": str(path)})

    attempts("ladders", attempt)


def test_openings(attempts, tmp_path):
    game = Position("Gomoku", size=9).game
    text = "# openings\na1 b2 c3\ne5 f6\n\nd4 d5 e6 e7 # one more\n"
    attempts("openings", lambda choice, number: read_openings(write(tmp_path / "o.txt", mangled(text, choice)), game))


GAME_FILES = {
    "game.psq": "Piskvorky 9x9, 11:11, 0\r\n5,5,10\r\n4,4,20\n6,6,30\none\ntwo\n-1\n1,Renju\n",
    "games.sgf": "(;GM[4]SZ[9]RU[caro]PB[a\\]b](;B[ee];W[dd]C[note])(;B[aa]))\n(;SZ[7:6]RU[ConnectFour]RE[B+];B[df];W[de])\n",
    "lists.txt": "0,0, -1,-1, 2,-3\n\n1,1, 0,0 # remark\ne5 e6\n",
}


def test_game_files(attempts, tmp_path):
    game = Position("Gomoku", size=9).game

    def attempt(choice, number):
        name = choice.choice(list(GAME_FILES))
        path = write(tmp_path / name, mangled(GAME_FILES[name], choice))
        FORMATS[path.suffix].read(path, choice.choice((None, game)) if name != "lists.txt" else game)

    attempts("game files", attempt)


def test_positions(attempts):
    texts = [
        *(("ConnectFour", "4453"), ("ConnectFour", "7/7/7/7/3o3/2oxx2 x"), ("TicTacToe", "a1 b2"), ("Gomoku", "h8 h9 g7")),
        *(("Isola", "a8-b7 h1-h3"), ("Isola", "#7/1x6/8/8/8/7o/8/7# x")),
    ]

    def attempt(choice, number):
        game, text = choice.choice(texts)
        Position(game, mangled(text, choice))

    attempts("positions", attempt)


def test_agents(attempts):
    def attempt(choice, number):
        text = mangled(choice.choice(SPECS), choice)
        spec = text if choice.random() < 0.5 else changed({"name": "alphabeta", "depth": 2, "weights": {"steps": 2}}, choice)
        if isinstance(spec, dict) or not spec.startswith("python"):
            agents.make(spec, "Isola")

    attempts("agents", attempt)
