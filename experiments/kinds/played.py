"""The base config of kinds that play paired games: every opening is played once from each seat."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator

from ...agents.factory import build
from ...agents.perfect_agent import PerfectAgent
from ...agents.search.settings import INEXACT
from ...agents.search_agent import SearchAgent
from ...envs.rules.errors import ConfigError, SparringError, shown
from ..config.parts import AgentChoice, Executor, Experiment, GameChoice, Mistake, OpeningPlies, Seconds, Settings, game_of
from ..games.openings import read_openings

Lead = Annotated[float, Field(ge=-2000, le=2000)]  # in Elo; a larger lead gives a score next to 0 or 1
OPENING_JUDGE: dict[str, Any] = {"name": "alphabeta", "nodes": 5000}
ErrorRate = Annotated[float, Field(gt=0, lt=0.5)]


class SprtLimits(Settings, frozen=True):
    """A sequential test, which ends the games between two agents as soon as they decide between two leads.

    Attributes:
        elo0: lead of the first agent in Elo under the null hypothesis.
        elo1: its lead under the alternative.
        alpha: the probability to accept elo1 although elo0 is true.
        beta: the probability to accept elo0 although elo1 is true.
    """

    elo0: Lead = 0.0
    elo1: Lead = 30.0
    alpha: ErrorRate = 0.05
    beta: ErrorRate = 0.05

    @model_validator(mode="after")
    def _check_order(self) -> "SprtLimits":
        if not self.elo0 < self.elo1:
            raise ValueError(f"expected elo0 below elo1, got elo0={self.elo0:g}, elo1={self.elo1:g}")
        return self


class Played(Experiment, frozen=True):
    """The base of experiments with paired games: every opening is played once from each seat.

    Attributes:
        game: the game with its parameters.
        opening_plies: random legal plies at the start of each pair of games.
        opening_judge: a search that must see neither side lost after the opening; none keeps every opening.
        opening_file: a file of openings instead of random ones: a line of moves each, a Gomocup list, .psq or .sgf; no judge is asked.
        move_seconds: an agent's time for a move; one that takes longer loses the game.
        game_seconds: an agent's time for all its moves of a game.
        adjudicate: an exact search that ends a game as soon as it sees its result.
        executor: where the games are played.
    """

    game: GameChoice
    opening_plies: OpeningPlies = 2
    opening_judge: AgentChoice | None = None
    opening_file: str | None = None
    move_seconds: Seconds | None = 600.0
    game_seconds: Seconds | None = None
    adjudicate: AgentChoice | None = None
    executor: Executor = Executor()

    def inheriting(self, seed: int, games: int | None, executor: Executor | None) -> Experiment:
        """Returns the config with the seed and the executor of its series."""
        run = super().inheriting(seed, games, executor)
        return run if executor is None else run.model_copy(update={"executor": executor})

    def mistakes(self) -> Iterator[Mistake]:
        """Yields unsuitable judges and adjudicators, and a missing file of openings."""
        if self.opening_file is not None:
            yield from _opening_file_errors(Path(self.opening_file), self.game)
        for key, spec, is_exact in (("opening_judge", self.opening_judge, False), ("adjudicate", self.adjudicate, True)):
            if spec is not None:
                yield from search_errors((key,), spec, self.game, is_exact)


def _opening_file_errors(path: Path, game: dict[str, Any]) -> Iterator[Mistake]:
    """Yields the reason why a file has no openings of a game, if there is one."""
    try:
        read_openings(path, game_of(game))
    except ConfigError as error:
        yield ("opening_file",), str(error)


def search_errors(key_path: tuple[str | int, ...], spec: dict[str, Any], game: dict[str, Any], is_exact: bool) -> Iterator[Mistake]:
    """Yields the reason why an agent is not a search that can judge, if there is one."""
    try:
        agent = build(spec, game_of(game))
    except SparringError as error:
        yield key_path, str(error)
        return
    if isinstance(agent, PerfectAgent) and is_exact and agent.nodes is not None and agent.seconds is None:
        return  # it ends a game only by a proof
    if not isinstance(agent, SearchAgent) or agent.seconds is not None:
        yield key_path, f"expected a search with a limit of depth or nodes, got {shown(spec['name'])}"
    elif is_exact and (inexact := [name for name in INEXACT if getattr(agent, name)]):
        yield key_path, f"expected an exact search, got one with {', '.join(inexact)}"


def with_games(config: Any, run: Experiment, games: int | None) -> Any:
    """Returns a run with the number of games of its series, unless its config sets one."""
    return run if games is None or "games" in config.model_fields_set else run.model_copy(update={"games": games})
