"""Playing and analysing in the terminal."""

import pytest
from sparring import Game, Position
from sparring.envs.rules.errors import AgentError
from sparring.experiments.commands.play import HELP, opponent_spec, play
from sparring.experiments.terminal.analysis import line_text, score_text


def talk(game, spec, side, *lines):
    """Plays a game in which the person writes the given lines; returns the last position and all that was shown."""
    told, left = [], list(lines)

    def ask(question):
        if not left:
            raise EOFError
        return left.pop(0)

    return play(Game.of(game), spec, side, ask, told.append), told


def test_a_person_can_win():
    position, told = talk("TicTacToe", {"name": "alphabeta", "depth": 1}, 1, "a1", "b1", "c1", "a2", "a3", "b2", "c2", "b3", "c3")
    assert position.is_over
    assert told[-1].endswith(position.notation)


def test_mistakes_undo_and_moves_are_answered():
    position, told = talk("Isola", {"name": "greedy"}, 1, "undo", "zz", "a8-a8", "moves", "a8-b7", "undo", "a8-b8", "quit")
    text = "\n".join(told)
    assert "there is no move of yours to take back" in text
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
    assert told[-1] == f"{HELP} You play x; a move is written as in 'a1'."


def test_an_agent_without_a_clock_refuses_seconds():
    with pytest.raises(AgentError, match="agent 'greedy': expected no seconds, as it does not think by the clock, got 1"):
        opponent_spec(Game("Isola"), {"name": "greedy"}, 1)


def test_scores_and_lines_for_people():
    assert [score_text(score) for score in (None, 25, -3, 0)] == ["", "+25", "-3", "+0"]
    from sparring.agents.search.scores import WIN

    assert score_text(WIN - 3) == "wins in 3 plies"
    assert score_text(4 - WIN) == "loses in 4 plies"
    assert score_text(12 - WIN, is_bound=True) == "loses within 12 plies"
    assert (score_text(WIN - 1), score_text(1 - WIN)) == ("wins in 1 ply", "loses in 1 ply")
    assert line_text(Position("ConnectFour", "44"), (0, 6)) == "17"
