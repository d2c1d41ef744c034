"""A ladder: a tournament whose ratings are written down as the ladder of a game, to be shipped with the package."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....agents import make, spec_text
from ....agents.ladder import PROGRAM, Ladder, Rung
from ....envs.game import Game
from ....envs.position import Position
from ....version import __version__
from ...files import write_json
from ...games.openings import draw_openings
from ...results import Standing
from ...run_folder import RunFolder
from ...statistics.rating import Ratings
from ..tournament.results import TournamentResults
from ..tournament.run import run_tournament
from .config import LadderConfig
from .results import LadderResults

FLOATING = {  # what can differ between machines
    "mcts": "the confidence bounds that choose where to look: IEEE sums, products, quotients and square roots alone",
    PROGRAM: "all: a program plays by the clock",
}

PROBES, PROBE_PLIES = 4, 4  # positions in which every rung's move is recorded, and the random plies that lead there


def run_ladder(config: LadderConfig, folder: RunFolder) -> LadderResults:
    """Plays the tournament, or the rest of it, writes the ladder's file and returns the results."""
    results = run_tournament(config, folder)
    ladder = ladder_of_results(results, config.version)
    write_json(folder.ladder, ladder._asdict() | {"rungs": [rung._asdict() for rung in ladder.rungs]})
    return LadderResults(**dict(results), version=config.version)


def ladder_of_results(results: TournamentResults, version: int) -> Ladder:
    """Returns the ladder of a finished tournament's results."""
    assert results.openings is not None
    ratings, rows, game = results.ratings, results.standings[::-1], results.game.as_game
    assert ratings.anchor is not None
    order = [ratings.players.index(row.agent) for row in rows]
    order += [len(ratings.players), len(ratings.players) + 1]  # the advantage and the draw parameter
    return Ladder(
        game=results.game.model_dump(),
        version=version,
        package_version=__version__,
        rungs=tuple(_rung(row, results.specs[row.agent], game) for row in rows),
        anchor=ratings.anchor[0],
        openings=results.openings.model_dump(exclude_unset=True),
        model=ratings.model,
        advantage=ratings.advantage_elo,
        draw=ratings.draw,
        covariance=[[ratings.covariance[row][column] for column in order] for row in order],
    )


def answers_of(spec: dict[str, Any], game: Game) -> list[str]:
    """Returns an agent's moves in a few fixed positions, as text."""
    agent, answers = make(spec, game), []
    for opening in draw_openings(game, PROBE_PLIES, PROBES, seed=0):
        position = Position(game)
        for move in opening:
            position.push(move)
        agent.reset(0)
        answers.append(position.move_text(agent.act(position.copy())))
    return answers


def _rung(row: Standing, spec: dict[str, Any], game: Game) -> Rung:
    scores = {seat: round(outcomes.score, 4) if outcomes.games else 0.0 for seat, outcomes in row.outcomes.items()}
    elo = {name: round(value, 1) for name, value in row.elo._asdict().items()}
    floating, answers = FLOATING.get(spec["name"], ""), [] if spec["name"] == PROGRAM else answers_of(spec, game)
    fields: dict[str, Any] = {**scores, "games": row.games, "floating": floating, "answers": answers}
    return Rung(spec_text(spec), spec, elo["value"], elo["low"], elo["high"], **fields)


def ratings_of_ladder(ladder: Ladder) -> Ratings:
    """Returns a ladder's ratings; players are named as the rungs are."""
    players = tuple(rung.name for rung in ladder.rungs)
    elo = np.array([rung.elo for rung in ladder.rungs])
    return Ratings(players, elo, ladder.advantage, ladder.draw, np.array(ladder.covariance), 0.0, ladder.model)
