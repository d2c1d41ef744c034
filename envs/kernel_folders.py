"""The folders of compiled code: what they are named by, and the end of those that nobody has used for long.

A folder is named by all that compiled code depends on, not by its source: the bytecode of its functions, their constants and the values
that they look up, each written as a text that no other has. Line numbers, comments and docstrings are not in it. Where such a text cannot
be written for sure, there is none.
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
REMOVED = ".{}-removed-{}"  # what a folder is called while it is being removed
LEFT_OVER = re.compile(r"\.[0-9a-f]{16}-removed-\d+")
PLAIN_TYPES = {int, float, complex, bool, str, bytes, type(None), type(...)}  # whose repr says all
VERSIONED = sys.stdlib_module_names | {"numpy", "numba"}  # packages that change with the versions alone, which name folders as well


class UnknownValueError(ValueError):
    """A kernel looks up something of which nobody can say what compiled code takes from it."""


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


def named(*texts: str) -> str:
    """Returns the 16 hex digits that stand for some texts."""
    return hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def text_of_code(code: CodeType, docstring: str | None = None) -> str:
    """Returns all of a code object that a compiler sees, without its docstring and its place in a file."""
    constants = code.co_consts
    if docstring is not None and constants and constants[0] == docstring and not _loads_first_constant(code):
        constants = (None, *constants[1:])
    texts = [text_of_code(each) if isinstance(each, CodeType) else text_of(each) for each in constants]
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    jumps = getattr(code, "co_exceptiontable", b"")  # from Python 3.11 on
    return f"code({code.co_name!r},{counts},{names},{code.co_code.hex()},{jumps!r},[{','.join(texts)}])"


def _loads_first_constant(code: CodeType) -> bool:
    """Tells whether the first constant may be more than a docstring; an argument's low byte is enough for a yes."""
    steps = code.co_code
    return any(steps[at] in dis.hasconst and steps[at + 1] == 0 for at in range(0, len(steps), 2))


def text_of(value: Any, names: tuple[str, ...] = (), known: Callable[[Any], str | None] = lambda value: None) -> str:
    """Returns what compiled code can take from a value.

    Args:
        value: what a kernel looks up.
        names: the attributes that it may look up there, if it is a module.
        known: tells what is written for values that are described elsewhere, None for all others.

    Raises:
        UnknownValueError: nobody can say for sure.
    """
    kind = type(value)
    if kind in PLAIN_TYPES:
        return repr(value)
    if (text := known(value)) is not None:
        return text
    if kind is tuple:
        return f"({','.join(text_of(each, names, known) for each in value)},)"
    if kind is frozenset:
        return f"frozenset({','.join(sorted(text_of(each) for each in value))})"
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
    """Describes a module by what may be looked up in it; one that has such a name only later is another, too."""
    if module.__name__.partition(".")[0] in VERSIONED:
        return f"module({module.__name__!r})"
    texts = [f"{name!r}:{text_of(vars(module)[name], names, known)}" for name in sorted(set(names)) if name in vars(module)]
    return f"module({module.__name__!r},[{','.join(texts)}])"


def _text_of_import(value: Any) -> str | None:
    """Returns where a thing of a versioned package is found; None if it is none of those, or not found there."""
    module, name = getattr(value, "__module__", None) or "numpy", getattr(value, "__qualname__", None) or value.__name__
    if not isinstance(module, str) or module.partition(".")[0] not in VERSIONED:
        return None
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return f"import({module!r},{name!r})" if found is value else None
