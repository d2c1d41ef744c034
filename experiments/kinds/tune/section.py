"""The section of a tuning: the weights before and after, and the final match between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...report.log_digest import LogGames
from ...report.matchups import matchup_section
from ...report.run import Run
from ...report.sections import Cell, RunView, TableView, number, played_section
from ...report.wording import interval, percent
from ...results import Matchup
from .results import TuneResults
from .run import FINAL

NAMES = ("tuned weights", "start weights")  # of the final match's agents on the page, as their texts list every weight
EQUAL = 0.5  # the score of equals


def tune_section(run: Run[TuneResults], section_id: str) -> RunView:
    """Returns the section of a tuning, with only the games of its final match."""
    results = run.results
    if results is None:
        return played_section(run, section_id, f"{run.games.digest.count:,} games of challenges so far")
    names = {agent: name for matchup in results.final for agent, name in zip(matchup.agents, NAMES, strict=True)}
    final = [renamed(matchup, names) for matchup in results.final]
    games = LogGames(run.games.path, FINAL, names) if final else LogGames()  # without a kept change there is no final match
    warnings = [*results.warnings, *(warning for matchup in final for warning in matchup.warnings)]
    section = matchup_section(replace(run, games=games), section_id, final, tune_sentence(results), warnings=warnings)
    return section._replace(tables=weight_tables(results))


def renamed(matchup: Matchup, names: Mapping[str, str]) -> Matchup:
    """Returns a matchup with other names of its agents."""
    seconds = {names[agent]: seconds for agent, seconds in matchup.seconds_per_move.items()}
    return matchup.model_copy(update={"agents": [names[agent] for agent in matchup.agents], "seconds_per_move": seconds})


def tune_sentence(results: TuneResults) -> str:
    """Returns the results of a tuning as a sentence."""
    if not results.final:
        return f"None of {results.challenges} changes was kept"
    [match] = results.final
    score = match.interval
    kept = f"{len(results.kept)} of {results.challenges} changes were kept"
    shown = "better" if score.low > EQUAL else "worse" if score.high < EQUAL else "no difference is shown"
    return f"{kept}; with them the agent scores {interval(score)} against its start over {match.games:,} games: {shown}"


def weight_tables(results: TuneResults) -> list[TableView]:
    """Returns the weights before and after a tuning, and the changes that led there."""
    weights = [(Cell(name), number(results.start[name], ",d"), number(value, ",d")) for name, value in results.weights.items()]
    kept = [
        (
            Cell(str(change.challenge)),
            Cell(change.weight),
            number(change.before, ",d"),
            number(change.after, ",d"),
            Cell(percent(change.score), change.score),
        )
        for change in results.kept
    ]
    caption = "Changes that were kept, with their score in the challenge"
    tables = [TableView("Weights", ("Weight", "Start", "Tuned"), weights)]
    return [*tables, *([TableView(caption, ("Challenge", "Weight", "From", "To", "Score"), kept)] if kept else [])]
