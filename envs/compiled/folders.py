"""The folders of compiled code: their names, and the removal of those that were not used for long.

A folder's name is a hash of all that compiled code depends on: the bytecode of its functions, their constants and the values that they look
up, each described by a text that no other value has. Line numbers, comments and docstrings do not count. A value that has no such text
raises UnknownValueError.
"""

from __future__ import annotations

import dis
import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

UNUSED = 30 * 24 * 3600.0  # seconds after which a folder is removed
FINGERPRINT = re.compile(r"[0-9a-f]{16}")
REMOVED = ".{}-removed-{}"  # the name of a folder while it is being removed
LEFT_OVER = re.compile(r"\.[0-9a-f]{16}-removed-\d+")
PLAIN_TYPES = {int, float, complex, bool, str, bytes, type(None), type(...)}  # a repr describes their values
VERSIONED = sys.stdlib_module_names | {"numpy", "numba"}  # packages that change only with the versions, which folder names hold too


class UnknownValueError(ValueError):
    """A kernel looks up a value of which it is unknown what compiled code takes from it."""


def use(folder: Path) -> None:
    """Marks a folder as used now, and removes its neighbours that were not used for UNUSED seconds.

    A folder is renamed before it is removed, so no process sees half of one. A process that runs for longer than that finds its folder gone
    and compiles anew.

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


def named(*texts: str) -> str:
    """Returns the hash of some texts, 16 hex digits."""
    return hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def text_of_code(code: CodeType, docstring: str | None = None) -> str:
    """Returns all of a code object that a compiler sees, without its docstring and its line numbers."""
    constants = code.co_consts
    if docstring is not None and constants and constants[0] == docstring and not _loads_first_constant(code):
        constants = (None, *constants[1:])
    texts = [text_of_code(constant) if isinstance(constant, CodeType) else text_of(constant) for constant in constants]
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    jumps = getattr(code, "co_exceptiontable", b"")  # from Python 3.11 on
    return f"code({code.co_name!r},{counts},{names},{code.co_code.hex()},{jumps!r},[{','.join(texts)}])"


def _loads_first_constant(code: CodeType) -> bool:
    """Tells whether the code may load its first constant; it looks at an argument's low byte only, so it may be wrong in saying yes."""
    bytecode = code.co_code
    return any(bytecode[i] in dis.hasconst and bytecode[i + 1] == 0 for i in range(0, len(bytecode), 2))


def text_of(value: Any, names: tuple[str, ...] = (), known: Callable[[Any], str | None] = lambda value: None) -> str:
    """Returns a description of what compiled code can take from a value.

    Args:
        value: what a kernel looks up.
        names: the attributes that it may look up in a module.
        known: returns the text of a value that is described elsewhere, None for all others.

    Raises:
        UnknownValueError: it is unknown.
    """
    kind = type(value)
    if kind in PLAIN_TYPES:
        return repr(value)
    if (text := known(value)) is not None:
        return text
    if kind is tuple:
        return f"({','.join(text_of(item, names, known) for item in value)},)"
    if kind is frozenset:
        return f"frozenset({','.join(sorted(text_of(item) for item in value))})"
    if isinstance(value, np.dtype):
        return _text_of_dtype(value)
    if isinstance(value, np.ndarray) and kind in (np.ndarray, np.recarray) and not value.dtype.hasobject:
        layout = (kind.__name__, value.shape, value.strides, value.flags.c_contiguous, value.flags.aligned, value.flags.writeable)
        return f"array({layout},{_text_of_dtype(value.dtype)},{hashlib.sha256(value.tobytes()).hexdigest()})"
    if isinstance(value, np.generic) and kind.__module__ == "numpy" and not value.dtype.hasobject:
        return f"scalar({_text_of_dtype(value.dtype)},{value.tobytes().hex()})"
    if isinstance(value, ModuleType):
        return _text_of_module(value, names, known)
    if isinstance(value, (type, BuiltinFunctionType, FunctionType, np.ufunc)) and (text := _text_of_import(value)):
        return text
    raise UnknownValueError(f"{kind.__module__}.{kind.__qualname__}")


def _text_of_dtype(dtype: np.dtype[Any]) -> str:
    if dtype.hasobject:
        raise UnknownValueError("a dtype of objects")
    if dtype.subdtype is not None:
        return f"dtype({_text_of_dtype(dtype.subdtype[0])},{dtype.subdtype[1]})"
    if dtype.names is None or dtype.fields is None:
        return f"dtype({dtype.str!r})"
    fields = [f"{name!r}:{_text_of_dtype(dtype.fields[name][0])}@{dtype.fields[name][1]}" for name in dtype.names]
    return f"dtype({dtype.itemsize},{dtype.alignment},{dtype.isalignedstruct},[{','.join(fields)}])"


def _text_of_module(module: ModuleType, names: tuple[str, ...], known: Callable[[Any], str | None]) -> str:
    """Describes a module by what may be looked up in it, so that a name that is added later changes the text."""
    if module.__name__.partition(".")[0] in VERSIONED:
        return f"module({module.__name__!r})"
    texts = [f"{name!r}:{text_of(vars(module)[name], names, known)}" for name in sorted(set(names)) if name in vars(module)]
    return f"module({module.__name__!r},[{','.join(texts)}])"


def _text_of_import(value: Any) -> str | None:
    """Returns the import of a value from a versioned package; None if it is from another package or cannot be imported by its name."""
    module, name = getattr(value, "__module__", None) or "numpy", getattr(value, "__qualname__", None) or value.__name__
    if not isinstance(module, str) or module.partition(".")[0] not in VERSIONED:
        return None
    imported: Any = sys.modules.get(module)
    for part in name.split("."):
        imported = getattr(imported, part, None)
    return f"import({module!r},{name!r})" if imported is value else None
