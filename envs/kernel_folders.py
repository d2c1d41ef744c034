"""The folders of compiled code: one for each version of the code, and those that nobody has used for long are removed."""

from __future__ import annotations

import os
import re
import shutil
import time
from contextlib import suppress
from pathlib import Path

UNUSED = 30 * 24 * 3600.0  # seconds after which a folder is removed
FINGERPRINT = re.compile(r"[0-9a-f]{16}")
REMOVED = ".{}-removed-{}"  # what a folder is called while it is being removed
LEFT_OVER = re.compile(r"\.[0-9a-f]{16}-removed-\d+")


def use(folder: Path) -> None:
    """Notes that a folder is in use, and removes those beside it that have not been for UNUSED seconds.

    A folder is renamed before it is removed, so no process sees half of one. One that waits for so long without a word finds its folder
    gone, and compiles anew.

    Raises:
        OSError: the folder is not writable.
    """
    os.utime(folder)
    now = time.time()
    for other in folder.parent.iterdir():
        with suppress(OSError):  # another process was quicker, or the folder is another user's
            if other != folder and FINGERPRINT.fullmatch(other.name) and now - other.stat().st_mtime > UNUSED:
                _remove(other.rename(other.with_name(REMOVED.format(other.name, os.getpid()))))
            elif LEFT_OVER.fullmatch(other.name):
                _remove(other)


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
