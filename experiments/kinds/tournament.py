"""A tournament: paired games between many agents, and their ratings."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...agents import spec_text
from ..config import Played, Tournament, game_record
from ..games.log import GamesLog
from ..games.tally import FORFEITS, OUTCOMES, Tally, repeats_much
from ..games.task import SEATS, name_players
from ..run_folder import RunFolder
from ..statistics.rating import Ratings, fit, results_of_games
from ..statistics.score import score_interval
from ..statistics.sprt import Sprt
from .paired_games import PairedGames, pairings_of


def run_tournament(config: Tournament, folder: RunFolder) -> dict[str, Any]:
    """Plays the games that the folder lacks and returns the results of all of them."""
    players = name_players(config.agents)
    games = PairedGames(config, pairings_of(players, config), config.games, config.sprt)
    anchor = None if config.anchor is None else (players[config.anchor].name, config.anchor_elo)
    with GamesLog(folder.games) as log:
        games.play(log)
        ratings = fit(results_of_games(log[id] for id in sorted(log)), anchor, config.ties)  # sums round by their order
    return {
        "kind": "tournament",
        "game": game_record(config.game),
        "agents": [player.name for player in players],
        "specs": {player.name: player.spec for player in players},
        "openings": openings_record(config),
        "ratings": {**ratings_record(ratings), "anchor": anchor and list(anchor)},
        **tallied(games.tallies, games.tests, ratings),
    }


def tallied(tallies: Sequence[Tally], tests: Iterable[Sprt | None], ratings: Ratings) -> dict[str, Any]:
    """Returns what the games of each pairing show, with its sequential test, and those of each agent, the strongest first."""
    return {
        "standings": [standing(agent, tallies, ratings) for agent in ratings_order(ratings)],
        "pairings": [
            {**tally.results(), **({} if test is None else {"sprt": test._asdict()})} for tally, test in zip(tallies, tests, strict=True)
        ],
        "warnings": warnings_of(tallies),
    }


def openings_record(config: Played) -> dict[str, Any]:
    """Returns what the openings of a run are."""
    if config.opening_file is not None:
        return {"file": config.opening_file}
    judge = None if config.opening_judge is None else spec_text(config.opening_judge)
    return {"plies": config.opening_plies, "judge": judge, "seed": config.seed}


def ratings_order(ratings: Ratings) -> list[str]:
    """Returns the agents, the strongest first."""
    return sorted(ratings.players, key=lambda agent: -ratings.interval(agent).value)


def standing(agent: str, tallies: Sequence[Tally], ratings: Ratings) -> dict[str, Any]:
    """Returns what all games of an agent show."""
    own = [tally for tally in tallies if agent in tally.agents]
    outcomes = {seat: sum((outcomes_in_seat(tally, agent, seat) for tally in own), Counter()) for seat in SEATS}
    score = score_interval([mean for tally in own for mean in tally.pair_means(agent)], sum(tally.distinct_pairs for tally in own))
    rating = ratings.interval(agent)
    return {
        "agent": agent,
        "games": sum(tally.games for tally in own),
        "outcomes": {seat: {outcome: outcomes[seat][outcome] for outcome in OUTCOMES} for seat in SEATS},
        **score._asdict(),
        "elo": rating._asdict(),
        "forfeits": {how: count for how in FORFEITS if (count := sum(tally.forfeits[agent, how] for tally in own))},
    }


def outcomes_in_seat(tally: Tally, agent: str, seat: str) -> Counter[str]:
    """Returns how many games of a pairing an agent won, drew and lost in a seat."""
    if agent == tally.agents[0]:
        return Counter({outcome: tally.outcomes[seat, outcome] for outcome in OUTCOMES})
    other = SEATS[1 - SEATS.index(seat)]
    return Counter({outcome: tally.outcomes[other, mirrored] for outcome, mirrored in zip(OUTCOMES, reversed(OUTCOMES), strict=True)})


def ratings_record(ratings: Ratings) -> dict[str, Any]:
    """Returns ratings as plain data."""
    record = dataclasses.asdict(ratings)
    return {name: np.round(value, 4).tolist() if isinstance(value, np.ndarray) else value for name, value in record.items()}


def ratings_of_record(record: dict[str, Any]) -> Ratings:
    """Returns the ratings that `ratings_record` has made plain data."""
    fields = {field.name: record[field.name] for field in dataclasses.fields(Ratings)}
    arrays = {name: np.array(fields[name]) for name in ("elo", "covariance")}
    return Ratings(**{**fields, **arrays, "players": tuple(fields["players"])})


def warnings_of(tallies: Iterable[Tally]) -> list[str]:
    """Returns the forfeits of all pairings, and how many games of how many pairings are repeats."""
    played = [tally for tally in tallies if tally.games]
    warnings = [warning for tally in played for warning in tally.forfeit_warnings()]
    repeating = [tally for tally in played if repeats_much(tally.games, tally.distinct_games)]
    if repeating:
        repeats = sum(tally.games - tally.distinct_games for tally in repeating)
        what = "1 game repeats another" if repeats == 1 else f"{repeats} games repeat others"
        where = f"move by move in {len(repeating)} of {len(played)} pairings"
        warnings.append(f"{what} {where}, so intervals count only what differs; more opening_plies would help")
    return warnings
