"""Numba's disk cache in folders of our own: where it lies, who writes it, and how functions are compiled into it or loaded from it."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..file_lock import FileHeldError, held
from . import folders
from .messages import say

LONGEST_WAIT = 60.0  # seconds for another process that compiles
_patience = [LONGEST_WAIT]  # seconds that this process still waits for others


def _config() -> Any:
    """Numba's settings, which it fills in as it is imported."""
    from numba.core import config

    return config


@functools.cache
def load_numba_without_scipy() -> None:
    """Loads Numba's array functions without SciPy, which they import only to see whether it is there: a third of a warm start.

    Numba checks for it again where it compiles linear algebra, so code that needs SciPy still works.
    """
    with contextlib.suppress(ImportError, AttributeError):  # a Numba with other internals loads SciPy
        from numba.np import linalg

        original = linalg.ensure_blas
        linalg.ensure_blas = lambda: None
        try:
            import numba.np.arraymath  # noqa: F401 # pyright: ignore[reportUnusedImport] - for what it loads
        finally:
            linalg.ensure_blas = original


@functools.cache
def cache_folder() -> Path | None:
    """Returns a private, writable folder for these versions, or None; then each process compiles anew, and says so once.

    The folder lies in NUMBA_CACHE_DIR if that is set, else in the user's cache folder.
    """
    import numba
    import platformdirs

    versions = f"{numba.__version__} {np.__version__} {sys.version_info[:2]} {_config().BOUNDSCHECK}"
    cache_dir = _config().CACHE_DIR
    try:
        base = Path(cache_dir) / "sparring" if cache_dir else platformdirs.user_cache_path("sparring", appauthor=False)
        folder = base / folders.named(versions)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        probe = folder / f"probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
        folders.use(folder)
    except (OSError, RuntimeError) as error:  # a user without a home is a RuntimeError
        say(f"compiled code cannot be kept, so each process compiles anew ({error}); NUMBA_CACHE_DIR may name a folder for it")
        return None
    return folder


@contextlib.contextmanager
def one_compiler_at_a_time(functions: list[Any]) -> Iterator[None]:
    """Lets one process compile the bindings of functions while others that need one of them wait, and then load the result.

    A process that has waited too long compiles by itself.
    """
    bindings = {folder for function in functions if (folder := _folder_of(function))}
    with contextlib.ExitStack() as stack:
        for folder in sorted(bindings):  # in one order, so that processes never wait for each other in a circle
            with contextlib.suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                folders.use(folder)
            with contextlib.suppress(OSError):  # a folder without locks: its files are whole, as Numba writes each in one step
                try:
                    stack.enter_context(held(folder / "lock", _patience[0]))
                except FileHeldError as error:
                    _patience[0] = 0.0  # this process has waited enough
                    say(f"compiling without waiting any longer: {error.holder} is compiling, too{error.remedy()}")
        yield


def _folder_of(function: Any) -> Path | None:
    """Returns the folder of a function's binding, or None if there is nowhere to keep it."""
    base, binder = cache_folder(), function.py_func.binder
    return base / binder.digest if base and binder.digest else None


def compile_or_load(calls: list[tuple[Any, Any]]) -> None:
    """Compiles functions, each for some types, or loads them.

    The loader can raise anything on damaged files of the cache (after a full disk, say). Then the files of the functions are removed; if
    that does not help, the functions are compiled without a cache. An error of a function itself is raised again.
    """
    from numba.core.caching import NullCache

    try:
        _compile_each(calls)
    except Exception:
        try:
            for function, _ in calls:
                function._cache.flush()
            _compile_each(calls)
        except Exception:
            for function, _ in calls:
                function._cache = NullCache()
            _compile_each(calls)


def _compile_each(calls: list[tuple[Any, Any]]) -> None:
    for function, argument_types in calls:
        function.compile(argument_types)


def keep_on_disk(functions: list[Any]) -> None:
    """Lets functions be loaded from the folders of their bindings and kept there, where there are any."""
    for function in functions:
        folder = _folder_of(function)
        if folder and folder.is_dir():  # else they are compiled without a cache
            with contextlib.suppress(OSError):
                function._cache = _cache_type()(function.py_func, folder)


@functools.cache
def _cache_type() -> Any:
    """Returns Numba's cache of functions, with files in a folder whose name already says all that they depend on."""
    from numba.core import caching

    class Locator(caching._CacheLocator):  # pyright: ignore[reportPrivateUsage] - Numba has no public way
        def __init__(self, folder: Path, source: str) -> None:
            self.folder, self._py_file = folder, source  # the latter is for Numba's warnings

        def get_cache_path(self) -> Any:
            return str(self.folder)

        def get_source_stamp(self) -> Any:
            return self.folder.name

        def get_disambiguator(self) -> Any:
            return ""

    class FolderCacheImpl(caching.CompileResultCacheImpl):
        def __init__(self, function: Any) -> None:
            code = function.__code__
            self._lineno, self._locator = code.co_firstlineno, Locator(function.folder, code.co_filename)
            self._filename_base = self.get_filename_base(function.__qualname__, getattr(sys, "abiflags", ""))

    class FolderCache(caching.FunctionCache):
        _impl_class = FolderCacheImpl

        def __init__(self, function: Any, folder: Path) -> None:
            function.folder = folder
            super().__init__(function)

    return FolderCache
