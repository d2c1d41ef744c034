"""Run folders to write reports of, as `experiments.run` leaves them behind."""

import functools
import itertools
import json
import os
import random
import sys

import pytest
from sparring.envs.position import Position
from sparring.experiments.games.tally import matchup_of, tally_of
from sparring.experiments.kinds.ablation.config import AblationConfig
from sparring.experiments.kinds.ablation.run import ablation_results
from sparring.experiments.kinds.bench.results import BenchResults, Speed
from sparring.experiments.kinds.evaluate.results import EvaluateResults, LadderRecord, RungMatchup, RungRecord
from sparring.experiments.kinds.ladder.results import LadderResults
from sparring.experiments.kinds.tournament.results import OpeningsRecord, RatingsRecord, TournamentResults
from sparring.experiments.kinds.tournament.run import ratings_order, standing, warnings_of
from sparring.experiments.kinds.train.results import TrainResults
from sparring.experiments.kinds.tune.results import TuneResults
from sparring.experiments.results import GameRecord, Results
from sparring.experiments.statistics.estimate import Placement
from sparring.experiments.statistics.game_results import results_of_games
from sparring.experiments.statistics.rating import fit

from .browser import CHROMIUM, DRIVER, Browser
from .results import match_of, plain

RECORD = {
    "name": "trial",
    "kind": "match",
    "seed": 7,
    "package_version": "0.1.0",
    "versions": {"python": "3.11.7", "numpy": "2.0.0"},
    "git": {"commit": "0123456789abcdef", "dirty": True},
    "machine": {"system": "Linux", "cores": 2},
    "command": "sparring run configs/trial.yaml seed=7",
    "started": "2026-01-02T03:04:05+00:00",
    "finished": "2026-01-02T03:05:05+00:00",
    "seconds": 60.0,
}


@pytest.fixture
def random_games():
    """Returns a function that returns log entries of random games, in pairs with the seats changed."""

    def play(count, game="ConnectFour", agents=("alpha", "beta"), first_id=0, seed=1, stage=None, forfeits=0, **parameters):
        entries = []
        for number in range(count):
            choice, position = random.Random(f"{seed} {number}"), Position(game, **parameters)
            is_forfeited = number >= count - forfeits
            while not position.is_over and not (is_forfeited and position.ply == 3):
                position.push(choice.choice(position.legal_moves))
            seated = agents if number % 2 == 0 else agents[::-1]
            winner = position.winner
            entry = {
                "id": first_id + number,
                "game": {"id": position.game.id, "parameters": position.game.parameters},
                "first": seated[0],
                "second": seated[1],
                "pair": (first_id + number) // 2,
                "opening": 1,
                "moves": position.notation,
                "result": "draw" if winner is None else ("first", "second")[winner],
                "termination": position.termination,
                "plies": position.ply,
                "seed": number,
                "seconds": [0.5, 0.25],
            }
            if is_forfeited:
                entry |= {"result": "first", "termination": "illegal", "reason": "expected a legal move, got 99"}
            entries.append(entry if stage is None else {"stage": stage, **entry})
        return entries

    return play


