"""Batches for the tests of vector environments, and the opponents that sit in them."""

import gymnasium
import numpy as np
import pytest
import sparring  # noqa: F401 - registers the ids
from gymnasium.vector import AutoresetMode
from sparring.agents.greedy_agent import GreedyAgent

TICTACTOE, CONNECT_FOUR = "sparring/TicTacToe-v0", "sparring/ConnectFour-v0"
MODES = pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.name)
WORDS = {"seat": "random", "opening_plies": 2, "opponent_epsilon": 0.2}


def make(id=TICTACTOE, count=4, **words):
    return gymnasium.make_vec(id, num_envs=count, **words)


class First:
    """An opponent with `act` alone: the first or the last legal move, as the ply says."""

    def act(self, position):
        return position.legal_moves[-(position.ply % 2)]

    def __repr__(self):
        return f"{type(self).__name__}()"  # the same in every process: it names a test


class Failing(First):
    """An opponent that gives, or raises, something else at one ply while it is told to."""

    def __init__(self, answer, ply=3):
        self.answer, self.ply = answer, ply

    def act(self, position):
        if self.answer is None or position.ply != self.ply:
            return super().act(position)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Contrary(GreedyAgent):
    """A named agent whose `act` is replaced."""

    def act(self, position):
        return position.legal_moves[-1]


class Repeating:
    """An opponent that draws lots, from the seed that it is given before each game."""

    def reset(self, seed):
        self.chance = np.random.default_rng(seed)

    def act(self, position):
        return int(self.chance.choice(position.legal_moves))


def trace(env, steps, seed=1):
    """Yields what happens in each game: observations, rewards, flags and infos as bytes, one list of N for a step."""
    observations, infos = env.reset(seed=seed)
    for _ in range(steps + 1):
        shown = [infos[name] for name in ("action_mask", "seat", "opponent", "ply", "opponent_move", "illegal_actions")]
        yield [(observations[i].tobytes(), *(np.asarray(value[i]).tobytes() for value in shown)) for i in range(env.num_envs)]
        observations, rewards, terminated, _, infos = env.step(env.unwrapped.random_actions())
        yield list(zip(rewards.tolist(), terminated.tolist(), strict=True))


def flat(env, steps, seed=1):
    return list(trace(env, steps, seed))
