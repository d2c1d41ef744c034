"""The model of run.json: how a run started, and which files it wrote."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from ..agents.foreign import STRICT

PACKAGE = Path(__file__).parent.parent


class Commit(BaseModel):
    """The checkout in which a run began."""

    model_config = STRICT
    commit: str
    dirty: bool


class Machine(BaseModel):
    """The machine on which a run began."""

    model_config = STRICT
    system: str
    cores: Annotated[int, Field(ge=1, le=2**20)] | None


class Record(BaseModel):
    """The content of run.json; `_record` writes it, `finish` adds the SHA-256 of the files that the run wrote."""

    model_config = STRICT
    name: str
    kind: str
    seed: Annotated[int, Field(ge=0, lt=2**32)]
    package_version: str
    git: Commit | None
    package_git: Commit | None = None
    files: dict[str, str] = {}
    versions: dict[str, str]
    machine: Machine
    command: str
    started: str
    finished: str | None
    seconds: Annotated[float, Field(ge=0, le=1e12)]
    outputs: dict[Literal["results.json", "games.jsonl", "searches.jsonl", "answers.jsonl", "curve.jsonl"], str] = {}


def git_state(folder: Path | None = None) -> dict[str, Any] | None:
    """Returns a checkout's commit, and whether tracked files have changes; None outside a checkout.

    Args:
        folder: one whose files the checkout tracks, as that of an installed package in a folder of somebody's checkout is not; by default
            the current folder, whatever it holds.
    """
    try:
        if folder is not None:
            _git("ls-files", "--error-unmatch", "__init__.py", folder=folder)
        commit = _git("rev-parse", "HEAD", folder=folder)
        return {"commit": commit, "dirty": bool(_git("status", "--porcelain", "--untracked-files=no", folder=folder))}
    except (OSError, subprocess.CalledProcessError):
        return None


def _git(*arguments: str, folder: Path | None) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=True, text=True).stdout.strip()
