"""The batch without a compiler: the same games as single environments, in a process of its own as the mode is chosen at import."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import sys
from gymnasium.vector import AutoresetMode
from tests.envs.test_lockstep import play_in_lockstep
play_in_lockstep({id!r}, {{}}, {opponent!r}, AutoresetMode.{mode}, games=4, count=3, seat="random")
"""


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP", "DISABLED"])
@pytest.mark.parametrize(("id", "opponent"), [("ConnectFour", "random"), ("TicTacToe", "greedy"), ("Isola", "random")])
def test_the_batch_plays_as_single_environments_in_plain_mode(id, opponent, mode):
    code = CODE.format(id=f"sparring:sparring/{id}-v0", opponent=opponent, mode=mode)
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, env={**os.environ, "SPARRING_JIT": "0"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
