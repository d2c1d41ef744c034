"""Playing and analysing in the terminal."""

import sys

import pytest
from sparring import Game, Position
from sparring.envs.registration import GAMES
from sparring.envs.rules.errors import AgentError, IllegalMoveError
from sparring.experiments.commands.play import HELP, Terminal, opponent_spec, play, rules_of
from sparring.experiments.terminal.analysis import line_text, score_text


def talk(game, spec, side, *lines, start="", can_wait=False):
    """Plays a game in which the person writes the given lines; returns the last position and all that was shown."""
    told, left = [], list(lines)

    def ask(question):
        if not left:
            raise EOFError
        told.append(question)
        return left.pop(0)

    return play(Game.of(game), spec, side, Terminal(ask, told.append, can_wait, "sparring play"), start), told


def test_a_person_can_win():
    position, told = talk("TicTacToe", {"name": "alphabeta", "depth": 1}, 1, "a1", "b1", "c1", "a2", "a3", "b2", "c2", "b3", "c3")
    assert position.is_over
    assert told[-1] == f"moves: {position.notation}"


def test_mistakes_undo_and_moves_are_answered():
    position, told = talk("Isola", {"name": "greedy"}, 1, "undo", "zz", "a8-a8", "moves", "a8-b7", "undo", "a8-b8", "quit")
    text = "\n".join(told)
    assert "you have no move to take back" in text
    assert "expected a move such as 'a8-" in text
    assert "got 'zz'" in text
    assert "illegal move 'a8-a8'" in text
    assert any(line.startswith("a8-a1 ") or " a8-b7 " in line for line in told)
    assert position.notation.startswith("a8-b8 ")


def test_the_agent_plays_the_side_it_is_given():
    position, told = talk("Isola", opponent_spec(Game("Isola"), None, 0.01), 0, "quit")
    assert position.ply == 1
    assert "You play o, mobility:seconds=0.01 plays x." in told[0]
    assert told.index("mobility thinks …") < next(place for place, line in enumerate(told) if line.startswith("mobility plays "))
    assert any(line.startswith("mobility plays a8-") for line in told)


def test_help_says_how_a_move_is_written():
    _, told = talk("TicTacToe", {"name": "greedy"}, 1, "help", "quit")
    assert told[-3].endswith(f"\n{HELP} You play x; a move is written as in 'a1'.")
    told = talk("ConnectFour", {"name": "greedy"}, 1, "?", "Q")[1][-3]
    assert told.startswith("Connect Four: four in a row on seven columns of six cells. Two sides drop stones into the columns in turn; ")
    assert told.endswith("You play x; a move is written as in '1', a column from 1 to 7.")


@pytest.mark.parametrize("id", GAMES)
def test_the_rules_of_every_game_are_a_few_whole_sentences(id):
    rules = rules_of(Game(id))
    assert 80 < len(rules) < 500
    assert rules.endswith(".")
    assert "##" not in rules
    assert "Env" not in rules


@pytest.mark.parametrize("word", ["help", "H", "?", "Help"])
def test_commands_are_short_and_of_any_capitals(word):
    assert any(HELP in line for line in talk("TicTacToe", {"name": "greedy"}, 1, word, "EXIT")[1][1:])


def test_moves_are_of_any_capitals_and_mistakes_name_the_help():
    position, told = talk("Gomoku", {"name": "greedy"}, 1, "H8", "zz", "h8", "Undo", "MOVES", "exit")
    assert any(
        line.startswith("expected a move such as 'a1', got 'zz' (ply 2: h8") and line.endswith("; 'help' lists the commands")
        for line in told
    )
    assert any(line.startswith("illegal move 'h8' for x: ") and line.endswith("; 'help' lists the commands") for line in told)
    assert position.ply == 0
    _, told = talk("ConnectFour", {"name": "greedy"}, 1, "9", "q")
    assert "expected a move such as '1', got '9' (ply 0); a move is a column from 1 to 7; 'help' lists the commands" in told


