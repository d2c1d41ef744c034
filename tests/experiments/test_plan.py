"""What a run says before it begins, and what it names to do next: commands that work as they stand."""

import shlex

import pytest
from sparring.experiments.commands.next_steps import next_steps
from sparring.experiments.kinds import checked
from sparring.experiments.run_folder import RunFolder
from sparring.experiments.terminal.phrases import choice_text


@pytest.mark.parametrize(
    ("kind", "config", "text"),
    [
        ("match", {"game": "Gomoku:size=9", "agents": ["greedy", "random"]}, "match of greedy and random at Gomoku:size=9,"),
        ("tournament", {"game": "TicTacToe", "agents": ["greedy", "random", "poor"]}, "tournament of 3 agents at TicTacToe, 40 games"),
        ("evaluate", {"game": "ConnectFour", "agent": "best:nodes=9"}, "games of best:nodes=9 against the ladder of ConnectFour"),
        ("train", {"game": "Isola", "opponent": "random", "timesteps": 4096}, "training at Isola:rules=queen, 4,096 time steps with"),
        ("tune", {"game": "ConnectFour", "agent": "alphabeta:depth=2", "challenges": 1}, "1 challenge of alphabeta:depth=2 at"),
        ("book", {"game": "ConnectFour", "max_ply": 4}, "book of ConnectFour, up to ply 4"),
    ],
)
def test_a_run_says_what_it_does(kind, config, text):
    assert checked({"kind": kind, **config}).plan().startswith(text)


def test_the_next_steps_of_a_training_are_commands(tmp_path, train_run, command_line, monkeypatch):
    folder = RunFolder(train_run(tmp_path / "a run"))
    folder.tensorboard.mkdir()
    folder.model.touch()
    page, play, board = [shlex.split(step) for step in next_steps(folder)]
    assert page[1:] == [str(folder.report)]
    assert board == ["tensorboard", "--logdir", str(folder.tensorboard)]
    assert play[:3] == ["sparring", "play", "ConnectFour"]
    code, _, errors = command_line(*play[1:])
    assert (code, len(errors)) == (2, 1)
    assert "path: expected a saved network, got " in errors[0] or str(folder.model) in errors[0]


def test_a_game_is_named_as_the_command_line_reads_it():
    assert choice_text({"id": "sparring/ConnectK-v0", "width": 5, "height": 4, "k": 4, "gravity": True}) == (
        "ConnectK:width=5,height=4,k=4,gravity=true"
    )
