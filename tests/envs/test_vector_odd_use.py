"""Batches used in ways that nobody should: they say so, and play on correctly afterwards."""

import re

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from sparring import Position
from sparring.envs.rules.errors import AgentError, IllegalMoveError, NotationError, RulesError, SparringError

from .batches import CONNECT_FOUR, MODES, TICTACTOE, WORDS, Contrary, Failing, First, flat, make


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"thread": 2}, "unknown argument 'thread'; .*did you mean 'threads'"),
        ({"width": 3}, "unknown argument 'width'"),
        ({"threads": 0}, "threads: expected a whole number from 1 to 1024, got 0"),
        ({"threads": 1.0}, "threads: expected a whole number from 1 to 1024, got 1.0"),
        ({"count": 0}, "num_envs: expected a whole number from 1 to 1048576, got 0"),
        ({"count": 2.5}, "num_envs: expected a whole number from 1 to 1048576, got 2.5"),
        ({"autoreset_mode": "next"}, "autoreset_mode: unknown value 'next'; expected one of NextStep, SameStep, Disabled"),
        ({"autoreset_mode": None}, "autoreset_mode: unknown value None"),
        ({"autoreset_mode": ["NextStep"]}, "autoreset_mode: unknown value"),
        ({"render_mode": "human"}, "render_mode: unknown value 'human'; expected one of None, rgb_array, ansi"),
        ({"seat": "third"}, "seat: unknown value 'third'"),
        ({"illegal": "ignore"}, "illegal: unknown value 'ignore'"),
        ({"opponent_epsilon": 1.5}, "opponent_epsilon: expected a number from 0 to 1, got 1.5"),
        ({"opponent_info": True}, "opponent_info: not available in a batch"),
        ({"opponent_info": "yes"}, "opponent_info: unknown value 'yes'"),
        ({"opponent": []}, r"opponent: expected at least one in a list, got \[\]"),
        ({"opponent": ["random", {"opponent": "greedy", "wieght": 2}]}, "opponent: expected .*'weight': a positive number"),
        *(
            (
                {"opponent": ["random", {"opponent": "greedy", "weight": weight}]},
                "opponent: expected .*'weight': a positive number up to 1000000",
            )
            for weight in (0, -1, "2", None, True, float("nan"), float("inf"), 1e308, 10**400)
        ),
        ({"opponent": ["random", "gredy"]}, "unknown agent 'gredy'; .*did you mean 'greedy'"),
        ({"opponent": ["random", "pattern_table"]}, "agent 'pattern_table' does not play TicTacToe"),
        ({"opponent": object()}, "agent: expected a name, a dict, an object with act"),
    ],
)
def test_wrong_arguments_are_named(words, message):
    with pytest.raises(SparringError) as caught:
        make(**words)
    assert re.search(message, str(caught.value)), caught.value
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "seed", ["1", 1.5, -1, True, [1, 2, 3], [1, 2, 3, -4], [1, 2, 3, 4.5], [1, 2, 3, "4"], {1, 2, 3, 4}, [1, None, True, 2]]
)
def test_wrong_seeds_are_refused(seed):
    env = make()
    with pytest.raises(RulesError, match=r"^seed: expected"):
        env.reset(seed=seed)


@pytest.mark.parametrize("seed", [np.int64(5), [5, 6, 7, 8], np.arange(5, 9), (5, 6, 7, 8)], ids=repr)
def test_seeds_of_any_kind_of_integer(seed):
    assert flat(make(**WORDS), 20, seed) == flat(make(**WORDS), 20, 5)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ([], RulesError, r"options: expected a dict, got \[\]"),
        ({"mask": 1}, RulesError, "options: expected only 'position' and 'reset_mask', got 'mask'"),
        *(
            ({"reset_mask": mask}, RulesError, "options: reset_mask: expected 4 booleans, at least one of them true, got")
            for mask in ([0, 1, 0, 1], np.zeros(4, bool), np.ones(3, bool), True, np.ones((4, 1), bool), "yes", [[True], [True, False]])
        ),
        ({"position": "x9"}, NotationError, "expected a move such as"),
        ({"position": 0}, NotationError, "position: expected moves or a board as text, got 0"),
        ({"position": "a1 b1 a2 b2 a3"}, IllegalMoveError, "expected a game that goes on, got one that is over"),
        ({"position": "a1 a1"}, IllegalMoveError, "illegal move 'a1'"),
    ],
)
def test_no_game_runs_after_a_reset_that_failed(options, error, message):
    env = make()
    env.reset(seed=1)
    with pytest.raises(error, match=message):
        env.reset(options=options)
    with pytest.raises(IllegalMoveError, match="expected reset"):
        env.step(env.random_actions())
    env.reset(seed=1)
    env.step(env.random_actions())


