"""What a tournament found."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field

from ...results import GameResults, Matchup, Part, Standing
from ...statistics.rating import Ratings


class RatingsRecord(Part):
    """Ratings as plain data; attributes as in `Ratings`, with the agent that is held and its rating, if one is."""

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
        """The ratings that it records."""
        elo, covariance = np.array(self.elo), np.array(self.covariance)
        return Ratings(tuple(self.players), elo, self.advantage_elo, self.draw, covariance, self.correlation, self.model)


class OpeningsRecord(Part):
    """Where the openings of a run come from: a file, or chance.

    Attributes:
        file: that they stand in; None if they are drawn.
        plies: how many were drawn at random.
        judge: the search that saw neither side lost after them; None for all.
        seed: of the chance.
    """

    file: str | None = None
    plies: int | None = None
    judge: str | None = None
    seed: int | None = None


class TournamentResults(GameResults):
    """What a tournament shows.

    Attributes:
        agents: their names, in the config's order.
        specs: their names and parameters.
        openings: where they come from; None in a run that is not finished.
        ratings: of all agents.
        standings: what all games of each agent show, the strongest first.
        pairings: what the games of each pairing show.
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
        """Returns what else the page tells of the ratings, by name."""
        return {}
