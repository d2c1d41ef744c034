"""The configs that the package ships, by name, from any folder."""

import subprocess
import sys

import pytest
import sparring
from sparring.experiments.config import shipped

NAME = "match/tic_tac_toe"


def written(folder, text):
    folder.parent.mkdir(exist_ok=True)
    folder.write_text(text)


def test_a_name_runs_the_shipped_config(command_line, tmp_path):
    code, out, err = command_line("run", NAME, "games=2")
    assert (code, err) == (0, [])
    assert out[0] == f"config: {NAME}, as shipped"
    assert out[1].startswith("tic_tac_toe: match of alphabeta:depth=9 and random at TicTacToe, 2 games")
    assert len(list(tmp_path.glob("runs/tic_tac_toe-*/report.html"))) == 1


@pytest.mark.parametrize("word", [NAME, f"{NAME}.yaml"])
def test_a_file_of_that_name_in_the_folder_wins(command_line, tmp_path, word):
    written(tmp_path / f"{NAME}.yaml", "kind: match\ngame: TicTacToe\nagents: [greedy, random]\ngames: 4\n")
    code, out, err = command_line("run", word)
    assert (code, err) == (0, [])
    assert out[0] == f"config: {NAME}.yaml, a file in this folder, which wins over the shipped config"
    assert "match of greedy and random" in out[1]


def test_a_folder_of_that_name_does_not_hide_the_shipped_config(command_line, tmp_path):
    (tmp_path / NAME).mkdir(parents=True)
    assert command_line("run", NAME, "games=2")[1][0] == f"config: {NAME}, as shipped"


def test_a_file_by_its_path_needs_no_word_about_it(command_line, tmp_path):
    written(tmp_path / "match.yaml", "kind: match\ngame: TicTacToe\nagents: [greedy, random]\ngames: 2\n")
    assert command_line("run", "match.yaml")[1][0].startswith("match: match of greedy and random")
    assert command_line("run", "match")[1][0].startswith("match: finished already")


def test_all_of_them_are_listed_shown_and_copied(command_line, tmp_path):
    names = shipped.names()
    assert {"quickstart", "ladder/connect_four", "train/isola"} < set(names)
    _, lines, _ = command_line("configs")
    for name in names:
        assert sum(line.startswith(f"│ {name} ") for line in lines) == 1
        assert shipped.summary(name)
    _, shown, _ = command_line("configs", NAME)
    text = shipped.path_of(NAME).read_text()
    assert "\n".join(shown).strip() == text.strip()
    for words, path in ((("--out", "."), "tic_tac_toe.yaml"), (("--out", "mine.yaml"), "mine.yaml")):
        assert command_line("configs", NAME, *words)[1] == [f"copied: {path}"]
        assert (tmp_path / path).read_text() == text


def test_the_package_runs_as_a_module(tmp_path):
    done = subprocess.run([sys.executable, "-m", "sparring", "--version"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"sparring {sparring.__version__}"
