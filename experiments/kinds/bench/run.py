"""A benchmark: the speeds of searches, environments and learners by processor time."""

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
from .solving import count_sets, time_solver

MILLION = 1e6
LEAST_SECONDS = 0.3  # of a round of random play
STEPS = 16  # between two readings of the clock
ROLLOUT, MINIBATCH, EPOCHS, LAYERS = 4096, 1024, 4, [128, 128]  # of the learners: moves between two updates, and their use
GROUPS = ("searches", "environments", "learners")

Work = Callable[[], int]  # does some work and returns its nodes, plies or steps


def run_bench(config: BenchConfig, folder: RunFolder) -> BenchResults:
    """Times everything and returns the speeds; an interrupted benchmark starts over, as its rounds belong together."""
    entries = {(group, name): entry for group in GROUPS for name, entry in getattr(config, group).items()}
    present = {key: entry for key, entry in entries.items() if not _is_missing(entry)}
    speeds: dict[tuple[str, str], list[float]] = {key: [] for key in entries}
    rounds = (1 + config.repeats) * len(present)
    with progress(config.name, rounds + (count_sets(config.solver) if config.solver else 0)) as show:
        works: dict[tuple[str, str], Work] = {}
        for key, entry in present.items():
            works[key] = PREPARE[key[0]](entry)
            works[key]()  # compiles at the first time
            show(len(works))
        for done in range(config.repeats):
            for key, work in works.items():
                speeds[key].append(_speed(work))
                show((1 + done) * len(present) + sum(len(row) > done for row in speeds.values()))
        solved = time_solver(config.solver, config.seed, lambda sets: show(rounds + sets)) if config.solver else {}
    results: Any = {
        group: {name: _result(entries[group, name], speeds[group, name]) for name in getattr(config, group)} for group in GROUPS
    }
    return BenchResults(kind=config.kind, solver=solved, **results)


def _speed(work: Work) -> float:
    start = time.process_time()
    amount = work()
    return amount / (time.process_time() - start)


def _search(search: Search) -> Work:
    """Returns the work of a search, counted in nodes."""
    game = game_of(search.game)
    agent, position = make(search.agent, game), Position(game, search.position)

    def work() -> int:
        agent.reset(0)
        return agent.analyse(position).nodes

    return work


def _random_play(games: RandomPlay) -> Work:
    """Returns the work of random play, counted in plies of both sides."""
    play = _own_play(games) if games.peer is None else PEERS[games.peer].prepare(PEERS[games.peer].names[games.game["id"]], games.games)

    def work() -> int:
        plies, end = 0, time.process_time() + LEAST_SECONDS
        while time.process_time() < end:
            plies += play()
        return plies

    return work


def _own_play(games: RandomPlay) -> Play:
    """Returns the play of some steps of our environments; plies are counted by the games, as a step is fewer than two at a game's end."""
    environments = _environments(games)
    _, infos = environments.reset(seed=0)
    is_over = np.zeros(games.games, np.bool_)

    def actions() -> Any:
        if not games.single:
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


def _learner(games: Environments) -> Work:
    """Returns the work of a learner that makes one rollout and learns from it, counted in steps."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    from ....envs.sb3 import BoardVecEnv

    torch.set_num_threads(1)
    id, options = _game_and_options(games)
    if games.single:
        environments: Any = DummyVecEnv([lambda: gymnasium.make(id, disable_env_checker=True, **options)] * games.games)
    else:
        environments = BoardVecEnv(id, games.games, **options)
    steps = max(ROLLOUT // games.games, 1)
    settings: dict[str, Any] = {"n_steps": steps, "batch_size": min(MINIBATCH, steps * games.games), "n_epochs": EPOCHS}
    model = MaskablePPO("MlpPolicy", environments, policy_kwargs={"net_arch": LAYERS}, seed=0, device="cpu", **settings)

    def work() -> int:
        before = model.num_timesteps
        model.learn(steps * games.games, reset_num_timesteps=False)
        return model.num_timesteps - before

    return work


PREPARE: dict[str, Callable[[Any], Work]] = {"searches": _search, "environments": _random_play, "learners": _learner}


def _game_and_options(games: Environments) -> tuple[str, dict[str, Any]]:
    options = dict(games.game)
    return options.pop("id"), {**options, "opponent": games.opponent, "seat": "random"}


def _environments(games: Environments) -> Any:
    id, options = _game_and_options(games)
    if not games.single:
        return gymnasium.make_vec(id, num_envs=games.games, **options)
    return SyncVectorEnv([lambda: gymnasium.make(id, disable_env_checker=True, **options)] * games.games)


def _is_missing(entry: Search | Environments) -> bool:
    """Tells whether an entry needs a peer that is not installed."""
    return isinstance(entry, RandomPlay) and entry.peer is not None and PEERS[entry.peer].version is None


def _result(entry: Search | Environments, speeds: Sequence[float]) -> Speed:
    """Returns the speed of an entry, None without measurements."""
    ordered = sorted(speeds) or [None]
    if isinstance(entry, Search):
        details: dict[str, Any] = {"agent": spec_text(entry.agent), "position": entry.position}
    else:
        opponents = ", ".join(spec_text(member["opponent"]) for member in entry.opponent)
        details = {"opponent": opponents, "games": entry.games, "single": entry.single}
    if isinstance(entry, RandomPlay) and entry.peer is not None:
        details |= {"peer": entry.peer, "version": PEERS[entry.peer].version}
    return Speed(
        game=GameRecord.of(game_of(entry.game)),
        best=ordered[-1],
        median=ordered[len(ordered) // 2],
        worst=ordered[0],
        claim=None if entry.claim is None else entry.claim * MILLION,
        **details,
    )
