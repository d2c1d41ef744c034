"""What holds in every position: undo, keys, texts, symmetries and copies."""

import copy
import pickle
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sparring import Game, Position
from sparring.envs import compiled
from sparring.envs.rules import interface
from sparring.envs.rules.interface import WON

from .games import GAMES, positions

OUTSIDE_THE_BOARD = {"ply", "trail"}  # of Isola: a board does not tell how it was reached
NOWHERE = 255
RENJU = Game("Gomoku", size=5, rule="renju")

same_examples = settings(derandomize=True, deadline=None, max_examples=200, database=None)


def record_of(state):
    return state.record().tobytes()


@same_examples
@given(positions())
def test_undo_restores_every_byte(position):
    replay, records = Position(position.game), []
    for move in position.moves:
        records.append(record_of(replay.state))
        replay.push(move)
    assert record_of(replay.state) == record_of(position.state)
    while records:
        assert replay.pop() == position.moves[len(records) - 1]
        assert record_of(replay.state) == records.pop()


def compiled_rules(rules, record, out):
    mask = np.zeros(len(out), np.int8)
    functions = {"moves": (out, 0), "play": (0,), "undo": (0,), "is_legal": (0,), "changes": (0, out), "write_mask": (mask, out)}
    bound = SimpleNamespace()
    for name in functions.keys() & vars(rules).keys():
        module = sys.modules[getattr(rules, name).__module__]  # Gomoku's are those of Connect-K
        kernels = compiled.bind(module, (interface, rules))  # of these rules alone: records of renju are longer
        setattr(bound, name, compiled.ready(getattr(kernels, name), record, *functions[name]))
    return bound


def check_legality(rules, state, position, out):
    """Asserts that all ways to ask for the legal moves of a running game agree with the list of them."""
    count, legal = position.game.action_count, position.legal_moves
    assert [move for move in range(-1, count + 1) if rules.is_legal(state, move)] == legal
    mask = np.full(count, 7, np.int8)
    if hasattr(rules, "write_mask"):
        rules.write_mask(state, mask, out)
        assert np.flatnonzero(mask).tolist() == legal
        assert mask.max() == 1


