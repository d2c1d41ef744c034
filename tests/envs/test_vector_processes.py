"""Batches in other processes: plain ones, workers of both kinds, and Gymnasium's."""

import multiprocessing
import os
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv

from .batches import CONNECT_FOUR, TICTACTOE, make

PLAY = """
import gymnasium, sparring, sys, zlib
env = gymnasium.make_vec({id!r}, num_envs=5, opponent={opponent!r}, seat="random", opening_plies=2, opponent_epsilon=0.2)
digest = zlib.crc32(env.reset(seed=4)[0].tobytes())
for _ in range(12):
    results = env.step(env.random_actions())
    for part in (*results[:3], results[4]["action_mask"]):
        digest = zlib.crc32(part.tobytes(), digest)
print(digest, "numba" in sys.modules)
"""


@pytest.mark.parametrize("id", [TICTACTOE, CONNECT_FOUR])
def test_plain_mode_plays_the_same_games(id):
    digests = []
    for jit in ("0", "1"):
        code = PLAY.format(id=id, opponent=["random", "greedy"])
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env={**os.environ, "SPARRING_JIT": jit}
        )
        assert done.returncode == 0, done.stderr
        digests.append(done.stdout.split())
    assert digests[0] == [digests[1][0], "False"]


WORKERS = """
import multiprocessing, sys, zlib
import gymnasium, sparring

def make(threads):
    return gymnasium.make_vec("sparring/TicTacToe-v0", num_envs=6, threads=threads, seat="random", opponent_epsilon=0.2)

def digest(env):
    digest = zlib.crc32(env.reset(seed=8)[0].tobytes())
    for _ in range(15):
        digest = zlib.crc32(env.step(env.random_actions())[0].tobytes(), digest)
    return digest

def work(queue, threads):
    queue.put(digest(make(threads)))
    if multiprocessing.get_start_method() == "fork":
        queue.put(digest(env))  # the parent's, brought along

if __name__ == "__main__":
    method, threads = sys.argv[1], int(sys.argv[2])
    multiprocessing.set_start_method(method)
    env = make(threads)
    expected, queue = digest(env), multiprocessing.Queue()
    worker = multiprocessing.Process(target=work, args=(queue, threads))
    worker.start()
    found = [queue.get(timeout=60) for _ in range(2 if method == "fork" else 1)]
    worker.join(60)
    assert worker.exitcode == 0
    assert {expected, digest(env)} == set(found)
    env.close()
"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_play_after_a_batch_was_used_in_their_parent(method, threads, tmp_path):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system does not {method}")
    script = tmp_path / "workers.py"
    script.write_text(WORKERS)
    arguments = [sys.executable, "-W", "error", "-W", "ignore::DeprecationWarning", script, method, str(threads)]  # a fork beside threads
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_single_environments_run_in_processes_beside_a_batch():
    batch = make(count=2, threads=2, opponent="greedy")
    batch.reset(seed=1)
    single = AsyncVectorEnv([lambda: gymnasium.make("sparring:" + TICTACTOE, opponent="greedy")] * 2, context="spawn")
    assert np.array_equal(single.reset(seed=1)[0], batch.reset(seed=1)[0])
    for _ in range(10):
        actions = batch.random_actions()
        assert np.array_equal(single.step(actions)[0], batch.step(actions)[0])
    single.close()
    batch.close()