@pytest.mark.parametrize(
    "actions",
    [
        *([0, 1, 2], [[0, 1, 2, 3]], [0.0, 1.0, 2.0, 3.0], [True, False, True, False], None, "0123", [0, 1, 2, None]),
        *([0, 1, 2, 9], [-1, 0, 1, 2], np.array([0, 1, 2, 2**64 - 1], np.uint64), [[0], [1, 2]], 3, [0, 1, 2, 2**70]),
    ],
    ids=repr,
)
def test_actions_that_are_none_change_nothing(actions):
    env, twin = make(opponent="greedy"), make(opponent="greedy")
    env.reset(seed=3)
    twin.reset(seed=3)
    with pytest.raises(IllegalMoveError, match=r"^actions.*: expected"):
        env.step(actions)
    for _ in range(8):
        chosen = twin.random_actions()
        assert np.array_equal(env.random_actions(), chosen)
        assert all(np.array_equal(a, b) for a, b in zip(env.step(chosen)[:3], twin.step(chosen)[:3], strict=True))


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64, list, tuple])
def test_integers_of_any_kind_are_actions(kind):
    env = make(opponent=First(), illegal="raise")
    env.reset(seed=1)
    actions = [0, 1, 2, 3]
    env.step(kind(actions) if kind in (list, tuple) else np.array(actions, kind))
    assert [env.games.position(i).moves[0] for i in range(4)] == actions


@MODES
def test_a_step_needs_a_reset(mode):
    env = make(autoreset_mode=mode)
    with pytest.raises(IllegalMoveError, match=r"expected reset\(\) before the first step"):
        env.step(np.zeros(4, int))
    assert not env.random_actions().any()


def test_games_that_are_over_need_a_reset_where_none_is_automatic():
    env = make(autoreset_mode="Disabled", opponent=First())
    env.reset(seed=1)
    _, rewards, over, _, infos = env.step([0, 8, 0, 8])  # 8 is what the opponent would take, and 0 is free
    assert not over.any()
    _, rewards, over, _, infos = env.step([0, 1, 1, 1])
    assert over.tolist() == [True, False, False, False]
    assert rewards.tolist() == [-1, 0, 0, 0]
    assert infos["termination"][0] == "illegal"
    with pytest.raises(IllegalMoveError, match=r"as games \[0\] are over"):
        env.step([1, 2, 2, 2])
    env.reset(options={"reset_mask": over})
    env.step([0, 2, 2, 2])


def test_illegal_moves_that_raise_change_nothing_and_say_which():
    env = make(illegal="raise", opponent=First())
    env.reset(seed=1)
    env.step([0, 1, 2, 3])
    before = env.unwrapped.games.batch.outputs.planes.copy()
    with pytest.raises(IllegalMoveError, match=r"^actions\[2\]: illegal move 2 for x: c1 is taken \(ply 2: c1 c3\)"):
        env.step([1, 2, 2, 4])
    assert np.array_equal(env.unwrapped.games.batch.outputs.planes, before)
    assert env.step([1, 2, 3, 4])[4]["ply"].tolist() == [4] * 4


def test_illegal_moves_do_not_raise_in_games_that_begin_anew():
    env = make(illegal="raise", count=1, opponent=First())
    env.reset(options={"position": "a1 b1 a2 b2"})
    assert env.step([6])[2].all()
    _, _, over, _, infos = env.step([6])
    assert not over.any()
    assert infos["ply"].tolist() == [0]


@pytest.mark.parametrize("answer", [99, -1, "a1", 2.0, (1,), RuntimeError("out of ideas")], ids=repr)
def test_no_game_runs_after_an_opponent_that_failed(answer):
    opponent = Failing(answer)
    env = make(opponent=["random", opponent], count=12, threads=2)
    env.reset(seed=1)
    is_raised = isinstance(answer, Exception)
    message = "out of ideas" if is_raised else r"opponent 'Failing': .*game \d+, ply 3"
    with pytest.raises(RuntimeError if is_raised else AgentError, match=message):
        flat(env, 3)
    with pytest.raises(IllegalMoveError, match=r"expected reset\(\).* after an opponent that failed"):
        env.step(env.random_actions())
    with pytest.raises(RulesError, match="reset_mask: reset all games first"):
        env.reset(options={"reset_mask": np.arange(12) == 3})
    opponent.answer = None
    assert flat(env, 20) == flat(make(opponent=["random", First()], count=12), 20)


def test_text_for_an_opponents_move_is_answered_with_what_reads_it():
    class Says:
        def act(self, position):
            return "a1"

    env = make(opponent=("greedy", Says()), count=12, seat="second")
    message = r"got 'a1' \(game \d+, ply 0\); act returns a whole number, which position.read_move\('a1'\) makes$"
    with pytest.raises(AgentError, match=message):
        env.reset(seed=1)


def test_a_mask_needs_games_that_run():
    env = make()
    with pytest.raises(RulesError, match="reset_mask: reset all games first"):
        env.reset(options={"reset_mask": np.arange(4) == 1})
    env.reset(options={"reset_mask": np.ones(4, bool)})
    env.step(env.random_actions())


def test_an_agent_whose_act_is_replaced_is_asked_for_it():
    env = make(CONNECT_FOUR, opponent=Contrary())
    env.reset(seed=1)
    for _ in range(3):
        assert env.step(np.zeros(4, int))[4]["opponent_move"].tolist() == [6] * 4