def test_every_end_shows_the_moves_and_how_to_go_on():
    _, told = talk("ConnectFour", {"name": "alphabeta", "depth": 1}, 1, "quit")
    assert told[-1] == "moves: none\ngo on with: sparring play"
    position, told = talk("ConnectFour", {"name": "alphabeta", "depth": 1}, 1, "4", "quit")
    assert told[-1] == f"moves: {position.notation}\ngo on with: sparring play --position '{position.notation}'"
    again, told = talk("ConnectFour", {"name": "alphabeta", "depth": 1}, 1, "undo", "4", "quit", start=position.notation)
    assert again == position
    board = "xo1/3/3 x"
    position, told = talk("TicTacToe", {"name": "greedy"}, 1, "a1", "quit", start=board)
    assert told[-1] == f"moves: {position.notation}, from {board}\ngo on with: sparring play --position '{position.text}'"
    with pytest.raises(IllegalMoveError, match="expected a position whose game goes on"):
        talk("TicTacToe", {"name": "greedy"}, 1, start="a1 a2 b1 b2 c1")


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, EOFError])
def test_an_interrupted_game_shows_its_moves(interrupt):
    told = []

    def ask(question):
        raise interrupt

    with pytest.raises(interrupt):
        play(Game("TicTacToe"), {"name": "greedy"}, 0, Terminal(ask, told.append, True, "sparring play TicTacToe"))
    assert told[-1].startswith("moves: ")
    assert "\ngo on with: sparring play TicTacToe --position '" in told[-1]


def test_a_game_that_is_over_can_be_taken_up_again_on_a_terminal():
    won = "a1 b1 a2 b2"
    position, told = talk("TicTacToe", {"name": "greedy"}, 1, "a3", "undo", "q", start=won, can_wait=True)
    assert (position.notation, told[-1]) == (won, f"moves: {won}\ngo on with: sparring play --position '{won}'")
    position, told = talk("TicTacToe", {"name": "greedy"}, 1, "a3", "", start=won, can_wait=True)
    assert told[-2:] == ["The game is over; 'undo', or Enter to end: ", f"moves: {won} a3"]
    position, _ = talk("TicTacToe", {"name": "greedy"}, 1, "c1", "UNDO", "c2", "", start="a1 b1 a2 b2", can_wait=True)
    assert position.notation.startswith("a1 b1 a2 b2 c2")  # a move that lost is replaced


def test_scores_say_whose_view_they_are_from():
    _, told = talk("ConnectFour", {"name": "alphabeta", "depth": 2}, 1, "4", "quit")
    assert any(line.endswith("; the score is as o sees it)") for line in told)
    _, told = talk("ConnectFour", {"name": "random"}, 1, "4", "quit")
    assert not any("sees it" in line for line in told)


def test_an_agent_of_ones_own_is_called_by_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "played_module", raising=False)
    (tmp_path / "played_module.py").write_text(
        "def last(position):\n    return position.legal_moves[-1]\nclass Named:\n    name = 'the named'\n    act = staticmethod(last)\n"
    )
    for target, name in (("last", "last"), ("Named", "the named")):
        _, told = talk("TicTacToe", {"name": "python", "target": f"played_module:{target}"}, 1, "a1", "quit")
        assert f"{name} thinks …" in told


def test_an_agent_without_a_clock_refuses_seconds():
    with pytest.raises(AgentError, match="agent 'greedy': has no time limit, got seconds=1"):
        opponent_spec(Game("Isola"), {"name": "greedy"}, 1)


def test_scores_and_lines_for_people():
    assert [score_text(score) for score in (None, 25, -3, 0)] == ["", "+25", "-3", "+0"]
    from sparring.agents.search.scores import WIN

    assert score_text(WIN - 3) == "wins in 3 plies"
    assert score_text(4 - WIN) == "loses in 4 plies"
    assert score_text(12 - WIN, is_bound=True) == "loses within 12 plies"
    assert (score_text(WIN - 1), score_text(1 - WIN)) == ("wins in 1 ply", "loses in 1 ply")
    assert line_text(Position("ConnectFour", "44"), (0, 6)) == "17"
