"""A run's folder: its name, its lock, and the record of how the run started."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timezone
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from ..agents.engine_agent import program_files
from ..agents.foreign import conform
from ..envs.file_lock import FileHeldError, held
from ..version import __version__
from .config.file import Models, dump, load
from .config.parts import Experiment
from .config.yaml_source import YamlSource
from .files import PART, RunFolderError, naming, read_json, write_json, write_text
from .results import Results
from .run_record import PACKAGE, Record, git_state

RECORDED_PACKAGES = ("numpy", "gymnasium", "numba", "pydantic", "torch", "stable-baselines3", "sb3-contrib", "matplotlib")
LOCK = "lock"
FILE_KEYS = "path", "ladder", "opening_file", "positions", "dataset", "start"  # of configs, whose values name files
ELSEWHERE = "choose another folder (--out), or start over (--fresh)"
FIRST_FILES = (LOCK, PART.format("config.yaml"))  # the files of a run that is killed at its start


class RunFolder:
    """The files of a run, by name."""

    def __init__(self, path: Path):
        """Names the files without opening any."""
        self.path = path
        self.config = path / "config.yaml"
        self.record = path / "run.json"
        self.games = path / "games.jsonl"
        self.searches = path / "searches.jsonl"
        self.answers = path / "answers.jsonl"
        self.curve = path / "curve.jsonl"
        self.results = path / "results.json"
        self.ladder = path / "ladder.json"
        self.report = path / "report.html"
        self.checkpoints = path / "checkpoints"
        self.tensorboard = path / "tensorboard"
        self.model = path / "model.safetensors"

    @property
    def is_finished(self) -> bool:
        """Whether the run is finished."""
        return self.record.exists() and read_record(self.record)["finished"] is not None

    def history(self) -> list[str]:
        """Returns notes on an earlier part of the run: that it is finished already, or began with other code, or was stopped."""
        record, lines = read_record(self.record), []
        if record["finished"] is not None:
            self._check_outputs(record)
            lines.append(f"finished already, on {record['finished']}; --fresh starts over")
        began, now = _code_text(record), _code_text(_code())
        if began != now:
            lines.append(f"began with {began}, this is {now}")
        if record["finished"] is None and (self.games.exists() or self.answers.exists()):
            lines.append("goes on where it was stopped")
        return lines

    def finish(self, results: Results) -> None:
        """Writes the results and the end of the run."""
        write_json(self.results, results.model_dump(mode="json", by_alias=True))
        outputs = {path.name: _digest(path) for path in self._outputs if path.exists()}
        write_json(self.record, read_record(self.record) | {"finished": _now(), "outputs": outputs})

    @property
    def _outputs(self) -> tuple[Path, ...]:
        """The files whose SHA-256 a finished run knows."""
        return self.results, self.games, self.searches, self.answers, self.curve

    def read_results(self) -> dict[str, Any] | None:
        """Returns the results as plain data, None before the end of the run; `kinds.results_of` makes a model of them.

        Raises:
            RunFolderError: the results or the logs have changed since the run wrote them.
        """
        if not self.results.exists():
            return None
        if self.record.exists():
            self._check_outputs(read_record(self.record))
        results = read_json(self.results)
        if not isinstance(results, dict) or not isinstance(results.get("kind"), str):
            raise RunFolderError(f"{self.results}: kind: missing")
        return results

    def _check_outputs(self, record: dict[str, Any]) -> None:
        """Refuses a finished run whose results or logs have changed since."""
        for name, digest in record.get("outputs", {}).items():
            path = self.path / name
            if not path.exists() or _digest(path) != digest:
                state = "has changed since the run finished" if path.exists() else "is missing"
                raise RunFolderError(f"{path}: {state}; restore it, or start over with --fresh")

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Adds the time of its block to the record, also if the run is interrupted."""
        start = time.perf_counter()
        try:
            yield
        finally:
            record = read_record(self.record)
            write_json(self.record, record | {"seconds": round(record["seconds"] + time.perf_counter() - start, 3)})


def default_folder(config: Experiment) -> Path:
    """Returns the default folder of a config's run: the same for equal configs."""
    digest = hashlib.sha256(json.dumps(config.identity(), sort_keys=True).encode()).hexdigest()
    return Path("runs") / f"{config.name}-{digest[:8]}"


@contextmanager
def opened(path: Path, config: Experiment, is_fresh: bool = False) -> Iterator[RunFolder]:
    """Opens a run's folder, new or old, for this process only.

    Args:
        path: the folder.
        config: the run's config.
        is_fresh: moves the folder's content aside and starts over.

    Raises:
        RunFolderError: the folder is not a run's, holds another config, or another process writes to it.
    """
    _refuse_other_files(path)
    path.mkdir(parents=True, exist_ok=True)
    with _locked(path):
        folder = RunFolder(path)
        if is_fresh and folder.config.exists():
            _move_aside(folder)
        if folder.config.exists():
            _refuse_other_config(folder, config)
            _refuse_other_files_named(folder, config)
        else:
            write_text(folder.config, dump(config))
        if not folder.record.exists():
            write_json(folder.record, _record(config))
        yield folder


