"""Configs of experiments that play games between agents."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from ... import agents
from ...agents import identity_of, spec_text
from ...agents.ladder import ELSEWHERE, read_ladder
from ...agents.registry import build
from ...envs.game import Game
from ...envs.rules.errors import AgentError, ConfigError, SparringError, shown
from ..games.openings import read_openings
from ..statistics.draw_models import MODELS
from .parts import (
    AgentChoice,
    Count,
    Executor,
    Experiment,
    GameChoice,
    Mistake,
    OpeningPlies,
    PairedGames,
    Seconds,
    Settings,
    Steps,
    choice_of,
    game_of,
    read_agent,
    unfit,
)

Lead = Annotated[float, Field(ge=-2000, le=2000)]  # in Elo; beyond it a score is no longer told from 0 or 1
OPENING_JUDGE: dict[str, Any] = {"name": "alphabeta", "nodes": 5000}
Elo = Annotated[float, Field(ge=-10_000, le=10_000)]
ErrorRate = Annotated[float, Field(gt=0, lt=0.5)]


class Sprt(Settings, frozen=True):
    """A sequential test, which ends the games between two agents as soon as they have told enough.

    Attributes:
        elo0: lead of the first agent in Elo under the null hypothesis.
        elo1: its lead under the alternative.
        alpha: the chance to accept elo1 although elo0 is true.
        beta: the chance to accept elo0 although elo1 is true.
    """

    elo0: Lead = 0.0
    elo1: Lead = 30.0
    alpha: ErrorRate = 0.05
    beta: ErrorRate = 0.05

    @model_validator(mode="after")
    def _check_order(self) -> "Sprt":
        if not self.elo0 < self.elo1:
            raise ValueError(f"expected elo0 below elo1, got elo0={self.elo0:g}, elo1={self.elo1:g}")
        return self


class Played(Experiment, frozen=True):
    """What experiments that play paired games have in common: every opening is played once from each seat.

    Attributes:
        game: the game with its parameters.
        opening_plies: random legal plies at the start of each pair of games.
        opening_judge: a search that must see neither side lost after the opening; none keeps every opening.
        opening_file: a text file with a line of moves for each opening, instead of random ones and without a judge.
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

    def mistakes(self) -> Iterator[Mistake]:
        """Yields judges and adjudicators that cannot be ones, and a file of openings that is not there."""
        if self.opening_file is not None:
            yield from _not_openings(Path(self.opening_file), self.game)
        for key, spec, is_exact in (("opening_judge", self.opening_judge, False), ("adjudicate", self.adjudicate, True)):
            if spec is not None:
                yield from _not_a_search((key,), spec, self.game, is_exact)


class Match(Played, frozen=True):
    """Paired games between two agents.

    Attributes:
        agents: the two agents; scores are the first one's.
        games: how many games, an even number.
        sprt: a sequential test that ends the match early.
    """

    runner = "match:run_match"

    kind: Literal["match"] = "match"
    agents: Annotated[list[AgentChoice], Field(min_length=2, max_length=2)]
    games: PairedGames = 100
    sprt: Sprt | None = None

    def mistakes(self) -> Iterator[Mistake]:
        """Yields the agents that cannot play the game."""
        yield from super().mistakes()
        for index, agent in enumerate(self.agents):
            yield from unfit(("agents", index), agent, self.game)


class Tournament(Played, frozen=True):
    """Paired games between many agents, and their ratings.

    Attributes:
        agents: the agents that play.
        pairings: who plays whom: round_robin, every two; gauntlet, the first against each other; neighbours, those that stand close to
            each other in the list.
        reach: how many places of the list neighbours are apart at most.
        games: games of each two agents, an even number.
        sprt: a sequential test that ends the games of two agents early.
        anchor: place in the list, from 0, of the agent whose rating is fixed; without one the mean of all ratings is 0.
        anchor_elo: the anchor's rating.
        ties: the model of draws.
    """

    runner = "tournament:run_tournament"

    kind: Literal["tournament"] = "tournament"
    agents: Annotated[list[AgentChoice], Field(min_length=2)]
    pairings: Literal["round_robin", "gauntlet", "neighbours"] = "round_robin"
    reach: Count = 3
    games: PairedGames = 40
    opening_plies: OpeningPlies = 4
    opening_judge: AgentChoice | None = OPENING_JUDGE
    sprt: Sprt | None = None
    anchor: Annotated[int, Field(ge=0)] | None = None
    anchor_elo: Elo = 0.0
    ties: Literal["davidson", "rao-kupper"] = "davidson"

    def mistakes(self) -> Iterator[Mistake]:
        """Yields the agents that cannot play the game, an anchor that is none of them, and a rating for none."""
        yield from super().mistakes()
        for index, agent in enumerate(self.agents):
            yield from unfit(("agents", index), agent, self.game)
        if self.anchor is not None and self.anchor >= len(self.agents):
            yield ("anchor",), f"expected a place in the list of agents, 0 to {len(self.agents) - 1}, got {self.anchor}"
        if self.anchor is None and self.anchor_elo != 0:
            yield ("anchor_elo",), f"expected an anchor that has this rating, got {self.anchor_elo:g} without one"


