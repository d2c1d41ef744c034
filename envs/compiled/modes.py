"""The mode in which kernels run: compiled, or as plain Python."""

import os


def is_plain() -> bool:
    """Tells whether kernels run as plain Python (SPARRING_JIT=0, or a Numba that is not to compile)."""
    return os.environ.get("SPARRING_JIT", "1") == "0" or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
