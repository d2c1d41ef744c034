"""How kernels become machine code: only those that Python calls, each with all that it calls inside.

By itself Numba makes machine code of every kernel, optimised with all that it calls, again and again from level to level. That took up to
half the time of a first move, and nobody ran it.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

PART_OF_CALLERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # options of Numba: nothing that Python could call


class Compilers(NamedTuple):
    """Values of Numba's option `pipeline_class`: for a kernel that only kernels call, and for one that Python calls."""

    callee: Any
    entry: Any


def keep_from_python(function: Any) -> None:
    """Lets a call of a kernel from Python end in an error, until `let_python_call`; it has no machine code of its own."""
    function._insert = lambda *_: None
    function._compile_for_args = functools.partial(_refuse, function)


def is_for_python(function: Any) -> bool:
    """Tells whether Python may call a kernel."""
    return "_compile_for_args" not in vars(function)


def let_python_call(function: Any) -> None:
    """Lets Python call a kernel, which is not compiled yet."""
    if function.signatures:
        raise RuntimeError(f"{function.py_func.__qualname__}: expected to be made ready before its callers or with them, got it after them")
    for name in ("_insert", "_compile_for_args"):
        vars(function).pop(name, None)
    for option in PART_OF_CALLERS:
        function.targetoptions.pop(option, None)
    function._compiler.pipeline_class = compilers().entry


def _refuse(function: Any, *_: Any, **__: Any) -> None:
    raise RuntimeError(f"{function.py_func.__qualname__}: expected a call by a kernel, or `ready` before one by Python")


@functools.cache
def compilers() -> Compilers:
    """Returns both compilers."""
    from numba import _dynfunc  # pyright: ignore[reportAttributeAccessIssue] - written in C
    from numba.core.codegen import JITCodeLibrary, RuntimeLinker
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_machinery import register_pass
    from numba.core.typed_passes import NativeLowering

    class CalleeLibrary(JITCodeLibrary):
        """One kernel in LLVM's language, without those that it calls."""

        def callees(self) -> list[Any]:
            return self._linking_libraries

        def finalize(self) -> None:
            if any(each.name.startswith(RuntimeLinker.PREFIX) for each in self._final_module.global_variables):
                link_all(self)
                super().finalize()  # it calls itself, by an address that Numba takes from machine code
            else:
                self._finalized = True

    class EntryLibrary(JITCodeLibrary):
        """A kernel and all that it calls, optimised together."""

        def finalize(self) -> None:
            link_all(self)
            super().finalize()

    def link_all(library: Any) -> None:
        """Adds to the libraries that a library needs those that these need; each comes after its users, as only what is used is linked."""
        found = dict[Any, None]()

        def visit(needed: Any) -> None:
            if needed not in found:
                for each in needed.callees() if isinstance(needed, CalleeLibrary) else ():
                    visit(each)
                found[needed] = None

        for each in library._linking_libraries:
            visit(each)
        library._linking_libraries = list(reversed(found))

    class Lowering(NativeLowering):
        library_type: Any

        def run_pass(self, state: Any) -> Any:
            state.library = self.library_type(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return super().run_pass(state)

    @register_pass(mutates_CFG=True, analysis_only=False)
    class EntryLowering(Lowering):
        _name, library_type = "entry_lowering", EntryLibrary

    @register_pass(mutates_CFG=True, analysis_only=False)
    class CalleeLowering(Lowering):
        _name, library_type = "callee_lowering", CalleeLibrary

        def run_pass(self, state: Any) -> Any:
            state.flags.no_compile = True
            super().run_pass(state)
            lowered, kernel = state["cr"], state["cr"].fndesc
            name_for_numba = _dynfunc.make_function(kernel.lookup_module(), kernel.qualname, "", 0, lowered.env, (state.library,))
            state.targetctx.insert_user_function(name_for_numba, kernel, [state.library])
            state["cr"] = lowered._replace(cfunc=name_for_numba)
            return True

    def compiler(lowering: Any) -> Any:
        class Compiler(CompilerBase):
            def define_pipelines(self) -> list[Any]:
                manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
                manager.passes = [(lowering if each is NativeLowering else each, text) for each, text in manager.passes]
                manager.finalize()
                return [manager]

        return Compiler

    return Compilers(compiler(CalleeLowering), compiler(EntryLowering))