class Ladder(Tournament, frozen=True):
    """A tournament whose ratings become the ladder of its game; agents stand from the weakest to the strongest, as far as is known.

    Attributes:
        version: number of the ladder, to be counted up when its agents or games change.
        anchor: place in the list, from 0, of the agent whose rating is fixed.
    """

    runner = "ladder:run_ladder"

    kind: Literal["ladder"] = "ladder"  # pyright: ignore[reportIncompatibleVariableOverride] - each kind has its own word
    version: Steps = 1
    pairings: Literal["round_robin", "gauntlet", "neighbours"] = "neighbours"
    anchor: Annotated[int, Field(ge=0)] = 0  # pyright: ignore[reportIncompatibleVariableOverride] - a ladder has an anchor

    def mistakes(self) -> Iterator[Mistake]:
        """Yields agents whose play depends on the clock or on files, and those that stand there twice, by whatever names."""
        yield from super().mistakes()
        identities = [identity_of(agent) for agent in self.agents]
        for index, (agent, identity) in enumerate(zip(self.agents, identities, strict=True)):
            if (first := identities.index(identity)) < index:
                yield ("agents", index), f"expected every agent once, got {spec_text(agent)}, the same as agents.{first}"
            _, parameters = identity
            if agent["name"] in ELSEWHERE or parameters.get("seconds") is not None or parameters.get("ponder"):
                yield ("agents", index), f"expected an agent that plays the same everywhere, got {agent}"


class Evaluate(Played, frozen=True):
    """One agent measured against the ladder of a game.

    Attributes:
        agent: the agent to be measured.
        ladder: the file of a ladder; by default the package's ladder of this game.
        width: the evaluation ends when the 95 % interval from the agent's own games is as narrow as this, in Elo.
        games: the evaluation ends after this many games in any case.
        opening_plies: random plies at the start of each pair of games; by default openings are made and judged as the ladder's were.
        opening_judge: a search that must see neither side lost after the opening; it counts only where opening_plies is given.
    """

    runner = "evaluate:run_evaluate"

    kind: Literal["evaluate"] = "evaluate"
    agent: AgentChoice
    ladder: str | None = None
    width: Annotated[float, Field(gt=0, le=10_000)] = 60.0
    games: PairedGames = 2000
    opening_plies: OpeningPlies | None = None  # pyright: ignore[reportIncompatibleVariableOverride] - the ladder knows better
    opening_judge: AgentChoice | None = OPENING_JUDGE

    def mistakes(self) -> Iterator[Mistake]:
        """Yields an agent that cannot play the game, a judge of openings that are made like the ladder's, and a game without a ladder."""
        yield from super().mistakes()
        yield from unfit(("agent",), self.agent, self.game)
        if self.opening_plies is None and self.opening_judge != OPENING_JUDGE:
            yield ("opening_judge",), "expected opening_plies beside it, as openings are made and judged like the ladder's without them"
        try:
            ladder_for(self)
        except SparringError as error:
            yield ("ladder",), str(error)


def ladder_for(config: Evaluate) -> agents.Ladder:
    """Returns the ladder of an evaluation.

    Raises:
        AgentError: there is none, or it is one of another game.
    """
    game = game_of(config.game)
    if config.ladder is None:
        return agents.ladder(game)
    found = read_ladder(Path(config.ladder))
    if found.as_game != game:
        raise AgentError(f"expected a ladder of {shown(game)}, got one of {shown(found.as_game)}")
    if found.model not in MODELS:
        raise AgentError(f"expected a ladder whose model of draws is one of {', '.join(MODELS)}, got {shown(found.model)}")
    for place, rung in enumerate(found.rungs):
        try:
            build(rung.spec, game)
        except SparringError as error:
            raise AgentError(f"{config.ladder}: rungs.{place}.spec: {error}") from None
    if judge := found.openings.get("judge"):
        for message in _mistakes_of_judge(judge, game):
            raise AgentError(f"{config.ladder}: openings.judge: {message}")
    return found


def _mistakes_of_judge(judge: str, game: Game) -> Iterator[str]:
    """Yields why a text names no search that can judge openings of a game."""
    try:
        yield from (message for _, message in _not_a_search((), read_agent(judge), choice_of(game), is_exact=False))
    except SparringError as error:
        yield str(error)


def _not_openings(path: Path, game: dict[str, Any]) -> Iterator[Mistake]:
    """Yields why a file has no openings of a game, if it has none."""
    try:
        read_openings(path, game_of(game))
    except ConfigError as error:
        yield ("opening_file",), str(error)


def _not_a_search(place: tuple[str | int, ...], spec: dict[str, Any], game: dict[str, Any], is_exact: bool) -> Iterator[Mistake]:
    """Yields why an agent's scores do not tell who has won, if they do not."""
    try:
        agent = build(spec, game_of(game))
    except SparringError as error:
        yield place, str(error)
        return
    if not hasattr(agent, "reductions") or agent.seconds is not None:
        yield place, f"expected a search with a limit of depth or nodes, got {shown(spec['name'])}"
    elif is_exact and (agent.reductions or agent.null_move):
        yield place, "expected a search whose results are exact, got one with reductions or null_move"
