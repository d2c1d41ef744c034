"""The record of a kind of experiment: its config, results, run, and section of the page."""

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
        run: "module:function" of a config and the run's folder; does what the folder lacks and returns the results.
        section: "module:function" of a run (see `report.run`) and an id for the section; returns the run's section of the page. Empty for
            a kind whose runs consist of other runs.
        comparison: "module:function" of the runs on a page whose kinds have this comparison; returns what they show together. Empty for
            none.
    """

    config: type[Experiment]
    results: type[Results]
    run: str
    section: str = ""
    comparison: str = ""

    @property
    def name(self) -> str:
        """The value of `kind` in a config."""
        return self.config.model_fields["kind"].default

    def carry_out(self, config: Experiment, folder: RunFolder) -> Results:
        """Does what a run's folder lacks and returns the results."""
        return _function(self.run)(config, folder)

    def section_of(self, run: Run[Any], section_id: str) -> RunView:
        """Returns a run's section of the page."""
        return _function(self.section)(run, section_id)

    def compare(self, runs: Sequence[Run[Any]]) -> Comparison:
        """Returns the comparison of several runs; needs a kind with one."""
        return _function(self.comparison)(runs)


def _function(entry_point: str) -> Any:
    module, _, name = entry_point.partition(":")
    return getattr(importlib.import_module(module), name)
