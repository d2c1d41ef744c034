"""The configs that come with the package, by name: `quickstart`, `ladder/connect_four`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from ...envs.rules.errors import ConfigError, did_you_mean, shown

FOLDER = Path(__file__).parent.parent.parent / "configs"
SUFFIX = ".yaml"


class Choice(NamedTuple):
    """The config that an argument of the command line means.

    Attributes:
        path: of its file, or of the folder of a run.
        remark: which config was chosen, for the terminal; None where there was no choice.
    """

    path: Path
    remark: str | None


def names() -> list[str]:
    """Returns the names of all shipped configs, sorted, those in no folder first."""
    names = [path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob(f"*{SUFFIX}")]
    return sorted(names, key=lambda name: ("/" in name, name))


def path_of(name: str) -> Path:
    """Returns the file of a shipped config.

    Raises:
        ConfigError: no config has that name.
    """
    known = names()
    if (plain := name.removesuffix(SUFFIX)) not in known:
        raise ConfigError(
            f"configs: expected the name of a shipped config (sparring configs), got {shown(name)}{did_you_mean(name, known)}"
        )
    return FOLDER / f"{plain}{SUFFIX}"


def summary(name: str) -> str:
    """Returns the first sentence of the comment at the start of a shipped config."""
    lines = path_of(name).read_text(encoding="utf-8").splitlines()
    comment = " ".join(line.lstrip("# ") for line in lines[: next(n for n, line in enumerate(lines) if not line.startswith("#"))])
    return re.split(r"(?<=[.?]) ", comment, maxsplit=1)[0]


def copy(name: str, out: Path) -> Path:
    """Copies a shipped config to a file, or into a folder that exists, and returns the file.

    Raises:
        ConfigError: no config has that name, or the file exists already.
    """
    source = path_of(name)
    target = out / source.name if out.is_dir() else out
    try:
        with target.open("xb") as file:
            file.write(source.read_bytes())
    except FileExistsError:
        raise ConfigError(f"{target}: expected a new file, got one that exists already") from None
    return target


def find(config: Path) -> Choice:
    """Returns the config of an argument: a file in the current folder, the folder of a run, or else a shipped config.

    Args:
        config: a path, or the name of a shipped config, each with or without `.yaml`.

    Raises:
        ConfigError: there is neither a file nor a shipped config of that name.
    """
    name = config.as_posix().removesuffix(SUFFIX)
    is_shipped = name in names()
    for path in (config, Path(f"{name}{SUFFIX}")):
        if path.is_file():
            return Choice(path, f"{path}, a file in this folder, which wins over the shipped config" if is_shipped else None)
    if config.is_dir() and (not is_shipped or (config / "config.yaml").exists()):
        return Choice(config, None)
    if is_shipped:
        return Choice(FOLDER / f"{name}{SUFFIX}", f"{name}, as shipped")
    hint = did_you_mean(name.rpartition("configs/")[2], names())
    raise ConfigError(f"{config}: expected a file, the folder of a run or the name of a shipped config (sparring configs){hint}")
