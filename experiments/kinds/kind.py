"""What a kind of experiment is: a config, results, what carries it out, and its section of the page."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..config.parts import Experiment
from ..results import Results

if TYPE_CHECKING:
    from ..report.run import Run
    from ..report.sections import Comparison, RunView
    from ..run_folder import RunFolder


class Kind(NamedTuple):
    """A kind of experiment.

    Attributes:
        config: the model of its configs; the default of its key `kind` is the kind's name.
        results: the model of its results.
        run: "module:function", which takes a config and the run's folder, does what the folder lacks and returns the results.
        section: "module:function", which takes a run, see `report.run`, and an id for its section of the page, and returns the section;
            empty for a kind whose runs consist of others, which have sections.
        comparison: "module:function", which takes the runs of all kinds with this comparison on a page and returns what they show together;
            empty for nothing.
    """

    config: type[Experiment]
    results: type[Results]
    run: str
    section: str = ""
    comparison: str = ""

    @property
    def name(self) -> str:
        """What a config's `kind` says."""
        return self.config.model_fields["kind"].default

    def carry_out(self, config: Experiment, folder: RunFolder) -> Results:
        """Does what a run's folder lacks and returns the results."""
        return _function(self.run)(config, folder)

    def section_of(self, run: Run[Any], section_id: str) -> RunView:
        """Returns a run's section of the page."""
        return _function(self.section)(run, section_id)

    def compare(self, runs: Sequence[Run[Any]]) -> Comparison:
        """Returns what several runs show together; the kind has a comparison."""
        return _function(self.comparison)(runs)


def _function(entry_point: str) -> Any:
    module, _, name = entry_point.partition(":")
    return getattr(importlib.import_module(module), name)
