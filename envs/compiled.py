"""The only module that imports Numba: binds a template and the modules it leaves open into one namespace, and compiles it.

A template (search, perft, batch step) is a module of plain functions that calls placeholders: functions of an interface module such as
`envs.rules.interface`. `bind` clones the template's functions with globals of their own, in which a placeholder's name leads to the
function of that name in the module bound to the interface (or stays the placeholder, if that module has none: a documented default).
Every call between kernels lands on the clone. Closures and functions passed as arguments would do the same but never hit Numba's disk
cache.

Numba's cache looks at one file at a time and would serve a search that holds last week's rules. So compiled code is kept in a folder
named by a fingerprint of all kernel sources, the versions and the bounds-check switch; that of a game from outside the package, in one
named by its own sources as well.

With SPARRING_JIT=0 (or Numba's NUMBA_DISABLE_JIT=1) in the environment the clones stay plain Python: slow, but fit for a debugger.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import sys
import threading
import types
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from . import kernel_folders
from .file_lock import FileHeldError, held

PACKAGE = Path(__file__).parent.parent
PACKAGE_NAME = __name__.partition(".")[0]
KERNEL_ROOMS = ("envs", "agents")
PATIENCE = 2.0  # seconds of compiling after which a person at a terminal or a notebook is told
NOTEBOOK = "ipykernel"  # a module that is loaded in notebooks
LONGEST_WAIT = 60.0  # seconds for another process that compiles
USUAL = "usually 5 to 20 s"  # what most bindings take; measured for those of `agents.warming`
_binding = threading.RLock()
_patience = [LONGEST_WAIT]  # seconds that this process still waits for others


def is_plain() -> bool:
    """Tells whether kernels run as plain Python (SPARRING_JIT=0, or a Numba that is told not to compile)."""
    return os.environ.get("SPARRING_JIT", "1") == "0" or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def records(count: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Returns an array of zeroed records that kernels can read by field name, in the present mode."""
    array = np.zeros(count, dtype)
    return array.view(np.recarray) if is_plain() else array


def readable(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Returns an array of records as kernels read it in the present mode; the data are shared."""
    return array.view(np.recarray) if is_plain() else array


def _config() -> Any:
    """Numba's settings, which it fills in as it is imported."""
    from numba.core import config

    return config


@functools.cache
def _load_without_scipy() -> None:
    """Loads Numba's array functions without SciPy, which they import only to see whether it is there: a third of a warm start.

    Numba asks again where linear algebra is compiled, so nothing that works with SciPy stops working.
    """
    with contextlib.suppress(ImportError, AttributeError):  # a Numba with other insides loads SciPy as it likes
        from numba.np import linalg

        usual = linalg.ensure_blas
        linalg.ensure_blas = lambda: None
        try:
            import numba.np.arraymath  # noqa: F401 - for what it loads
        finally:
            linalg.ensure_blas = usual


def fingerprint(outside: bytes = b"") -> str:
    """Returns 16 hex digits that change whenever compiled code could; `outside` stands for the kernels from outside the package."""
    import numba

    versions = f"{numba.__version__} {np.__version__} {sys.version_info[:2]} {_config().BOUNDSCHECK}"
    digest = hashlib.sha256(versions.encode())
    for room in KERNEL_ROOMS:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    digest.update(outside)
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder(outside: bytes = b"") -> Path | None:
    """Returns a private, writable folder for a fingerprint, or None: then code is compiled anew in each process, which is told once.

    It lies in NUMBA_CACHE_DIR if that is set, else in the user's cache folder.
    """
    import platformdirs

    if outside and cache_folder() is None:
        return None
    chosen = _config().CACHE_DIR
    try:
        base = Path(chosen) / "sparring" if chosen else platformdirs.user_cache_path("sparring", appauthor=False)
        folder = base / fingerprint(outside)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        probe = folder / f"probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
        kernel_folders.use(folder)
    except (OSError, RuntimeError) as error:  # a user without a home is a RuntimeError
        _say(f"compiled code cannot be kept, so each process compiles anew ({error}); NUMBA_CACHE_DIR may name a folder for it")
        return None
    return folder


@contextlib.contextmanager
def one_compiler_at_a_time() -> Iterator[None]:
    """Lets one process compile while others wait and then load its result; whoever has waited too long compiles by itself."""
    with contextlib.ExitStack() as stack:
        if folder := cache_folder():
            with contextlib.suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)  # it is gone if nothing was compiled for weeks, see `kernel_folders`
            with contextlib.suppress(OSError):  # a folder without any lock: its files are whole, as Numba writes them in one step
                try:
                    stack.enter_context(held(folder / "lock", _patience[0]))
                except FileHeldError as error:
                    _patience[0] = 0.0  # this process has waited enough
                    _say(f"compiling without waiting any longer: {error.holder} is compiling, too{error.remedy()}")
        yield


