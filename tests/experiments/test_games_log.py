"""games.jsonl: what is written is kept, a torn end is cut, other damage is refused."""

import json

import pytest
from sparring.experiments.games.log import GamesLog, GamesLogError, read_records


@pytest.fixture
def path(tmp_path):
    """A log of three games."""
    with GamesLog(tmp_path / "games.jsonl") as log:
        for number in range(3):
            log.append({"id": number, "moves": "44"})
    return tmp_path / "games.jsonl"


def test_games_are_there_when_opened_again(path):
    with GamesLog(path) as log:
        assert list(log) == [0, 1, 2]
        log.append({"id": 7, "moves": "é"})
    assert [game["id"] for game in read_records(path)] == [0, 1, 2, 7]
    assert len(path.read_bytes().splitlines()) == 4


@pytest.mark.parametrize("left", range(1, 20))
def test_a_torn_last_line_is_cut_wherever_it_tore(path, left):
    whole = path.read_bytes()
    line = b'{"id":3,"moves":"45"}\n'
    path.write_bytes(whole + line[:left])
    assert len(list(read_records(path))) == 3
    assert path.read_bytes() == whole + line[:left], "reading must not change the file"
    with GamesLog(path) as log:
        log.append({"id": 3, "moves": "46"})
    assert path.read_bytes() == whole + b'{"id":3,"moves":"46"}\n'


@pytest.mark.parametrize("damage", [b'{"id":1,"mov', b"[1]", b"{}", b"\0\0\0", b"", b'{"id":"1"}'])
def test_a_damaged_line_in_the_middle_is_refused(path, damage):
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([lines[0], damage, lines[2], b""]))
    with pytest.raises(GamesLogError, match=r"games\.jsonl:2: expected a game as JSON with an id"):
        GamesLog(path)


def test_a_game_that_stands_twice_is_refused(path):
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines()[1] + b"\n")
    with pytest.raises(GamesLogError, match=r"games\.jsonl:4: game 1 is on line 2 already"):
        GamesLog(path)


def test_a_game_is_not_written_twice(path):
    with GamesLog(path) as log, pytest.raises(GamesLogError, match="game 2 is in the log already"):
        log.append({"id": 2})
    assert len(list(read_records(path))) == 3


def test_a_game_is_one_write(path, monkeypatch):
    import os

    writes = []
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: writes.append(data) or real(file, data))
    with GamesLog(path) as log:
        log.append({"id": 9, "moves": "1" * 20_000})
    assert len(writes) == 1
    assert json.loads(writes[0])["id"] == 9


def test_only_kept_games_stay_in_the_order_of_their_ids(path):
    with GamesLog(path) as log:
        for number in (9, 4, 5):
            log.append({"id": number, "moves": "é" * number})
        log.keep(lambda number: number not in (1, 5))
        assert list(log) == [0, 2, 4, 9]
        assert [log[id] for id in (9, 0)] == [{"id": 9, "moves": "é" * 9}, {"id": 0, "moves": "44"}]
        assert 5 not in log
        log.append({"id": 5, "moves": "new"})
        assert log[5] == {"id": 5, "moves": "new"}
    assert [game["id"] for game in read_records(path)] == [0, 2, 4, 9, 5]
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_keeping_that_is_cut_off_loses_nothing(path, monkeypatch):
    before = path.read_bytes()
    with GamesLog(path) as log, monkeypatch.context() as patch:
        patch.setattr(type(path), "replace", lambda *paths: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            log.keep(lambda number: number == 1)
    assert path.read_bytes() == before
    with GamesLog(path) as log:
        log.keep(lambda number: number == 1)
    assert [game["id"] for game in read_records(path)] == [1]


def test_a_long_log_takes_little_memory(tmp_path):
    """Only the places of games are kept, about 200 bytes each."""
    import tracemalloc

    path = tmp_path / "games.jsonl"
    path.write_text("".join(f'{{"id":{id},"moves":"{"4" * 500}"}}\n' for id in range(5000)))
    whole = path.stat().st_size
    tracemalloc.start()
    with GamesLog(path) as log:
        log.keep(lambda number: number % 2 == 0)
        peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.8 * whole
    assert len(list(read_records(path))) == 2500
