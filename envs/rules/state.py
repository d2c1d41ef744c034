"""A game's state as a plain Python object, for one game at a time.

A kernel reads `state.side` and `state.cells[cell]`, from a record of a NumPy array (batches, compiled search) or from this object.
Without a compiler this object is about six times as fast as a record.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class State:
    """A game state with the fields of a record type: int64 fields are ints, uint8 arrays are bytearrays."""

    def __init__(self, dtype: np.dtype[Any], **values: int) -> None:
        self.dtype = dtype
        for name, size in _sizes(dtype):
            setattr(self, name, bytearray(size) if size else 0)
        for name, value in values.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"state has no field {name!r}")

    def copy(self) -> State:
        """Returns an independent copy."""
        twin = object.__new__(State)
        twin.__dict__.update({name: value[:] if isinstance(value, bytearray) else value for name, value in self.__dict__.items()})
        return twin

    def record(self) -> np.ndarray[Any, Any]:
        """Returns the same state as an array of one record, STATE[1]."""
        records = np.zeros(1, self.dtype)
        for name, size in _sizes(self.dtype):
            value = getattr(self, name)
            records[name][0] = np.frombuffer(value, np.uint8) if size else value
        return records


def _sizes(dtype: np.dtype[Any]) -> list[tuple[str, int]]:
    """Returns the fields in order with the length of their array, 0 for a single integer."""
    assert dtype.names is not None
    return [(name, dtype[name].shape[0] if dtype[name].shape else 0) for name in dtype.names]


def state_type(integers: str, **arrays: int) -> np.dtype[Any]:
    """Returns a record type of int64 fields, named in one string, and uint8 arrays of the given lengths."""
    fields: list[Any] = [(name, np.int64) for name in integers.split()]
    return np.dtype(fields + [(name, np.uint8, (length,)) for name, length in arrays.items()])
