"""Folders of compiled code: those of versions that nobody runs any more go, and nothing else does."""

import os
import subprocess
import sys
import time

from sparring.envs.kernel_folders import UNUSED, use


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
        "import shutil; from sparring import agents, Position; from sparring.envs import compiled\n"
        "Position('TicTacToe'); shutil.rmtree(compiled.cache_folder())\n"
        "print(agents.make('alphabeta:depth=2', 'TicTacToe').act(Position('TicTacToe', 'a1 b1 a2 b2')), compiled.cache_folder().is_dir())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    )
    assert done.stdout.split() == ["6", "True"]
