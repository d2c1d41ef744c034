"""The results of a data set."""

from __future__ import annotations

from ...results import Count, GameResults
from ...terminal.phrases import counted


class DatasetResults(GameResults):
    """The results of a data set.

    Attributes:
        teacher: the labelling agent as text.
        positions: how many rows.
        games: whose positions they are.
        repeats: positions of these games that are left out, as they or their symmetric images came before.
        scale: the score that is worth tanh(1); None without scores to take it from.
        agreement: the share of rows in which the game went on with the teacher's move.
        bytes: size of the Parquet file.
    """

    teacher: str
    positions: Count
    games: Count
    repeats: Count
    scale: float | None
    agreement: float
    bytes: Count

    def lines(self) -> list[str]:
        """Returns a line on the rows and their file."""
        rows = f"{counted(self.positions, 'position')} of {counted(self.games, 'game')}, {self.repeats:,} repeats left out"
        return [f"{rows}, labelled by {self.teacher}; dataset.parquet, {self.bytes / 1e6:.1f} MB"]