def _refuse_other_files(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise RunFolderError(f"{path}: expected a folder, got a file")
    if path.is_dir() and not (path / "config.yaml").exists() and not all(_is_first(file.name) for file in path.iterdir()):
        raise RunFolderError(f"{path}: expected an empty folder or the folder of a run, got a folder with files of something else")


def _is_first(name: str) -> bool:
    return name in FIRST_FILES or name.startswith(f"{LOCK}.")


def _refuse_other_config(folder: RunFolder, config: Experiment) -> None:
    saved, wanted = _identity_of(folder, config), config.identity()
    for key in dict.fromkeys([*wanted, *saved]):
        if saved.get(key) != wanted.get(key):
            difference = f"a run with {key} {saved.get(key)!r}, this one has {wanted.get(key)!r}"
            raise RunFolderError(f"{folder.path}: holds {difference}; {ELSEWHERE}")


def _identity_of(folder: RunFolder, config: Experiment) -> dict[str, Any]:
    """Returns the identity of a folder's config; of one of another kind only the kind differs."""
    values = YamlSource(folder.config).values
    if not isinstance(values, dict) or values.get("kind") != config.kind:
        return {**config.identity(), "kind": values.get("kind") if isinstance(values, dict) else None}
    return load(folder.config, (), Models((config.kind,), lambda name: type(config))).identity()


def _refuse_other_files_named(folder: RunFolder, config: Experiment) -> None:
    """Refuses to go on if a file that the config names has changed since the run began."""
    saved = read_record(folder.record).get("files", {}) if folder.record.exists() else {}
    for name, digest in _digests(config).items():
        if saved.get(name, digest) != digest:
            raise RunFolderError(f"{folder.path}: holds another run, as {name} has changed since; {ELSEWHERE}")


def _digests(config: Experiment) -> dict[str, str]:
    """Returns the SHA-256 of each file that a config names: networks, ladders, openings, modules of Python agents, programs."""
    return {name: _digest(path) for name, path in _files_named(config.identity()) if path.is_file()}


def _digest(path: Path) -> str:
    """Returns the SHA-256 of a file of any size."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(2**20):
            digest.update(part)
    return digest.hexdigest()


def _files_named(value: Any) -> Iterator[tuple[str, Path]]:
    """Yields the names of files in a config with their paths."""
    if isinstance(value, dict):
        if value.get("name") == "engine":
            yield from program_files(value["cmd"]).items()
        if value.get("name") == "python":
            module = f"{value['target'].partition(':')[0].replace('.', '/')}.py"
            yield module, Path(module)
        names = [value[key] for key in FILE_KEYS if isinstance(value.get(key), str)]
        yield from ((name, Path(name)) for name in names)
        if isinstance(value.get("ladder"), str) and value.get("trust"):
            yield from _files_named(read_json(Path(value["ladder"])))
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _files_named(inner)


def _move_aside(folder: RunFolder) -> None:
    """Moves all files except the lock to a new folder beside; the record first, as a run without one is not finished."""
    aside = _free_name(folder.path)
    aside.mkdir()
    names = {file.name for file in folder.path.iterdir() if file.name != LOCK and not file.name.startswith(f"{LOCK}.")}
    first = folder.record.name, folder.config.name  # if this is interrupted, a folder without config is not continued
    for name in sorted(names, key=lambda name: first.index(name) if name in first else len(first)):
        (folder.path / name).rename(aside / name)


def _free_name(path: Path) -> Path:
    """Returns the first of path.old-1, path.old-2, … that is free."""
    number = 1
    while (free := path.with_name(f"{path.name}.old-{number}")).exists():
        number += 1
    return free


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Locks a folder; the lock of a process that dies, in whatever way, is free again."""
    with ExitStack() as stack:
        try:
            stack.enter_context(held(path / LOCK, 0))
        except FileHeldError as error:
            raise RunFolderError(f"{path}: {error.holder} is using this run{error.remedy()}") from None
        yield


def _record(config: Experiment) -> dict[str, Any]:
    """Returns the record of a run that starts now."""
    return {
        "name": config.name,
        "kind": config.kind,
        "seed": config.seed,
        **_code(),
        "files": _digests(config),
        "versions": {"python": platform.python_version(), **_versions()},
        "machine": {"system": platform.system(), "cores": os.cpu_count()},
        "command": shlex.join(["sparring", *sys.argv[1:]]),
        "started": _now(),
        "finished": None,
        "seconds": 0.0,
    }


def _code() -> dict[str, Any]:
    """Returns the package's version, and the commits of the current folder's checkout and the package's own, where there are any."""
    return {"package_version": __version__, "git": git_state(), "package_git": git_state(PACKAGE)}


def _code_text(code: dict[str, Any]) -> str:
    """Returns the version with the package's commit and that of the current folder's checkout, if it is another."""
    checkouts = [git for git in (code.get("package_git"), code["git"]) if git]
    commits = dict.fromkeys(f" at {git['commit'][:10]}{' with changes' if git['dirty'] else ''}" for git in checkouts)
    return f"version {code['package_version']}{' in a checkout'.join(commits)}"


def _versions() -> dict[str, str]:
    """Returns the versions of the recorded packages that are installed."""
    installed = {package: next(iter(distributions(name=package)), None) for package in RECORDED_PACKAGES}
    return {package: distribution.version for package, distribution in installed.items() if distribution is not None}


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def read_record(path: Path) -> dict[str, Any]:
    """Returns the record of a run, as `_record` wrote it.

    Raises:
        RunFolderError: the file is not such a record; names the key.
    """
    record = read_json(path)
    with naming(path):
        conform(record, Record)
    return record
