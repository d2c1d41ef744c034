"""What test_ray runs in a network of its own: games on Ray, while workers and nodes are killed. Prints a line for whatever holds."""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import pytest
from sparring.envs.rules.errors import ConfigError
from sparring.experiments.games.task import Conditions, Pairing, Player
from sparring.experiments.workers.executors import InProcess, WorkerError
from sparring.experiments.workers.ray_executor import OnRay

GAME = {"id": "sparring/TicTacToe-v0", "parameters": {"width": 3, "height": 3, "k": 3, "gravity": False}}
RANDOM, OTHER, SLOW = Player("random", {"name": "random"}), Player("other", {"name": "random"}), Player("slow", {"name": "python"})
SLOW.spec["target"] = "ray_games:slow"
FAULTY = Conditions(adjudicator={"name": "python", "target": "ray_games:Fault"})


def slow(position):
    """Plays the first move, in 5 ms."""
    time.sleep(0.005)
    return position.legal_moves[0]


class Fault:
    """Fails at its first question."""

    def act(self, position):
        raise RuntimeError

    analyse = act


def tasks(games, players):
    return Pairing(GAME, players, games, opening_plies=0, seed=3).tasks()


def by_id(entries):
    found = {}
    for entry in entries:
        assert entry["id"] not in found, "a game came twice"
        found[entry["id"]] = json.dumps({**entry, "seconds": None})
    return found


def kill_a_worker(chance):
    """Kills one of the Ray workers that play, or the watched process of one."""
    names = {int(path.name): (path / "cmdline").read_bytes() for path in Path("/proc").iterdir() if path.name.isdecimal() and is_here(path)}
    victims = [pid for pid, name in names.items() if name.startswith(b"ray::play") or b"sparring.experiments.workers.worker" in name]
    if victims:
        os.kill(chance.choice(victims), signal.SIGKILL)
    return bool(victims)


def is_here(path):
    """Tells whether a process is in this process's network."""
    try:
        return (path / "ns" / "net").readlink() == Path("/proc/self/ns/net").readlink()
    except OSError:
        return False


def play_and_kill(games, todo, kill, every):
    """Returns the entries of some games, while something is killed every few games."""
    found, kills = [], 0
    for entry in games.run(todo):
        found.append(entry)
        if len(found) % every == 0:
            kills += bool(kill())
    return by_id(found), kills


def main():
    chance = random.Random(1)
    quick, lengthy = tasks(200, (RANDOM, OTHER)), tasks(60, (SLOW, RANDOM))
    expected = by_id(InProcess().run(quick)), by_id(InProcess().run(lengthy))
    with OnRay(2, None) as games:
        assert by_id(games.run(quick)) == expected[0]
        print("an own cluster plays the same games", flush=True)
        found, kills = play_and_kill(games, lengthy, lambda: kill_a_worker(chance), 20)
        assert found == expected[1]
        assert kills == 3
        print("killed workers lose and double nothing", flush=True)
        with pytest.raises(WorkerError, match=r"^a worker ended with exit code 1 while no player was to move; [^\n]*$"):
            list(games.run(task._replace(conditions=FAULTY) for task in tasks(4, (RANDOM, OTHER))))
        print("an adjudicator's fault is one line", flush=True)
        measure(games)

    with pytest.raises(ConfigError, match=r"^executor: address: expected the address of a Ray cluster, got 'nowhere': [^\n]*$"):
        OnRay(None, "nowhere").__enter__()
    print("an address that is none is one line", flush=True)

    check_a_cluster_in_use(quick, expected[0])
    print("a cluster that the process uses already is used and left alone", flush=True)

    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False, "node_ip_address": "127.0.0.1"})
    other = cluster.add_node(num_cpus=1)
    try:
        with OnRay(None, cluster.address) as games:
            nodes = [other]
            found, kills = play_and_kill(
                games, lengthy, lambda: nodes and (cluster.remove_node(nodes.pop(), allow_graceful=False) or True), 20
            )
        assert found == expected[1]
        assert kills == 1
        print("a killed node loses and doubles nothing", flush=True)
    finally:
        cluster.shutdown()


def check_a_cluster_in_use(quick, expected):
    """Plays on the cluster that this process has started itself."""
    import ray

    handler = signal.getsignal(signal.SIGTERM)
    with OnRay(1, None):
        assert signal.getsignal(signal.SIGTERM) is handler, "Ray's own would end the process at once"
    ray.init(address="local", num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", log_to_driver=False)
    try:
        address = ray.get_runtime_context().gcs_address
        for wanted in (None, address):
            with OnRay(None, wanted) as games:
                assert by_id(games.run(quick)) == expected
            assert ray.is_initialized()
        for workers, wanted, message in (
            (None, "127.0.0.1:1", "expected that address or none, got '127.0.0.1:1'"),
            (2, None, "has its own workers; got 2"),
        ):
            with pytest.raises(ConfigError, match=f"this process uses the Ray cluster {address}.*{message}$"):
                OnRay(workers, wanted).__enter__()
    finally:
        ray.shutdown()


def measure(games):
    """Prints what Ray costs a game."""
    if "--measure" in sys.argv:
        for name, executor in (("in process", InProcess()), ("Ray", games)):
            start, count = time.perf_counter(), sum(1 for _ in executor.run(tasks(1000, (RANDOM, OTHER))))
            print(f"{name}: {1000 * (time.perf_counter() - start) / count:.2f} ms a game", flush=True)


if __name__ == "__main__":
    main()
