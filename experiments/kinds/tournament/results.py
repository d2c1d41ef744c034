"""The results of a tournament."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field

from ...results import GameResults, Matchup, Part, Standing
from ...statistics.rating import Ratings


class RatingsRecord(Part):
    """Ratings as plain data; attributes as in `Ratings`, with the anchor and its rating, if there is one."""

    players: list[str]
    elo: list[float]
    advantage_elo: float
    draw: float
    covariance: list[list[float]]
    correlation: float
    model: str
    anchor: Annotated[tuple[str, float], Field(strict=False)] | None = None

    @classmethod
    def of(cls, ratings: Ratings, anchor: tuple[str, float] | None) -> RatingsRecord:
        """Returns the record of ratings."""
        return cls(
            players=list(ratings.players),
            elo=np.round(ratings.elo, 4).tolist(),
            advantage_elo=float(ratings.advantage_elo),
            draw=float(ratings.draw),
            covariance=np.round(ratings.covariance, 4).tolist(),
            correlation=float(ratings.correlation),
            model=ratings.model,
            anchor=anchor,
        )

    @property
    def as_ratings(self) -> Ratings:
        """The recorded ratings."""
        elo, covariance = np.array(self.elo), np.array(self.covariance)
        return Ratings(tuple(self.players), elo, self.advantage_elo, self.draw, covariance, self.correlation, self.model)


class OpeningsRecord(Part):
    """The source of a run's openings: a file, or random plies.

    Attributes:
        file: with the openings; None if they are random.
        plies: number of random plies.
        judge: the search that saw neither side lost after them; None for no judge.
        seed: of the random plies.
    """

    file: str | None = None
    plies: int | None = None
    judge: str | None = None
    seed: int | None = None


class TournamentResults(GameResults):
    """The results of a tournament.

    Attributes:
        agents: their names, in the config's order.
        specs: their names and parameters.
        openings: their source; None in an unfinished run.
        ratings: of all agents.
        standings: the results of each agent, the strongest first.
        pairings: the results of each pairing.
    """

    agents: list[str] = []
    specs: dict[str, dict[str, object]] = {}
    openings: OpeningsRecord | None = None
    ratings: RatingsRecord
    standings: list[Standing]
    pairings: list[Matchup]

    def rows(self) -> list[Standing]:
        """Returns the standings."""
        return self.standings

    def further_facts(self) -> dict[str, str]:
        """Returns further facts about the ratings for the page, by name."""
        return {}
