"""Games of files and runs, written to files in another format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...envs.game import Game
from ...envs.rules.errors import ConfigError
from ..files import write_text
from ..games.formats import FORMATS, format_of, text_of
from ..games.formats.recorded import RecordedGame
from ..run_folder import RunFolder
from .export import recorded_games, recorded_log

NUMBER = "{}"  # in the name of a file for each game


def convert(sources: Sequence[Path], target: Path, game: Game | None) -> list[Path]:
    """Writes all games of some sources to new files and returns their paths; nothing is written if there is a mistake anywhere.

    Args:
        sources: files of games, logs (games.jsonl) and folders of runs.
        target: a file for all games, or with `{}` in its name, which stands for a number from 000000 on, a file for each.
        game: what is played; None if every source says it.

    Raises:
        ConfigError: a source cannot be read, has an illegal move, or does not say its game; the target's format does not hold the games, or
            a file exists already.
    """
    format = format_of(target)
    if not target.parent.is_dir():
        raise ConfigError(f"{target}: expected a file in a folder that exists, got one in {str(target.parent)!r}")
    records = [record for source in sources for record in games_in(source, game)]
    if not records:
        raise ConfigError(f"{', '.join(map(str, sources))}: expected games, got none")
    texts = [text_of(target.suffix.lower(), record) for record in records]
    if NUMBER in target.name:
        files = {target.with_name(target.name.replace(NUMBER, f"{number:06d}")): text for number, text in enumerate(texts)}
    elif len(texts) == 1 or format.holds_many:
        files = {target: "".join(texts)}
    else:
        each = target.with_stem(f"{target.stem}{NUMBER}")
        raise ConfigError(f"{target}: expected one game in a file, got {len(texts)}; {each} writes a file for each")
    for path in files:
        if path.exists():
            raise ConfigError(f"{path}: expected a new file, got one that exists already")
    for path, text in files.items():
        write_text(path, text)
    return list(files)


def games_in(source: Path, game: Game | None) -> list[RecordedGame]:
    """Returns the games of a file, or those of a log or of a run in the order of their ids.

    Raises:
        ConfigError: as in `convert`.
    """
    files = RunFolder(source)
    if source.is_dir():
        games = recorded_games(source)
    elif source.suffix == files.games.suffix and source.is_file():
        games = recorded_log(source)
    elif source.suffix.lower() in FORMATS:
        return format_of(source).read(source, game)
    else:
        raise ConfigError(f"{source}: expected the folder of a run, its {files.games.name}, or a file in {', '.join(FORMATS)}")
    for _, record in games:
        if game is not None and record.game != game:
            raise ConfigError(f"{source}: expected games of {game!r}, got {record.game!r}")
    return [record for _, record in games]
