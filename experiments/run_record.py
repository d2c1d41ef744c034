"""The model of run.json: how a run started, and which files it wrote."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from ..agents.foreign import STRICT


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
    outputs: dict[Literal["results.json", "games.jsonl", "searches.jsonl", "curve.jsonl"], str] = {}
