"""Configs of several runs, one after the other."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from .matches import Evaluate, Ladder, Match, Played, Tournament
from .parts import Executor, Experiment, Mistake, PairedGames
from .searching import Ablation, Tune
from .training import Train

Run: TypeAlias = Match | Tournament | Ladder | Evaluate | Train | Ablation | Tune


class Series(Experiment, frozen=True):
    """Runs carried out one after the other; each takes over the series' seed and games unless it has its own.

    Attributes:
        games: games of every match, of each two agents of a tournament, and of every training's final evaluation against each opponent.
        executor: where the games of all runs are played; by default where each run says.
        runs: the configs of the runs, each of any kind but bench and series.
    """

    runner = "series:run_series"

    kind: Literal["series"] = "series"
    games: PairedGames | None = None
    executor: Executor | None = None
    runs: Annotated[list[Annotated[Run, Field(discriminator="kind")]], Field(min_length=1)]

    def mistakes(self) -> Iterator[Mistake]:
        """Yields the mistakes of every run."""
        for index, run in enumerate(self.runs):
            yield from ((("runs", index, *place), message) for place, message in run.mistakes())

    def resolved(self, name: str) -> "Series":
        """Returns the series with what its runs take over written into them."""
        runs = [self._inherit(run).resolved(f"{run.game['id'].split('/')[-1].split('-')[0]}-{run.kind}") for run in self.runs]
        return self.model_copy(update={"name": self.name or name, "runs": runs})

    def _inherit(
        self, run: Match | Tournament | Evaluate | Train | Ablation | Tune
    ) -> Match | Tournament | Evaluate | Train | Ablation | Tune:
        changes: dict[str, Any] = {} if "seed" in run.model_fields_set else {"seed": self.seed}
        if self.executor is not None and isinstance(run, Played):
            changes["executor"] = self.executor
        if self.games is not None and isinstance(run, Match | Tournament) and "games" not in run.model_fields_set:
            changes["games"] = self.games
        if self.games is not None and isinstance(run, Train) and "final_games" not in run.evaluate.model_fields_set:
            changes["evaluate"] = run.evaluate.model_copy(update={"final_games": self.games})
        return run.model_copy(update=changes)
