"""The only package that imports Numba: fills in the functions that a template only names, and compiles it.

A template (search, perft, batch step) is a module of plain functions that calls placeholders: functions of an interface module such as
`envs.rules.interface`. `bind` clones the template's functions. In the clones each placeholder is replaced by the function of the same name
in the module that stands in for the interface, if there is one; else the placeholder stays, a documented default. Closures and functions
passed as arguments would do the same but never hit Numba's disk cache.

Numba's own cache looks at one file at a time and would serve a search with outdated rules. So compiled code is kept in a folder named by
everything that the binding reaches (see `folders`), inside one named by the versions and the bounds-check switch. Editing a comment
recompiles nothing; changing a constant recompiles its users.

With SPARRING_JIT=0 (or Numba's NUMBA_DISABLE_JIT=1) in the environment the clones stay plain Python: slow, but fit for a debugger.
"""

from __future__ import annotations

import functools
import threading
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from .binder import Binder, is_kernel
from .cache import cache_folder as cache_folder
from .cache import compile_or_load, keep_on_disk, load_numba_without_scipy, one_compiler_at_a_time
from .linking import PART_OF_CALLERS, compilers, is_for_python, let_python_call
from .messages import announced
from .modes import is_plain as is_plain

_binding = threading.RLock()


def records(count: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Returns an array of zeroed records that kernels can read by field name, in the present mode."""
    return readable(np.zeros(count, dtype))


def readable(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Returns an array of records as kernels read it in the present mode; the data are shared."""
    return array.view(np.recarray) if is_plain() else array


def bind(template: ModuleType, *parts: tuple[ModuleType, ModuleType]) -> SimpleNamespace:
    """Returns the functions of a template, bound and (unless in plain mode) ready to be compiled.

    Args:
        template: a module of kernels.
        parts: pairs of an interface module and the module that stands in for it. A module may stand in for a module of kernels, too, which
            it names in STANDS_IN_FOR: `isola_bitboards` stands in for `isola_cells`.
    """
    with _binding:  # else two threads would bind, and compile, the same twice
        return _bind(template, parts, is_plain())


def bind_plain(template: ModuleType, *parts: tuple[ModuleType, ModuleType]) -> SimpleNamespace:
    """Returns the functions of a template, bound, as plain Python in either mode: for one game at a time, without a compiler."""
    with _binding:
        return _bind(template, parts, True)


@functools.cache
def _bind(template: ModuleType, parts: tuple[tuple[ModuleType, ModuleType], ...], plain: bool) -> SimpleNamespace:
    name = "_".join(module.__name__.rpartition(".")[2] for module in (template, *(part for _, part in parts)))
    kernels = [function for function in vars(template).values() if is_kernel(function) and function.__module__ == template.__name__]

    def options(function: FunctionType) -> dict[str, Any]:
        """Makes a kernel part of its callers until `ready` asks for one that Python can call.

        Kernels allocate nothing, so they do without Numba's reference counts, an atomic instruction for each array passed on; a kernel
        that allocates fails to compile.
        """
        options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "forceinline": hasattr(function, "is_inlined")}
        return options | PART_OF_CALLERS | {"pipeline_class": compilers().callee}

    binder = Binder(name, parts, None if plain else options)
    return SimpleNamespace(**{function.__name__: binder.clone(function) for function in kernels})


def ready(function: Any, *examples: Any) -> Any:
    """Compiles a bound function for the types of the example arguments, or loads it, and then forbids compiling for other types.

    Only functions that Python calls need this; the kernels that they call are compiled into them. In plain mode the function is returned
    as it is.
    """
    ready_together((function, examples))
    return function


def ready_together(*calls: tuple[Any, tuple[Any, ...]]) -> None:
    """Makes several functions ready, each given with its example arguments.

    Other processes that need one of their bindings wait until all are compiled.
    """
    with _binding:
        calls = tuple((function, examples) for function, examples in calls if not is_plain() and not _is_ready(function))
        if not calls:
            return
        import numba

        load_numba_without_scipy()
        functions = [function for function, _ in calls]
        for function in functions:
            let_python_call(function)
        with announced(functions), one_compiler_at_a_time(functions):
            keep_on_disk(functions)  # before any is compiled, as compiling one compiles its callees
            compile_or_load([(function, tuple(numba.typeof(example) for example in examples)) for function, examples in calls])
            for function in functions:
                function.disable_compile()


def _is_ready(function: Any) -> bool:
    return bool(function.signatures) and is_for_python(function)
