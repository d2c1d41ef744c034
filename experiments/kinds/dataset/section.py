"""The section of a data set: what its rows are, and a replay of some of its games."""

from __future__ import annotations

from ...report.replay import replay_of
from ...report.run import Run
from ...report.sections import RunView, played_section
from ...report.wording import percent
from .results import DatasetResults

NOTE = (
    "Positions that a symmetry maps onto each other count as one. The result is that of the game for the side to move;"
    " the expected result is tanh(score / scale), with the scale that is nearest to the results, and the value of proven scores."
)


def dataset_section(run: Run[DatasetResults], section_id: str) -> RunView:
    """Returns the section of a finished run, or says that it is not finished."""
    results, games = run.results, run.games
    if results is None:
        return played_section(run, section_id, "The data set is not finished yet", has_games=False)
    facts = {
        "Teacher": results.teacher,
        "Repeats left out": f"{results.repeats:,}",
        "Moves as the teacher's": percent(results.agreement),
        "Scale": "no scores" if results.scale is None else f"{results.scale:g}",
    }
    verdict = f"{results.positions:,} positions of {results.games:,} games, labelled by {results.teacher}"
    return played_section(run, section_id, verdict, notes=[NOTE, *results.warnings], facts=facts, replay=replay_of(games))
