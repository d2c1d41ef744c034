"""Texts and values that nobody meant: each is a position, a move or an agent, or is refused with one line."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from sparring import Game, Position, agents
from sparring.envs.rules.errors import SparringError

from .games import positions

GAMES = [Game(name) for name in ("ConnectFour", "ConnectK", "TicTacToe", "Gomoku")]
GAMES += [Game("Isola", rules=rules) for rules in ("queen", "classic", "knight")]
same_examples = settings(derandomize=True, deadline=None, max_examples=400, database=None)
near_texts = st.text(alphabet="abcdhxo#0123456789/-_ \n", max_size=40) | st.text(max_size=12)
values = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4), st.binary(max_size=2), st.lists(st.integers())
)


def outcome(function, *arguments):
    """Returns what a function gives, or the error that it is allowed to raise, which is one line."""
    try:
        result = function(*arguments)
    except SparringError as error:
        result = error
    assert not isinstance(result, SparringError) or len(str(result).splitlines()) == 1
    return result


@same_examples
@given(st.sampled_from(GAMES), near_texts)
@example(Game("ConnectFour"), "7/7/7/7/7/7 x x")
@example(Game("ConnectFour"), "/ x")
@example(Game("Isola"), "x7/8/8/8/8/8/8/7o\u00a0x")
@example(Game("ConnectFour"), "\u0664\u0664\u0665\u0663")  # digits, but not ours
def test_any_text_is_a_position_or_refused(game, text):
    position = outcome(Position, game, text)
    if isinstance(position, Position):
        assert Position(game, position.text) == position


@same_examples
@given(positions(longest=12), near_texts | values)
def test_any_value_is_a_move_or_refused(position, value):
    before = position.state.record().tobytes()
    played = outcome(position.push, value)
    if isinstance(played, SparringError):
        assert position.state.record().tobytes() == before
    else:
        assert position.pop() == played
        assert position.is_legal(played)


@same_examples
@given(positions(longest=30), st.integers(0, 40), st.sampled_from("xo#123/ "))
def test_a_board_with_one_character_changed_is_a_position_or_refused(position, place, character):
    text = position.text
    place %= len(text)
    changed = outcome(Position, position.game, text[:place] + character + text[place + 1 :])
    if isinstance(changed, Position):
        assert Position(position.game, changed.text) == changed


@same_examples
@given(st.sampled_from(["ConnectK", "Gomoku", "Isola"]), st.data())
def test_any_parameters_are_a_game_or_refused(name, data):
    parameters = {word: data.draw(values | st.integers(0, 21)) for word in Game.free_parameters(name)}
    chosen = data.draw(st.sets(st.sampled_from(sorted(parameters))))
    game = outcome(lambda: Game(name, **{word: parameters[word] for word in chosen}))
    assert isinstance(game, (Game, SparringError))


@same_examples
@given(st.text(alphabet="abehlpt:=,.0123456789-_ ", max_size=30) | st.dictionaries(st.text(max_size=6), values, max_size=3) | values)
@example({"name": "alphabeta", "depth": float("nan")})
@example("alphabeta:seconds=nan")
@example("alphabeta:depth=1,depth=2")
@example("alphabeta:depth=1e999")
@example("random:")
def test_any_spec_is_an_agent_or_refused(spec):
    agent = outcome(agents.make, spec, "ConnectFour")
    assert isinstance(agent, SparringError) or callable(agent.act)
