"""Records from plain values without pydantic, where nothing has to be converted or explained.

pydantic takes longer to import than most commands take. What is not plain here is left to it.
"""

from dataclasses import is_dataclass
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Record = TypeVar("Record")


class Bounds:
    """Limits of a number, which pydantic checks too: `gt`, `ge`, `lt`, `le`."""

    def __init__(self, **limits: float) -> None:
        self.limits = limits

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> dict[str, Any]:
        """Return the schema of the number with the limits."""
        return {**handler(source), **self.limits}

    def hold(self, number: float) -> bool:
        """Whether `number` is within the limits."""
        tests = {
            "gt": number.__gt__,
            "ge": number.__ge__,
            "lt": number.__lt__,
            "le": number.__le__,
        }
        return all(tests[name](limit) is True for name, limit in self.limits.items())


class NotPlainError(Exception):
    """The values need pydantic: to be converted, or to explain what is wrong."""


def read_record(kind: type[Record], values: Any) -> Record:
    """Return the dataclass `kind` with `values`; raises NotPlainError."""
    hints = get_type_hints(kind, include_extras=True)
    if not isinstance(values, dict) or not values.keys() <= hints.keys():
        raise NotPlainError
    return kind(**{name: _read(hints[name], value) for name, value in values.items()})


def _read(hint: Any, value: Any) -> Any:
    if is_dataclass(hint) and isinstance(hint, type):
        return read_record(hint, value)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        number = _read(arguments[0], value)
        if all(bounds.hold(float(number)) for bounds in arguments[1:]):
            return number
    elif origin in (Union, UnionType) and value is not None:
        return _read(arguments[0], value)
    elif origin is Literal and value in arguments:
        return value
    elif origin is tuple and isinstance(value, list):
        return tuple(_read(arguments[0], item) for item in value)
    elif hint is float and type(value) in (int, float):
        return float(value)
    elif hint in (str, int, bool) and type(value) is hint:
        return value
    raise NotPlainError
