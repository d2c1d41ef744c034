"""Environments used in ways that nobody should: they say so, and play on correctly afterwards."""

import copy
import inspect
import re

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import load_env_creator
from sparring import Game, Position
from sparring.envs.board_env import BoardEnv
from sparring.envs.connect_k import ConnectKEnv
from sparring.envs.registration import GAMES
from sparring.envs.rules.errors import AgentError, IllegalMoveError, NotationError, RulesError


def make(id="ConnectFour", **words):
    return gymnasium.make(f"sparring/{id}-v0", disable_env_checker=True, **words).unwrapped


class Answers:
    """An opponent that answers with what it was given, one thing after the other."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def act(self, position):
        return self.answers.pop(0)


@pytest.mark.parametrize(
    ("id", "words", "message"),
    [
        ("ConnectFour", {"oponent": "greedy"}, "ConnectFour: unknown argument 'oponent'; .*did you mean 'opponent'"),
        ("ConnectFour", {"width": 7}, "ConnectFour: unknown argument 'width'; expected one of opponent, render_mode, seat, illegal,"),
        ("ConnectK", {"widht": 7}, "ConnectK: unknown argument 'widht'; expected one of width, height, k, gravity, opponent,.* 'width'"),
        ("Gomoku", {"rules": "standard"}, "Gomoku: unknown argument 'rules'; .*did you mean 'rule'"),
        ("Isola", {"preset": "classic"}, "Isola: unknown argument 'preset'; expected one of rules, width,"),
        ("ConnectK", {"width": 21}, "width: expected a whole number from 1 to 20, got 21"),
        ("ConnectFour", {"opponent_epsilon": float("nan")}, "opponent_epsilon: expected a number from 0 to 1, got nan"),
        ("ConnectFour", {"opponent_epsilon": True}, "opponent_epsilon: expected a number from 0 to 1, got True"),
        ("ConnectFour", {"opening_plies": 1.0}, "opening_plies: expected a whole number from 0 to 28, got 1.0"),
        ("ConnectFour", {"seat": None}, "seat: unknown value None; expected one of first, second, random, alternate"),
    ],
)
def test_wrong_arguments_are_named(id, words, message):
    with pytest.raises(RulesError) as caught:
        make(id, **words)
    assert re.search(message, str(caught.value)), caught.value
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("opponent", [None, 3, object(), {}, {"name": ["x"]}, {"name": None}, "", "gredy", "alphabeta:depth=0"])
def test_wrong_opponents_are_refused(opponent):
    with pytest.raises(AgentError, match=r"^(unknown agent|agent)"):
        make(opponent=opponent)


def test_numbers_of_numpy_are_arguments():
    env = make(
        "ConnectK", width=np.int64(5), height=np.uint8(4), k=np.int32(4), opponent_epsilon=np.float32(0.5), opening_plies=np.int16(1)
    )
    assert env.game.parameters == {"width": 5, "height": 4, "k": 4, "gravity": False}
    assert env.reset(seed=1)[1]["ply"] == 2


@pytest.mark.parametrize("seat", ["first", "second"])
def test_a_step_needs_a_game(seat):
    env = make(seat=seat)
    with pytest.raises(IllegalMoveError, match=r"action 3: expected reset\(\) before the next step, as no game is running"):
        env.step(3)
    assert env.position.ply == 0
    env.close()
    env.close()
    env.reset(seed=1)
    env.reset(seed=1)
    env.step(3)
    assert env.position.ply == 2 + (seat == "second")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"position": "8"}, NotationError, "expected a move such as '1', got '8'"),
        ({"position": 44}, NotationError, "position: expected moves or a board as text, got 44"),
        ({"position": "1212121"}, IllegalMoveError, "position '1212121': expected a game that goes on, got one that is over"),
        ({"position": "121212", "seed": 3}, RulesError, "options: expected only 'position', got 'seed'"),
        ({"pos": "44", 3: 2}, RulesError, "options: expected only 'position', got 'pos', 3"),
    ],
)
def test_no_game_runs_after_a_reset_that_failed(options, error, message):
    env = make(seat="alternate")
    env.reset(seed=1)
    with pytest.raises(error, match=message):
        env.reset(options=options)
    with pytest.raises(IllegalMoveError, match=r"as no game is running|as the game is over"):
        env.step(3)
    env.reset(seed=1)
    env.step(3)


def test_a_position_that_leaves_the_learner_no_move_is_refused():
    env = make(seat="second", opponent="greedy")
    with pytest.raises(IllegalMoveError, match="expected the learner to have a move, but the opponent's first move ends the game"):
        env.reset(options={"position": "121212"})


@pytest.mark.parametrize("answer", [None, 99, -1, "4", 3.0, (3,), np.array([3]), 0])
def test_no_game_runs_after_an_opponent_that_failed(answer):
    env = make(opponent=Answers(*[0] * 2, answer))
    env.reset(options={"position": "11"})
    env.step(0)
    env.step(0)
    with pytest.raises(AgentError, match=r"opponent 'Answers': expected a legal move, got .* \(ply 7: 1111112\)"):
        env.step(1)
    with pytest.raises(IllegalMoveError, match="expected reset"):
        env.step(1)  # it would be played for the opponent


def test_text_for_a_move_is_answered_with_what_reads_it():
    env = make(opponent=Answers("4"), seat="second")
    message = r"expected a legal move, got '4' \(ply 0\); act returns a whole number, which position.read_move\('4'\) makes$"
    with pytest.raises(AgentError, match=message):
        env.reset(seed=1)
    env = make()
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match=r"from 0 to 6, got '4'; env.unwrapped.position.read_move\('4'\) returns it$"):
        env.step("4")


def test_a_tuple_of_opponents_is_a_pool():
    assert [opponent.name for opponent in make(opponent=("random", "greedy")).opponents] == ["random", "greedy"]


def test_an_illegal_move_that_raises_leaves_the_game_running():
    env = make(illegal="raise", opponent=Answers(0, 0, 0, 5))
    env.reset()
    for _ in range(3):
        env.step(0)
    before = env.position.text
    for action in (0, -1, 7, None):
        with pytest.raises(IllegalMoveError):
            env.step(action)
    assert env.position.text == before
    assert env.step(1)[4]["ply"] == 8


def test_a_seat_that_never_has_a_move_is_refused():
    with pytest.raises(RulesError, match="seat 'second' never gets a move against this opponent"):
        make("ConnectK", width=1, height=1, k=1, seat="second").reset()
    with pytest.raises(RulesError, match="seat 'first' never gets a move against this opponent"):
        make("Isola", width=2, height=1).reset()  # x cannot move at all


@pytest.mark.parametrize(("id", "words", "longest"), [("Gomoku", {}, 224), ("TicTacToe", {}, 8), ("Isola", {"rules": "sevens"}, 47)])
@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_openings_longer_than_the_game_cost_little(id, words, longest, seat, opponent, monkeypatch):
    pushed = []
    push = Position.push
    monkeypatch.setattr(Position, "push", lambda position, move: pushed.append(move) or push(position, move))
    env = make(id, **words, opening_plies=longest + 1, seat=seat, opponent=opponent)
    _, info = env.reset(seed=2)
    assert not env.position.is_over
    assert longest // 3 < info["ply"] <= longest
    assert len(pushed) < 60 * longest


def test_copies_share_nothing_with_their_original():
    env = make(opponent=Answers(*range(7)))
    env.reset(seed=1)
    twin = copy.deepcopy(env)
    env.step(0)
    assert (twin.position.ply, len(twin.opponent.answers)) == (0, 7)
    twin.step(6)
    assert twin.position.notation == "71"
    assert env.position.notation == "11"


def test_opponent_info_tells_what_the_opponent_thought():
    env = gymnasium.make("sparring/ConnectFour-v0", opponent="alphabeta:depth=3", seat="second", opponent_info=True)
    _, info = env.reset(seed=1)
    thought = info["opponent_analysis"]
    assert (thought["move"], thought["depth"]) == (info["opponent_move"], 3)
    assert thought["nodes"] > 0
    assert thought["pv"][0] == thought["move"]
    assert isinstance(thought["score"], int)
    assert "opponent_analysis" not in gymnasium.make("sparring/ConnectFour-v0", seat="second").reset(seed=1)[1]


def test_opponent_info_is_none_without_a_thought():
    env = gymnasium.make("sparring/ConnectFour-v0", opponent="alphabeta:depth=3", opponent_epsilon=1.0, opponent_info=True)
    assert env.reset(seed=1)[1]["opponent_analysis"] is None
    assert env.step(3)[-1]["opponent_analysis"] is None


def test_an_opponent_that_is_set_plays_from_the_next_game_on():
    class Last:
        def act(self, position):
            return position.legal_moves[-1]

    env = gymnasium.make("sparring/TicTacToe-v0", opponent="greedy")
    env.reset(seed=1)
    env.set_wrapper_attr("opponent", ["random", Last()])
    assert env.unwrapped.opponent.name == "greedy"
    env.reset()
    assert len(env.unwrapped.opponents) == 2
    env.unwrapped.opponent = Last()
    env.reset()
    assert env.step(0)[4]["opponent_move"] == 8
    with pytest.raises(AgentError, match="unknown agent 'nobody'"):
        env.unwrapped.opponent = "nobody"


@pytest.mark.parametrize("id", GAMES)
def test_signatures_show_every_keyword(id):
    spec = gymnasium.spec(id)
    parameters = inspect.signature(load_env_creator(spec.entry_point)).parameters
    shared = {"opponent", "seat", "illegal", "opening_plies", "opponent_epsilon", "opponent_info", "render_mode"}
    assert set(parameters) == shared | set(Game.free_parameters(id))


def test_signatures_of_subclasses_show_what_they_take():
    class Sized(BoardEnv):
        def __init__(self, *, size=3):
            super().__init__(Game("TicTacToe"))

    class Second(BoardEnv):
        def __init__(self, seat="second", **options):
            super().__init__(Game("TicTacToe"), seat=seat, **options)

    class Wide(ConnectKEnv):
        def __init__(self, bonus=1, **options):
            super().__init__(**options)

    assert list(inspect.signature(Sized).parameters) == ["size"]
    assert list(inspect.signature(Second).parameters)[:3] == ["seat", "opponent", "illegal"]
    assert list(inspect.signature(Wide).parameters) == ["bonus", "options"]
    assert Second(opponent="greedy").options.seat == "second"
    assert Wide(width=5).game.width == 5