@contextlib.contextmanager
def _told(functions: list[Any]) -> Iterator[None]:
    """Tells whoever sits at a terminal or a notebook why nothing happens while functions are compiled, should it take long.

    Pipes and files are told nothing: a program may read them.
    """
    if sys.stderr is None or not (sys.stderr.isatty() or NOTEBOOK in sys.modules):
        yield
        return
    timer = threading.Timer(PATIENCE, _tell, [functions[0].py_func.__qualname__.partition(".")[0]])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@functools.cache
def _tell(what: str) -> None:
    """Says so once for a template and the modules bound to it."""
    _say(f"compiling {what}: {USUAL}; later processes load it")


def _say(line: str) -> None:
    if sys.stderr is not None:
        print(f"{PACKAGE_NAME}: {line}", file=sys.stderr, flush=True)


def package_of(module: str) -> str:
    """Returns the package that a module stands in, or the module's own name."""
    return module.partition(".")[0]


def is_kernel(value: Any, packages: Container[str] = (PACKAGE_NAME,)) -> bool:
    """Tells whether a value is a function of some packages, so that binding clones it."""
    return isinstance(value, FunctionType) and package_of(value.__module__) in packages


def names_used(code: types.CodeType) -> set[str]:
    """Returns the names that a function's code may look up in its globals."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= names_used(constant)
    return names


class _Binder:
    """Clones functions and everything they call, each module keeping a scope of its own.

    Kernels are the functions of this package and of those that the bound modules stand in: a game from outside brings its own.
    """

    def __init__(self, name: str, parts: tuple[tuple[ModuleType, ModuleType], ...], compile: Callable[[FunctionType], Any]) -> None:
        self.name, self.compile = name, compile
        pairs = [*parts, *((module.STANDS_IN_FOR, module) for _, module in parts if hasattr(module, "STANDS_IN_FOR"))]
        self.stand_ins = {
            function: getattr(module, called)
            for interface, module in pairs
            for called, function in vars(interface).items()
            if is_kernel(function) and getattr(module, called, function) is not function
        }
        self.packages = {PACKAGE_NAME, *(package_of(module.__name__) for _, module in parts)}
        self.scopes: dict[str, dict[str, Any]] = {}
        self.clones: dict[FunctionType, Any] = {}
        self.sources: set[bytes] = set()  # of kernels from outside this package, with the values that they look up

    def clone(self, function: FunctionType) -> Any:
        """Returns the clone of a function, or of what stands in for a placeholder."""
        while function in self.stand_ins:  # what stands in for a placeholder can be a placeholder of another part
            function = self.stand_ins[function]
        if function not in self.clones:
            scope = self.scopes.setdefault(function.__module__, {"__name__": function.__module__, "__builtins__": __builtins__})
            twin = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
            twin.__module__, twin.__qualname__ = function.__module__, f"{self.name}.{function.__name__}"
            twin.__dict__.update(function.__dict__)
            self.clones[function] = self.compile(twin)
            self._fill(scope, function)
        return self.clones[function]

    def _fill(self, scope: dict[str, Any], function: FunctionType) -> None:
        """Gives a scope what a function of its module looks up there."""
        available = vars(sys.modules[function.__module__])
        is_outside = package_of(function.__module__) != PACKAGE_NAME
        if is_outside:
            self.sources.add(_source(function.__module__))
        for called in names_used(function.__code__) & available.keys() - scope.keys():
            value = available[called]
            scope[called] = value
            if is_kernel(value, self.packages):
                scope[called] = self.clone(value)
            elif is_outside and isinstance(value, ModuleType):
                self.sources.add(_source(value.__name__))
            elif is_outside:  # it may come from a module that holds no kernel
                self.sources.add(called.encode() + _frozen(value))

    @property
    def outside(self) -> bytes:
        """What stands for the kernels from outside this package in a fingerprint; nothing if there are none."""
        return b"".join(sorted(hashlib.sha256(source).digest() for source in self.sources))


def _frozen(value: Any) -> bytes:
    """Returns the bytes of a value that kernels look up; what cannot be pickled is none that they can use."""
    try:
        return pickle.dumps(value)
    except Exception:
        return b""


def _source(module: str) -> bytes:
    """Returns the name of a module and what its file holds."""
    file = getattr(sys.modules[module], "__file__", None)
    return module.encode() + (Path(file).read_bytes() if file else b"")


def bind(template: ModuleType, *parts: tuple[ModuleType, ModuleType]) -> SimpleNamespace:
    """Returns the functions of a template, bound and (unless in plain mode) ready to be compiled.

    Args:
        template: a module of kernels.
        parts: pairs of an interface module and the module that stands in for it. One that stands in for a module of kernels as well (a
            board on bitboards for one on cells) names it in STANDS_IN_FOR.
    """
    with _binding:  # else two threads would bind, and compile, each for itself
        return _bind(template, parts, is_plain())


def bind_plain(template: ModuleType, *parts: tuple[ModuleType, ModuleType]) -> SimpleNamespace:
    """Returns the functions of a template, bound, as plain Python in either mode: for one game at a time, without a compiler."""
    with _binding:
        return _bind(template, parts, True)


@functools.cache
def _bind(template: ModuleType, parts: tuple[tuple[ModuleType, ModuleType], ...], plain: bool) -> SimpleNamespace:
    name = "_".join(module.__name__.rpartition(".")[2] for module in (template, *(part for _, part in parts)))
    own = [function for function in vars(template).values() if is_kernel(function) and function.__module__ == template.__name__]
    if plain:
        binder = _Binder(name, parts, lambda function: function)
        return SimpleNamespace(**{function.__name__: binder.clone(function) for function in own})
    from numba import njit

    def compile(twin: FunctionType) -> Any:
        """Gives only the template's own functions the wrappers that let Python call them: wrappers take time.

        Kernels allocate nothing, so they do without Numba's counting of references, an atomic instruction for each array passed on; one
        that allocates fails to compile.
        """
        options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "forceinline": hasattr(twin, "is_inlined")}
        if twin.__module__ != template.__name__:
            options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return njit(**options)(twin)

    binder = _Binder(name, parts, compile)
    bound = SimpleNamespace(**{function.__name__: binder.clone(function) for function in own})
    for function in vars(bound).values():
        function.py_func.outside = binder.outside
    return bound


def ready(function: Any, *examples: Any) -> Any:
    """Compiles a bound function for the types of the example arguments, or loads it, and for no others later by accident.

    Only functions that Python calls need this; the kernels that they call are compiled into them. In plain mode the function is returned
    as it is.
    """
    ready_together((function, examples))
    return function


def ready_together(*calls: tuple[Any, tuple[Any, ...]]) -> None:
    """Makes several functions ready, each given with its example arguments; one process does them all while others wait for it."""
    with _binding:
        left = [(function, examples) for function, examples in calls if not is_plain() and not function.signatures]
        if not left:
            return
        import numba

        _load_without_scipy()
        with _told([function for function, _ in left]), one_compiler_at_a_time():
            _cache_on_disk([function for function, _ in left])  # all first: compiling one compiles what it calls
            _compile([(function, tuple(numba.typeof(example) for example in examples)) for function, examples in left])
            for function, _ in left:
                function.disable_compile()


def _compile(calls: list[tuple[Any, Any]]) -> None:
    """Compiles functions, each for some types, or loads them.

    Files of the cache that are damaged (by a full disk, say) make the loader raise anything. Then those of the functions are emptied, and
    if that does not help, they do without. A fault of a function itself comes again.
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


def _cache_on_disk(functions: list[Any]) -> None:
    """Lets functions be loaded from their cache folder and kept there, if there is one."""
    folders = [cache_folder(function.py_func.outside) for function in functions]
    config = _config()
    usual = config.CACHE_DIR
    try:
        for function, folder in zip(functions, folders, strict=True):
            if folder is not None:
                config.CACHE_DIR = str(folder)
                function.enable_caching()
    finally:
        config.CACHE_DIR = usual
