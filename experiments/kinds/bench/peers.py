"""Random play in other packages, to be timed beside ours.

Each plays in the fastest way of its documentation: a state or an environment in a Python loop, or a batch in a compiled loop.
Before each ply it makes a network's observation and the legal moves, as ours does, and draws one of the moves.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from ....envs.game import Game
from ....envs.rules.errors import installation

MISSING = f"not installed: {installation('peers')}"
PLIES = 64  # of each game in one compiled call of pgx
CONNECT_FOUR, TIC_TAC_TOE, GOMOKU = "sparring/ConnectFour-v0", "sparring/TicTacToe-v0", "sparring/Gomoku-v0"

Play = Callable[[], int]  # plays on and returns the number of plies


class Peer(NamedTuple):
    """Another package.

    Attributes:
        title: its name.
        distribution: its name in package indexes.
        modules: that play needs.
        names: its names of our games, by our ids; its games have our default parameters.
        has_batches: whether it plays several games at once.
        prepare: takes its name of a game and the number of games at once, and returns the play.
    """

    title: str
    distribution: str
    modules: tuple[str, ...]
    names: Mapping[str, str]
    has_batches: bool
    prepare: Callable[[str, int], Play]

    @property
    def version(self) -> str | None:
        """Its version; None if it is not installed."""
        return None if any(find_spec(module) is None for module in self.modules) else version(self.distribution)

    def has(self, game: Game) -> bool:
        """Tells whether it plays a game by the same rules."""
        return game.id in self.names and game.parameters == Game.of(game.id).parameters


def _openspiel(name: str, games: int) -> Play:
    """Returns a game from its start to its end, one state after the other; the observation is written into an array."""
    import pyspiel  # pyright: ignore[reportMissingImports] - from an extra
    from open_spiel.python.observation import make_observation  # pyright: ignore[reportMissingImports] - from an extra

    game, choice = pyspiel.load_game(name), random.Random(0)
    observation: Any = make_observation(game)

    def play() -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            observation.set_from(state, state.current_player())
            state.apply_action(choice.choice(state.legal_actions()))
            plies += 1
        return plies

    return play


def _pettingzoo(name: str, games: int) -> Play:
    """Returns a game from its start to its end, agent after agent, without the two empty steps that would follow it."""
    import pettingzoo

    environment: Any = pettingzoo.make("aec", name)
    choice = random.Random(0)

    def play() -> int:
        environment.reset()
        plies = 0
        while True:
            observation, _, is_over, _, _ = environment.last()
            if is_over:
                return plies
            environment.step(choice.choice(np.flatnonzero(observation["action_mask"])))
            plies += 1

    return play


def _pgx(name: str, games: int) -> Play:
    """Returns some plies of a batch in one compiled call, on one thread of the processor; a game that ends begins anew in the same ply."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")  # read when JAX is first used
    import jax  # pyright: ignore[reportMissingImports] - from an extra
    import pgx  # pyright: ignore[reportMissingImports] - from an extra
    from pgx.experimental.wrappers import auto_reset  # pyright: ignore[reportMissingImports] - from an extra

    jax.config.update("jax_platforms", "cpu")
    make: Any = pgx.make  # which knows its names as literals
    environment = make(name)
    step = jax.vmap(auto_reset(environment.step, environment.init))

    def ply(_: Any, carried: Any) -> Any:
        key, states = carried
        key, choosing, stepping = jax.random.split(key, 3)
        actions = jax.random.categorical(choosing, jax.numpy.where(states.legal_action_mask, 0.0, -jax.numpy.inf))
        return key, step(states, actions, jax.random.split(stepping, games))

    compiled = jax.jit(lambda carried: jax.lax.fori_loop(0, PLIES, ply, carried))
    key = jax.random.key(0)
    carried = key, jax.jit(jax.vmap(environment.init))(jax.random.split(key, games))

    def play() -> int:
        nonlocal carried
        carried = jax.block_until_ready(compiled(carried))
        return PLIES * games

    return play


PEERS = {
    "openspiel": Peer(
        "OpenSpiel",
        "open_spiel",
        ("pyspiel", "open_spiel"),
        {CONNECT_FOUR: "connect_four", TIC_TAC_TOE: "tic_tac_toe", GOMOKU: "gomoku"},
        False,
        _openspiel,
    ),
    "pettingzoo": Peer(
        "PettingZoo",
        "pettingzoo",
        ("pettingzoo", "pygame"),  # its classic games import it
        {CONNECT_FOUR: "classic/connect_four_v3", TIC_TAC_TOE: "classic/tictactoe_v3"},
        False,
        _pettingzoo,
    ),
    "pgx": Peer("pgx", "pgx", ("pgx", "jax"), {CONNECT_FOUR: "connect_four", TIC_TAC_TOE: "tic_tac_toe"}, True, _pgx),
}
