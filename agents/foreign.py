"""JSON that somebody else may have written: read within bounds, made printable, and held against a type before anybody uses it."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, cast

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from ..envs.rules.errors import printable, shown

MOST_BYTES = 2**26  # of a file that is read as a whole
STRICT = ConfigDict(strict=True, allow_inf_nan=False)
WORDING = {  # what was expected, by pydantic's type of error
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "finite_number": "a finite number",
    "float_type": "a number",
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "at least {ge:g}",
    "int_from_float": "a whole number",
    "int_type": "a whole number",
    "less_than": "less than {lt:g}",
    "less_than_equal": "at most {le:g}",
    "list_type": "a list",
    "literal_error": "{expected}",
    "model_attributes_type": "a mapping",
    "model_type": "a mapping",
    "multiple_of": "a multiple of {multiple_of}",
    "string_type": "text",
    "too_long": "at most {max_length} entries",
    "too_short": "at least {min_length} entries",
    "tuple_type": "a list",
}


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """Returns a file's text.

    Raises:
        OSError: there is no such file.
        ValueError: it is larger than `most` bytes or no UTF-8; the message does not name the file.
    """
    with path.open("rb") as file:
        data = file.read(most + 1)  # not by the size: a pipe or a device has none
    if len(data) > most:
        raise ValueError(f"expected at most {most:,} bytes, got more")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"expected UTF-8 text, got byte {data[error.start]:#04x} at {error.start}") from None


def loads(text: str) -> Any:
    """Returns what a JSON text holds, the control characters of its texts escaped.

    Raises:
        ValueError: it is no JSON, or nested too deeply.
    """
    try:
        value = json.loads(text)
        return value if text.isprintable() and "\\" not in text else _printable(value)
    except RecursionError:
        raise ValueError("expected JSON, got one that is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"expected JSON: {error}") from None


def conform(value: Any, type_: Any) -> Any:
    """Returns plain data as a type: a dataclass, named tuple or model is built, whole numbers and finite numbers are told apart.

    Raises:
        ValueError: the data are of another shape; names the first key that is, what was expected there and what came.
    """
    try:
        return _adapter(type_).validate_json(json.dumps(value))
    except ValidationError as error:
        raise ValueError(mistake_text(error.errors(include_url=False)[0])) from None
    except RecursionError:
        raise ValueError("expected data that are not nested too deeply") from None


def mistake_text(details: ErrorDetails) -> str:
    """Returns a mistake that pydantic has found as `key: expected …, got …`."""
    place = ".".join(str(step) for step in details["loc"])
    return f"{place}: {expectation(details)}" if place else expectation(details)


def expectation(details: ErrorDetails) -> str:
    """Returns what pydantic expected, in our wording, and what came."""
    match details["type"]:
        case "missing":
            return "missing"
        case "extra_forbidden":
            return "unknown key"
        case "value_error":
            return str(details.get("ctx", {})["error"])
        case kind if kind in WORDING:
            expected = f"expected {WORDING[kind].format(**details.get('ctx', {}))}"
        case _:
            expected = details["msg"]
    return f"{expected}, got {shown(details['input'])}"


@functools.cache
def _adapter(type_: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type_) if hasattr(type_, "model_config") else TypeAdapter(type_, config=STRICT)


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {_printable(key): _printable(inner) for key, inner in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_printable(inner) for inner in cast("list[Any]", value)]
    return value
