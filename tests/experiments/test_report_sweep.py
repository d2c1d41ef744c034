"""Sweeps on a page: what was swept along the axis, means over seeds, and intervals that never claim too much."""

import json

import pytest
import yaml
from sparring.experiments.config.sweep import end_of
from sparring.experiments.pages import page_view, read_run
from sparring.experiments.report.labels import LONGEST, told_apart
from sparring.experiments.report.sweep import sweeps_of


@pytest.fixture
def sweep_run(tmp_path, write_run):
    """Returns a function that writes a series of matches of invented scores, by depth, method and seed."""

    def write(scores):
        for place, ((depth, method, seed), score) in enumerate(scores.items(), start=1):
            agents = [{"name": "alphabeta", "depth": depth, "method": method}, {"name": "greedy"}]
            results = {"kind": "match", "agents": ["a", "b"], "score": score, "low": max(0, score - 0.2), "high": min(1, score + 0.2)}
            results |= {"games": 2, "distinct_games": 2, "warnings": [], "outcomes": {seat: {} for seat in ("first", "second")}}
            results |= {"game": {"id": "sparring/TicTacToe-v0", "parameters": {}}, "seconds_per_move": {}, "terminations": {"line": 2}}
            results |= {"plies": {"mean": 5, "min": 5, "max": 5}}
            config = yaml.safe_dump({"kind": "match", "name": str(place), "agents": agents, "seed": seed})
            write_run(tmp_path / "sweep" / f"{place}-x", results=results, config=config, name=f"depth-{depth}_{method}_seed-{seed}")
        folder = write_run(tmp_path / "sweep", results={"kind": "series", "runs": []}, kind="series")
        return read_run(folder)

    return write


def test_runs_that_differ_in_the_seed_alone_are_one_point(sweep_run):
    run = sweep_run({(depth, "pvs", seed): 0.2 * depth + 0.01 * seed for depth in (1, 2, 4) for seed in range(3)})
    [sweep] = sweeps_of(list(run.leaves()))
    assert (sweep.settings, sweep.seeds) == (["depth"], 3)
    view = page_view(run)
    assert [[cell.text for cell in row] for row in view.tables[0].rows] == [
        ["1", "3", "21\N{NO-BREAK SPACE}%"],
        ["2", "3", "41\N{NO-BREAK SPACE}%"],
        ["4", "3", "81\N{NO-BREAK SPACE}%"],
    ]
    assert view.figures[0].caption == "Score of the first agent over depth; means of 3 seeds with 95 % intervals"
    assert "score of the first agent over depth: 1 0.21; 2 0.41; 4 0.81" in view.figures[0].svg


def test_equal_scores_of_all_seeds_leave_open_what_the_games_do(sweep_run):
    run = sweep_run({(1, "pvs", seed): 1.0 for seed in range(4)} | {(2, "pvs", seed): 1.0 for seed in range(4)})
    remark = page_view(run).tables[0].rows[0][-1].remark
    assert remark == "90\N{NO-BREAK SPACE}% to 100\N{NO-BREAK SPACE}%"


def test_a_second_setting_is_a_line_each(sweep_run):
    run = sweep_run({(depth, method, 0): 0.5 for depth in (1, 2, 3) for method in ("pvs", "minimax")})
    svg = page_view(run).figures[0].svg
    assert all(f"method {method} {depth} 0.5" in svg for depth in (1, 2, 3) for method in ("pvs", "minimax"))
    assert len(page_view(run).tables[0].rows) == 6


def test_runs_that_have_nothing_in_common_are_no_sweep(sweep_run, tmp_path):
    run = sweep_run({(1, "pvs", 0): 0.5, (2, "minimax", 1): 0.5})
    for place, child in enumerate(sorted((tmp_path / "sweep").glob("*/config.yaml"))):
        config = yaml.safe_load(child.read_text())
        child.write_text(json.dumps({**config, "games": place, "opening_plies": place}))
    assert sweeps_of(list(read_run(run.path).leaves())) == []


def test_keys_are_named_by_their_end():
    assert end_of("agents.0.depth", ["agents.0.depth", "seed"]) == "depth"
    assert end_of("agents.0.depth", ["agents.0.depth", "agents.1.depth"]) == "0.depth"
    assert end_of("agents.0", ["agents.0"]) == "agents.0"


@pytest.mark.parametrize(
    "names",
    [
        ["mcts:simulations=10000", "mcts:simulations=30000", "mcts:simulations=100000"],
        [f"alphabeta:depth={depth},evaluation=ways_to_win,null_move={null}" for depth in (4, 5) for null in ("true", "false")],
        [f"policy:path=runs/connect_four_ppo-{name}/model.safetensors" for name in ("1a2b", "9f9e")],
        [f"weights.{name}_of_the_evaluation_in_the_opening" for name in ("first", "third", "other")],
        ["random", "greedy"],
        ["x" * 90],
    ],
)
def test_names_that_are_cut_still_differ(names):
    cut = told_apart(names)
    assert len(set(cut)) == len(names)
    assert all(len(short) <= LONGEST for short in cut)


def test_what_tells_names_apart_is_not_cut():
    assert told_apart(["mcts:simulations=10000", "mcts:simulations=30000"], 16) == ["mcts:si…ns=10000", "mcts:si…ns=30000"]
    assert told_apart([f"alphabeta:depth={depth},evaluation=threats" for depth in (2, 3)], 30) == [
        "alphabeta:depth=2,…ion=threats",
        "alphabeta:depth=3,…ion=threats",
    ]
