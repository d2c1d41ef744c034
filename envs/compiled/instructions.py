"""Machine instructions that Python has no words for, as Numba compiles them; `envs.rules.memory` holds the kernels that stand for them.

Compiled code is kept by the kernel's name and text, so an instruction that comes to do something else needs another name.
"""

from __future__ import annotations

import functools
from typing import Any


@functools.cache
def instruction(name: str) -> Any:
    """Returns an instruction as compiled kernels call it."""
    return {"prefetch": _prefetch}[name]()


def _prefetch() -> Any:
    """Reads a cache line ahead, for reading, to be kept in all caches."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def prefetch(typing_context: Any, array: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            integer, address = ir.IntType(32), ir.IntType(8).as_pointer()
            declared = ir.FunctionType(ir.VoidType(), [address, integer, integer, integer])
            function = cgutils.get_or_insert_function(builder.module, declared, "llvm.prefetch.p0i8")
            element = builder.bitcast(builder.gep(data, [arguments[1]]), address)
            builder.call(function, [element, integer(0), integer(3), integer(1)])  # to read; keep in all caches; data
            return context.get_dummy_value()

        return types.none(array, types.int64), generate

    return prefetch
