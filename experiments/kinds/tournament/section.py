"""The section of a tournament or a ladder: standings, the crosstable, ratings, and their certainty."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup

from ....envs.registration import OTHER_ENDINGS
from ...config.yaml_source import YamlSource
from ...games.tally import FORFEIT_TEXTS, repeats_much
from ...games.task import name_players
from ...report.charts import interval_chart, score_chart
from ...report.length_figures import ending_figure
from ...report.matchups import seat_cell, sprt_tables
from ...report.replay import replay_of
from ...report.run import Run
from ...report.sections import DASH, Cell, FigureView, GamesLink, RunView, TableView, WarningView, interval_cell, number, played_section
from ...report.wording import NO_BREAK, SEATS, elo_interval, elo_text, percent, signed_elo
from ...results import GameRecord, Matchup
from ...run_folder import RunFolder
from ...statistics.game_results import results_of_games
from ...statistics.rating import Ratings, fit
from ...statistics.score import Score
from .config import TournamentConfig
from .results import OpeningsRecord, RatingsRecord, TournamentResults
from .run import ratings_order, standing

EN_DASH = "\N{EN DASH}"
MIDDLE = 0.5  # the score of equals
SURE = 0.99  # a likelihood whose further digits mean nothing
NOTE = (
    "Elo: the interval is that of the lead over the anchor, or over the mean of all agents where there is none. Compare only ratings with"
    " the same anchor: those on a ladder have another. Scores: a draw is half a win; under the score in each seat: wins, draws and losses."
)
CROSS_CAPTION = "Crosstable: the row agent's score in per cent against the column's, with its 95 % interval; bold without 50 in it"


def tournament_section(run: Run[TournamentResults], section_id: str) -> RunView:
    """Returns the section of a tournament or a ladder, finished or not."""
    results = run.results or results_so_far(run)
    if results is None:
        return played_section(run, section_id, "No game has been finished yet")
    ratings, names = results.ratings.as_ratings, numbered([row.agent for row in results.standings])
    replay = replay_of(run.games) if run.games.digest.count else None
    return played_section(
        run,
        section_id,
        leader_sentence(results, ratings),
        warnings=grouped_warnings(results),
        figures=tournament_figures(run, results, names, section_id),
        standings=[
            standings_view(results, names),
            crosstable(results.pairings, names, replay, f"{section_id}-replay"),
        ],
        tables=[*neighbour_tables(results, ratings), *sprt_tables(results.pairings)],
        notes=[NOTE],
        facts=facts_of_ratings(results, ratings),
        replay=replay,
    )


def results_so_far(run: Run[TournamentResults]) -> TournamentResults | None:
    """Returns the results of an unfinished tournament, rated by its config; None without games.

    Until the anchor has played, the mean of all agents is zero.
    """
    tallies, game = run.games.tallies(), run.games.digest.game
    if not tallies or game is None:
        return None
    values = YamlSource(RunFolder(run.path).config).values
    config = TournamentConfig.model_construct(**values)  # unchecked, as agents' files may be elsewhere
    name = None if config.anchor is None else name_players(config.agents)[config.anchor].name
    played = results_of_games(run.games)
    anchor = (name, config.anchor_elo) if name in played.players else None
    ratings = fit(played, anchor, config.ties)
    return TournamentResults(
        kind=run.kind,
        game=GameRecord(**game),
        ratings=RatingsRecord.of(ratings, anchor),
        standings=[standing(agent, tallies, ratings) for agent in ratings_order(ratings)],
        pairings=[tally.results() for tally in tallies],
    )


def numbered(agents: Iterable[str]) -> dict[str, str]:
    """Returns agents with their ranks, by name in the order given."""
    return {agent: f"{rank}. {agent}" for rank, agent in enumerate(agents, start=1)}


def leader_sentence(results: TournamentResults, ratings: Ratings) -> str:
    """Returns the leader, its lead, and how certain it is."""
    first, second = (row.agent for row in results.standings[:2])
    games = sum(pairing.games for pairing in results.pairings)
    lead = ratings.difference(first, second)
    ahead = f"{elo_interval(lead)} ahead of {second} and stronger with a likelihood of {likelihood(ratings, first, second)}"
    return f"{first} leads, {ahead}, after {games:,} games of {len(results.standings)} agents"


def likelihood(ratings: Ratings, agent: str, other: str) -> str:
    """Returns the probability that an agent is stronger than another as text, without meaningless digits."""
    probability = ratings.superiority(agent, other)
    return f"over{NO_BREAK}{percent(SURE)}" if probability > SURE else percent(probability)


def grouped_warnings(results: TournamentResults) -> list[WarningView]:
    """Returns one warning of all pairings with few distinct games, and one of all games that were forfeited."""
    few = [pairing for pairing in results.pairings if repeats_much(pairing.games, pairing.distinct_games)]
    forfeits = [row for row in results.standings if row.forfeits]
    warnings = []
    if forfeits:
        items = [f"{row.agent} lost {count:,} by {FORFEIT_TEXTS[ending]}" for row in forfeits for ending, count in row.forfeits.items()]
        total = sum(sum(row.forfeits.values()) for row in forfeits)
        agents = forfeits[0].agent if len(forfeits) == 1 else f"{len(forfeits)} of {len(results.standings)} agents"
        warnings.append(WarningView(f"{total:,} game{'s were' if total > 1 else ' was'} forfeited by {agents}.", items))
    if few:
        items = [f"{' - '.join(pairing.agents)}: {pairing.distinct_games} of {pairing.games}" for pairing in few]
        text = f"In {len(few)} of {len(results.pairings)} pairings more than 5 % of the games repeat another game move by move"
        warnings.append(WarningView(f"{text}; intervals count each distinct game once, and more opening_plies would help.", items))
    return warnings


def tournament_figures(
    run: Run[TournamentResults], results: TournamentResults, names: Mapping[str, str], section_id: str
) -> list[FigureView]:
    """Returns the charts of a tournament: ratings, scores by seat, and lengths."""
    elo = {names[row.agent]: Score(*row.elo) for row in results.standings}
    chart = interval_chart(elo, "Elo with 95 % interval", "Ratings in Elo", f"{section_id}-elo")
    games, scores = run.games.digest, {}
    for row in results.standings:
        scores[names[row.agent]] = {"both": row.interval, **{seat: games.score(row.agent, seat) for seat in SEATS}}
    return [
        FigureView(Markup(chart), "Ratings"),
        FigureView(Markup(score_chart(scores, f"{section_id}-score")), "Scores over all games, by seat, with 95 % intervals"),
        *ending_figure(games, section_id),
    ]


def standings_view(results: TournamentResults, names: Mapping[str, str]) -> TableView:
    """Returns a row for each agent, the strongest first; the anchor's rating has no interval."""
    anchor = results.ratings.anchor and results.ratings.anchor[0]
    rows = [
        (
            Cell(names[row.agent]),
            elo if row.agent != anchor else elo._replace(remark="anchor"),
            number(row.games, ",d"),
            interval_cell(row.interval, percent),
            *map(seat_cell, row.outcomes.values()),
            Cell(f"{sum(row.forfeits.values())}", sum(row.forfeits.values()), ", ".join(OTHER_ENDINGS[ending] for ending in row.forfeits)),
        )
        for row in results.standings
        for elo in [interval_cell(row.elo, elo_text)]
    ]
    return TableView("Standings", ("Agent", "Elo", "Games", "Score", "As first", "As second", "Forfeits"), rows)


