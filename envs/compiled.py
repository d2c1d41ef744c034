"""The only module that imports Numba: binds a template and the modules it leaves open into one namespace, and compiles it.

A template (search, perft, batch step) is a module of plain functions that calls placeholders: functions of an interface module such as
`envs.rules.interface`. `bind` clones the template's functions with globals of their own, in which a placeholder's name leads to the
function of that name in the module bound to the interface (or stays the placeholder, if that module has none: a documented default).
Every call between kernels lands on the clone. Closures and functions passed as arguments would do the same but never hit Numba's disk
cache.

Numba's cache looks at one file at a time and would serve a search that holds last week's rules. So the code of each binding is kept in a
folder named by all that the binding reaches (see `kernel_folders`), in one named by the versions and the bounds-check switch. A comment
compiles nothing anew; a changed weight, what looks it up.

With SPARRING_JIT=0 (or Numba's NUMBA_DISABLE_JIT=1) in the environment the clones stay plain Python: slow, but fit for a debugger.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import os
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
Options = Callable[[FunctionType], dict[str, Any]]
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


def _all_sources() -> str:
    """Returns 16 hex digits that change with any file of the package that could hold a kernel."""
    digest = hashlib.sha256()
    for room in KERNEL_ROOMS:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder() -> Path | None:
    """Returns a private, writable folder for these versions, or None: then code is compiled anew in each process, which is told once.

    It lies in NUMBA_CACHE_DIR if that is set, else in the user's cache folder.
    """
    import numba
    import platformdirs

    versions = f"{numba.__version__} {np.__version__} {sys.version_info[:2]} {_config().BOUNDSCHECK}"
    chosen = _config().CACHE_DIR
    try:
        base = Path(chosen) / "sparring" if chosen else platformdirs.user_cache_path("sparring", appauthor=False)
        folder = base / kernel_folders.named(versions)
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

    def __init__(self, name: str, parts: tuple[tuple[ModuleType, ModuleType], ...], options: Options | None) -> None:
        """Options: of Numba's for a function of a module; None leaves the clones plain."""
        self.name, self.options = name, options
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

    def clone(self, function: FunctionType) -> Any:
        """Returns the clone of a function, or of what stands in for a placeholder."""
        while function in self.stand_ins:  # what stands in for a placeholder can be a placeholder of another part
            function = self.stand_ins[function]
        if function not in self.clones:
            scope = self.scopes.setdefault(function.__module__, {"__name__": function.__module__, "__builtins__": __builtins__})
            twin = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
            twin.__module__, twin.__qualname__ = function.__module__, f"{self.name}.{function.__name__}"
            twin.__dict__.update(function.__dict__)
            self.clones[function] = self._compiled(twin)
            self._fill(scope, function)
        return self.clones[function]

    def _fill(self, scope: dict[str, Any], function: FunctionType) -> None:
        """Gives a scope what a function of its module looks up there."""
        available = vars(sys.modules[function.__module__])
        for called in names_used(function.__code__) & available.keys() - scope.keys():
            value = available[called]
            scope[called] = value
            if is_kernel(value, self.packages):
                scope[called] = self.clone(value)

    def _compiled(self, twin: FunctionType) -> Any:
        if self.options is None:
            return twin
        from numba import njit

        clone: Any = njit(**self.options(twin))(twin)
        clone.py_func.binder = self
        return clone

    @functools.cached_property
    def digest(self) -> str | None:
        """What names the folder of this binding's code, found when it is compiled; None if it cannot be kept.

        If something that is looked up cannot be described, all sources of the package stand for it; for a game from outside nothing does.
        """
        try:
            return kernel_folders.named(self.name, *sorted(self._texts()))
        except (kernel_folders.UnknownValueError, RecursionError) as reason:
            if self.packages == {PACKAGE_NAME}:
                return kernel_folders.named(self.name, _all_sources())
            _say(f"compiled code cannot be kept, so each process compiles anew: {self.name} looks up {reason}")
            return None

    def _texts(self) -> Iterator[str]:
        """Describes each function and what it looks up, by whatever the clones would find there now."""
        if self.options is None:
            raise ValueError("expected a binding to be compiled, got a plain one")
        called = {id(clone): f"{function.__module__}:{function.__qualname__}" for function, clone in self.clones.items()}
        if len(set(called.values())) != len(called):
            raise kernel_folders.UnknownValueError("two functions of one name")
        for function, clone in self.clones.items():
            scope, names = self.scopes[function.__module__], tuple(sorted(names_used(function.__code__)))
            yield "|".join(
                (
                    called[id(clone)],
                    kernel_folders.text_of_code(function.__code__, function.__doc__),
                    kernel_folders.text_of(function.__defaults__),
                    repr(sorted(self.options(function).items())),
                    *(f"{name}={self._text(function, name, scope[name], names, called)}" for name in names if name in scope),
                )
            )

    @staticmethod
    def _text(function: FunctionType, name: str, value: Any, names: tuple[str, ...], called: dict[int, str]) -> str:
        try:
            return kernel_folders.text_of(value, names, lambda value: called.get(id(value)))
        except kernel_folders.UnknownValueError as error:
            raise kernel_folders.UnknownValueError(f"{function.__module__}.{name}, a {error}") from None


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

    def options(function: FunctionType) -> dict[str, Any]:
        """Gives only the template's own functions the wrappers that let Python call them: wrappers take time.

        Kernels allocate nothing, so they do without Numba's counting of references, an atomic instruction for each array passed on; one
        that allocates fails to compile.
        """
        options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "forceinline": hasattr(function, "is_inlined")}
        if function.__module__ != template.__name__:
            options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return options

    binder = _Binder(name, parts, None if plain else options)
    return SimpleNamespace(**{function.__name__: binder.clone(function) for function in own})


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
    """Lets functions be loaded from the folders of their bindings and kept there, if there are any."""
    base = cache_folder()
    if base is None:
        return
    for binder, own in itertools.groupby(functions, lambda function: function.py_func.binder):
        if binder.digest is None:
            continue
        folder = base / binder.digest
        with contextlib.suppress(OSError):  # they do without
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            kernel_folders.use(folder)
            for function in own:
                function._cache = _cache_type()(function.py_func, folder)


@functools.cache
def _cache_type() -> Any:
    """Returns Numba's cache of functions, with files in a folder whose name already says all that they depend on."""
    from numba.core import caching

    class Locator(caching._CacheLocator):
        def __init__(self, folder: Path, source: str) -> None:
            self.folder, self._py_file = folder, source  # the latter is for Numba's warnings

        def get_cache_path(self) -> Any:
            return str(self.folder)

        def get_source_stamp(self) -> Any:
            return self.folder.name

        def get_disambiguator(self) -> Any:
            return ""

    class Kept(caching.CompileResultCacheImpl):
        def __init__(self, function: Any) -> None:
            code = function.__code__
            self._lineno, self._locator = code.co_firstlineno, Locator(function.folder, code.co_filename)
            self._filename_base = self.get_filename_base(function.__qualname__, getattr(sys, "abiflags", ""))

    class KeptCache(caching.FunctionCache):
        _impl_class = Kept

        def __init__(self, function: Any, folder: Path) -> None:
            function.folder = folder
            super().__init__(function)

    return KeptCache