@pytest.fixture
def write_run():
    """Returns a function that writes a run's folder; what is None is not written."""

    def write(folder, games=(), results=None, curve=None, config="kind: match\n", **record):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.yaml").write_text(config, encoding="utf-8")
        (folder / "run.json").write_text(json.dumps({**RECORD, "name": folder.name, **record}), encoding="utf-8")
        if games:
            (folder / "games.jsonl").write_text("".join(json.dumps(game) + "\n" for game in games), encoding="utf-8")
        if curve:
            (folder / "curve.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in curve), encoding="utf-8")
        if results is not None:
            written = plain(results) if isinstance(results, Results) else results
            (folder / "results.json").write_text(json.dumps(written), encoding="utf-8")
        return folder

    return write


@pytest.fixture
def match_run(random_games, write_run):
    """Returns a function that writes the folder of a finished match of random games."""

    def write(folder, count=12, agents=("alpha", "beta"), game="ConnectFour", config="kind: match\n", **parameters):
        games = random_games(count, game, agents, **parameters)
        return write_run(folder, games, match_of(games, agents), config=config)

    return write


@pytest.fixture
def tournament_run(random_games, write_run):
    """Returns a function that writes the folder of a finished tournament of random games, each pairing's last ones forfeited.

    Agents that move from a third ply on have scores and depths, but for the first agent.
    """

    def write(folder, agents=("alpha", "beta", "gamma"), games=8, game="TicTacToe", forfeits=0, test=None, kind="tournament", **record):
        pairings = list(itertools.combinations(agents, 2))
        entries = [
            with_thoughts(entry, agents[0])
            for place, two in enumerate(pairings)
            for entry in random_games(games, game, two, first_id=place * games, seed=place, forfeits=forfeits)
        ]
        anchor = (agents[0], 0.0)
        tallies = [tally_of((entry for entry in entries if {entry["first"], entry["second"]} == set(two)), two) for two in pairings]
        ratings = fit(results_of_games(entries), anchor)
        model = TournamentResults if kind == "tournament" else functools.partial(LadderResults, version=3)
        results = model(
            kind=kind,
            game=GameRecord(**entries[0]["game"]),
            agents=list(agents),
            openings=OpeningsRecord(plies=1, judge="alphabeta:nodes=5000", seed=7),
            ratings=RatingsRecord.of(ratings, anchor),
            standings=[standing(agent, tallies, ratings) for agent in ratings_order(ratings)],
            pairings=[tally.results(test) for tally in tallies],
            warnings=warnings_of(tallies),
        )
        return write_run(folder, entries, results, kind=kind, **record)

    return write


def with_thoughts(entry, silent):
    """Returns a game's entry with invented scores and depths of all agents but one."""
    movers = [entry[("first", "second")[ply % 2]] for ply in range(entry["opening"], entry["plies"])]
    scores = [None if mover == silent else 25 * ply - 60 for ply, mover in enumerate(movers)]
    return {**entry, "scores": scores, "depths": [score and 4 for score in scores]}


@pytest.fixture
def evaluate_run(random_games, write_run):
    """Returns a function that writes the folder of a finished evaluation of random games."""

    def write(folder, agent="policy:path=model.zip", rungs=("random", "greedy", "alphabeta:depth=4"), games=6, warnings=(), **record):
        met = [random_games(games, "TicTacToe", (agent, rung), first_id=place * games, seed=place) for place, rung in enumerate(rungs)]
        entries = [entry for some in met for entry in some]
        records = [
            RungRecord(name=rung, elo=300.0 * place, low=300.0 * place - 50, high=300.0 * place + 50) for place, rung in enumerate(rungs)
        ]
        results = EvaluateResults(
            kind="evaluate",
            game=GameRecord(**entries[0]["game"]),
            agent=agent,
            elo=Placement(431.0, 380.2, 481.8, 350.4, 511.6),
            games=len(entries),
            ladder=LadderRecord(version=1, package_version="0.1.0", rungs=records),
            rungs=[
                RungMatchup(rung=place, elo=300.0 * place, **dict(matchup_of(some, (agent, rung))))
                for place, (rung, some) in enumerate(zip(rungs, met, strict=True))
            ],
            losses={"line": 5, "illegal": 1},
            warnings=list(warnings),
        )
        return write_run(folder, entries, results, kind="evaluate", **record)

    return write


@pytest.fixture
def train_run(random_games, write_run):
    """Returns a function that writes the folder of a finished training, measured against two opponents."""

    def write(folder, opponents=("random", "greedy"), games_each=8):
        finals = [
            random_games(games_each, agents=("learner", opponent), first_id=index * games_each, seed=index, stage="final")
            for index, opponent in enumerate(opponents)
        ]
        results = TrainResults(
            kind="train",
            game=GameRecord(**finals[0][0]["game"]),
            opponent="greedy",
            algorithm={"name": "MaskablePPO", "n_steps": 128},
            timesteps=40_000,
            best_timesteps=20_000,
            model="model.zip",
            final=[matchup_of(games, ("learner", opponent)) for games, opponent in zip(finals, opponents, strict=True)],
        )
        counts = {"games": 40, "wins": 20, "draws": 0, "losses": 20}
        curve = [
            {"timesteps": steps, "opponent": opponent, **counts, "score": 0.5, "low": 0.35, "high": 0.65}
            for steps in (0, 20_000, 40_000)
            for opponent in opponents
        ]
        return write_run(folder, [game for games in finals for game in games], results, curve, kind="train")

    return write


@pytest.fixture
def ablation_run(write_run):
    """Returns a function that writes the folder of a finished ablation of invented searches, deeper from one configuration to the next."""

    def write(folder, names=("no table", "no killers"), claims=(), games=3):
        config = AblationConfig.model_validate(
            {
                "game": "ConnectFour",
                "agent": "alphabeta:nodes=100",
                "configurations": {name: {"table_mib": place} for place, name in enumerate(names)},
                "claims": list(claims),
            }
        )
        entries = [invented_searches(name, game, 4 + place) for place, name in enumerate(config.specs()) for game in range(games)]
        folder = write_run(folder, results=ablation_results(config, entries), kind="ablation")
        (folder / "searches.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
        return folder

    return write


def invented_searches(name, game, depth):
    """Returns the log entry of one configuration on one game: a search cut off at a depth, and one that saw the end."""
    searches = []
    for ply, reached, settled in ((4, depth + game % 2, False), (12, 3, True)):
        rows = [[row, 4**row, 4**row / 1e5, 0, 3] for row in range(1, reached + 1)]
        counts = {"nodes": 4**reached, "evaluations": 1, "table_hits": 0, "seconds": 4**reached / 1e5}
        searches.append({"ply": ply, "move": 3, "depth": reached, "settled": settled, "depths": rows, **counts})
    return {"id": 100 * depth + game, "configuration": name, "game_number": game, "plies": 20, "moves": "4", "searches": searches}


@pytest.fixture
def tune_run(random_games, write_run):
    """Returns a function that writes the folder of a finished tuning whose agents have long names."""

    def write(folder, count=12):
        agents = tuple(f"best:nodes=2000,{','.join(f'weights.short_{n}={value + n}' for n in range(1, 7))}" for value in (20, 60))
        challenges = random_games(2, agents=(agents[1], f"{agents[1]} (2)"), stage="challenge")
        finals = random_games(count, agents=agents, first_id=2, stage="final")
        start, tuned = ({f"short_{n}": value + n for n in range(1, 7)} for value in (60, 20))
        kept = [{"challenge": 3, "weight": "short_1", "from": 61, "to": 21, "score": 0.6}]
        game, final = GameRecord(**finals[0]["game"]), [matchup_of(finals, agents)]
        results = TuneResults(kind="tune", game=game, challenges=4, start=start, weights=tuned, kept=kept, final=final)
        return write_run(folder, challenges + finals, results, kind="tune")

    return write


@pytest.fixture
def bench_run(write_run):
    """Returns a function that writes the folder of a finished benchmark of invented speeds, with and without other packages."""

    def write(folder, missing=()):
        four, gomoku = ({"id": f"sparring/{name}-v0", "parameters": {}} for name in ("ConnectFour", "Gomoku"))
        rows = {f"Connect Four, {games:,}": invented_row(four, games, 3e4 * games**0.8) for games in (1, 64, 256, 1024, 8192)}
        rows["Gomoku, a rather long name of a row, 1,024"] = invented_row(gomoku, 1024, 4e6) | {"claim": 5e6}
        rows["Connect Four, 8 single"] = invented_row(four, 8, 4e3) | {"single": True}
        rows["Connect Four, depth 6"] = invented_row(four, 256, 2e5) | {"opponent": "alphabeta:depth=6", "claim": 1e5}
        for peer, games, best in (("openspiel", 1, 3e5), ("pettingzoo", 1, 6e3), ("pgx", 1, 7e4), ("pgx", 256, 2e6)):
            found = dict.fromkeys(("best", "median", "worst", "version")) if peer in missing else {"version": "1.2.3"}
            rows[f"Connect Four, {peer}, {games}"] = invented_row(four, games, best) | {"peer": peer} | found
        return write_run(
            folder, results=BenchResults(kind="bench", environments={name: Speed(**row) for name, row in rows.items()}), kind="bench"
        )

    return write


def invented_row(game, games, best):
    """Returns one of a benchmark's results."""
    shown = {"opponent": "random", "single": False, "claim": None}
    return {"game": game, "games": games, **shown, "best": best, "median": 0.9 * best, "worst": 0.7 * best}


@pytest.fixture
def command_line(tmp_path, monkeypatch, capsys):
    """Returns a function that runs `sparring` with some words in an empty folder and returns exit code, output lines and error lines."""
    from sparring.experiments.commands.cli import main

    monkeypatch.chdir(tmp_path)

    def command(*words):
        monkeypatch.setattr(sys, "argv", ["sparring", *words])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        return end.value.code, printed.out.splitlines(), printed.err.splitlines()

    return command


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    if not (CHROMIUM and DRIVER):
        reason = "no chromium and chromedriver on this machine; install them with: apt-get install chromium chromium-driver"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.quit()
