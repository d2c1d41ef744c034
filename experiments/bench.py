"""A benchmark: what searches, environments and learners do in a second of processor time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
from gymnasium.vector import SyncVectorEnv

from ..agents import make, spec_text
from ..envs.position import Position
from .config import Bench, Environments, Search, game_of, game_record
from .run_folder import RunFolder
from .screen import progress

MILLION = 1e6
LEAST_SECONDS = 0.3  # of a round of random play
ROLLOUT, MINIBATCH, EPOCHS, LAYERS = 4096, 1024, 4, [128, 128]  # of the learners: moves between two updates, and how they are used
GROUPS = ("searches", "environments", "learners")

Work = Callable[[], int]  # does something, and returns how many nodes or steps that were


def run_bench(config: Bench, folder: RunFolder) -> dict[str, Any]:
    """Times everything and returns the speeds; a benchmark that was cut off starts over, as its rounds belong together."""
    entries = {(group, name): entry for group in GROUPS for name, entry in getattr(config, group).items()}
    speeds: dict[tuple[str, str], list[float]] = {key: [] for key in entries}
    with progress(config.name, (1 + config.repeats) * len(entries)) as show:
        works: dict[tuple[str, str], Work] = {}
        for key, entry in entries.items():
            works[key] = PREPARE[key[0]](entry)
            works[key]()  # the first time it may have to compile
            show(len(works))
        for done in range(config.repeats):
            for key, work in works.items():
                speeds[key].append(_speed(work))
                show((1 + done) * len(entries) + sum(len(row) > done for row in speeds.values()))
    results = {group: {name: _result(entries[group, name], speeds[group, name]) for name in getattr(config, group)} for group in GROUPS}
    return {"kind": "bench", **results, "warnings": []}


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


def _random_play(one: Environments) -> Work:
    """Returns random play, which counts the learner's steps."""
    environments = _environments(one)
    environments.reset(seed=0)

    def actions() -> Any:
        if not one.single:
            return environments.random_actions()
        return [env.action_space.sample(mask=mask) for env, mask in zip(environments.envs, environments.call("_mask"), strict=True)]

    def work() -> int:
        steps, end = 0, time.process_time() + LEAST_SECONDS
        while time.process_time() < end:
            environments.step(actions())
            steps += one.games
        return steps

    return work


def _learner(one: Environments) -> Work:
    """Returns a learner that makes one rollout and learns from it, which counts its steps."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    from ..envs.sb3 import BoardVecEnv

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


def _result(entry: Search | Environments, speeds: Sequence[float]) -> dict[str, Any]:
    ordered = sorted(speeds)
    if isinstance(entry, Search):
        what: dict[str, Any] = {"agent": spec_text(entry.agent), "position": entry.position}
    else:
        opponents = ", ".join(spec_text(member["opponent"]) for member in entry.opponent)
        what = {"opponent": opponents, "games": entry.games, "single": entry.single}
    return {
        "game": game_record(entry.game),
        **what,
        "best": ordered[-1],
        "median": ordered[len(ordered) // 2],
        "worst": ordered[0],
        "claim": None if entry.claim is None else entry.claim * MILLION,
    }
