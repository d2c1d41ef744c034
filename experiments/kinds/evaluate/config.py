"""An evaluation: one agent measured against the ladder of a game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from .... import agents
from ....agents import spec_text
from ....agents.factory import build
from ....agents.ladder import read_ladder
from ....envs.game import Game
from ....envs.rules.errors import AgentError, SparringError, shown
from ...config.parts import AgentChoice, Mistake, OpeningPlies, PairedGames, agent_errors, choice_of, game_of, read_agent
from ...statistics.draw_models import MODELS
from ...terminal.phrases import choice_text
from ..played import OPENING_JUDGE, Played, search_errors


class EvaluateConfig(Played, frozen=True):
    """One agent measured against the ladder of a game.

    Attributes:
        agent: the agent to be measured.
        ladder: the file of a ladder; by default the package's ladder of this game.
        trust: start the programs that the ladder's file names: say true only of files that you made or trust.
        width: the evaluation ends when the 95 % interval from the agent's own games is this narrow, in Elo.
        games: the evaluation ends after this many games in any case.
        opening_plies: random plies at the start of each pair of games; by default openings are made and judged as the ladder's were.
        opening_judge: a search that must see neither side lost after the opening; needs opening_plies.
    """

    kind: Literal["evaluate"] = "evaluate"
    agent: AgentChoice
    ladder: str | None = None
    trust: bool = False
    width: Annotated[float, Field(gt=0, le=10_000)] = 60.0
    games: PairedGames = 2000
    opening_plies: OpeningPlies | None = None  # pyright: ignore[reportIncompatibleVariableOverride] - by default the ladder's
    opening_judge: AgentChoice | None = OPENING_JUDGE

    def mistakes(self) -> Iterator[Mistake]:
        """Yields an agent that cannot play the game, a judge without opening_plies, and a game without a ladder."""
        yield from super().mistakes()
        yield from agent_errors(("agent",), self.agent, self.game)
        if self.opening_plies is None and self.opening_judge != OPENING_JUDGE:
            yield ("opening_judge",), "needs opening_plies; without them openings follow the ladder's"
        try:
            ladder_for(self)
        except SparringError as error:
            yield ("ladder",), str(error)

    def plan(self) -> str:
        """Returns a line with the agent, the ladder and the number of games."""
        return f"games of {spec_text(self.agent)} against the ladder of {choice_text(self.game)}, up to {self.games}"


def ladder_for(config: EvaluateConfig) -> agents.Ladder:
    """Returns the ladder of an evaluation.

    Raises:
        AgentError: the game has none, or the file is damaged or of another game.
    """
    game = game_of(config.game)
    if config.ladder is None:
        return agents.ladder(game)
    ladder = read_ladder(Path(config.ladder), config.trust)
    if ladder.as_game != game:
        raise AgentError(f"expected a ladder of {shown(game)}, got one of {shown(ladder.as_game)}")
    if ladder.model not in MODELS:
        raise AgentError(f"expected a ladder whose model of draws is one of {', '.join(MODELS)}, got {shown(ladder.model)}")
    for number, rung in enumerate(ladder.rungs):
        try:
            build(rung.spec, game)
        except SparringError as error:
            raise AgentError(f"{config.ladder}: rungs.{number}.spec: {error}") from None
    if judge := ladder.openings.get("judge"):
        for message in _mistakes_of_judge(judge, game):
            raise AgentError(f"{config.ladder}: openings.judge: {message}")
    return ladder


def _mistakes_of_judge(judge: str, game: Game) -> Iterator[str]:
    """Yields the reason why a text does not name a search that can judge openings of a game, if there is one."""
    try:
        yield from (message for _, message in search_errors((), read_agent(judge), choice_of(game), is_exact=False))
    except SparringError as error:
        yield str(error)
