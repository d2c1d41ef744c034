"""A benchmark: what searches, environments and learners do in a second of processor time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv

from ....agents import make, spec_text
from ....envs.position import Position
from ...config.parts import game_of
from ...results import GameRecord
from ...run_folder import RunFolder
from ...terminal.progress import progress
from .config import BenchConfig, Environments, RandomPlay, Search
from .peers import PEERS, Play
from .results import BenchResults, Speed

MILLION = 1e6
LEAST_SECONDS = 0.3  # of a round of random play
STEPS = 16  # between two looks at the clock
ROLLOUT, MINIBATCH, EPOCHS, LAYERS = 4096, 1024, 4, [128, 128]  # of the learners: moves between two updates, and how they are used
GROUPS = ("searches", "environments", "learners")

Work = Callable[[], int]  # does something, and returns how many nodes, plies or steps that were


def run_bench(config: BenchConfig, folder: RunFolder) -> BenchResults:
    """Times everything and returns the speeds; a benchmark that was cut off starts over, as its rounds belong together."""
    entries = {(group, name): entry for group in GROUPS for name, entry in getattr(config, group).items()}
    present = {key: entry for key, entry in entries.items() if not _is_missing(entry)}
    speeds: dict[tuple[str, str], list[float]] = {key: [] for key in entries}
    with progress(config.name, (1 + config.repeats) * len(present)) as show:
        works: dict[tuple[str, str], Work] = {}
        for key, entry in present.items():
            works[key] = PREPARE[key[0]](entry)
            works[key]()  # the first time it may have to compile
            show(len(works))
        for done in range(config.repeats):
            for key, work in works.items():
                speeds[key].append(_speed(work))
                show((1 + done) * len(present) + sum(len(row) > done for row in speeds.values()))
    results: Any = {
        group: {name: _result(entries[group, name], speeds[group, name]) for name in getattr(config, group)} for group in GROUPS
    }
    return BenchResults(kind=config.kind, **results)


def _speed(work: Work) -> float:
    start = time.process_time()
    amount = work()
    return amount / (time.process_time() - start)


def _search(search: Search) -> Work:
    """Returns a search, which counts its nodes."""
    game = game_of(search.game)
    agent, position = make(search.agent, game), Position(game, search.position)

    def work() -> int:
        agent.reset(0)
        return agent.analyse(position).nodes

    return work


def _random_play(one: RandomPlay) -> Work:
    """Returns random play, which counts the plies of both sides."""
    play = _own_play(one) if one.peer is None else PEERS[one.peer].prepare(PEERS[one.peer].names[one.game["id"]], one.games)

    def work() -> int:
        plies, end = 0, time.process_time() + LEAST_SECONDS
        while time.process_time() < end:
            plies += play()
        return plies

    return work


def _own_play(one: RandomPlay) -> Play:
    """Returns some steps of our environments. A step is two plies, but fewer where a game ends or begins, so the games' own counts tell."""
    environments = _environments(one)
    _, infos = environments.reset(seed=0)
    is_over = np.zeros(one.games, np.bool_)

    def actions() -> Any:
        if not one.single:
            return environments.random_actions()
        return [env.action_space.sample(mask=mask) for env, mask in zip(environments.envs, infos["action_mask"], strict=True)]

    def play() -> int:
        nonlocal infos, is_over
        plies = -int(infos["ply"] @ ~is_over)
        for _ in range(STEPS):
            _, _, is_over, _, infos = environments.step(actions())
            plies += int(infos["ply"] @ is_over)
        return plies + int(infos["ply"] @ ~is_over)

    return play


def _learner(one: Environments) -> Work:
    """Returns a learner that makes one rollout and learns from it, which counts its steps."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    from ....envs.sb3 import BoardVecEnv

    torch.set_num_threads(1)
    id, words = _words(one)
    if one.single:
        environments: Any = DummyVecEnv([lambda: gymnasium.make(id, disable_env_checker=True, **words)] * one.games)
    else:
        environments = BoardVecEnv(id, one.games, **words)
    steps = max(ROLLOUT // one.games, 1)
    settings: dict[str, Any] = {"n_steps": steps, "batch_size": min(MINIBATCH, steps * one.games), "n_epochs": EPOCHS}
    model = MaskablePPO("MlpPolicy", environments, policy_kwargs={"net_arch": LAYERS}, seed=0, device="cpu", **settings)

    def work() -> int:
        before = model.num_timesteps
        model.learn(steps * one.games, reset_num_timesteps=False)
        return model.num_timesteps - before

    return work


PREPARE: dict[str, Callable[[Any], Work]] = {"searches": _search, "environments": _random_play, "learners": _learner}


def _words(one: Environments) -> tuple[str, dict[str, Any]]:
    words = dict(one.game)
    return words.pop("id"), {**words, "opponent": one.opponent, "seat": "random"}


def _environments(one: Environments) -> Any:
    id, words = _words(one)
    if not one.single:
        return gymnasium.make_vec(id, num_envs=one.games, **words)
    return SyncVectorEnv([lambda: gymnasium.make(id, disable_env_checker=True, **words)] * one.games)


def _is_missing(entry: Search | Environments) -> bool:
    """Returns whether it is of a peer that is not installed."""
    return isinstance(entry, RandomPlay) and entry.peer is not None and PEERS[entry.peer].version is None


def _result(entry: Search | Environments, speeds: Sequence[float]) -> Speed:
    """Returns what was timed and how fast it was; without speeds they are None."""
    ordered = sorted(speeds) or [None]
    if isinstance(entry, Search):
        what: dict[str, Any] = {"agent": spec_text(entry.agent), "position": entry.position}
    else:
        opponents = ", ".join(spec_text(member["opponent"]) for member in entry.opponent)
        what = {"opponent": opponents, "games": entry.games, "single": entry.single}
    if isinstance(entry, RandomPlay) and entry.peer is not None:
        what |= {"peer": entry.peer, "version": PEERS[entry.peer].version}
    return Speed(
        game=GameRecord.of(game_of(entry.game)),
        best=ordered[-1],
        median=ordered[len(ordered) // 2],
        worst=ordered[0],
        claim=None if entry.claim is None else entry.claim * MILLION,
        **what,
    )
