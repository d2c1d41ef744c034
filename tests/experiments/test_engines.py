"""Games of programs that speak the Gomocup protocol: each failure is a forfeit by name, and no process is left behind."""

import json
import signal
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
import sparring
from sparring.agents.ladder import ladder_of
from sparring.envs.rules.errors import ConfigError
from sparring.experiments.config.parts import Executor
from sparring.experiments.games import kept_agents, play
from sparring.experiments.games.log import read_games
from sparring.experiments.games.openings import draw_openings
from sparring.experiments.games.task import Player, game_from, pair_of_games
from sparring.experiments.kinds import checked
from sparring.experiments.kinds.ladder.run import run_ladder
from sparring.experiments.run import run
from sparring.experiments.run_folder import RunFolder, RunFolderError, opened
from sparring.experiments.workers.executors import executor_of

from ..agents.test_engine import ENGINE
from .test_resume import Killed

GOMOKU = {"id": "sparring/Gomoku-v0", "parameters": {"size": 15, "rule": "freestyle"}}
MODES = {  # how the games of a mode end, and how the reason begins
    "": ("line", ""),
    "talks at start": ("line", ""),
    "talks before the move": ("line", ""),
    "cut short by input": ("line", ""),
    "slow first move": ("line", ""),
    "suggests": ("line", ""),
    "chatters between moves": ("line", ""),
    "knows no RESTART": ("line", ""),
    "ends after the game": ("line", ""),
    "crashes at start": ("crash", "crashed"),
    "error at start": ("crash", "no start"),
    "crashes while thinking": ("crash", "crashed"),
    "leaves a child": ("crash", "crashed"),
    "crashes between moves": ("crash", "crashed"),
    "eats memory": ("crash", "crashed"),
    "hangs": ("timeout", "too late"),
    "chatters": ("timeout", "too late"),
    "floods": ("timeout", "too late"),
    "answers h8": ("illegal", "no move"),
    "answers 0,0": ("illegal", "illegal move"),
    "answers 15,0": ("illegal", "illegal move"),
    "hangs after the game": ("line", ""),
}
FEW = ("", "crashes at start", "leaves a child", "hangs", "answers 0,0")


def player(name, tag, *modes):
    """Returns a player by a program; the tag is an argument by which its processes are found."""
    return Player(name, {"name": "engine", "cmd": [*ENGINE, str(tag), *modes], "seconds": 0.05, "grace": 0.5, "memory_mib": 256})


def running(tag):
    """Returns the processes that have a tag among their arguments."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if str(tag).encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                found.append(folder.name)
        except OSError:
            continue
    return found


def wait_until_gone(tag):
    end = time.monotonic() + 5
    while running(tag) and time.monotonic() < end:
        time.sleep(0.01)
    assert running(tag) == []


@pytest.mark.parametrize("workers", [2, 0])
def test_every_failure_is_a_forfeit_by_name(workers, tmp_path, at_length, monkeypatch):
    monkeypatch.setattr(play, "AGENTS", kept_agents.Agents())
    modes, games = (list(MODES), 10) if at_length else (FEW, 2)
    openings = draw_openings(game_from(GOMOKU), 2, games // 2, seed=1)
    tasks = []
    for mode in modes:
        players = (player("good", tmp_path), player(mode, tmp_path, mode))
        for opening in openings:
            tasks += pair_of_games(GOMOKU, players, opening, len(tasks) // 2, seed=3)
    begin, endings = time.monotonic(), Counter()
    with executor_of(Executor(workers=workers)) as executor:
        for entry in executor.run(tasks):
            mode = modes[entry["id"] // games]
            reason = entry.get("reason", "").partition(":")[0]
            assert (entry["termination"], reason) == MODES[mode], (mode, entry)
            assert not reason or entry[entry["result"]] == "good"
            endings[entry["termination"], reason] += 1
        assert 0 < len(running(tmp_path)) <= 4 * max(1, workers)  # two programs with their watchers for each game
    play.AGENTS._kept.clear()
    wait_until_gone(tmp_path)
    assert sum(endings.values()) == len(modes) * games
    if at_length:
        print(f"{len(tasks)} games with {workers} workers, {time.monotonic() - begin:.0f} s: {dict(endings)}", file=sys.stderr)


MATCH = """
kind: match
game: Gomoku
agents: [{engine}, {{name: engine, cmd: {ours}, seconds: 0.05, grace: 5}}]
games: 6
seed: 2
executor: {{workers: 1}}
"""


def test_a_match_against_our_own_program_is_killed_and_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(play, "AGENTS", kept_agents.Agents())
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\nexec {' '.join(ENGINE)} {tmp_path}\n")
    program.chmod(0o755)
    code = "from sparring.experiments.commands.cli import main; main()"
    ours = [sys.executable, "-c", code, "gomocup", "--agent", "random"]
    text = MATCH.format(engine=json.dumps(f"engine:cmd={program},seconds=0.05,grace=5"), ours=json.dumps(ours))
    killed = Killed(tmp_path, text)
    assert killed.kill_when(lambda: killed.lines("games.jsonl") >= 2, signal.SIGKILL)[0] == -signal.SIGKILL
    wait_until_gone(tmp_path)
    assert 2 <= killed.lines("games.jsonl") < 6
    before = program.read_text()
    program.write_text(f"{before}# another program\n")
    with pytest.raises(RunFolderError, match=rf"holds another run, as {program} has changed since"):
        run(killed.config, killed.folder)
    program.write_text(before)
    results = run(killed.config.model_copy(update={"executor": Executor(workers=0)}), killed.folder).read_results()
    games = list(read_games(killed.folder / "games.jsonl"))
    assert results["games"] == len(games) == 6
    assert {game["termination"] for game in games} == {"line"}
    files = json.loads((killed.folder / "run.json").read_text())["files"]
    assert {str(program), sys.executable} <= files.keys()
    play.AGENTS._kept.clear()
    wait_until_gone(tmp_path)


def test_a_ladder_file_starts_no_program_without_trust(tmp_path, monkeypatch):
    monkeypatch.setattr(play, "AGENTS", kept_agents.Agents())
    rungs = ["random", player("program", tmp_path).spec]
    keys = {"game": {"id": "Gomoku", "size": 5}, "executor": {"workers": 0}, "opening_plies": 2, "opening_judge": None, "games": 4}
    folder = RunFolder(tmp_path / "own")
    folder.path.mkdir()
    run_ladder(checked({"kind": "ladder", "agents": rungs, "name": "own", **keys}), folder)
    measured = {"kind": "evaluate", "agent": "random", "ladder": str(folder.ladder), "name": "measured", **keys}
    with pytest.raises(ConfigError, match=r"rungs\.\d\.spec: expected an agent of this package, got 'engine': '.*' is a program; if you"):
        checked(measured)
    assert sparring.evaluate("random", "Gomoku:size=5", ladder=str(folder.ladder), trust=True, games=4, opening_plies=2).games == 4
    with opened(tmp_path / "run", checked({**measured, "trust": True})) as opened_run:
        assert {str(folder.ladder), *ENGINE[:1], ENGINE[3]} == json.loads(opened_run.record.read_text())["files"].keys()
    play.AGENTS._kept.clear()
    wait_until_gone(tmp_path)
    data = json.loads(folder.ladder.read_text())
    assert [(bool(rung["floating"]), rung["answers"]) for rung in data["rungs"] if rung["spec"]["name"] == "engine"] == [(True, [])]
    with pytest.raises(ValueError, match="is a program; if you trust the file, set trust to true"):
        ladder_of(data)  # as the package reads its own
