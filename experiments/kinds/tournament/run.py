"""A tournament: paired games between many agents, and their ratings."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence

from ....agents import spec_text
from ...config.parts import game_of
from ...games.log import GamesLog
from ...games.tally import FORFEITS, OUTCOMES, Tally, repeats_much
from ...games.task import SEATS, Player, name_players
from ...results import GameRecord, Outcomes, Standing
from ...run_folder import RunFolder
from ...statistics.game_results import results_of_games
from ...statistics.rating import Ratings, fit
from ...statistics.score import score_interval
from ...statistics.sprt import Sprt
from ..paired_games import PairedGames, Two
from ..played import Played
from .config import TournamentConfig
from .results import OpeningsRecord, RatingsRecord, TournamentResults


def run_tournament(config: TournamentConfig, folder: RunFolder) -> TournamentResults:
    """Plays the games that the folder lacks and returns the results of all of them."""
    players = name_players(config.agents)
    games = PairedGames(config, pairings_of(players, config), config.games, config.sprt)
    anchor = None if config.anchor is None else (players[config.anchor].name, config.anchor_elo)
    with GamesLog(folder.games) as log:
        games.play(log)
        ratings = fit(
            results_of_games(log[id] for id in sorted(log)), anchor, config.ties
        )  # in the order of ids, as rounding depends on it
    return tournament_results(config, players, ratings, anchor, games.tallies, games.tests)


def pairings_of(players: Sequence[Player], config: TournamentConfig) -> list[Two]:
    """Returns who plays whom in a tournament."""
    if config.pairings == "gauntlet":
        return [(players[0], other) for other in players[1:]]
    reach = config.reach if config.pairings == "neighbours" else len(players)
    return [(players[i], players[j]) for i, j in itertools.combinations(range(len(players)), 2) if j - i <= reach]


def tournament_results(
    config: TournamentConfig,
    players: Sequence[Player],
    ratings: Ratings,
    anchor: tuple[str, float] | None,
    tallies: Sequence[Tally],
    tests: Iterable[Sprt | None],
) -> TournamentResults:
    """Returns the results of the games.

    Args:
        config: of the tournament.
        players: all of them.
        ratings: of those who have played.
        anchor: the player with a fixed rating, and that rating.
        tallies: of the games of each pairing.
        tests: the sequential test of each pairing, None for none.
    """
    return TournamentResults(
        kind=config.kind,
        game=GameRecord.of(game_of(config.game)),
        agents=[player.name for player in players],
        specs={player.name: player.spec for player in players},
        openings=openings_record(config),
        ratings=RatingsRecord.of(ratings, anchor),
        standings=[standing(agent, tallies, ratings) for agent in ratings_order(ratings)],
        pairings=[tally.results(test) for tally, test in zip(tallies, tests, strict=True)],
        warnings=warnings_of(tallies),
    )


def openings_record(config: Played) -> OpeningsRecord:
    """Returns the record of a run's openings."""
    if config.opening_file is not None:
        return OpeningsRecord(file=config.opening_file)
    judge = None if config.opening_judge is None else spec_text(config.opening_judge)
    return OpeningsRecord(plies=config.opening_plies, judge=judge, seed=config.seed)


def ratings_order(ratings: Ratings) -> list[str]:
    """Returns the agents, the strongest first."""
    return sorted(ratings.players, key=lambda agent: -ratings.interval(agent).value)


def standing(agent: str, tallies: Sequence[Tally], ratings: Ratings) -> Standing:
    """Returns the results of all games of an agent."""
    played = [tally for tally in tallies if agent in tally.agents]
    outcomes = {seat: sum((outcomes_in_seat(tally, agent, seat) for tally in played), Counter[str]()) for seat in SEATS}
    score = score_interval([mean for tally in played for mean in tally.pair_means(agent)], sum(tally.distinct_pairs for tally in played))
    return Standing(
        agent=agent,
        games=sum(tally.games for tally in played),
        outcomes={seat: Outcomes(**{outcome: outcomes[seat][outcome] for outcome in OUTCOMES}) for seat in SEATS},
        value=score.value,
        low=score.low,
        high=score.high,
        elo=ratings.interval(agent),
        forfeits={ending: count for ending in FORFEITS if (count := sum(tally.forfeits[agent, ending] for tally in played))},
    )


def outcomes_in_seat(tally: Tally, agent: str, seat: str) -> Counter[str]:
    """Returns how many games of a pairing an agent won, drew and lost in a seat."""
    if agent == tally.agents[0]:
        return Counter({outcome: tally.outcomes[seat, outcome] for outcome in OUTCOMES})
    other = SEATS[1 - SEATS.index(seat)]
    return Counter({outcome: tally.outcomes[other, mirrored] for outcome, mirrored in zip(OUTCOMES, reversed(OUTCOMES), strict=True)})


def warnings_of(tallies: Iterable[Tally]) -> list[str]:
    """Returns warnings about the forfeits of all pairings and about repeated games."""
    played = [tally for tally in tallies if tally.games]
    warnings = [warning for tally in played for warning in tally.forfeit_warnings()]
    repeating = [tally for tally in played if repeats_much(tally.games, tally.distinct_games)]
    if repeating:
        repeats = sum(tally.games - tally.distinct_games for tally in repeating)
        subject = "1 game repeats another" if repeats == 1 else f"{repeats} games repeat others"
        extent = f"move by move in {len(repeating)} of {len(played)} pairings"
        warnings.append(f"{subject} {extent}, so intervals count only what differs; more opening_plies would help")
    return warnings
