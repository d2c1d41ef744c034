"""A match: paired games between two agents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from ...agents import spec_text
from ..config.parts import AgentChoice, Executor, Experiment, Mistake, PairedGames, agent_errors, game_of
from ..games.log import GamesLog
from ..games.task import name_players
from ..report.run import Run
from ..report.sections import Comparison, RunView
from ..results import GameRecord, GameResults, Matchup, Measure
from ..run_folder import RunFolder
from ..statistics.score import Score
from ..terminal.phrases import choice_text, joined
from . import paired_games
from .kind import Kind
from .played import Played, SprtLimits, with_games


class MatchConfig(Played, frozen=True):
    """Paired games between two agents.

    Attributes:
        agents: the two agents; scores are the first one's.
        games: how many games, an even number.
        sprt: a sequential test that ends the match early.
    """

    kind: Literal["match"] = "match"
    agents: Annotated[list[AgentChoice], Field(min_length=2, max_length=2)]
    games: PairedGames = 100
    sprt: SprtLimits | None = None

    def mistakes(self) -> Iterator[Mistake]:
        """Yields the agents that cannot play the game."""
        yield from super().mistakes()
        for index, agent in enumerate(self.agents):
            yield from agent_errors(("agents", index), agent, self.game)

    def inheriting(self, seed: int, games: int | None, executor: Executor | None) -> Experiment:
        """Returns the config with the seed, executor and number of games of its series."""
        return with_games(self, super().inheriting(seed, games, executor), games)

    def plan(self) -> str:
        """Returns a line with the agents and the number of games."""
        return f"match of {joined([spec_text(agent) for agent in self.agents])} at {choice_text(self.game)}, {self.games} games"


class MatchResults(GameResults, Matchup):
    """The results of a match: all that a Matchup has."""

    measure = Measure("score of the first agent", is_share=True)

    def matchups(self) -> list[Matchup]:
        """Returns the match itself."""
        return [self]

    def measured(self) -> list[tuple[str, Score]]:
        """Returns the score of the first agent."""
        return [("", self.interval)]


def run_match(config: MatchConfig, folder: RunFolder) -> MatchResults:
    """Plays the games that the folder lacks and returns the results of all of them."""
    first, second = name_players(config.agents)
    games = paired_games.PairedGames(config, [(first, second)], config.games, config.sprt)
    with GamesLog(folder.games) as log:
        games.play(log)
    matchup = games.tallies[0].results(games.tests[0])
    return MatchResults(kind=config.kind, game=GameRecord.of(game_of(config.game)), **dict(matchup))


def match_section(run: Run[MatchResults], section_id: str) -> RunView:
    """Returns the section of a match, finished or not."""
    from ..report.matchups import matchup_section, matchup_sentence, matchups_so_far, sprt_tables

    matchups = [run.results] if run.results else matchups_so_far(run)
    sentence = matchup_sentence(matchups[0]) if matchups else "No game has been finished yet"
    warnings = [warning for matchup in matchups for warning in matchup.warnings]
    section = matchup_section(run, section_id, matchups, sentence, warnings=warnings)
    return section._replace(tables=sprt_tables(matchups), is_match=True)


def compare_matches(runs: Sequence[Run[MatchResults]]) -> Comparison:
    """Returns the scores of the first agents, unless a sweep's chart has them."""
    from ..report.matchups import scores_figure
    from ..report.sweep import sweeps_of

    is_swept = any(sweep.settings for sweep in sweeps_of(runs))
    scores = {run.name: run.results.interval for run in runs if run.results}
    return Comparison(figures=[scores_figure(scores)] if len(scores) > 1 and not is_swept else [])


KIND = Kind(MatchConfig, MatchResults, f"{__name__}:run_match", f"{__name__}:match_section", f"{__name__}:compare_matches")
