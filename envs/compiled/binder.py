"""Binding: clones kernels and all that they call, and names the folder of their compiled code."""

from __future__ import annotations

import functools
import hashlib
import sys
import types
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from . import folders
from .instructions import instruction
from .linking import keep_from_python
from .messages import PACKAGE_NAME, say

PACKAGE = Path(__file__).parent.parent.parent
KERNEL_ROOMS = ("envs", "agents")
Options = Callable[[FunctionType], dict[str, Any]]


def package_of(module: str) -> str:
    """Returns the package of a module, or the module's own name."""
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


def all_sources() -> str:
    """Returns 16 hex digits that change with any file of the package that could hold a kernel."""
    digest = hashlib.sha256()
    for room in KERNEL_ROOMS:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


class Binder:
    """Clones functions and everything they call; each module has a scope of its own.

    Kernels are the functions of this package and of the bound modules' packages: a game from outside brings its own.
    """

    def __init__(self, name: str, parts: tuple[tuple[ModuleType, ModuleType], ...], options: Options | None) -> None:
        """Options: returns Numba's options for a function; None leaves the clones plain."""
        self.name, self.options = name, options
        pairs = [*parts, *((module.STANDS_IN_FOR, module) for _, module in parts if hasattr(module, "STANDS_IN_FOR"))]
        self.stand_ins = {
            function: getattr(module, name)
            for interface, module in pairs
            for name, function in vars(interface).items()
            if is_kernel(function) and getattr(module, name, function) is not function
        }
        self.packages = {PACKAGE_NAME, *(package_of(module.__name__) for _, module in parts)}
        self.scopes: dict[str, dict[str, Any]] = {}
        self.clones: dict[FunctionType, Any] = {}

    def clone(self, function: FunctionType) -> Any:
        """Returns the clone of a function, or of what stands in for a placeholder."""
        while function in self.stand_ins:  # a stand-in can be a placeholder of another part
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
        """Adds to a scope what a function of its module looks up there."""
        available = vars(sys.modules[function.__module__])
        for name in names_used(function.__code__) & available.keys() - scope.keys():
            value = available[name]
            scope[name] = value
            if is_kernel(value, self.packages):
                scope[name] = self.clone(value)

    def _compiled(self, twin: FunctionType) -> Any:
        if self.options is None:
            return twin
        if name := getattr(twin, "instruction", None):
            return instruction(name)
        from numba import njit

        clone: Any = njit(**self.options(twin))(twin)
        clone.py_func.binder = self
        keep_from_python(clone)
        return clone

    @functools.cached_property
    def digest(self) -> str | None:
        """The name of the folder of this binding's code, computed when it is compiled; None if the code cannot be kept.

        If a kernel looks up something that has no description, the hash of all the package's sources is used instead; that does not cover a
        game from outside, whose code is then not kept.
        """
        try:
            return folders.named(self.name, *sorted(self._texts()))
        except (folders.UnknownValueError, RecursionError) as reason:
            if self.packages == {PACKAGE_NAME}:
                return folders.named(self.name, all_sources())
            say(f"compiled code cannot be kept, so each process compiles anew: {self.name} looks up {reason}")
            return None

    def _texts(self) -> Iterator[str]:
        """Yields a description of each function with what its clone would find under each name now."""
        if self.options is None:
            raise ValueError("expected a binding to be compiled, got a plain one")
        descriptions = {id(clone): f"{function.__module__}:{function.__qualname__}" for function, clone in self.clones.items()}
        if len(set(descriptions.values())) != len(descriptions):
            raise folders.UnknownValueError("two functions of one name")
        for function, clone in self.clones.items():
            scope, names = self.scopes[function.__module__], tuple(sorted(names_used(function.__code__)))
            yield "|".join(
                (
                    descriptions[id(clone)],
                    folders.text_of_code(function.__code__, function.__doc__),
                    folders.text_of(function.__defaults__),
                    repr(sorted(self.options(function).items())),
                    *(f"{name}={self._text(function, name, scope[name], names, descriptions)}" for name in names if name in scope),
                )
            )

    @staticmethod
    def _text(function: FunctionType, name: str, value: Any, names: tuple[str, ...], descriptions: dict[int, str]) -> str:
        try:
            return folders.text_of(value, names, lambda value: descriptions.get(id(value)))
        except folders.UnknownValueError as error:
            raise folders.UnknownValueError(f"{function.__module__}.{name}, a {error}") from None
