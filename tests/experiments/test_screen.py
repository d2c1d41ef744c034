"""What the terminal tells of a finished run."""

import io

import pytest
from rich.console import Console
from sparring.experiments.games.tally import matchup_of
from sparring.experiments.kinds.train.results import TrainResults
from sparring.experiments.kinds.train.run import evaluation_text
from sparring.experiments.results import GameRecord
from sparring.experiments.terminal import results as screen


@pytest.fixture
def training(random_games):
    """The results of a training whose best evaluation is not its last."""
    games = random_games(12, agents=("MaskablePPO", "greedy"))
    repeated = [{**game, "moves": games[0]["moves"]} for game in games]
    game, final = GameRecord(**games[0]["game"]), [matchup_of(repeated, ("MaskablePPO", "greedy"))]
    words = {"algorithm": "MaskablePPO", "model": "model.zip", "final": final, "timesteps": 200_704, "best_timesteps": 163_840}
    return TrainResults(kind="train", game=game, opponent="random", **words)


def test_a_training_tells_which_network_is_measured_and_how_long_it_was(training, capsys):
    screen.show_results("ppo", training)
    lines = capsys.readouterr().out.splitlines()
    kept = "the network after 163,840 of them, the best of all evaluations, is kept and measured"
    assert lines[0] == f"ppo: trained for 200,704 time steps against random; {kept}"
    screen.show_results("ppo", training.model_copy(update={"best_timesteps": 200_704}))
    assert "its last network, the best of all evaluations, is kept" in capsys.readouterr().out.splitlines()[0]


def test_a_warning_names_the_opponent(training, capsys):
    screen.show_results("ppo", training)
    assert capsys.readouterr().out.splitlines()[-1].startswith("ppo: only 1 of 12 games against greedy is distinct")


def test_an_evaluation_during_a_training_is_a_line():
    entries = [{"timesteps": 40_960, "opponent": opponent, "score": score} for opponent, score in (("random", 0.95), ("greedy", 0.4))]
    assert evaluation_text(entries) == "after 40,960 time steps: score 0.950 against random, 0.400 against greedy"


@pytest.mark.parametrize(("width", "is_table"), [(80, False), (140, True)])
def test_a_narrow_terminal_gets_lines_that_cut_no_name(training, capsys, monkeypatch, width, is_table):
    shown = io.StringIO()
    monkeypatch.setattr(screen, "OUT", Console(file=shown, force_terminal=True, width=width, color_system=None))
    screen.show_results("ppo", training)
    assert ("95 % interval" in shown.getvalue()) == is_table
    assert ("ppo: MaskablePPO - greedy: " in capsys.readouterr().out) != is_table
