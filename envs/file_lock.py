"""A file that one process at a time holds: by the system's lock, which ends with its process, or by a marker where there are no locks.

Some network and container file systems have no locks. There the holder makes a marker, a file that names it. A marker of a dead process of
this machine is taken over; a marker of another machine stays until its process ends or a person deletes it.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MARKER = ".holder"  # added to the name of a lock file
SECOND_TRY = 0.2  # seconds: some versions of filelock remove a dead process's marker at one try, and make their own at the next
NO_LOCKS = {errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK}  # errors of a file system without locks


class FileHeldError(Exception):
    """Another process holds a file.

    Attributes:
        marker: the marker where there are no locks, else None.
        holder: the process as text, as far as it is known.
    """

    def __init__(self, marker: Path | None = None) -> None:
        self.marker, self.holder = marker, "another process" if marker is None else _holder(marker)
        super().__init__(self.holder)

    def remedy(self) -> str:
        """Returns the end of a message: the marker to delete if its holder is gone; empty for a lock of the system."""
        return "" if self.marker is None else f"; if it is not, delete {self.marker}"


@contextlib.contextmanager
def held(path: Path, seconds: float) -> Iterator[None]:
    """Holds a file during its block; makes the file if it is missing.

    Args:
        path: of the file.
        seconds: the longest wait for it.

    Raises:
        FileHeldError: another process held it all that time.
        OSError: the file cannot be made or locked.
    """
    with _acquire(path, seconds):
        yield


def _acquire(path: Path, seconds: float) -> Any:
    """Returns a context manager that releases the lock."""
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
        return library.SoftFileLock(marker).acquire(timeout=max(seconds, SECOND_TRY))
    except library.Timeout:
        raise FileHeldError(marker) from None


@functools.cache
def _filelock() -> Any:
    """Returns the library, loaded without its warning on systems that have only markers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import filelock
    return filelock


def _holder(marker: Path) -> str:
    """Returns the process of a marker, whose first two lines are its number and its machine."""
    try:
        number, machine = marker.read_text(encoding="utf-8").split()[:2]
    except (OSError, ValueError):
        return "another process"
    return f"process {number} of {machine.partition('?')[0]}"
