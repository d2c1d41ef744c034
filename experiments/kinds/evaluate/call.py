"""`sparring.evaluate`: an agent measured against a ladder in this process, without a run folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ....agents import make, parse_spec
from ....agents.factory import build
from ....envs.game import Game
from ....envs.rules.errors import ConfigError
from ...config.parts import choice_of, game_of
from ...games.log import MemoryLog
from ...terminal.progress import progress
from ...workers.executors import InProcess, executor_of
from ...workers.game_runner import GameRunner
from .. import checked
from .config import EvaluateConfig, ladder_for
from .results import EvaluateResults, RungMatchup
from .run import LadderMeasurement

LARGEST_BOARD = 20  # side of the largest board; intervals in Elo are wider
STAND_IN = "random"  # stands in a config for an agent that is an object


def agent_of(agent: Any, game: Game) -> Any:
    """Returns an agent's spec as a dict, or the agent of an object, a model or a function."""
    if isinstance(agent, str) or (isinstance(agent, dict) and "model" not in agent):
        build(agent, game)
        return parse_spec(agent)
    return make(agent, game)


@dataclass(frozen=True)
class Evaluation:
    """The result of `evaluate`.

    Attributes:
        elo: the agent's rating on the ladder.
        low, high: its 95 % interval from its own games, to compare agents of similar strength on the same ladder.
        outer_low, outer_high: the interval with the ladder's own error, for the distance to its anchor, random play.
        games: number of games.
        rungs: for each rung played its number, elo, name, games, score with interval, and outcomes by seat.
        losses: number of lost games by ending, such as "line", "blocked" or "illegal".
        warnings: reasons for doubt.
    """

    elo: float
    low: float
    high: float
    outer_low: float
    outer_high: float
    games: int
    rungs: list[RungMatchup]
    losses: dict[str, int]
    warnings: list[str]

    @classmethod
    def of(cls, results: EvaluateResults) -> Evaluation:
        """Returns the evaluation in the results of a run."""
        return cls(*results.elo, results.games, results.rungs, results.losses, results.warnings)

    def __str__(self) -> str:
        outer = f"with the ladder's own error {self.outer_low:.0f} to {self.outer_high:.0f}"
        rating = f"Elo {self.elo:.0f} (95 %: {self.low:.0f} to {self.high:.0f}, {outer}), {self.games} games"
        return "\n".join([rating, *self.warnings])


def config_of(game: str | Game, **keys: Any) -> EvaluateConfig:
    """Returns the config of an evaluation in this process; arguments and errors as in `evaluate`."""
    game = Game.of(game)
    _refuse_parameters(game, keys)
    choice = choice_of(game)
    return checked({"kind": "evaluate", "game": choice, "agent": STAND_IN, "executor": {"workers": 0}, **keys})


def _refuse_parameters(game: Game, keys: dict[str, Any]) -> None:
    """Raises ConfigError if a key is meant for the game: a parameter of the game, or a `width` that is small enough for a board."""
    for key in Game.free_parameters(game.id).keys() & keys.keys():
        value, expected = keys[key], "no parameter of the game here"
        if key in EvaluateConfig.model_fields:
            if not isinstance(value, int | float) or value > LARGEST_BOARD:
                continue
            expected = f"the width of an interval in Elo, more than {LARGEST_BOARD}"
        raise ConfigError(f"{key}: expected {expected}, got {value!r}; write a board's with the game: '{game.name}:{key}={value}'")


def evaluate(agent: Any, game: str | Game, *, width: float = 60.0, games: int = 2000, seed: int = 0, **keys: Any) -> Evaluation:
    """Returns the rating of an agent on the ladder of a game.

    All games are played in this process, so an agent that hangs or exits stops the script. With `executor={"workers": 2}`, or in a config
    of `kind: evaluate`, an agent with a name plays in watched processes.

    >>> sparring.evaluate("alphabeta:depth=2", "sparring/ConnectFour-v0", width=150)  # doctest: +SKIP

    Args:
        agent: a name with parameters, a model of Stable-Baselines3, an object with `act`, a class of such objects, or a function from a
            Position to a move.
        game: an id, also with parameters ("Isola:width=6,height=6"), or a Game.
        width: the evaluation ends when the 95 % interval from the agent's own games is this narrow, in Elo.
        games: the most games, an even number.
        seed: decides openings and all random choices.
        keys: further keys of `kind: evaluate`, such as `ladder`, `opening_plies` or `executor`. Parameters of the game belong to `game`.

    Raises:
        AgentError: no such agent, or one that does not play the game; a game without a ladder.
        ConfigError: an unknown or invalid key.
    """
    config = config_of(game, width=width, games=games, seed=seed, **keys)
    player = agent_of(agent, game_of(config.game))
    if not isinstance(player, dict) and "executor" in keys:
        raise ConfigError("executor: expected none for an object, which plays in this process; a saved model has workers: policy:path=FILE")
    measurement = LadderMeasurement(config, ladder_for(config), player)
    executor = executor_of(config.executor) if isinstance(player, dict) else InProcess({measurement.agent: player})
    with executor, progress(measurement.agent, games) as show:
        measurement.run(GameRunner(MemoryLog(), executor, show).entries)
    return Evaluation.of(measurement.results())
