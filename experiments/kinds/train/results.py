"""The results of a training."""

from __future__ import annotations

from collections.abc import Mapping

from ...results import Count, GameResults, Matchup, Measure
from ...statistics.score import Score


class TrainResults(GameResults):
    """The results of a training.

    Attributes:
        opponent: the learner's opponents as text.
        algorithm: the learning algorithm with its settings; only its name in the earliest runs.
        timesteps: length of the training.
        best_timesteps: time step of the evaluation whose network is kept and measured.
        rung: index in the schedule that was reached.
        model: file name of the kept network.
        final: the results of the final games against each opponent.
    """

    measure = Measure("final score", is_share=True)

    opponent: str
    algorithm: dict[str, object] | str
    timesteps: Count
    best_timesteps: Count
    rung: int = 0
    model: str
    final: list[Matchup]

    @property
    def algorithm_name(self) -> str:
        """The name of the learning algorithm."""
        return str(self.algorithm["name"]) if isinstance(self.algorithm, Mapping) else self.algorithm

    def lines(self) -> list[str]:
        """Returns a line on the length of the training and the kept network."""
        best = self.best_timesteps
        network = "its last network" if best == self.timesteps else f"the network after {best:,} of them"
        kept = f"{network}, the best of all evaluations, is kept and measured"
        return [f"trained for {self.timesteps:,} time steps against {self.opponent}; {kept}"]

    def matchups(self) -> list[Matchup]:
        """Returns the matchups of the final games."""
        return self.final

    def all_warnings(self) -> list[str]:
        """Returns the warnings of the run and of its final games."""
        return [*self.warnings, *(warning for matchup in self.final for warning in matchup.warnings)]

    def measured(self) -> list[tuple[str, Score]]:
        """Returns the final score against each opponent."""
        return [(matchup.agents[1], matchup.interval) for matchup in self.final]