def check_changes(rules, state, position, out):
    """Asserts that the changes of some moves are what differs on the board afterwards."""
    legal = position.legal_moves
    for move in legal[:: len(legal) // 8 + 1]:
        before, expected = bytearray(position.state.cells), after(position, move).state.cells
        count = rules.changes(state, move, out)
        assert 0 < count <= interface.MAX_CHANGES
        for cell, content in out[: 2 * count].reshape(-1, 2).tolist():
            before[cell] = content
        assert before == expected


@same_examples
@given(positions())
def test_legal_moves_are_the_same_however_they_are_asked_for(position):
    if position.is_over:
        return
    game, out = position.game, np.zeros(position.game.action_count + 2 * interface.MAX_CHANGES, np.int64)
    check_legality(game.rules, position.state, position, out)
    check_changes(game.rules, position.state, position, out)
    mask = np.full(game.action_count, 7, np.int8)
    compiled.bind_plain(interface, (interface, game.rules)).write_mask(position.state, mask, out)
    assert np.flatnonzero(mask).tolist() == position.legal_moves


@pytest.mark.parametrize("plain", [True, False], ids=["on plain records", "compiled"])
@settings(same_examples, max_examples=40)
@example(position=Position(Game("Gomoku", size=5), "a1"))
@example(position=Position(RENJU, "a1"))
@given(position=positions())
def test_records_are_played_on_as_states_are(position, plain):
    array = Position(position.game).state.record()
    record = (array.view(np.recarray) if plain else array)[0]
    replay, records = Position(position.game), []
    out = np.zeros(position.game.action_count + 2 * interface.MAX_CHANGES, np.int64)
    rules = position.game.rules if plain else compiled_rules(position.game.rules, record, out)
    for move in position.moves:
        assert out[: rules.moves(record, out, 0)].tolist() == replay.legal_moves
        records.append(array.tobytes())
        check_legality(rules, record, replay, out)
        check_changes(rules, record, replay, out)
        assert array.tobytes() == records[-1], "asking changes nothing"
        rules.play(record, move)
        replay.push(move)
        assert array.tobytes() == record_of(replay.state)
    for move in reversed(position.moves):
        rules.undo(record, move)
        assert array.tobytes() == records.pop()


@same_examples
@given(positions())
def test_no_move_wins_where_none_may(position):
    game, words = position.game, position.game.bitboards
    if position.is_over:
        return
    after = [position.copy() for _ in position.legal_moves]
    for twin, move in zip(after, position.legal_moves, strict=True):
        twin.push(move)
    wins = any(twin.state.status == WON for twin in after)
    assert game.rules.may_win_at_once(position.state) or not wins
    if words:
        bound = compiled.bind_plain(sys.modules[words.play.__module__], (interface, words))
        assert bound.may_win_at_once(words.record_of(position.state).view(np.recarray)[0]) or not wins
    if game.kind.name == "gomoku" and not position.state.exact:
        assert game.rules.may_win_at_once(position.state) == wins


@same_examples
@given(positions())
def test_board_text_rebuilds_the_state_and_its_key(position):
    again = Position(position.game, position.text)
    assert again.text == position.text
    assert again == position
    assert hash(again) == hash(position)
    ours, theirs = position.state.record(), again.state.record()
    different = {name for name in ours.dtype.names if ours[name].tobytes() != theirs[name].tobytes()}
    assert different <= (OUTSIDE_THE_BOARD if position.game.kind.name == "isola" else set())


@same_examples
@given(positions())
def test_notation_rebuilds_the_position(position):
    again = Position(position.game, position.notation)
    assert again.moves == position.moves
    assert record_of(again.state) == record_of(position.state)
    for move in position.legal_moves:
        assert position.read_move(position.move_text(move)) == move


@same_examples
@given(positions())
def test_moves_after_a_board_text_are_written_on_their_own(position):
    middle = Position(position.game, position.text)
    texts = []
    while middle.legal_moves and len(texts) < 3:
        texts.append(middle.move_text(middle.legal_moves[-1]))
        middle.push(texts[-1])
    assert middle.notation == position.game.rules.join_moves(middle.state, texts)


@same_examples
@given(positions())
def test_keys_tell_boards_apart(position):
    keys = {position.state.key}
    for move in position.legal_moves:
        position.push(move)
        keys.add(position.state.key)
        position.pop()
    boards = 1 + len({after(position, move).text for move in position.legal_moves})
    assert len(keys) == boards


def after(position, move):
    following = position.copy()
    following.push(move)
    return following


@same_examples
@example(Position(RENJU, "b3 c2 b4 b1 c3 c1 e3 a2 e1 d2 a1 a3 b2 d3 e2 d1"))
@given(positions())
def test_symmetries_keep_moves_and_results(position):
    state, rules = position.state, position.game.rules
    maps = position.game.symmetries
    assert maps[0][0] == list(range(state.width * state.height))
    for cells, actions in maps:
        assert sorted(actions) == list(range(position.game.action_count))
        image = image_of(state, cells)
        assert moves_of(rules, image) == sorted(actions[move] for move in position.legal_moves)
        for move in position.legal_moves[:: max(len(position.legal_moves) // 5, 1)]:
            played, played_image = state.copy(), image.copy()
            rules.play(played, move)
            rules.play(played_image, actions[move])
            assert played_image.cells == image_of(played, cells).cells
            assert (played_image.status, played_image.side) == (played.status, played.side)


def image_of(state, cells):
    """Returns the state with its board mapped; its key is the old one."""
    image = state.copy()
    for cell, target in enumerate(cells):
        image.cells[target] = state.cells[cell]
    if "near" in state.dtype.names:
        for cell, target in enumerate(cells):
            image.near[target] = state.near[cell]
    if "heights" in state.dtype.names:
        for column in range(state.width):
            image.heights[column] = sum(map(bool, image.cells[column : state.width * state.height : state.width]))
    if "pieces" in state.dtype.names:
        image.pieces = bytearray(square if square == NOWHERE else cells[square] for square in state.pieces)
    return image


def moves_of(rules, state):
    out = [0] * rules.action_count(state)
    return out[: rules.moves(state, out, 0)] if state.status == 0 else []


@same_examples
@given(GAMES)
def test_symmetries_are_a_group(game):
    maps = [tuple(cells) for cells, _ in game.symmetries]
    assert len(set(maps)) == len(maps) or 1 in (game.width, game.height)  # on a single row some symmetries are the same
    assert {tuple(first[cell] for cell in second) for first in maps for second in maps} == set(maps)


@same_examples
@given(positions(), st.integers(0, 2**16))
def test_copies_are_independent(position, choice):
    before, moves = record_of(position.state), position.moves[:]
    for twin in (position.copy(), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert twin == position
        assert (record_of(twin.state), twin.moves, twin.game) == (before, moves, position.game)
        if twin.legal_moves:
            twin.push(twin.legal_moves[choice % len(twin.legal_moves)])
            assert twin != position
        while twin.moves:
            twin.pop()
        assert (record_of(position.state), position.moves) == (before, moves)


@same_examples
@given(positions())
def test_record_holds_every_field(position):
    record = position.state.record()
    assert record.shape == (1,)
    for name in record.dtype.names:
        value = getattr(position.state, name)
        assert (bytes(value) == record[name][0].tobytes()) if isinstance(value, bytearray) else (value == record[name][0]), name
    record["ply"] += 1  # the record is a copy
    assert position.state.ply == record["ply"][0] - 1


def test_positions_are_equal_however_they_were_reached():
    first, second = Position("TicTacToe", "a1 b1 c1"), Position("TicTacToe", "c1 b1 a1")
    assert first == second
    assert len({first, second}) == 1
    assert first.moves != second.moves
    assert first != Position("ConnectK", "a1 b1 c1", width=3, height=3, k=3)  # another game
    assert Position(Game("Gomoku", size=9)) != Position(Game("Gomoku", size=10))
    assert first != "2/3/xox o"


def test_symmetries_do_not_turn_a_placement_into_another_step():
    # where any square may be removed, a placement is its square: step 0, which only the mirror images that keep north keep
    assert len(Game("Isola", rules="sevens", starts="none").symmetries) == 2
    assert len(Game("Isola", rules="sevens").symmetries) == 8
    assert len(Game("Isola", rules="classic").symmetries) == 2  # 8x6; a3 and h4 are fixed: only the half turn keeps them


def test_smallest_queen_board_with_free_removal_has_as_many_actions_as_its_symmetries_map():
    game = Game("Isola", width=1, height=1, step="queen", removal="any", starts="none")
    assert {len(actions) for _, actions in game.symmetries} == {game.action_count}
