"""A file that one process at a time holds: by the system's lock, which ends with its process, or by a marker where there is no such lock.

Some network and container file systems have no locks. There the holder makes a file that names it. A marker whose process is gone from this
machine is taken over; one of another machine stays until its process ends or somebody deletes it.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MARKER = ".holder"  # is added to the name of a lock file
SECOND_LOOK = 0.2  # seconds: some filelocks remove the marker of a dead process at one look, and make theirs at the next
NO_LOCKS = {errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK}  # what a file system without locks answers


class FileHeldError(Exception):
    """Another process holds a file.

    Attributes:
        marker: the file that keeps others out where there are no locks, else None.
        holder: the process in words, as far as it is known.
    """

    def __init__(self, marker: Path | None = None) -> None:
        self.marker, self.holder = marker, "another process" if marker is None else _holder(marker)
        super().__init__(self.holder)

    def remedy(self) -> str:
        """Returns the end of a message: which marker to delete if its holder is gone; empty for a lock of the system."""
        return "" if self.marker is None else f"; if it is not, delete {self.marker}"


@contextlib.contextmanager
def held(path: Path, seconds: float) -> Iterator[None]:
    """Holds a file, which is made if it is missing, as long as the block takes.

    Args:
        path: of the file.
        seconds: to wait for it.

    Raises:
        FileHeldError: another process has held it all the time.
        OSError: it can be neither made nor locked.
    """
    with _acquire(path, seconds):
        yield


def _acquire(path: Path, seconds: float) -> Any:
    """Returns what gives a lock up when its block ends."""
    library = _filelock()
    if library.FileLock is not library.SoftFileLock:
        try:
            return library.FileLock(path, fallback_to_soft=False).acquire(timeout=seconds)
        except library.Timeout:
            raise FileHeldError from None
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
    marker = path.with_name(path.name + MARKER)
    try:
        return library.SoftFileLock(marker).acquire(timeout=max(seconds, SECOND_LOOK))
    except library.Timeout:
        raise FileHeldError(marker) from None


@functools.cache
def _filelock() -> Any:
    """Returns the library, loaded without the warning that it gives where it has markers alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import filelock
    return filelock


def _holder(marker: Path) -> str:
    """Returns the process that a marker names: its number and its machine are the first two lines."""
    try:
        number, machine = marker.read_text(encoding="utf-8").split()[:2]
    except (OSError, ValueError):
        return "another process"
    return f"process {number} of {machine.partition('?')[0]}"