def crosstable(pairings: Iterable[Matchup], names: Mapping[str, str], replay: Mapping[str, Any] | None, replay_id: str) -> TableView:
    """Returns the score of each agent against each other.

    Args:
        pairings: their results.
        names: of the agents with their ranks, in order.
        replay: the games of the page.
        replay_id: of the replay.
    """
    scores = {}
    for pairing in pairings:
        agent, opponent = pairing.agents
        score = pairing.interval
        scores[agent, opponent] = score
        scores[opponent, agent] = Score(1 - score.value, 1 - score.high, 1 - score.low)
    shown = {frozenset((game["first"], game["second"])) for game in replay["games"]} if replay else set()

    def cell(agent: str, opponent: str) -> Cell:
        if (agent, opponent) not in scores:
            return Cell("" if agent == opponent else DASH, -1.0)
        link = GamesLink(replay_id, agent, opponent) if frozenset((agent, opponent)) in shown else None
        return score_cell(scores[agent, opponent], link)

    rows = [(Cell(name), *(cell(agent, opponent) for opponent in names)) for agent, name in names.items()]
    ranks = {str(rank): name for rank, name in enumerate(names.values(), start=1)}
    return TableView(CROSS_CAPTION, ("Agent", *ranks), rows, "cross", ranks)


def score_cell(score: Score, games: GamesLink | None) -> Cell:
    """Returns the cell of a score in the crosstable."""
    remark = f"{100 * score.low:.0f}{EN_DASH}{100 * score.high:.0f}"
    is_clear = not score.low <= MIDDLE <= score.high
    return Cell(f"{100 * score.value:.0f}", score.value, remark, 2 * score.value - 1, games, is_clear)


def neighbour_tables(results: TournamentResults, ratings: Ratings) -> list[TableView]:
    """Returns each agent's lead over the next, and how certain it is."""
    agents = [row.agent for row in results.standings]
    rows = [
        (
            Cell(agent),
            Cell(other),
            interval_cell(ratings.difference(agent, other), signed_elo),
            Cell(likelihood(ratings, agent, other), ratings.superiority(agent, other)),
        )
        for agent, other in itertools.pairwise(agents)
    ]
    headings = ("Agent", "Ahead of", "Elo", "Stronger with a likelihood of")
    return [TableView("Neighbours: how far each agent is ahead of the next", headings, rows)]


def facts_of_ratings(results: TournamentResults, ratings: Ratings) -> dict[str, str]:
    """Returns the facts behind the ratings."""
    facts = {
        "Moving first is worth": elo_interval(ratings.advantage),
        "Anchor": "{} at {:.0f}".format(*anchor) if (anchor := results.ratings.anchor) else "none; the mean is 0",
        "Model of draws": ratings.model,
        "Correlation of a pair's games": f"{ratings.correlation:.2f}",
        "Openings": openings_text(results.openings),
    }
    return facts | results.further_facts()


def openings_text(openings: OpeningsRecord | None) -> str:
    """Returns the source of the openings as text."""
    if openings is None:
        return DASH
    if openings.file is not None:
        return f"those of {openings.file}"
    judged = f", each judged as lost for neither side by {openings.judge}" if openings.judge else ""
    return f"{openings.plies} random plies{judged} (seed {openings.seed})"
