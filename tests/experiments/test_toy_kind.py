"""A kind of experiment that lives outside of the package: one module, named in the config, and nothing else."""

import json
import subprocess
import sys

import pytest
from sparring.experiments.kinds import checked, kind_of
from sparring.experiments.pages import write_report
from sparring.experiments.run import run

TOY = '''
"""How many legal moves a game has at its start, and how often a number of random games was longer than that."""

import random

from sparring.envs.position import Position
from sparring.experiments.config.parts import Count, Experiment, GameChoice, game_of
from sparring.experiments.kinds.kind import Kind
from sparring.experiments.report.sections import Cell, TableView, number, played_section
from sparring.experiments.results import GameRecord, GameResults


class WidthConfig(Experiment, frozen=True):
    """Random games.

    Attributes:
        game: that is played.
        games: how many.
    """

    kind: str = "toy_kind:WIDTH"
    game: GameChoice
    games: Count = 3

    def plan(self):
        return f"{self.games} random games"


class WidthResults(GameResults):
    width: int
    lengths: list[int]

    def lines(self):
        return [f"width {self.width}"]


def run_width(config, folder):
    game, chance, lengths = game_of(config.game), random.Random(config.seed), []
    for _ in range(config.games):
        position = Position(game)
        while not position.is_over:
            position.push(chance.choice(position.legal_moves))
        lengths.append(position.ply)
    width = len(Position(game).legal_moves)
    return WidthResults(kind=config.kind, game=GameRecord.of(game), width=width, lengths=lengths)


def width_section(run, section_id):
    if run.results is None:
        return played_section(run, section_id, "Nothing yet")
    rows = [(Cell(str(place)), number(length, "d")) for place, length in enumerate(run.results.lengths)]
    tables = [TableView("Lengths", ("Game", "Plies"), rows)]
    return played_section(run, section_id, f"{run.results.width} moves at the start", tables=tables, has_games=False)


TOY_NUMBER = 7
WIDTH = Kind(WidthConfig, WidthResults, run="toy_kind:run_width", section="toy_kind:width_section")
'''


@pytest.fixture
def outside(tmp_path, monkeypatch):
    """A folder outside of the package with the kind's module, which can be imported."""
    (tmp_path / "toy_kind.py").write_text(TOY)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("toy_kind", None)


def test_a_kind_from_outside_is_run_reported_and_resumed(outside, capsys):
    config = checked({"kind": "toy_kind:WIDTH", "game": "ConnectFour", "seed": 1}).resolved("wide")
    folder = run(config, outside / "run")
    assert "wide: 3 random games" in capsys.readouterr().out
    assert json.loads(folder.results.read_text())["width"] == 7
    assert "7 moves at the start" in folder.report.read_text()
    run(config, outside / "run")
    assert "finished already" in capsys.readouterr().out
    assert kind_of("toy_kind:WIDTH").config is type(config)
    folder.results.unlink()
    assert "Nothing yet" in write_report(folder.path).read_text()


def test_the_command_finds_a_kind_beside_the_config(outside):
    (outside / "wide.yaml").write_text("kind: toy_kind:WIDTH\ngame: TicTacToe\ngames: 2\n")
    command = [sys.executable, "-m", "sparring", "run", "wide.yaml", "--out", "here"]
    done = subprocess.run(command, cwd=outside, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "wide: width 9" in done.stdout
    assert subprocess.run([*command[:4], "wide.yaml", "gmaes=3"], cwd=outside, capture_output=True, text=True).stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("toy_kind:WIDE", "kind: expected module:attribute, got 'toy_kind:WIDE': AttributeError: "),
        ("no_such_module:X", "kind: expected module:attribute, got 'no_such_module:X': ModuleNotFoundError: "),
        ("toy_kind:TOY_NUMBER", "kind: expected a Kind, got 'toy_kind:TOY_NUMBER', which is 7"),
        ("mach", "kind: unknown kind 'mach'; expected one of match, "),
    ],
)
def test_a_kind_that_is_none_is_told_in_a_line(outside, kind, message):
    with pytest.raises(ValueError, match=message.split(":")[0]) as refusal:
        checked({"kind": kind})
    assert str(refusal.value).startswith(message)
