"""The section of an imitation: its epochs, measured on rows that it has not learned from."""

from __future__ import annotations

from ...report.run import Run
from ...report.sections import Cell, RunView, TableView, number, played_section
from .results import ImitateResults

HEADINGS = "Epoch", "Loss", "Loss, held out", "Policy loss", "Value loss", "Accuracy"
NOTE = "All but the first loss are those of the rows held out: games of which it learned nothing. The network with the lowest one is kept."


def imitate_section(run: Run[ImitateResults], section_id: str) -> RunView:
    """Returns the section of a finished run, or says that it is not finished."""
    results = run.results
    if results is None:
        return played_section(run, section_id, "The network is still learning", has_games=False)
    rows = [
        (
            Cell(str(epoch.number), float(epoch.number), is_bold=epoch.number == results.best),
            number(epoch.loss, ".4f"),
            number(epoch.held_out_loss, ".4f"),
            number(epoch.policy_loss, ".4f"),
            number(epoch.value_loss, ".4f"),
            number(epoch.accuracy, ".1%"),
        )
        for epoch in results.epochs
    ]
    verdict = f"It plays the teacher's move in {results.kept.accuracy:.1%} of {results.held_out:,} positions of games held out"
    facts = {"Rows": f"{results.learned:,}", "Weights": f"{results.weights:,}"}
    return played_section(
        run, section_id, verdict, tables=[TableView("Epochs", HEADINGS, rows)], notes=[NOTE], facts=facts, has_games=False
    )
