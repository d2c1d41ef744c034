"""Folders of compiled code: those of versions that nobody runs any more go, and nothing else does."""

import os
import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest
from sparring.envs.compiled.folders import UNUSED, UnknownValueError, text_of, text_of_code, use

RECORD = np.dtype([("a", np.int64), ("b", np.int8, (3,))])


def aged(folder, seconds):
    """Makes a folder with a file in it that was last used some seconds ago."""
    folder.mkdir(parents=True)
    (folder / "kernel.nbi").write_text("compiled")
    os.utime(folder, (time.time() - seconds,) * 2)
    return folder


def test_folders_that_nobody_used_for_weeks_are_removed(tmp_path):
    mine = aged(tmp_path / "0123456789abcdef", 2 * UNUSED)
    old, young = aged(tmp_path / ("1" * 16), UNUSED + 60), aged(tmp_path / ("2" * 16), UNUSED - 60)
    left_over = aged(tmp_path / f".{'3' * 16}-removed-77", 0)
    foreign = aged(tmp_path / "notes", 2 * UNUSED)
    use(mine)
    assert sorted(tmp_path.iterdir()) == sorted([mine, young, foreign])
    assert (mine / "kernel.nbi").exists()
    assert not old.exists()
    assert not left_over.exists()
    assert time.time() - mine.stat().st_mtime < 60


def test_a_process_that_outlives_its_folder_compiles_anew(tmp_path):
    code = (
        "import shutil; from sparring import Position; from sparring.envs import compiled; from sparring.envs.perft import count\n"
        "position = Position('TicTacToe'); shutil.rmtree(compiled.cache_folder())\n"
        "print(count(position, 3), compiled.cache_folder().is_dir())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    )
    assert done.stdout.split() == ["504", "True"]


def test_no_two_values_have_one_text():
    array = np.arange(6)
    other = np.arange(6)
    other[5] = 7
    values = [1, 1.0, True, "1", b"1", (1,), (1, 1), ((1,), 1), None, ..., 0.0, -0.0, float("nan"), np.int64(1), np.int32(1), np.float64(1)]
    values += [array, other, array.astype(np.int32), array.reshape(2, 3), array.reshape(3, 2).T, array[::-1][::-1][:5], array[::-1]]
    values += [np.dtype(np.int64), np.dtype(">i8"), RECORD, np.dtype(RECORD.descr[:1]), np.dtype(RECORD.descr, align=True), np.int64, int]
    values += [np.zeros(2, RECORD), np.zeros(2, RECORD).view(np.recarray), frozenset({1}), np.sqrt, np.add, np, os, len, "len", "(1,)"]
    assert len({text_of(value) for value in values}) == len(values)
    assert text_of(np.arange(6)) == text_of(array)
    assert text_of(frozenset("abc")) == text_of(frozenset("cab"))


@pytest.mark.parametrize(
    "value", [object(), [1], {1: 2}, SimpleNamespace(), np.array([None]), np.dtype(object), lambda: 1, (object(),), np.ma]
)
def test_what_nobody_can_describe_has_no_text(value):
    if value is np.ma:
        value = type("State", (), {})
    with pytest.raises(UnknownValueError):
        text_of(value)


def code_of(source):
    space = {}
    exec(source, space)
    return text_of_code(space["f"].__code__, space["f"].__doc__)


def test_a_function_is_told_by_what_it_does():
    first = code_of("def f(a):\n    'Adds.'\n    return a + 'x'")
    assert code_of("# more\n\ndef f(a):\n    'Sums.'\n\n    return a + 'x'  # adds") == first
    others = [
        "def f(b):\n    'Adds.'\n    return b + 'x'",
        "def f(a):\n    'Adds.'\n    return a + 'y'",
        "def f(a):\n    'Adds.'\n    return a - 'x'",
    ]
    assert len({first, *map(code_of, others)}) == 4
    doubled = [code_of(f"def f():\n    '{word}'\n    return '{word}'") for word in ("x", "y")]
    assert doubled[0] != doubled[1], "a docstring that is a constant, too"
    inner = [code_of(f"def f(a):\n    return (lambda: {number})") for number in (1, 2)]
    assert inner[0] != inner[1]
