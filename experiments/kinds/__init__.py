"""The kinds of experiment: one module or folder each, and one line of the table below.

A kind from outside the package is named by its module: `kind: my_module:MINE` is the `Kind` MINE of `my_module`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...agents.foreign import conform
from ...agents.python_agent import load as load_target
from ...envs.rules.errors import AgentError, ConfigError, shown, unknown
from ..config import file
from ..config.parts import Experiment
from ..files import RunFolderError
from ..results import Results
from ..run_folder import RunFolder, read_record
from .kind import Kind

KINDS = (
    "match",
    "tournament",
    "ladder",
    "evaluate",
    "train",
    "ablation",
    "bench",
    "tune",
    "positions",
    "book",
    "accuracy",
    "dataset",
    "imitate",
    "series",
)  # modules here


def kind_of(name: str) -> Kind:
    """Returns the kind of a name.

    Raises:
        ConfigError: no such kind.
    """
    if ":" in name:
        return _outside(name)
    if name not in KINDS:
        raise ConfigError(unknown("kind", name, KINDS))
    return importlib.import_module(f".{name}", __name__).KIND


def _outside(target: str) -> Kind:
    try:
        kind = load_target(target)
    except AgentError as error:
        raise ConfigError(str(error).removeprefix("agent 'python': target: ")) from None
    if not isinstance(kind, Kind):
        raise ConfigError(f"expected a Kind, got {target!r}, which is {shown(kind)}")
    return kind


MODELS = file.Models(KINDS, lambda name: kind_of(name).config)


def results_of(folder: RunFolder) -> Results | None:
    """Returns the results of a run, None before its end.

    Raises:
        RunFolderError: the results are not those of this version or an earlier one, or they or the logs have changed since.
    """
    values = folder.read_results()
    if values is None:
        return None
    kind = read_record(folder.record)["kind"] if folder.record.exists() else values["kind"]
    try:
        if values["kind"] != kind:
            raise ConfigError(f"kind: expected {kind!r}, as run.json has it, got {shown(values['kind'])}")
        return conform(values, kind_of(kind).results)
    except ValueError as error:  # a ConfigError, too
        raise RunFolderError(f"{folder.results}: {error}") from None


def load(path: Path, overrides: Iterable[str] = ()) -> Experiment:
    """Returns the config of a file, every default filled in.

    Args:
        path: of a YAML file.
        overrides: texts such as `seed=3` or `agents.0.depth=2`, applied in turn.

    Raises:
        ConfigError: the config cannot be run; a line for every mistake.
    """
    return file.load(path, overrides, MODELS)


def checked(values: dict[str, Any]) -> Any:
    """Returns the config of some values.

    Raises:
        ConfigError: the config cannot be run; a line for every mistake.
    """
    return file.checked(values, MODELS)
