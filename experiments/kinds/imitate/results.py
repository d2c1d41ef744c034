"""The results of an imitation."""

from __future__ import annotations

from ...results import Count, GameResults, Part


class Epoch(Part):
    """One pass over the rows.

    Attributes:
        number: from 1.
        loss: mean loss while it learned.
        policy_loss, value_loss: on the rows held out: cross-entropy, and squared error of the expected result.
        held_out_loss: their weighted sum.
        accuracy: the share of the rows held out in which the likeliest move is the teacher's.
    """

    number: Count
    loss: float
    policy_loss: float
    value_loss: float
    held_out_loss: float
    accuracy: float


class ImitateResults(GameResults):
    """The results of an imitation.

    Attributes:
        learned, held_out: of how many rows it learned, and how many were only measured.
        weights: of the network.
        model: file name of the network with the lowest loss on the rows held out.
        best: number of its epoch.
        epochs: all of them.
    """

    learned: Count
    held_out: Count
    weights: Count
    model: str
    best: Count
    epochs: list[Epoch]

    @property
    def kept(self) -> Epoch:
        """The epoch whose network is kept."""
        return self.epochs[self.best - 1]

    def lines(self) -> list[str]:
        """Returns a line on the network that is kept."""
        kept = self.kept
        measured = f"accuracy {kept.accuracy:.1%}, policy loss {kept.policy_loss:.3f}, value loss {kept.value_loss:.3f}"
        return [f"{self.learned:,} rows, epoch {self.best} of {len(self.epochs)} kept: {measured} on {self.held_out:,} rows held out"]