@pytest.mark.parametrize(
    ("id", "words", "opponent"),
    [
        ("sparring/ConnectK-v0", {"width": 1, "height": 1, "k": 1, "seat": "second"}, "random"),
        ("sparring/ConnectK-v0", {"width": 3, "height": 2, "k": 1, "seat": "second", "opening_plies": 2}, "random"),
        ("sparring/ConnectK-v0", {"width": 3, "height": 2, "k": 1, "seat": "second", "opening_plies": 2}, First()),
        ("sparring/Isola-v0", {"width": 2, "height": 1}, "random"),
        ("sparring/Isola-v0", {"width": 1, "height": 1, "starts": "none", "seat": "second"}, "random"),
    ],
)
def test_a_seat_that_never_has_a_move_is_refused(id, words, opponent):
    env, message = make(id, opponent=opponent, **words), f"seat {words.get('seat', 'first')!r} never gets a move against this opponent"
    single = gymnasium.make(id, opponent=opponent, **words)
    for _ in range(2):
        with pytest.raises(RulesError, match=message) as caught:
            env.reset(seed=1)
        with pytest.raises(RulesError, match=re.escape(str(caught.value))):
            single.reset(seed=1)
        with pytest.raises(IllegalMoveError):
            env.step(np.zeros(4, int))


@MODES
def test_a_seat_that_has_no_move_in_the_next_game_is_refused(mode):
    """The learner wins with the only cell as first; as second it never has a move."""
    env = make("sparring/ConnectK-v0", width=1, height=1, k=1, seat="alternate", autoreset_mode=mode)
    for _ in range(2):
        env.reset(seed=1)
        if mode != AutoresetMode.SAME_STEP:
            assert env.step(np.zeros(4, int))[2].all()
        with pytest.raises(RulesError, match="seat 'second' never gets a move"):
            env.reset() if mode == AutoresetMode.DISABLED else env.step(np.zeros(4, int))


@pytest.mark.parametrize("opponent", ["greedy", First()], ids=["compiled", "python"])
def test_a_position_that_leaves_the_learner_no_move_is_refused(opponent):
    env, text = make(CONNECT_FOUR, seat="second", opponent=opponent), "717171" if opponent != "greedy" else "121212"
    expected = f"position {text!r}: expected the learner to have a move, but the opponent's first move ends the game"
    if not isinstance(opponent, str):
        opponent.act = lambda position: 6
    with pytest.raises(IllegalMoveError, match=expected):
        env.reset(options={"position": text})
    with pytest.raises(IllegalMoveError, match="expected reset"):
        env.step(np.zeros(4, int))
    env.reset(seed=1)
    env.step(env.random_actions())


@pytest.mark.parametrize("opponent", ["greedy", First()], ids=["compiled", "python"])
def test_games_set_to_different_positions_keep_them(opponent):
    env = make(CONNECT_FOUR, count=3, opponent=opponent, render_mode="ansi", illegal="raise")
    env.reset(seed=1)
    env.reset(options={"position": "44", "reset_mask": np.array([True, False, False])})
    env.reset(options={"position": "7766", "reset_mask": np.array([False, True, False])})
    env.reset(options={"reset_mask": np.array([False, False, True])})
    assert [env.games.position(i).text for i in range(3)] == [Position("ConnectFour", text).text for text in ("44", "7766", "")]
    _, _, _, _, infos = env.step([0, 0, 0])
    assert infos["ply"].tolist() == [4, 6, 2]
    for i, text in enumerate(("441", "77661", "1")):
        position = Position("ConnectFour", text)
        position.push(int(infos["opponent_move"][i]))
        assert env.games.position(i).text == position.text
        assert env.render()[i] == f"{position}; the learner is {'xo'[position.side]}"


def test_a_game_from_a_position_is_drawn_at_its_end_too():
    env = make(count=2, opponent=First(), render_mode="ansi")
    env.reset(options={"position": "a1 b1 a2 b2"})
    assert env.step([6, 5])[2].tolist() == [True, False]
    assert env.render()[0] == f"{Position('TicTacToe', 'a1 b1 a2 b2 a3')}; the learner is x"
    env.step([0, 6])
    assert env.render()[0] == f"{Position('TicTacToe')}; the learner is x"


@pytest.mark.parametrize("options", [{"position": ""}, {"position": "a1 b2"}, {"position": "3/3/1x1 o"}, {"position": None}, {}])
@MODES
def test_positions_are_set_as_in_single_environments(options, mode):
    words = {"opening_plies": 2, "opponent": "random", "seat": "random"}
    env, singles = make(autoreset_mode=mode, **words), [gymnasium.make(TICTACTOE, **words) for _ in range(4)]
    for reset_seed in (5, None):
        observations, infos = env.reset(seed=reset_seed, options=options)
        for i, single in enumerate(singles):
            observation, info = single.reset(seed=None if reset_seed is None else reset_seed + i, options=options)
            assert np.array_equal(observations[i], observation)
            for name in ("seat", "ply", "opponent_move"):
                assert infos[name][i] == info[name]
